//! Fights: Battles, Sallies and Stormings as stages, one after the other, until somebody or the dice are asked (7, 8).

use super::super::content::things::{AreaSet, BlockId, BlockSet, Place};
use crate::event::{Event, Events, Scene};
use crate::ledger::Rule;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::Seat;

use super::super::frames::Frame;
use super::super::state::{FREE, Fight, FightKind, Flags, Relief, Stage, State, UNMARKED};
use super::super::{ThisWar, rules};
use super::surrender::{publish_guns, publish_stranded};

impl ThisWar {
    /// The fight is this one from now on, and an event of these words says why.
    pub(in super::super) fn go_on(
        state: &mut State,
        fight: Fight,
        (code, rule): (&'static str, Rule),
        refs: &[Ref],
        out: &mut Events,
    ) {
        state.fight = Some(fight);
        out.emit(|| Event::new(code, rule, refs));
    }

    /// A side's blocks of a fight that have any of these flags.
    pub(in super::super) fn fighters(
        &self,
        state: &State,
        fight: &Fight,
        side: Seat,
        flags: Flags,
    ) -> BlockSet {
        let own = state.out(&self.content, fight.area, side) | state.inside(&self.content, fight.area, side);
        state.flagged(own, flags)
    }

    /// Blocks of the defence before the Rounds: outside, not in Reserve, not held back.
    pub(in super::super) fn defence(&self, state: &State, fight: &Fight) -> BlockSet {
        let own = state.out(&self.content, fight.area, fight.defender());
        let tired = if fight.kind == FightKind::Battle { Flags::empty() } else { Flags::TIRED };
        own - state.flagged(own, Flags::RESERVE | Flags::HELD | tired)
    }

    /// Blocks of the attack before the Rounds: outside and not in Reserve, or sallying.
    pub(in super::super) fn attack(&self, state: &State, fight: &Fight) -> BlockSet {
        let within = self.fighters(state, fight, fight.attacker, Flags::JOINED);
        if fight.kind == FightKind::SallyBattle {
            return within - state.flagged(within, Flags::RESERVE);
        }
        let own = state.out(&self.content, fight.area, fight.attacker);
        own - state.flagged(own, Flags::RESERVE | Flags::HELD)
    }

    pub(in super::super) fn stage(state: &mut State, stage: Stage) {
        if let Some(fight) = &mut state.fight {
            fight.stage = stage;
        }
    }

    /// One stage further; `false` if somebody or the dice are asked.
    pub(in super::super) fn fight_on(&self, state: &mut State, out: &mut Events) -> bool {
        let fight = state.ongoing_fight();
        if fight.hits != [0; 3] {
            return self.next_hit(state, &fight, out);
        }
        match fight.stage {
            Stage::BreakOff => self.break_off(state, &fight, out),
            Stage::Main => {
                let ways = self.borders_crossed(state, &fight);
                if rules::MAIN_ATTACK.applies(ways.count() > 1) {
                    return false;
                }
                state.fight = Some(Fight { main: ways.first(), stage: Stage::Withdraw, ..fight });
            }
            Stage::Withdraw if rules::BATTLE_WITHDRAWAL.allows(false) => Self::stage(state, Stage::Joining),
            Stage::WithdrawLoss if fight.owed == 0 => self.after_attempt(state, &fight, out),
            Stage::Joining => {
                let city = !state.inside(&self.content, fight.area, fight.attacker).is_empty();
                let asked = fight.relief != Relief::None && fight.relief != Relief::Maintained;
                if rules::JOINING.applies(asked && city) {
                    return false;
                }
                Self::stage(state, Stage::Round);
            }
            Stage::Guns if state.siege[fight.siege_city()] == FREE => Self::stage(state, Stage::Close),
            Stage::SallyDraw => return self.draw_on(state, &fight, out),
            Stage::Mine if !state.mining[fight.attacker.index()] => Self::stage(state, Stage::Bombard),
            Stage::Bombard if fight.breach => Self::stage(state, Stage::StormPick),
            Stage::Round => self.begin_round(state, &fight, out),
            Stage::Stand | Stage::Well => return self.ask_next(state, &fight),
            Stage::GunsFirst => return self.declare(state, &fight, fight.defender(), Stage::GunsFirstRoll),
            Stage::GunsSecond => return self.declare(state, &fight, fight.attacker, Stage::GunsSecondRoll),
            Stage::GunsFirstRoll
            | Stage::GunsSecondRoll
            | Stage::HorseFirst
            | Stage::HorseSecond
            | Stage::FootFirst
            | Stage::FootSecond => {
                if !self.dice(state, &fight).is_empty() {
                    return false;
                }
                Self::stage(state, after_roll(fight.stage));
            }
            Stage::RoundEnd => self.end_round(state, &fight, out),
            Stage::Exchange if !self.can_exchange(state, &fight) => Self::stage(state, Stage::Round),
            Stage::End => self.end_fight(state, &fight, out),
            Stage::Regroup
                if self.regroup_goals(state, &fight).is_empty() || self.victors(state, &fight).is_empty() =>
            {
                Self::stage(state, Stage::Close);
            }
            Stage::Close => self.close_fight(state, &fight, out),
            _ => return false,
        }
        true
    }

    /// 8.2: besiegers are drawn as far as chance has nothing to choose among; `false` if it has.
    fn draw_on(&self, state: &mut State, fight: &Fight, out: &mut Events) -> bool {
        let (besiegers, drawn, wanted) = self.draws(state, fight);
        let left = besiegers - drawn;
        if drawn.count() >= wanted || left.is_empty() {
            Self::stage(state, Stage::Round);
        } else if left.count() + drawn.count() <= wanted {
            self.draw(state, left, out);
        } else {
            return false;
        }
        true
    }

    /// 7.5: halves, the Loser, the Loser's Artillery; all blocks stand up.
    fn end_fight(&self, state: &mut State, before: &Fight, out: &mut Events) {
        let mut fight = *before;
        self.round_halves(state, &mut fight, out);
        let scene = Scene::open(self, state, 2, out);
        let content = &self.content;
        let mut guns = Vec::new();
        if matches!(fight.kind, FightKind::Battle | FightKind::SallyBattle) {
            let left = |side| self.remaining(state, &fight, side).count();
            let (attack, defence) = (left(fight.attacker), left(fight.defender()));
            let attacker_loses = !fight.withdrawn && rules::END_OF_BATTLE.allows(attack <= defence);
            let loser = if attacker_loses { fight.attacker } else { fight.defender() };
            fight.loser = Some(loser);
            let own = self.retreating(state, &fight);
            if rules::LOST_GUNS.applies(!own.meets(content.field())) {
                guns.push((own & content.guns, loser, Place::from(fight.area), rules::END_OF_BATTLE));
                (own & content.guns).iter().for_each(|gun| state.eliminate(content, gun));
            }
            fight.stage = Stage::Retreat;
            state.crossed = [0; super::super::state::CROSSINGS];
        } else {
            if fight.kind == FightKind::Storm {
                let within = state.inside(content, fight.area, fight.defender());
                if rules::CITY_FALLS.applies(!within.meets(content.field()) && fight.round > 0) {
                    guns.push((
                        within,
                        fight.defender(),
                        content.city_place(fight.siege_city()),
                        rules::CITY_FALLS,
                    ));
                    within.iter().for_each(|gun| state.eliminate(content, gun));
                }
                let own = state.out(content, fight.area, fight.attacker);
                if rules::LOST_GUNS.applies(!own.meets(content.field()) && fight.round > 0) {
                    guns.push((own, fight.attacker, fight.area.into(), rules::END_OF_BATTLE));
                    own.iter().for_each(|gun| state.eliminate(content, gun));
                }
            }
            fight.stage = Stage::Close;
        }
        fight.touched |= AreaSet::one(fight.area);
        for block in BlockId::all(content) {
            if state.blocks[block].flags.contains(Flags::SHOWN) {
                state.blocks[block].seen = state.blocks[block].strength;
                state.blocks[block].flags -= Flags::SHOWN;
            }
        }
        state.fight = Some(fight);
        scene.publish(self, state, out, || {
            let area = Ref::from(fight.area);
            match fight.loser {
                Some(loser) => Event::new("battle_ends", rules::END_OF_BATTLE, &[area, Ref::Seat(loser)]),
                None => Event::new("fight_ends", rules::END_OF_BATTLE, &[area]),
            }
        });
        // Behind the event on whose board they are gone: whether there are any follows from hidden faces.
        guns.into_iter().for_each(|(set, seat, place, rule)| publish_guns(set, seat, place, rule, out));
        // A Loser with no block to retreat isn't asked; any other ends the Retreat themselves.
        if fight.stage == Stage::Retreat && self.retreating(state, &fight).is_empty() {
            self.retreat_over(state, out);
        }
    }

    /// The fight is over: flags go, stranded blocks die, Sieges are looked at; a Storming may follow a Sally.
    fn close_fight(&self, state: &mut State, fight: &Fight, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let content = &self.content;
        let all = content.of_side[0] | content.of_side[1];
        state.clear_flags(all, Flags::OF_BATTLE | Flags::TAKEN);
        state.fight = None;
        state.frames.close();
        state.touch(content, fight.area);
        let mut stranded = Vec::new();
        if fight.round > 0 || fight.loser.is_some() {
            stranded = self.strand(state, fight.touched);
        }
        for area in fight.touched.iter() {
            state.touch(content, area);
        }
        let refs = [Ref::from(fight.area)];
        scene.publish(self, state, out, || Event::new("fight_over", rules::END_OF_BATTLE, &refs));
        publish_stranded(&stranded, out);
        let sally = matches!(fight.kind, FightKind::Sally | FightKind::SallyBattle);
        let city = fight.city.filter(|&city| sally && state.siege[city] >= UNMARKED);
        if let Some(city) = city {
            let besieger = self.besieged(state, city).other();
            let own = state.out(content, fight.area, besieger);
            if !(own - state.flagged(own, Flags::TIRED)).is_empty() {
                let storm = Fight::new(FightKind::Storm, Stage::Mine, fight.area, fight.city, besieger);
                let open = self.open_walls(state, city);
                state.fight = Some(Fight { breach: open, ..storm });
                state.frames.open(Frame::Fight);
            }
        }
    }
}

/// Returns the stage that follows a roll of a Round.
pub(in super::super) const fn after_roll(stage: Stage) -> Stage {
    match stage {
        Stage::GunsFirstRoll => Stage::GunsSecond,
        Stage::GunsSecondRoll => Stage::HorseFirst,
        Stage::HorseFirst => Stage::HorseSecond,
        Stage::HorseSecond => Stage::FootFirst,
        Stage::FootFirst => Stage::FootSecond,
        _ => Stage::RoundEnd,
    }
}
