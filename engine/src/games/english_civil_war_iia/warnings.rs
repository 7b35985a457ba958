//! Points that a side should look at again before it commits its orders: faults between its own orders, which
//! are legal and come to nothing. Private to it.

use crate::reference::Ref;
use crate::seat::Seat;
use crate::view::Phrase;

use super::actions::{leader_ref, space_ref};
use super::adjudicator::{LeaderSet, Order, Space, SpaceSet};
use super::realm::{SPACES_MAX, all_leaders};
use super::state::draft::{Draft, Entry, Written};
use super::state::{Phase, Place, State};

/// The warnings about `seat`'s orders as they are written now; what has no order yet counts as holding.
pub(super) fn warnings(state: &State, seat: Seat) -> Vec<Phrase> {
    match &state.side_drafts[seat.index()].draft {
        Draft::Parts(entry) if state.phase == Phase::Orders => {
            let mut grounds = [RuleViolation::default(); SPACES_MAX];
            let sheet = Sheet::read(state, seat, entry, &mut grounds);
            let mut found = Vec::new();
            for space in sheet.targets {
                sheet.at_target(space, &mut found);
            }
            found.extend(sheet.unmatched());
            sheet.capture_risks(&mut found);
            found
        }
        Draft::Parts(entry) if state.phase == Phase::Retreats => losses(state, seat, entry),
        _ => Vec::new(),
    }
}

/// Units that would be lost if the retreats were committed as they are written now, though they have somewhere to go.
fn losses(state: &State, seat: Seat, entry: &Entry) -> Vec<Phrase> {
    let mut found = Vec::new();
    for stack in state.driven.iter().filter(|stack| stack.seat == seat && stack.can_retreat()) {
        let parts = || entry.parts.iter().filter(|part| part.space == stack.space);
        let armies = stack.armies - parts().map(|part| part.armies).sum::<u8>();
        if armies > 0 {
            let refs = [space_ref(stack.space), Ref::Number(i32::from(armies))];
            found.push(Phrase::new("will_disband", &refs));
        }
        let led = parts().fold(LeaderSet::EMPTY, |all, part| all | part.leaders);
        let refs = |leader| [leader_ref(leader), space_ref(stack.space)];
        found.extend(
            (stack.leaders - led).iter().map(|leader| Phrase::new("will_be_captured", &refs(leader))),
        );
    }
    found
}

/// The sum of a side's orders in one space.
#[derive(Clone, Copy, Default)]
struct RuleViolation {
    /// Its own leaders who stand there, before any order.
    led: LeaderSet,
    /// Armies that are ordered away.
    left: u8,
    /// Leaders who are ordered away.
    leaders_left: LeaderSet,
    /// Spaces to which they are ordered.
    to: SpaceSet,
    /// Parts that merge there.
    merging: u8,
    /// Parts with strength that move there.
    moving: u8,
    /// Leaders who are ordered there.
    leaders_coming: u8,
    /// True if a part with an army is ordered there.
    armed: bool,
    /// True if a part with an army moves there.
    army_moves: bool,
}

/// A side's orders, read by where they lead.
struct Sheet<'a> {
    state: &'a State,
    seat: Seat,
    entry: &'a Entry,
    /// Spaces to which parts are ordered.
    targets: SpaceSet,
    /// Spaces where own leaders stand.
    led: SpaceSet,
    grounds: &'a [RuleViolation; SPACES_MAX],
}

impl<'a> Sheet<'a> {
    /// Reads the orders into `grounds`, where nothing is written yet.
    fn read(
        state: &'a State,
        seat: Seat,
        entry: &'a Entry,
        grounds: &'a mut [RuleViolation; SPACES_MAX],
    ) -> Self {
        let (mut targets, mut led) = (SpaceSet::EMPTY, SpaceSet::EMPTY);
        for leader in all_leaders() {
            if let Place::At(space) = state.leaders[leader.index()]
                && state.stands[seat.index()].contains(space)
            {
                let ground = &mut grounds[space.index()];
                ground.led = ground.led | LeaderSet::single(leader);
                led.insert(space);
            }
        }
        for part in entry.parts.iter() {
            let Some(to) = target(part) else { continue };
            targets.insert(to);
            let here = &mut grounds[part.space.index()];
            here.left += part.armies;
            here.leaders_left = here.leaders_left | part.leaders;
            here.to.insert(to);
            let there = &mut grounds[to.index()];
            there.leaders_coming += part.leaders.len() as u8;
            there.armed |= part.armies > 0;
            if matches!(part.order, Order::Merge(_)) {
                there.merging += 1;
            } else {
                there.army_moves |= part.armies > 0;
                there.moving += u8::from(part.armies > 0 || state.controls(seat, part.space));
            }
        }
        Self { state, seat, entry, targets, led, grounds }
    }

    /// The armies that stay in a space by order.
    const fn armies_staying(&self, space: Space) -> u8 {
        self.state.armies_of(self.seat, space) - self.grounds[space.index()].left
    }

    /// The leaders who stay in a space by order.
    fn leaders_staying(&self, space: Space) -> LeaderSet {
        let ground = &self.grounds[space.index()];
        ground.led - ground.leaders_left
    }

    fn stays(&self, space: Space) -> bool {
        self.armies_staying(space) > 0 || !self.leaders_staying(space).is_empty()
    }

    fn at_target(&self, space: Space, found: &mut Vec<Phrase>) {
        let mut warn = |holds: bool, code| {
            if holds {
                found.push(Phrase::new(code, &[space_ref(space)]));
            }
        };
        let RuleViolation { merging, moving, leaders_coming: coming, army_moves, .. } =
            self.grounds[space.index()];
        let leaders = self.leaders_staying(space).len() as u8;
        warn(merging == 1 && !self.stays(space), "merge_of_one");
        warn(coming > 0 && coming + leaders > 2, "three_leaders");
        warn(moving + u8::from(merging > 0) > 1, "own_standoff");
        warn(army_moves && self.armies_staying(space) > 0, "own_army_stays");
    }

    /// Supports of own units that are ordered otherwise.
    fn unmatched(&self) -> impl Iterator<Item = Phrase> {
        let own = |space: Space| self.state.stands[self.seat.index()].contains(space);
        let unmatched = move |part: &&Written| match part.order {
            Order::SupportHold(space) => own(space) && !self.stays(space),
            Order::SupportMove { from, to } => own(from) && !self.grounds[from.index()].to.contains(to),
            _ => false,
        };
        let parts = self.entry.parts.iter().filter(unmatched);
        parts.map(|part| Phrase::new("support_unmatched", &[space_ref(part.space)]))
    }

    /// Leaders whose orders leave them alone in enemy ground (L18).
    fn capture_risks(&self, found: &mut Vec<Phrase>) {
        let mut risk = |leaders: LeaderSet, space: Space| {
            let armed = self.armies_staying(space) > 0 || self.grounds[space.index()].armed;
            let exposed = self.state.enemy_controls(self.seat, space) && !armed;
            if super::rules::ENEMY_GROUND.applies(exposed) {
                let refs = |leader| [leader_ref(leader), space_ref(space)];
                found.extend(leaders.iter().map(|leader| Phrase::new("capture_risk", &refs(leader))));
            }
        };
        for part in self.entry.parts.iter().filter(|part| part.armies == 0) {
            if let Some(space) = target(part) {
                risk(part.leaders, space);
            }
        }
        for space in self.led {
            risk(self.leaders_staying(space), space);
        }
    }
}

/// Returns the space to which a part goes, if it goes anywhere.
const fn target(part: &Written) -> Option<Space> {
    match part.order {
        Order::Move(to) | Order::Merge(to) => Some(to),
        _ => None,
    }
}
