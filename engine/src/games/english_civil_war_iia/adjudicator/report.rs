//! Results, once it is known which groups succeed: codes, dislodgements, stand-offs, retreats, positions.

use arrayvec::ArrayVec;

use super::super::rules;
use super::bits::{has, ones};
use super::board::{Board, MAX_SPACES, Space, SpaceSet};
use super::bounds::{Bound, Bounds, Known};
use super::order::{MAX_PARTS, Order, Part};
use super::outcome::{Bounce, Dislodgement, Join, Outcome, PartResult};
use super::plan::Plan;
use super::position::{LeaderSet, MAX_SIDES, Position, Side};
use super::resolve::Settlement;

/// The result of a month's orders.
#[derive(Clone, Debug)]
pub struct Adjudication {
    /// The result of each part, in the sequence of [`Orders::parts`](super::Orders::parts).
    pub results: ArrayVec<PartResult, MAX_PARTS>,
    /// The dislodged stacks, in board order (M13).
    pub dislodged: ArrayVec<Dislodged, MAX_SPACES>,
    /// The spaces left empty by a stand-off, where nobody may retreat (M24).
    pub standoffs: SpaceSet,
    /// The units after the moves, without those dislodged. No leader is marked as strong alone in it: that is for
    /// the caller to say again, from next month's control.
    pub after: Position,
    /// The way in which the result was found.
    pub settlement: Settlement,
}

/// All units of a side that are still in a space which another side took (M13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dislodged {
    /// Space where they were.
    pub space: Space,
    /// Side that they belong to.
    pub side: Side,
    /// Number of armies.
    pub armies: u8,
    /// Leaders among them.
    pub leaders: LeaderSet,
    /// The side that dislodged them, and the spaces that it came from.
    pub by: Dislodgement,
    /// Spaces to which a part with an army may retreat (M14, M28).
    pub retreats: SpaceSet,
    /// Spaces to which leaders without an army may retreat (L9).
    pub lone_retreats: SpaceSet,
}

impl Dislodged {
    /// Returns whether any of its units has a retreat; without, nothing is to be decided (M27).
    pub const fn can_retreat(&self) -> bool {
        (self.armies > 0 && !self.retreats.is_empty())
            || (!self.leaders.is_empty() && !self.lone_retreats.is_empty())
    }
}

pub(super) fn report(
    plan: &Plan<'_>,
    known: &Known,
    settlement: Settlement,
    board: &Board,
    enemy_ground: &[SpaceSet; MAX_SIDES],
) -> Adjudication {
    let mut adjudication = Adjudication {
        results: ArrayVec::new(),
        dislodged: ArrayVec::new(),
        standoffs: SpaceSet::EMPTY,
        after: Position::default(),
        settlement,
    };
    let reporter = Reporter { plan, bounds: Bounds { plan, known: *known } };
    for (index, part) in plan.parts.iter().enumerate() {
        let outcome = reporter.outcome(index, part);
        let dislodged = if outcome.left() { None } else { reporter.dislodgement(part.space) };
        adjudication.results.push(PartResult { outcome, dislodged });
        match dislodged {
            None => {
                let to = if outcome.left() { destination(part) } else { part.space };
                adjudication.after.join(to, part.side, part.armies, part.leaders);
            }
            Some(by) => dislodge(&mut adjudication.dislodged, part, by),
        }
    }
    adjudication.standoffs = reporter.standoffs(adjudication.after.occupied());
    let mut barred = adjudication.after.occupied() | adjudication.standoffs;
    if rules::VACATED.allows(false) {
        barred |= reporter.vacated();
    }
    for stack in &mut adjudication.dislodged {
        let origins = rules::RETREAT.gives(stack.by.from, SpaceSet::EMPTY);
        stack.retreats = board.neighbours(stack.space) & !barred & !origins;
        stack.lone_retreats = stack.retreats & !enemy_ground[stack.side.index()];
    }
    adjudication
}

/// Returns the space to which a part goes that leaves.
fn destination(part: &Part) -> Space {
    match part.order {
        Order::Move(to) | Order::Merge(to) => to,
        _ => part.space,
    }
}

/// Adds a part to the dislodged stack of its space; parts come in board order.
fn dislodge(stacks: &mut ArrayVec<Dislodged, MAX_SPACES>, part: &Part, by: Dislodgement) {
    match stacks.last_mut() {
        Some(stack) if rules::DISLODGED.gives(false, stack.space == part.space) => {}
        Some(stack) if stack.space == part.space => {
            stack.armies += part.armies;
            stack.leaders = stack.leaders | part.leaders;
        }
        _ => stacks.push(Dislodged {
            space: part.space,
            side: part.side,
            armies: part.armies,
            leaders: part.leaders,
            by,
            retreats: SpaceSet::EMPTY,
            lone_retreats: SpaceSet::EMPTY,
        }),
    }
}

struct Reporter<'a> {
    plan: &'a Plan<'a>,
    bounds: Bounds<'a>,
}

impl Reporter<'_> {
    fn succeeded(&self, group: usize) -> bool {
        has(self.bounds.known.succeeded, group)
    }

    fn outcome(&self, index: usize, part: &Part) -> Outcome {
        if let Some(void) = self.plan.voids[index] {
            return Outcome::Void(void);
        }
        match part.order {
            Order::Hold => Outcome::Held,
            Order::SupportHold(_) | Order::SupportMove { .. } => self.support(index, part),
            Order::Move(to) => {
                let group = usize::from(self.plan.group_of[index]);
                if self.succeeded(group) { self.arrival(part, to) } else { self.bounce(group) }
            }
            Order::Merge(_) => {
                let group = usize::from(self.plan.group_of[index]);
                let first = ones(self.plan.groups[group].members).next() == Some(index);
                let arrives = self.succeeded(group) && rules::ONE_RESULT.gives(true, first);
                if arrives { Outcome::Merged } else { self.bounce(group) }
            }
        }
    }

    fn support(&self, index: usize, part: &Part) -> Outcome {
        let of = part.strength;
        let left = self.plan.points[index];
        if left == 0 || self.dislodgement(part.space).is_some() {
            Outcome::Cut { of }
        } else if left < of {
            Outcome::CutTo { left, of }
        } else {
            Outcome::Given { strength: of }
        }
    }

    fn arrival(&self, part: &Part, to: Space) -> Outcome {
        let ground = self.plan.ground(to);
        let own = ground.side == Some(part.side);
        let met = ground.staying != 0
            || ones(ground.leaving).any(|other| !self.succeeded(usize::from(self.plan.group_of[other])));
        match (own && met, part.armies) {
            (false, _) => Outcome::Moved,
            (true, 0) => Outcome::Joined(Join::WithoutArmy),
            (true, _) => Outcome::Joined(Join::OntoLeaders),
        }
    }

    fn bounce(&self, group: usize) -> Outcome {
        // With everything known both bounds are the same. Only in a knot does a group fail that nothing stops.
        match self.bounds.obstacle(group, Bound::Most) {
            Some(obstacle) => {
                Outcome::Bounced { cause: obstacle.cause, attack: obstacle.attack, against: obstacle.against }
            }
            None => Outcome::Bounced { cause: Bounce::Knot, attack: 0, against: 0 },
        }
    }

    /// Returns who took `space` from the units that are still in it, if anybody did.
    fn dislodgement(&self, space: Space) -> Option<Dislodgement> {
        let taken = self.plan.ground(space).enemies & self.bounds.known.succeeded;
        let group = &self.plan.groups[ones(taken).next()?];
        Some(Dislodgement { by: group.side, from: group.origins })
    }

    /// The spaces that units left.
    fn vacated(&self) -> SpaceSet {
        let groups = self.plan.groups.iter().enumerate();
        let left = groups.filter(|(index, _)| self.succeeded(*index));
        left.fold(SpaceSet::EMPTY, |vacated, (_, group)| vacated | group.origins)
    }

    /// M24: the spaces, empty now, into which a group of some strength failed, unless one that came the other way
    /// succeeded.
    fn standoffs(&self, occupied: SpaceSet) -> SpaceSet {
        let mut standoffs = SpaceSet::EMPTY;
        for (index, group) in self.plan.groups.iter().enumerate() {
            let beaten = group.opponents & self.bounds.known.succeeded != 0;
            let failed = group.base > 0 && !self.succeeded(index) && !beaten;
            if rules::STANDOFF.applies(failed && !occupied.contains(group.target)) {
                standoffs.insert(group.target);
            }
        }
        standoffs
    }
}
