//! Lines of a Battle: Named units are committed, the other places are drawn for (7.0 steps 2 and 3); the strength of a formation.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::{Listed, SetOf};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Wing};
use super::super::catalogue::names;
use super::super::content::{Arm, FormationId, SectorId, SlotId};
use super::super::state::State;
use super::super::state::line::{Stage, slots};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// The place that a Named unit would take on a wing (7.0 step 2, B2).
    fn wing_slot(&self, state: &State, kind: FormationId, wing: Wing) -> Option<SlotId> {
        let horse = SectorId::new(wing as usize);
        let sector = match self.content.formations[kind].arm {
            Arm::Horse => horse,
            Arm::Foot => horse.foot_of_the_wing(),
        };
        state.battle.empty(sector.slots())
    }

    pub(in super::super) fn may_commit(&self, state: &State) -> bool {
        let fits = |kind| Wing::BOTH.into_iter().any(|wing| self.wing_slot(state, kind, wing).is_some());
        let any = names::own_named(&self.content).any(|kind| state.pool[kind] > 0 && fits(kind));
        rules::COMMITTED.applies(any)
    }

    /// Each Named unit in the Holding Box for either wing, then no more.
    pub(in super::super) fn offer_commit(&self, state: &State, offer: &mut impl FnMut(Action)) {
        for kind in names::own_named(&self.content).filter(|&kind| state.pool[kind] > 0) {
            Wing::BOTH.into_iter().for_each(|wing| offer(Action::Commit(kind, wing)));
        }
        offer(Action::Done);
    }

    pub(in super::super) fn examine_commit(
        &self,
        state: &State,
        (kind, wing): (FormationId, Wing),
        why: &mut Why,
    ) -> ControlFlow<()> {
        if state.pool[kind] == 0 {
            return why.refuse(rules::COMMITTED, "NOT_IN_THE_BOX");
        }
        let room = self.wing_slot(state, kind, wing).is_some();
        if room { ControlFlow::Continue(()) } else { why.refuse(rules::COMMITTED, "NO_ROOM") }
    }

    pub(in super::super) fn commit(
        &self,
        state: &mut State,
        (kind, wing): (FormationId, Wing),
        out: &mut Events,
    ) {
        let slot = self.wing_slot(state, kind, wing).expect("the wing has room");
        let scene = self.scene(state, out);
        state.pool[kind] -= 1;
        state.battle.line[slot].kind = Some(kind);
        let refs = [names::formation_ref(&self.content, kind), names::slot_ref(slot)];
        scene.publish(self, state, out, || Event::new("committed_unit", rules::COMMITTED, &refs));
    }

    /// The next place to be filled: Parliament's by sector, then the Royalists' (B3).
    pub(in super::super) fn empty_slot(&self, state: &State) -> Option<SlotId> {
        let battle = &state.battle;
        rules::ORDER_OF_FILLING.gives(battle.empty(slots()), battle.empty(slots().rev()))
    }

    /// Kinds that can be drawn for a place: those in the pool of its side and arm (B3).
    pub(in super::super) fn pool_kinds(&self, state: &State, slot: SlotId) -> SetOf<FormationId> {
        let (royalist, foot) = (slot.is_royalist(), slot.of_foot());
        let fits = |&kind: &FormationId| {
            let formation = &self.content.formations[kind];
            formation.royalist == royalist
                && (formation.arm == Arm::Foot) == foot
                && state.pool[kind] > 0
                && (royalist || !formation.is_named)
        };
        FormationId::all(&self.content).filter(fits).collect()
    }

    pub(in super::super) fn fill(&self, state: &mut State, kind: FormationId, out: &mut Events) {
        let slot = self.empty_slot(state).expect("a formation is drawn for an empty place");
        let scene = self.scene(state, out);
        state.pool[kind] -= 1;
        state.battle.line[slot].kind = Some(kind);
        let refs = [names::formation_ref(&self.content, kind), names::slot_ref(slot)];
        scene.publish(self, state, out, || Event::new("drawn_unit", rules::BATTLE, &refs));
    }

    /// Both lines stand: EVENT formations are counted, once (B6).
    pub(in super::super) fn reveal_lines(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        let kinds = state.battle.line.iter().filter_map(|there| there.kind);
        let draws = kinds.filter(|&kind| self.content.formations[kind].event).count() as u8;
        state.battle.draws = rules::EVENT_FORMATIONS.gives(draws, 0);
        state.battle.stage = Stage::Events;
        scene.publish(self, state, out, || {
            Event::new("lines_stand", rules::EVENT_FORMATIONS, &[Ref::Number(draws.into())])
        });
    }

    /// The strength of a formation with its markers, never below 0 (B18).
    pub(in super::super) fn strength_at(&self, state: &State, slot: SlotId) -> i8 {
        let Some(kind) = state.battle.line[slot].kind else { return 0 };
        let strength = self.content.formations[kind].strength.saturating_add(state.battle.line[slot].markers);
        rules::NEVER_BELOW_0.gives(strength.max(0), strength)
    }
}
