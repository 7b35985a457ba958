//! Artillery of a Battle (7.41, 7.97): which guns fire, and at what.

use std::ops::ControlFlow;

use crate::event::Events;
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{BlockId, BlockSet};
use super::super::state::{Fight, FightKind, Flags, Stage, State};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The targets of the gun that declares next.
    pub(in super::super) fn offer_artillery(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        if let Some(gun) = self.next_gun(state, fight, seat) {
            offer(Action::AtHorse(gun));
            offer(Action::AtFoot(gun));
        }
    }

    /// 7.41: one gun after the other.
    pub(in super::super) fn examine_artillery(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (Action::AtHorse(gun) | Action::AtFoot(gun)) = action else {
            return why.refuse(CONTRACT, "NOT_NOW");
        };
        let next = self.next_gun(state, fight, seat) == Some(gun);
        why.require(next, rules::GUN_TARGETS, "NOT_THIS_GUN", &[gun.into()])
    }

    pub(in super::super) fn apply_artillery(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let (Action::AtHorse(gun) | Action::AtFoot(gun)) = action else {
            unreachable!("an illegal action of a fight");
        };
        let mut fight = *fight;
        fight.declared.insert(gun);
        let code = if matches!(action, Action::AtHorse(_)) {
            fight.at_horse.insert(gun);
            "at_horse"
        } else {
            "at_foot"
        };
        Self::go_on(state, fight, (code, rules::GUN_TARGETS), &[Ref::Seat(seat), gun.into()], out);
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

    /// 7.41: the gun that declares next.
    pub(in super::super) fn next_gun(&self, state: &State, fight: &Fight, seat: Seat) -> Option<BlockId> {
        (self.firing(state, fight, seat) - fight.declared).first()
    }

    /// 7.41: a side's guns declare their targets, one by one; a single class of targets needs no words.
    pub(in super::super) fn declare(
        &self,
        state: &mut State,
        fight: &Fight,
        side: Seat,
        then: Stage,
    ) -> bool {
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
}
