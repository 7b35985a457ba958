//! Lines of a Battle: Named units are committed, the other places are drawn for (7.0 steps 2 and 3); the strength of a formation.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::Action;
use super::super::catalogue::names;
use super::super::content::Arm;
use super::super::state::line::{OWN, SLOTS, Stage};
use super::super::state::{NONE, State};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// The Named unit of Parliament that an action names.
    pub(in super::super) fn named_unit(&self, ordinal: u8) -> usize {
        names::own_named(&self.content).nth(usize::from(ordinal)).expect("an action's unit is there")
    }

    /// The place that a Named unit would take on a wing: 0 right, 1 left (7.0 step 2, B2).
    fn wing_slot(&self, state: &State, kind: usize, wing: u8) -> Option<usize> {
        let wing = usize::from(wing);
        let slots = match self.content.formations[kind].arm {
            Arm::Horse => wing..wing + 1,
            Arm::Foot => 2 + 2 * wing..4 + 2 * wing,
        };
        slots.into_iter().find(|&slot| state.battle.line[slot] == NONE)
    }

    pub(in super::super) fn may_commit(&self, state: &State) -> bool {
        let fits = |kind| (0..2).any(|wing| self.wing_slot(state, kind, wing).is_some());
        let any = names::own_named(&self.content).any(|kind| state.pool[kind] > 0 && fits(kind));
        rules::COMMITTED.applies(any)
    }

    /// Each Named unit in the Holding Box for either wing, then no more.
    pub(in super::super) fn offer_commit(&self, state: &State, offer: &mut impl FnMut(Action)) {
        for (ordinal, kind) in names::own_named(&self.content).enumerate() {
            if state.pool[kind] > 0 {
                (0..2).for_each(|wing| offer(Action::Commit(ordinal as u8, wing)));
            }
        }
        offer(Action::Done);
    }

    pub(in super::super) fn examine_commit(
        &self,
        state: &State,
        ordinal: u8,
        wing: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let kind = self.named_unit(ordinal);
        if state.pool[kind] == 0 {
            return why.refuse(rules::COMMITTED, "NOT_IN_THE_BOX");
        }
        let room = self.wing_slot(state, kind, wing).is_some();
        if room { ControlFlow::Continue(()) } else { why.refuse(rules::COMMITTED, "NO_ROOM") }
    }

    pub(in super::super) fn commit(&self, state: &mut State, kind: usize, wing: u8, out: &mut Events) {
        let slot = self.wing_slot(state, kind, wing).expect("the wing has room");
        let scene = self.scene(state, out);
        state.pool[kind] -= 1;
        state.battle.line[slot] = kind as u8;
        let refs = [names::formation_ref(&self.content, kind), names::slot_ref(slot)];
        scene.publish(self, state, out, || Event::new("committed_unit", rules::COMMITTED, &refs));
    }

    /// The next place to be filled: Parliament's by sector, then the Royalists' (B3).
    pub(in super::super) fn empty_slot(&self, state: &State) -> Option<usize> {
        let empty = |&slot: &usize| state.battle.line[slot] == NONE;
        rules::ORDER_OF_FILLING.gives((0..SLOTS).find(empty), (0..SLOTS).rev().find(empty))
    }

    /// Kinds that can be drawn for a place: those in the pool of its side and arm (B3), as bits.
    pub(in super::super) fn pool_kinds(&self, state: &State, slot: usize) -> u32 {
        let royalist = slot >= OWN;
        let foot = slot % OWN >= 2;
        let fits = |kind: &usize| {
            let formation = &self.content.formations[*kind];
            formation.royalist == royalist
                && (formation.arm == Arm::Foot) == foot
                && state.pool[*kind] > 0
                && (royalist || !formation.is_named)
        };
        (0..self.content.formations.len()).filter(fits).fold(0, |set, kind| set | 1 << kind)
    }

    pub(in super::super) fn fill(&self, state: &mut State, kind: usize, out: &mut Events) {
        let slot = self.empty_slot(state).expect("a formation is drawn for an empty place");
        let scene = self.scene(state, out);
        state.pool[kind] -= 1;
        state.battle.line[slot] = kind as u8;
        let refs = [names::formation_ref(&self.content, kind), names::slot_ref(slot)];
        scene.publish(self, state, out, || Event::new("drawn_unit", rules::BATTLE, &refs));
    }

    /// Both lines stand: EVENT formations are counted, once (B6).
    pub(in super::super) fn reveal_lines(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        let calls = |&&kind: &&u8| self.content.formations[usize::from(kind)].event;
        let draws = state.battle.line.iter().filter(calls).count() as u8;
        state.battle.draws = rules::EVENT_FORMATIONS.gives(draws, 0);
        state.battle.stage = Stage::Events;
        scene.publish(self, state, out, || {
            Event::new("lines_stand", rules::EVENT_FORMATIONS, &[Ref::Number(draws.into())])
        });
    }

    /// The strength of a formation with its markers, never below 0 (B18).
    pub(in super::super) fn strength_at(&self, state: &State, slot: usize) -> i8 {
        let kind = state.battle.line[slot];
        if kind == NONE {
            return 0;
        }
        let strength =
            self.content.formations[usize::from(kind)].strength.saturating_add(state.battle.markers[slot]);
        rules::NEVER_BELOW_0.gives(strength.max(0), strength)
    }
}
