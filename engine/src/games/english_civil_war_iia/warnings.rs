//! What a side should look at again before it commits its orders: faults between its own orders, which are legal and come to
//! nothing. Private to it.

use crate::seat::Seat;
use crate::view::Phrase;

use super::adjudicator::{LeaderSet, Order, Space, SpaceSet};
use super::draft::{Draft, Entry, Written};
use super::realm::SPACES_MAX;
use super::state::{Phase, State};
use super::steps::{leader_ref, space_ref};

/// The warnings about `seat`'s orders as they are written now; what has no order yet counts as holding.
pub(super) fn warnings(state: &State, seat: Seat) -> Vec<Phrase> {
    match &state.desks[seat.index()].draft {
        Draft::Parts(entry) if state.phase == Phase::Orders => {
            let sheet = Sheet::read(state, seat, entry);
            let targets: SpaceSet = entry.parts.iter().filter_map(target).collect();
            let mut found = Vec::new();
            for space in targets {
                sheet.at_target(space, &mut found);
            }
            found.extend(sheet.unmatched());
            found.extend(sheet.capture_risks());
            found
        }
        _ => Vec::new(),
    }
}

/// A side's orders, read by where they lead.
struct Sheet<'a> {
    state: &'a State,
    seat: Seat,
    entry: &'a Entry,
    /// Armies and leaders that stay by order, by space.
    staying: [(u8, LeaderSet); SPACES_MAX],
}

impl<'a> Sheet<'a> {
    fn read(state: &'a State, seat: Seat, entry: &'a Entry) -> Self {
        let mut staying = [(0, LeaderSet::EMPTY); SPACES_MAX];
        for space in state.stands[seat.index()] {
            staying[space.index()] = (state.armies_of(seat, space), state.leaders_in(space));
        }
        for part in entry.parts.iter().filter(|part| target(part).is_some()) {
            let (armies, leaders) = &mut staying[part.space.index()];
            *armies -= part.armies;
            *leaders = *leaders - part.leaders;
        }
        Self { state, seat, entry, staying }
    }

    fn bound_for(&self, space: Space) -> impl Iterator<Item = &Written> {
        self.entry.parts.iter().filter(move |part| target(part) == Some(space))
    }

    fn stays(&self, space: Space) -> bool {
        let (armies, leaders) = self.staying[space.index()];
        armies > 0 || !leaders.is_empty()
    }

    fn has_strength(&self, part: &Written) -> bool {
        part.armies > 0 || self.state.controls(self.seat, part.space)
    }

    fn at_target(&self, space: Space, found: &mut Vec<Phrase>) {
        let mut warn = |holds: bool, code| {
            if holds {
                found.push(Phrase::new(code, &[space_ref(space)]));
            }
        };
        let (armies, leaders) = self.staying[space.index()];
        let merging = self.bound_for(space).filter(|part| matches!(part.order, Order::Merge(_))).count();
        let coming = self.bound_for(space).map(|part| part.leaders.len()).sum::<usize>();
        let moving = self.bound_for(space).filter(|part| matches!(part.order, Order::Move(_)));
        let rivals = moving.filter(|part| self.has_strength(part)).count() + usize::from(merging > 0);
        let onto_army =
            |part: &Written| part.armies > 0 && armies > 0 && matches!(part.order, Order::Move(_));
        warn(merging == 1 && !self.stays(space), "merge_of_one");
        warn(coming > 0 && coming + leaders.len() > 2, "three_leaders");
        warn(rivals > 1, "own_standoff");
        warn(self.bound_for(space).any(onto_army), "own_army_stays");
    }

    /// Supports of own units that are ordered otherwise.
    fn unmatched(&self) -> Vec<Phrase> {
        let own = |space: Space| self.state.stands[self.seat.index()].contains(space);
        let unmatched = |part: &&Written| match part.order {
            Order::SupportHold(space) => own(space) && !self.stays(space),
            Order::SupportMove { from, to } => {
                own(from) && !self.bound_for(to).any(|other| other.space == from)
            }
            _ => false,
        };
        let parts = self.entry.parts.iter().filter(unmatched);
        parts.map(|part| Phrase::new("support_unmatched", &[space_ref(part.space)])).collect()
    }

    /// Leaders whose orders leave them alone in enemy ground (L18).
    fn capture_risks(&self) -> Vec<Phrase> {
        let mut found = Vec::new();
        let mut risk = |leaders: LeaderSet, space: Space| {
            let armed =
                self.staying[space.index()].0 > 0 || self.bound_for(space).any(|part| part.armies > 0);
            if self.state.enemy_controls(self.seat, space) && !armed && super::rules::ENEMY_GROUND.on() {
                let refs = |leader| [leader_ref(leader), space_ref(space)];
                found.extend(leaders.iter().map(|leader| Phrase::new("capture_risk", &refs(leader))));
            }
        };
        for part in self.entry.parts.iter().filter(|part| part.armies == 0) {
            if let Some(space) = target(part) {
                risk(part.leaders, space);
            }
        }
        for space in self.state.stands[self.seat.index()] {
            risk(self.staying[space.index()].1, space);
        }
        found
    }
}

/// Where a part goes, if it goes anywhere.
const fn target(part: &Written) -> Option<Space> {
    match part.order {
        Order::Move(to) | Order::Merge(to) => Some(to),
        _ => None,
    }
}
