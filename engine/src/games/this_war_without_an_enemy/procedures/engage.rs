//! The actions of a fight: what is legal at each stage, and what each action does.

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::{Listed, Numbered, SetOf};
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{BlockId, BlockSet, Place};
use super::super::state::{Fight, FightKind, Flags, Goal, Relief, Stage, State, UNMARKED};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// Blocks that their owner is picking.
    pub(in super::super) fn picked(&self, state: &State, seat: Seat) -> BlockSet {
        self.own_with(state, seat, Flags::TAKEN)
    }

    /// Returns the seat that is asked in a fight that has stopped for a decision; `None` for dice.
    pub(in super::super) fn fight_seat(&self, fight: &Fight) -> Option<Seat> {
        if fight.hits != [0; 3] {
            return Some(fight.struck);
        }
        match fight.stage {
            Stage::Relief | Stage::Hold | Stage::Withdraw | Stage::WithdrawLoss | Stage::GunsFirst => {
                Some(fight.defender())
            }
            Stage::Main
            | Stage::Joining
            | Stage::Guns
            | Stage::SallyPick
            | Stage::Mine
            | Stage::Bombard
            | Stage::StormPick
            | Stage::GunsSecond
            | Stage::GoOn
            | Stage::Exchange => Some(fight.attacker),
            Stage::Stand | Stage::Well => Some(Self::asked(fight)),
            Stage::Retreat => fight.loser,
            Stage::Regroup | Stage::RegroupPick => fight.loser.map(Seat::other),
            _ => None,
        }
    }

    pub(in super::super) fn list_fight(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        let own = self.content.of_side[seat.index()];
        let here = state.out(&self.content, fight.area, seat);
        let within = state.inside(&self.content, fight.area, seat);
        if fight.hits != [0; 3] {
            return all(self.struck(state, fight), Action::Hit, offer);
        }
        match fight.stage {
            Stage::Relief => {
                offer(Action::Break);
                offer(Action::Maintain);
            }
            Stage::Hold => {
                all(here, Action::Hold, offer);
                offer(Action::Done);
            }
            Stage::Main => all(self.borders_crossed(state, fight), Action::Main, offer),
            Stage::Withdraw => {
                offer(Action::Retire);
                offer(Action::Fight);
            }
            Stage::WithdrawLoss => {
                all(self.attempt_losers(state, fight), Action::Lose, offer);
                offer(Action::Pass);
            }
            Stage::Joining => {
                all(within, Action::Join, offer);
                offer(Action::Done);
            }
            Stage::Guns => {
                all(within & self.content.guns, Action::Fire, offer);
                offer(Action::Done);
            }
            Stage::SallyPick => {
                all(self.sally_able(state, fight), Action::Sally, offer);
                offer(Action::Done);
            }
            Stage::Mine => {
                offer(Action::Mine);
                offer(Action::Pass);
            }
            Stage::Bombard => {
                offer(Action::Bombard);
                offer(Action::Pass);
            }
            Stage::StormPick | Stage::Exchange => {
                all(here & self.content.field(), Action::Storm, offer);
                offer(Action::Done);
            }
            Stage::Stand => {
                all(self.nameable(state, fight, seat), Action::Stand, offer);
                offer(Action::Pass);
            }
            Stage::Well => {
                all(self.nameable(state, fight, seat), Action::Gun, offer);
                offer(Action::Pass);
            }
            Stage::GunsFirst | Stage::GunsSecond => {
                if let Some(gun) = self.next_gun(state, fight, seat) {
                    offer(Action::AtHorse(gun));
                    offer(Action::AtFoot(gun));
                }
            }
            Stage::GoOn => {
                offer(Action::On);
                offer(Action::Halt);
            }
            Stage::Retreat => {
                all(self.retreating(state, fight) & own, Action::Retreat, offer);
                offer(Action::Done);
            }
            Stage::Regroup => {
                all(self.regroup_goals(state, fight), Action::Regroup, offer);
                offer(Action::Pass);
            }
            Stage::RegroupPick => {
                all(self.victors(state, fight), Action::Take, offer);
                offer(Action::Done);
            }
            _ => {}
        }
    }

    /// 7.41: the gun that declares next.
    pub(in super::super) fn next_gun(&self, state: &State, fight: &Fight, seat: Seat) -> Option<BlockId> {
        (self.firing(state, fight, seat) - fight.declared).first()
    }

    /// 8.1: besiegers who are not held back yet.
    fn unheld(&self, state: &State, fight: &Fight) -> BlockSet {
        let own = state.out(&self.content, fight.area, fight.defender());
        own - state.flagged(own, Flags::HELD)
    }

    fn city_size(&self, fight: &Fight) -> u32 {
        fight.city.map_or(0, |city| u32::from(self.content.cities[city].size))
    }

    /// 8.3: those who may storm, those picked so far, and how many may be.
    fn stormers(&self, state: &State, fight: &Fight) -> (BlockSet, BlockSet, u32) {
        let own = state.out(&self.content, fight.area, fight.attacker) & self.content.field();
        let able = own - state.flagged(own, Flags::TIRED);
        let limit = self.content.cities[fight.siege_city()].storm.into();
        (able, state.flagged(able, Flags::TAKEN), rules::STORM_LIMIT.gives(limit, u32::MAX))
    }

    pub(in super::super) fn examine_fight(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let content = &self.content;
        let within = state.inside(content, fight.area, seat);
        let piece = |block: BlockId| Ref::from(block);
        if fight.hits != [0; 3] {
            let Action::Hit(block) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
            return why.require(
                self.struck(state, fight).contains(block),
                rules::STRONGEST,
                "NOT_STRONGEST",
                &[piece(block)],
            );
        }
        match (fight.stage, action) {
            (Stage::Relief, Action::Break) | (Stage::Withdraw, Action::Retire | Action::Fight) => {
                ControlFlow::Continue(())
            }
            (Stage::Relief, Action::Maintain) => {
                let field = state.out(content, fight.area, seat) & content.field();
                let enough = field.count() > self.city_size(fight);
                why.require(enough, rules::RELIEF, "TOO_FEW_BESIEGERS", &[])
            }
            (Stage::Hold, Action::Hold(block)) => {
                let unheld = self.unheld(state, fight);
                why.demand(unheld.contains(block), rules::RELIEF, "NOT_HERE", &[piece(block)])?;
                let gun = content.guns.contains(block);
                let left = (unheld & content.field()).count();
                why.require(gun || left > 1, rules::RELIEF, "ONE_MUST_FIGHT", &[piece(block)])
            }
            (Stage::Hold, Action::Done) => {
                let own = state.out(content, fight.area, seat);
                let held = (state.flagged(own, Flags::HELD) & content.field()).count();
                why.require(held >= self.city_size(fight), rules::RELIEF, "TOO_FEW_BESIEGERS", &[])
            }
            (Stage::Main, Action::Main(by)) => {
                let crossed = self.borders_crossed(state, fight).contains(by);
                why.require(crossed, rules::MAIN_ATTACK, "NOT_CROSSED", &[Ref::from(by)])
            }
            (Stage::WithdrawLoss, Action::Lose(block)) => {
                let able = self.attempt_losers(state, fight).contains(block);
                why.require(able, rules::WITHDRAWAL_LOSS, "CAVALRY_FIRST", &[piece(block)])
            }
            (Stage::WithdrawLoss, Action::Pass) => {
                let none = self.attempt_losers(state, fight).is_empty();
                why.require(none, rules::WITHDRAWAL_LOSS, "LOSS_OWED", &[])
            }
            (Stage::Joining, Action::Join(block)) => {
                let able = (within - state.flagged(within, Flags::JOINED)).contains(block);
                why.require(able, rules::JOINING, "NOT_IN_THE_CITY", &[piece(block)])
            }
            (Stage::Guns, Action::Fire(block)) => {
                let able = (within & (content.guns - state.flagged(within, Flags::FIRED))).contains(block);
                why.require(able, rules::CITY_GUNS, "NOT_IN_THE_CITY", &[piece(block)])?;
                let target = !self.besiegers(state, fight).is_empty();
                why.require(target, rules::CITY_GUNS, "NO_TARGET", &[])
            }
            (Stage::SallyPick, Action::Sally(block)) => {
                let able = self.sally_able(state, fight).contains(block);
                why.require(able, rules::SALLY, "NOT_IN_THE_CITY", &[piece(block)])
            }
            (Stage::SallyPick, Action::Done) => {
                let picked = state.flagged(within, Flags::JOINED);
                let led = picked.is_empty() || picked.meets(content.field());
                why.require(led, rules::SALLY, "GUNS_ALONE", &[])
            }
            (Stage::Joining | Stage::Guns, Action::Done)
            | (Stage::Mine, Action::Mine | Action::Pass)
            | (Stage::Bombard | Stage::Regroup, Action::Pass)
            | (Stage::GoOn, Action::Halt)
            | (Stage::RegroupPick, Action::Done) => ControlFlow::Continue(()),
            (Stage::Bombard, Action::Bombard) => {
                let guns = self.besieging_guns(state, fight);
                let enough = content.breach(state.strength(guns)).is_some();
                why.require(enough, rules::BOMBARDMENT, "TOO_LITTLE_ARTILLERY", &[])
            }
            (Stage::StormPick | Stage::Exchange, Action::Storm(block)) => {
                let (able, picked, limit) = self.stormers(state, fight);
                why.demand(able.contains(block), rules::STORM, "NOT_HERE", &[piece(block)])?;
                why.demand(!picked.contains(block), rules::STORM, "TAKEN_ALREADY", &[piece(block)])?;
                why.require(picked.count() < limit, rules::STORM_LIMIT, "TOO_MANY_STORMERS", &[])
            }
            (Stage::StormPick, Action::Done) => ControlFlow::Continue(()),
            (Stage::Exchange, Action::Done) => {
                let (_, picked, _) = self.stormers(state, fight);
                why.require(!picked.is_empty(), rules::EXCHANGE, "NOBODY_TAKEN", &[])
            }
            (Stage::Stand, Action::Stand(block)) | (Stage::Well, Action::Gun(block)) => {
                let rule =
                    if fight.stage == Stage::Stand { rules::LAST_STAND } else { rules::WELL_POSITIONED };
                why.require(
                    self.nameable(state, fight, seat).contains(block),
                    rule,
                    "NOT_HERE",
                    &[piece(block)],
                )
            }
            (Stage::Stand | Stage::Well, Action::Pass) => ControlFlow::Continue(()),
            (Stage::GunsFirst | Stage::GunsSecond, Action::AtHorse(gun) | Action::AtFoot(gun)) => {
                let next = self.next_gun(state, fight, seat) == Some(gun);
                why.require(next, rules::GUN_TARGETS, "NOT_THIS_GUN", &[piece(gun)])
            }
            (Stage::GoOn, Action::On) => {
                let left = !self.remaining(state, fight, fight.attacker).is_empty();
                why.require(left, rules::GO_ON, "NOBODY_LEFT", &[])
            }
            (Stage::Retreat, Action::Retreat(block)) => self.examine_retreat(state, seat, block, why),
            (Stage::Retreat, Action::Done) => self.examine_retreat_done(state, why),
            (Stage::Regroup, Action::Regroup(area)) => self.examine_regroup(state, area, why),
            (Stage::RegroupPick, Action::Take(block)) => self.examine_regroup_take(state, block, why),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// 8.3: the besieger's Artillery that can bombard.
    pub(in super::super) fn besieging_guns(&self, state: &State, fight: &Fight) -> BlockSet {
        let own = state.out(&self.content, fight.area, fight.attacker) & self.content.guns;
        own - state.flagged(own, Flags::TIRED)
    }

    /// 8.1: the Siege is broken off for the Battle.
    pub(in super::super) fn break_off(&self, state: &mut State, before: &Fight, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let mut fight = *before;
        let marker = &mut state.siege[fight.siege_city()];
        *marker = rules::BREAK_OFF.gives((*marker - 1).max(UNMARKED), *marker);
        (fight.relief, fight.stage) = (Relief::Broken, Stage::Main);
        state.fight = Some(fight);
        let refs = [Ref::Seat(fight.defender()), fight.siege_city().reference(&self.content)];
        scene.publish(self, state, out, || Event::new("breaks_off", rules::BREAK_OFF, &refs));
    }

    /// A subset of upright blocks gets a flag: who of them can't be told.
    fn mark(
        &self,
        state: &mut State,
        block: BlockId,
        flags: Flags,
        fact: (&'static str, crate::ledger::Rule),
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let seat = self.content.blocks[block].side;
        state.depart(&self.content, BlockSet::one(block));
        state.set_flags(BlockSet::one(block), flags);
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new(fact.0, fact.1, &[Ref::Seat(seat), back]).private(
                seat,
                &[Ref::Seat(seat), Ref::from(block)],
                [],
            )
        });
    }

    pub(in super::super) fn apply_fight(
        &self,
        state: &mut State,
        seat: Seat,
        before: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let mut fight = *before;
        let who = Ref::Seat(seat);
        let mut say = |state: &mut State, fight: Fight, code, rule, refs: &[Ref]| {
            state.fight = Some(fight);
            out.emit(|| Event::new(code, rule, refs));
        };
        match (fight.stage, action) {
            (_, Action::Hit(block)) => self.hit(state, block, out),
            (_, Action::Break) => {
                self.break_off(state, &fight, out);
            }
            (_, Action::Maintain) => {
                fight.stage = Stage::Hold;
                let place = fight.siege_city().reference(&self.content);
                say(state, fight, "maintains", rules::RELIEF, &[who, place]);
            }
            (_, Action::Hold(block)) => self.mark(state, block, Flags::HELD, ("held", rules::RELIEF), out),
            (Stage::Hold, Action::Done) => {
                (fight.relief, fight.stage) = (Relief::Maintained, Stage::Main);
                let held = state.flagged(self.content.of_side[seat.index()], Flags::HELD).count();
                say(state, fight, "holds_back", rules::RELIEF, &[who, Ref::Number(held as i32)]);
                out.revealed();
            }
            (_, Action::Main(by)) => self.main_attack(state, by, out),
            (_, Action::Retire) => self.attempt(state, out),
            (_, Action::Fight) => {
                fight.stage = Stage::Joining;
                say(state, fight, "stands", rules::BATTLE_WITHDRAWAL, &[who]);
            }
            (Stage::WithdrawLoss, Action::Lose(block)) => {
                fight.owed -= 1;
                state.fight = Some(fight);
                self.lose_one(state, block, rules::WITHDRAWAL_LOSS, out);
                // Cavalry loses first, so that everybody can tell when one of it is gone.
                let gone = state.blocks[block].at == Place::POOL;
                if let Some(fight) = state.fight.as_mut().filter(|_| gone) {
                    fight.horse[0] = fight.horse[0].saturating_sub(1);
                }
            }
            (Stage::WithdrawLoss, _) => {
                fight.owed = 0;
                say(state, fight, "nobody_to_lose", rules::WITHDRAWAL_LOSS, &[who]);
            }
            (_, Action::Join(block)) => {
                self.mark(
                    state,
                    block,
                    Flags::JOINED | Flags::RESERVE | Flags::LATE,
                    ("joins", rules::JOINING),
                    out,
                );
            }
            (Stage::Joining, Action::Done) => {
                fight.stage = Stage::Round;
                say(state, fight, "joined", rules::JOINING, &[who]);
            }
            (_, Action::Fire(gun)) => self.fire(state, gun, out),
            (Stage::Guns, Action::Done) => {
                fight.stage = Stage::SallyPick;
                say(state, fight, "guns_rest", rules::CITY_GUNS, &[who]);
            }
            (_, Action::Sally(block)) => {
                self.mark(state, block, Flags::JOINED, ("sallies", rules::SALLY), out)
            }
            (Stage::SallyPick, Action::Done) => {
                let count = self.fighters(state, &fight, seat, Flags::JOINED).count();
                fight.stage = match fight.kind {
                    _ if rules::SALLY.allows(count == 0) => Stage::Close,
                    FightKind::SallyBattle => Stage::Withdraw,
                    _ => Stage::SallyDraw,
                };
                say(state, fight, "sally", rules::SALLY, &[who, Ref::Number(count as i32)]);
                if fight.stage == Stage::SallyDraw {
                    // The draw comes now: nobody looks at who meets the Sally and then thinks again.
                    out.revealed();
                }
            }
            (_, Action::Mine) => {
                let scene = Scene::open(self, state, 2, out);
                state.mining[seat.index()] = false;
                fight.stage = Stage::MineRoll;
                state.fight = Some(fight);
                scene.publish(self, state, out, || Event::new("mines", rules::MINING, &[who]));
            }
            (Stage::Mine, _) => {
                fight.stage = Stage::Bombard;
                say(state, fight, "no_mining", rules::MINING, &[who]);
            }
            (_, Action::Bombard) => {
                fight.stage = Stage::BombardRoll;
                let total = state.strength(self.besieging_guns(state, &fight));
                fight.owed = total.min(255) as u8;
                say(state, fight, "bombardment", rules::BOMBARDMENT, &[who, Ref::Number(total as i32)]);
                out.revealed();
            }
            (Stage::Bombard, _) => {
                fight.stage = Stage::StormPick;
                say(state, fight, "no_bombardment", rules::BOMBARDMENT, &[who]);
            }
            (_, Action::Storm(block)) => {
                self.pick(state, seat, block, rules::STORM, out);
            }
            (Stage::StormPick | Stage::Exchange, Action::Done) => self.storm(state, seat, fight, out),
            (Stage::Stand, Action::Stand(block)) => {
                fight.stand[seat.index()] = Some(block);
                fight.ask = fight.ask.without(seat);
                say(state, fight, "last_stand", rules::LAST_STAND, &[who, Ref::from(block)]);
            }
            (_, Action::Gun(block)) => {
                fight.well[seat.index()] = Some(block);
                fight.ask = fight.ask.without(seat);
                say(state, fight, "well_placed", rules::WELL_POSITIONED, &[who, Ref::from(block)]);
            }
            (Stage::Stand | Stage::Well, _) => {
                fight.ask = fight.ask.without(seat);
                say(state, fight, "passes", rules::TACTICAL, &[who]);
            }
            (_, Action::AtHorse(gun) | Action::AtFoot(gun)) => {
                fight.declared |= BlockSet::one(gun);
                let horse = matches!(action, Action::AtHorse(_));
                if horse {
                    fight.at_horse |= BlockSet::one(gun);
                }
                let code = if horse { "at_horse" } else { "at_foot" };
                say(state, fight, code, rules::GUN_TARGETS, &[who, Ref::from(gun)]);
            }
            (_, Action::On) => {
                fight.stage = if fight.kind == FightKind::Storm { Stage::Exchange } else { Stage::Round };
                say(state, fight, "goes_on", rules::GO_ON, &[who]);
            }
            (_, Action::Halt) => {
                fight.stage = Stage::End;
                say(state, fight, "halts", rules::GO_ON, &[who]);
            }
            (_, Action::Retreat(block)) => self.open_goals(state, seat, block, out),
            (Stage::Retreat, Action::Done) => self.retreat_over(state, out),
            (_, Action::Regroup(area)) => {
                (fight.goal, fight.stage) = (area.into(), Stage::RegroupPick);
                say(state, fight, "regroup_goal", rules::REGROUP, &[who, Ref::from(area)]);
            }
            (Stage::Regroup, _) => {
                fight.stage = Stage::Close;
                say(state, fight, "no_regroup", rules::REGROUP, &[who]);
            }
            (_, Action::Take(block)) => {
                self.pick(state, seat, block, rules::REGROUP, out);
            }
            (Stage::RegroupPick, _) => self.regroup(state, out),
            _ => unreachable!("an illegal action of a fight"),
        }
    }

    /// A block is picked: its owner alone sees that.
    pub(in super::super) fn pick(
        &self,
        state: &mut State,
        seat: Seat,
        block: BlockId,
        rule: crate::ledger::Rule,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        state.set_flags(BlockSet::one(block), Flags::TAKEN);
        let refs = [Ref::Seat(seat), Ref::from(block)];
        scene.publish(self, state, out, || Event::only(seat, "picked_block", rule, &refs));
    }

    /// 8.3: those who were picked storm; the others are in Reserve.
    fn storm(&self, state: &mut State, seat: Seat, mut fight: Fight, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let (_, picked, _) = self.stormers(state, &fight);
        let own = state.out(&self.content, fight.area, seat);
        state.clear_flags(own, Flags::FIGHTING | Flags::TAKEN);
        state.depart(&self.content, picked);
        state.set_flags(picked, Flags::FIGHTING);
        fight.stage = if rules::STORM.allows(picked.is_empty()) { Stage::Close } else { Stage::Round };
        fight.goal = Goal::NONE;
        state.fight = Some(fight);
        let refs = [Ref::Seat(seat), Ref::Number(picked.count() as i32)];
        scene.publish(self, state, out, || Event::new("storms", rules::STORM, &refs));
    }
}

/// Offers an action for each thing of a set.
fn all<T: Numbered>(things: SetOf<T>, make: fn(T) -> Action, offer: &mut dyn FnMut(Action)) {
    things.iter().for_each(|thing| offer(make(thing)));
}
