//! Fresh drafts for a node: who is asked, and for what (S10). Public facts alone decide.

use crate::seat::Seat;

use super::super::actions::Actions;
use super::super::adjudicator::SpaceSet;
use super::super::realm::{LEADERS_A_SIDE, Realm, SIDES, roster};
use super::super::rules;
use super::super::state::draft::{Adjust, Draft, Fund, SideDraft};
use super::super::state::{Driven, Phase, Place, State};
use super::entry::Scribe;

/// The drafts at the opening of the node that `state` is at.
pub(in super::super) fn fresh(realm: &Realm, actions: &Actions, state: &State) -> [SideDraft; 2] {
    SIDES.map(|seat| {
        let draft = match state.phase {
            Phase::Influence => influence(state, seat),
            Phase::Adjustment => adjustment(realm, state, seat),
            Phase::Orders | Phase::Retreats => {
                let due = spaces_due(state, seat);
                let asked = rules::ASKED.allows(!due.is_empty());
                asked.then(|| Draft::Parts(Scribe { realm, actions, state, seat }.begin(due)))
            }
            Phase::Over(_) => None,
        };
        draft.map_or_else(SideDraft::default, SideDraft::with)
    })
}

fn influence(state: &State, seat: Seat) -> Option<Draft> {
    let points = state.points[seat.index()];
    rules::ASKED.allows(points > 0).then(|| Draft::Influence(Fund::new(points)))
}

fn adjustment(realm: &Realm, state: &State, seat: Seat) -> Option<Draft> {
    let (owed, room) = state.owed_and_room(realm, seat);
    let sites = if room > 0 { state.sites(realm, seat) } else { SpaceSet::EMPTY };
    let unplaced = roster(seat).any(|leader| state.leaders[leader.index()] == Place::Unplaced);
    let to_place = if unplaced { LEADERS_A_SIDE as u8 } else { 0 };
    let asked = rules::ASKED.allows(owed > 0 || !sites.is_empty() || to_place > 0);
    asked.then(|| Draft::Adjustment(Adjust::new(owed, room, sites, to_place)))
}

/// The spaces for which `seat` writes orders, or retreats that it has.
pub(in super::super) fn spaces_due(state: &State, seat: Seat) -> SpaceSet {
    if state.phase == Phase::Orders {
        return state.stands[seat.index()];
    }
    let asked = |stack: &&Driven| rules::NO_RETREAT.allows(stack.can_retreat());
    let own = state.driven.iter().filter(|stack| stack.seat == seat).filter(asked);
    own.map(|stack| stack.space).collect::<SpaceSet>()
}
