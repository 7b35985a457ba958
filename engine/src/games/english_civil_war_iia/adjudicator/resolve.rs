//! Which groups succeed: partial information, and where it does not suffice, the assumption that moves which
//! depend on each other succeed.

use arrayvec::ArrayVec;

use super::bits::{bit, has, ones};
use super::bounds::{Bound, Bounds, Known};
use super::order::MAX_PARTS;
use super::plan::{GroupSet, Plan};

/// How a month's groups were settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// Each followed from the orders and from others that were settled before.
    Deduced,
    /// Some depended on each other, as in a ring, and were assumed to succeed wherever that can be.
    Assumed,
    /// No result satisfies the equations, or none was found within [`MAX_ASSUMPTIONS`]: nobody moves. No such
    /// position is known; the case is here so that every input has a result.
    Stalled,
}

/// How many assumptions are tried before giving up. Positions with rings need one a ring.
const MAX_ASSUMPTIONS: usize = 4096;

/// Settles all groups of a plan.
pub(super) fn resolve(plan: &Plan<'_>) -> (Known, Settlement) {
    let all = bit(plan.groups.len()).wrapping_sub(1);
    let mut search = Search { plan, known: Known::default(), assumed: 0 };
    let mut earlier: ArrayVec<(Search<'_>, usize), MAX_PARTS> = ArrayVec::new();
    for assumptions in 0..=MAX_ASSUMPTIONS {
        if search.deduce(all) {
            let open = all & !(search.known.succeeded | search.known.failed);
            let Some(group) = ones(open).next() else {
                let settlement = if assumptions == 0 { Settlement::Deduced } else { Settlement::Assumed };
                return (search.known, settlement);
            };
            // Each entry settles one more group, so there are never more than there are groups.
            earlier.push((search, group));
            search.assume(group, true);
        } else {
            let Some((before, group)) = earlier.pop() else { break };
            search = before;
            search.assume(group, false);
        }
    }
    (Known { succeeded: 0, failed: all }, Settlement::Stalled)
}

/// One state of the search.
#[derive(Clone, Copy)]
struct Search<'a> {
    plan: &'a Plan<'a>,
    known: Known,
    /// The groups whose result was assumed, and has to be confirmed.
    assumed: GroupSet,
}

impl Search<'_> {
    fn assume(&mut self, group: usize, succeeds: bool) {
        self.assumed |= bit(group);
        self.settle(group, succeeds);
    }

    fn settle(&mut self, group: usize, succeeds: bool) {
        if succeeds {
            self.known.succeeded |= bit(group);
        } else {
            self.known.failed |= bit(group);
        }
    }

    /// Settles what follows from what is known, until nothing more does. False if an assumption is refuted.
    fn deduce(&mut self, all: GroupSet) -> bool {
        loop {
            let before = self.known;
            let settled = before.succeeded | before.failed;
            for group in ones(all & !settled | self.assumed) {
                let bounds = Bounds { plan: self.plan, known: self.known };
                let result = if bounds.obstacle(group, Bound::Most).is_some() {
                    Some(false)
                } else if bounds.obstacle(group, Bound::Least).is_none() {
                    Some(true)
                } else {
                    None
                };
                let Some(succeeds) = result else { continue };
                if !has(self.assumed, group) {
                    self.settle(group, succeeds);
                } else if has(self.known.succeeded, group) != succeeds {
                    return false;
                }
            }
            if self.known == before {
                return true;
            }
        }
    }
}
