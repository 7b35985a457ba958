//! Fights: Battles, Sallies and Stormings as stages, one after the other, until somebody or the dice are asked (7, 8).

use crate::event::{Event, Events, Scene};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::{Seat, SeatSet};

use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, Place};
use super::super::frames::Frame;
use super::super::state::{FREE, Fight, FightKind, Flags, Relief, Stage, State, UNMARKED};
use super::super::{ThisWar, rules};
use super::surrender::{publish_guns, publish_stranded};

/// Rounds of a fight at most.
const ROUNDS: u8 = 3;

impl ThisWar {
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

    /// The borders by which the attackers came.
    pub(in super::super) fn borders_crossed(&self, state: &State, fight: &Fight) -> AreaSet {
        let own = state.out(&self.content, fight.area, fight.attacker);
        own.iter().filter_map(|block| state.blocks[block].by).collect()
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
            Stage::SallyDraw => {
                let (besiegers, drawn, wanted) = self.draws(state, &fight);
                let left = besiegers - drawn;
                if drawn.count() >= wanted || left.is_empty() {
                    Self::stage(state, Stage::Round);
                } else if left.count() + drawn.count() <= wanted {
                    self.draw(state, left, out);
                } else {
                    return false;
                }
            }
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

    /// 7.1: the Main Attack; who came by other borders is in Reserve.
    pub(in super::super) fn main_attack(&self, state: &mut State, by: AreaId, out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        let own = state.out(&self.content, fight.area, fight.attacker);
        let others = own.that(|block| rules::RESERVES.applies(state.blocks[block].by != Some(by)));
        state.set_flags(others, Flags::RESERVE | Flags::LATE);
        (fight.main, fight.stage) = (Some(by), Stage::Withdraw);
        state.fight = Some(fight);
        let refs = [Ref::Seat(fight.attacker), Ref::from(by), Ref::from(fight.area)];
        scene.publish(self, state, out, || Event::new("main_attack", rules::MAIN_ATTACK, &refs));
    }

    /// 7.3: a Round begins; in the first, and as Reserves enter, blocks are turned up.
    fn begin_round(&self, state: &mut State, before: &Fight, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let mut fight = *before;
        fight.round += 1;
        fight.declared = BlockSet::EMPTY;
        fight.at_horse = BlockSet::EMPTY;
        let mut joins = match (fight.kind, fight.round) {
            (FightKind::Battle | FightKind::SallyBattle, 1) => {
                self.attack(state, &fight) | self.defence(state, &fight)
            }
            (FightKind::Sally, 1) => {
                self.fighters(state, &fight, fight.attacker, Flags::JOINED)
                    | self.fighters(state, &fight, fight.defender(), Flags::DRAWN)
            }
            (FightKind::Storm, _) => {
                let within = state.inside(&self.content, fight.area, fight.defender());
                self.fighters(state, &fight, fight.attacker, Flags::FIGHTING) | within
            }
            _ => BlockSet::EMPTY,
        };
        if fight.round == 1 && fight.kind != FightKind::Battle {
            self.bring_tactics(state, &mut fight);
        }
        if fight.round == 2 || (fight.round > 2 && rules::RESERVES.allows(false)) {
            joins |= self.fighters(state, &fight, fight.attacker, Flags::RESERVE);
            joins |= self.fighters(state, &fight, fight.defender(), Flags::RESERVE);
            // 8.1: reinforcements may be among those who keep up the Siege.
            joins -= state.flagged(joins, Flags::HELD);
            state.clear_flags(joins, Flags::RESERVE);
        }
        let faces = joins - state.flagged(joins, Flags::SHOWN);
        state.reveal(&self.content, faces);
        state.set_flags(joins, Flags::FIGHTING);
        let foot = |side: Seat| faces & self.content.foot & self.content.of_side[side.index()];
        fight.ask = SeatSet::EMPTY;
        for side in [0, 1].map(Seat::new) {
            if fight.has(Fight::STAND, side) && fight.stand[side.index()].is_none() && !foot(side).is_empty()
            {
                fight.ask = fight.ask.with(side);
            }
        }
        fight.stage = Stage::Stand;
        state.fight = Some(fight);
        if !faces.is_empty() {
            out.revealed();
        }
        scene.publish(self, state, out, || {
            let mut refs = vec![Ref::Number(fight.round.into()), Ref::from(fight.area)];
            refs.extend(joins.iter().map(Ref::from));
            Event::new("round", rules::ROUNDS, &refs)
        });
    }

    /// Returns the blocks that a side can name for the event that is asked about.
    pub(in super::super) fn nameable(&self, state: &State, fight: &Fight, side: Seat) -> BlockSet {
        let own = self.fighters(state, fight, side, Flags::FIGHTING);
        own & if fight.stage == Stage::Stand { self.content.foot } else { self.content.guns }
    }

    /// Returns the seat whose event is asked about: the Defender's first.
    pub(in super::super) const fn asked(fight: &Fight) -> Seat {
        if fight.ask.contains(fight.defender()) { fight.defender() } else { fight.attacker }
    }

    /// 7.92, 7.97: who has an event and a block for it is asked.
    fn ask_next(&self, state: &mut State, fight: &Fight) -> bool {
        let mut next = *fight;
        while !next.ask.is_empty() {
            let side = Self::asked(&next);
            if !self.nameable(state, &next, side).is_empty() {
                state.fight = Some(next);
                return false;
            }
            next.ask = next.ask.without(side);
        }
        if next.stage == Stage::Stand {
            next.stage = Stage::Well;
            if next.round == 2 {
                for side in [0, 1].map(Seat::new) {
                    if next.has(Fight::WELL, side) && next.well[side.index()].is_none() {
                        next.ask = next.ask.with(side);
                    }
                }
            }
        } else {
            next.stage = if next.kind == FightKind::Storm { Stage::GunsFirstRoll } else { Stage::GunsFirst };
        }
        state.fight = Some(next);
        true
    }

    /// 7.41: a side's guns declare their targets, one by one; a single class of targets needs no words.
    fn declare(&self, state: &mut State, fight: &Fight, side: Seat, then: Stage) -> bool {
        let mut next = *fight;
        let guns = self.firing(state, fight, side) - fight.declared;
        let enemies = self.fighters(state, fight, side.other(), Flags::FIGHTING);
        let (horse, foot) = (enemies & self.content.horse, enemies & self.content.foot);
        if ![guns, horse, foot].iter().any(|set| set.is_empty()) {
            return false;
        }
        if foot.is_empty() {
            next.at_horse |= guns;
        }
        next.declared |= guns;
        next.stage = then;
        state.fight = Some(next);
        true
    }

    /// The guns of a side that fire in this Round.
    pub(in super::super) fn firing(&self, state: &State, fight: &Fight, side: Seat) -> BlockSet {
        let guns = self.fighters(state, fight, side, Flags::FIGHTING) & self.content.guns;
        if fight.kind == FightKind::Storm {
            return if fight.round == 1 && side == fight.defender() { guns } else { BlockSet::EMPTY };
        }
        if rules::GUNS.applies(fight.round == 1) {
            return guns;
        }
        guns & fight.well[side.index()].map_or(BlockSet::EMPTY, BlockSet::one)
    }

    /// Infantry and Cavalry of a side that are left in a fight, Reserve included.
    pub(in super::super) fn remaining(&self, state: &State, fight: &Fight, side: Seat) -> BlockSet {
        let storming = fight.kind == FightKind::Storm && side == fight.attacker;
        let set = if storming {
            let own = state.out(&self.content, fight.area, side);
            own - state.flagged(own, Flags::TIRED)
        } else {
            let own = self.fighters(state, fight, side, Flags::FIGHTING | Flags::RESERVE);
            own - state.flagged(own, Flags::HELD)
        };
        set & self.content.field()
    }

    /// 7.1, 7.3, 8.2, 8.3: the end of a Round.
    fn end_round(&self, state: &mut State, before: &Fight, out: &mut Events) {
        let mut fight = *before;
        let (attacker, defender) = (fight.attacker, fight.defender());
        let gone = |side| self.remaining(state, &fight, side).is_empty();
        let last = rules::ROUNDS.gives(ROUNDS, 1);
        let over = gone(attacker) || gone(defender) || fight.round == last;
        let defence = self.fighters(state, &fight, defender, Flags::FIGHTING);
        let battle = matches!(fight.kind, FightKind::Battle | FightKind::SallyBattle);
        if fight.kind == FightKind::Sally && !defence.meets(self.content.field()) {
            self.overrun(state, defence & self.content.guns, defender, out);
        }
        let scene = Scene::open(self, state, 2, out);
        let wiped = !defence.meets(self.content.field());
        if rules::SWAP.applies(battle && !over && fight.round == 1 && wiped) {
            fight.attacker = defender;
            fight.swapped = true;
        }
        fight.stage = match (over, battle) {
            (true, _) => Stage::End,
            (false, true) => Stage::Round,
            (false, false) => rules::GO_ON.gives(Stage::GoOn, Stage::Round),
        };
        state.fight = Some(fight);
        let refs = [Ref::Number(fight.round.into()), Ref::Seat(fight.attacker)];
        scene.publish(self, state, out, || Event::new("round_over", rules::ROUNDS, &refs));
    }

    /// 8.2: guns that nobody guards are overrun.
    fn overrun(&self, state: &mut State, guns: BlockSet, side: Seat, out: &mut Events) {
        if rules::OVERRUN.allows(guns.is_empty()) {
            return;
        }
        let scene = Scene::open(self, state, 2, out);
        guns.iter().for_each(|gun| state.weaken(&self.content, gun, 1));
        scene.publish(self, state, out, || {
            let guns = guns.iter().map(Ref::from);
            let refs: Vec<Ref> = [Ref::Seat(side)].into_iter().chain(guns).collect();
            Event::new("overrun", rules::OVERRUN, &refs)
        });
    }

    /// 7.91, 7.92, 8.31: the halves that are left are rounded, while their blocks are still seen.
    fn round_halves(&self, state: &mut State, fight: &mut Fight, out: &mut Events) {
        for block in fight.halves.that(|block| state.blocks[block].at != Place::POOL) {
            let scene = Scene::open(self, state, 2, out);
            fight.halves -= BlockSet::one(block);
            let up = self.rounds_up(state, fight, block);
            if !up {
                state.weaken(&self.content, block, 1);
            }
            state.fight = Some(*fight);
            let stands = fight.stand[self.content.blocks[block].side.index()] == Some(block);
            let (code, rule) = match (up, stands) {
                (true, true) => ("rounded_up", rules::LAST_STAND),
                (true, false) => ("rounded_up", rules::FORTIFIED),
                (false, _) => ("rounded_down", rules::ADVANTAGE),
            };
            let refs = [Ref::from(block), Ref::Number(self.left(state, block))];
            scene.publish(self, state, out, || Event::new(code, rule, &refs));
        }
    }

    /// 8.3: whether there is somebody to take the place of the stormers.
    pub(in super::super) fn can_exchange(&self, state: &State, fight: &Fight) -> bool {
        let own = state.out(&self.content, fight.area, fight.attacker);
        let fresh = own - state.flagged(own, Flags::FIGHTING | Flags::TIRED);
        rules::EXCHANGE.applies(!fresh.is_empty())
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
