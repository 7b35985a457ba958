//! Rounds of a fight (7.3, 8.2, 8.3): who is turned up, when they end, whether the Attacker goes on.

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::{Seat, SeatSet};

use super::super::actions::Action;
use super::super::content::things::{BlockSet, Place};
use super::super::state::{Fight, FightKind, Flags, Stage, State};
use super::super::{ThisWar, rules};

/// Rounds of a fight at most.
const ROUNDS: u8 = 3;

impl ThisWar {
    /// To go on, or to stop.
    pub(in super::super) fn offer_going_on(
        &self,
        _: &State,
        _: Seat,
        _: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        offer(Action::On);
        offer(Action::Halt);
    }

    /// 8.3: who goes on has somebody left.
    pub(in super::super) fn examine_going_on(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::On => {
                let left = !self.remaining(state, fight, fight.attacker).is_empty();
                why.require(left, rules::GO_ON, "NOBODY_LEFT", &[])
            }
            Action::Halt => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_going_on(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let storm = fight.kind == FightKind::Storm;
        let (stage, code) = match action {
            Action::On => (if storm { Stage::Exchange } else { Stage::Round }, "goes_on"),
            Action::Halt => (Stage::End, "halts"),
            _ => unreachable!("an illegal action of a fight"),
        };
        Self::go_on(state, Fight { stage, ..*fight }, (code, rules::GO_ON), &[Ref::Seat(seat)], out);
    }

    /// 7.3: a Round begins; in the first, and as Reserves enter, blocks are turned up.
    pub(in super::super) fn begin_round(&self, state: &mut State, before: &Fight, out: &mut Events) {
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
    pub(in super::super) fn end_round(&self, state: &mut State, before: &Fight, out: &mut Events) {
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
    pub(in super::super) fn overrun(&self, state: &mut State, guns: BlockSet, side: Seat, out: &mut Events) {
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
    pub(in super::super) fn round_halves(&self, state: &mut State, fight: &mut Fight, out: &mut Events) {
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
}
