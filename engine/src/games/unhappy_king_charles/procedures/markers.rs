//! PC markers that a card places (6.1, 6.4, 11.1).

use crate::ledger::Rule;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::AREAS;
use super::super::content::ids::{AreaId, AreaSet};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// A PC marker of a seat comes to an Area, in place of the enemy's if one lies there (11.1).
    pub(in super::super) fn place_marker(
        &self,
        state: &mut State,
        seat: Seat,
        area: AreaId,
        rule: Rule,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        state.set_control(area, Some(seat));
        scene
            .publish(self, state, out, || Event::new("marker_placed", rule, &[Ref::Seat(seat), area.into()]));
    }

    /// A card begins to place up to `left` markers: those that the seat has now are the ones to be next to (K7).
    pub(in super::super) fn open_markers(&self, state: &mut State, seat: Seat, left: u8) {
        let frozen = state.control[seat.index()];
        state.frames.open(Frame::Markers { seat, left, placed: false, frozen });
    }

    /// Returns whether a seat could place a marker by a card now.
    #[must_use]
    pub(in super::super) fn can_place_marker(&self, state: &State, seat: Seat) -> bool {
        !self.marker_places(state, seat, state.control[seat.index()]).is_empty()
    }

    /// Open Areas, and non-Fortress Areas with an enemy marker and an own Army, next to a marker that the seat had (11.1, K7, K9).
    pub(in super::super) fn marker_places(&self, state: &State, seat: Seat, frozen: AreaSet) -> AreaSet {
        let all = AreaSet::first_of(AREAS) - self.fortress_areas(state) - state.control[seat.index()];
        let enemy = state.control[seat.other().index()];
        let [own_armies, _] = state.armies_by_post(&self.content, seat);
        let taken = rules::MARKER_EXCHANGE.gives(enemy - own_armies, AreaSet::EMPTY);
        let beside = rules::PRIOR_MARKERS.gives(self.beside(frozen), AreaSet::first_of(AREAS));
        (all - taken) & beside
    }

    /// The card is done once its markers are placed, or none can be any more.
    pub(in super::super) fn advance_markers(
        &self,
        state: &mut State,
        seat: Seat,
        left: u8,
        frozen: AreaSet,
    ) -> bool {
        let ends = left == 0 || self.marker_places(state, seat, frozen).is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }

    /// Every such Area, then to be done.
    pub(in super::super) fn offer_markers(
        &self,
        state: &State,
        seat: Seat,
        (frozen, _): (AreaSet, bool),
        offer: &mut impl FnMut(Action),
    ) {
        self.marker_places(state, seat, frozen).iter().map(Action::At).for_each(&mut *offer);
        offer(Action::Done);
    }

    /// 11.1, K7 to K10.
    pub(in super::super) fn examine_markers(
        &self,
        state: &State,
        seat: Seat,
        (frozen, placed): (AreaSet, bool),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let area = match action {
            Action::Done => return why.require(placed, rules::AT_LEAST_ONE, "NO_MARKER_PLACED", &[]),
            Action::At(area) => area,
            _ => return why.refuse(CONTRACT, "NOT_NOW"),
        };
        let fortress = state.fortress(&self.content, area).is_some();
        why.require(!fortress, rules::FORTRESS_CONTROL, "IS_A_FORTRESS", &[area.into()])?;
        let own = state.controller(area) == Some(seat);
        why.demand(!own, rules::FORTRESS_CONTROL, "ALREADY_CONTROLLED", &[area.into()])?;
        let free =
            state.controller(area).is_none() || state.commander_at(&self.content, seat, area).is_some();
        why.require(free, rules::MARKER_EXCHANGE, "NO_ARMY_THERE", &[area.into()])?;
        let beside = self.content.adjacent[area].meets(frozen);
        why.require(beside, rules::PRIOR_MARKERS, "NOT_BESIDE_OWN_MARKER", &[area.into()])
    }

    pub(in super::super) fn apply_markers(
        &self,
        state: &mut State,
        seat: Seat,
        _: (AreaSet, bool),
        action: Action,
        out: &mut Events,
    ) {
        let Action::At(area) = action else {
            state.frames.close();
            return;
        };
        if let Some(Frame::Markers { left, placed, .. }) = state.frames.top_mut() {
            (*left, *placed) = (*left - 1, true);
        }
        self.place_marker(state, seat, area, rules::PRIOR_MARKERS, out);
    }
}
