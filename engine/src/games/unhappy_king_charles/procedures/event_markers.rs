//! PC markers that an event places: anywhere that it allows, next to nothing (6.4, K6, K8, K10, X15).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::AreaSet;
use super::super::content::operations::Operation;
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    fn event_places(&self, state: &State, seat: Seat) -> AreaSet {
        match self.event_operation(state) {
            Operation::Markers { mode, within, .. } => self.event_marker_places(state, seat, mode, within),
            _ => AreaSet::EMPTY,
        }
    }

    /// The event goes on once its markers are placed, or none can be.
    pub(in super::super) fn advance_event_markers(&self, state: &mut State, seat: Seat, left: u8) -> bool {
        let ends = left == 0 || self.event_places(state, seat).is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }

    /// Every such Area, then to be done.
    pub(in super::super) fn offer_event_markers(
        &self,
        state: &State,
        seat: Seat,
        _: bool,
        offer: &mut impl FnMut(Action),
    ) {
        self.event_places(state, seat).iter().map(Action::At).for_each(&mut *offer);
        offer(Action::Done);
    }

    /// K10, X15: one at least, unless it comes after a Brigade; the Area is one that the card allows.
    pub(in super::super) fn examine_event_markers(
        &self,
        state: &State,
        seat: Seat,
        free: bool,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Done => why.require(free, rules::AT_LEAST_ONE, "NO_MARKER_PLACED", &[]),
            Action::At(area) => {
                let own = state.controller(area) == Some(seat);
                why.demand(!own, rules::EVENT, "ALREADY_CONTROLLED", &[area.into()])?;
                let fortress = state.fortress(&self.content, area).is_some();
                why.require(!fortress, rules::FORTRESS_CONTROL, "IS_A_FORTRESS", &[area.into()])?;
                let fits = self.event_places(state, seat).contains(area) || fortress;
                why.require(fits, rules::EVENT_ON_ENEMY_MARKER, "NOT_OPEN_TO_THE_EVENT", &[area.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_event_markers(
        &self,
        state: &mut State,
        seat: Seat,
        _: bool,
        action: Action,
        out: &mut Events,
    ) {
        let Action::At(area) = action else {
            state.frames.close();
            return;
        };
        if let Some(Frame::EventMarkers { left, free, .. }) = state.frames.top_mut() {
            (*left, *free) = (*left - 1, true);
        }
        self.event_did(state);
        self.place_marker(state, seat, area, rules::EVENT, out);
    }
}
