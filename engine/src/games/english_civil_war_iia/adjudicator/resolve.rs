//! The groups that succeed: partial information first, then, for moves that depend on each other in a circle, the
//! assumption that they succeed.
//!
//! Deduction settles what it can. If groups are left open, some of them form a *circle*: each depends on the
//! others, and on no open group outside. A circle is settled alone, by the result that contains all others which
//! its equations admit; that lets rings of moves succeed. A circle that has no such result is a *knot*: all its
//! moves fail (M30). Then deduction goes on.

use arrayvec::ArrayVec;

use super::super::rules;
use super::bits::{bit, has, ones};
use super::bounds::{Bound, Bounds, Known};
use super::order::MAX_PARTS;
use super::plan::{GroupSet, Plan};

/// The way in which a month's groups were settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Settlement {
    /// Each followed from the orders and from others that were settled before.
    Deduced,
    /// Some depended on each other, as in a ring, and were assumed to succeed wherever that can be.
    Assumed,
    /// Some depended on each other in a way that no result satisfies, or that several do of which none contains the
    /// others; these fail (M30).
    Knotted,
}

/// Number of assumptions that are tried in one search before it is given up as without result. A ring needs one, and no
/// search in 320,000 random positions took more than four; the bound is there so that every input ends soon.
const MAX_ACTIONS: usize = 1024;

/// Settles all groups of a plan.
pub(super) fn resolve(plan: &Plan<'_>) -> (Known, Settlement) {
    let all = bit(plan.groups.len()).wrapping_sub(1);
    let mut search = Search { plan, known: Known::default(), assumed: 0 };
    let mut settlement = Settlement::Deduced;
    loop {
        search.deduce(all);
        let open = all & !search.known.settled();
        if open == 0 {
            return (search.known, settlement);
        }
        let circle = circle(plan, open);
        match largest_result(search, circle) {
            Some(known) => {
                search.known = known;
                settlement = settlement.max(Settlement::Assumed);
            }
            None => {
                if rules::KNOT.applies(circle != 0) {
                    search.known.failed |= circle;
                } else {
                    ones(circle).take(1).for_each(|first| search.known.settle(first, true));
                }
                settlement = Settlement::Knotted;
            }
        }
    }
}

/// The open groups that depend on each other and on no other open group; of several such circles the smallest,
/// then the one with the first group.
fn circle(plan: &Plan<'_>, open: GroupSet) -> GroupSet {
    let mut reach = [0; MAX_PARTS];
    for group in ones(open) {
        reach[group] = bit(group) | (plan.reads(group) & open);
    }
    for through in ones(open) {
        for group in ones(open) {
            if has(reach[group], through) {
                reach[group] |= reach[through];
            }
        }
    }
    // The groups that a group depends on depend on no more than it does, so the least set is closed and a circle.
    ones(open).map(|group| reach[group]).min_by_key(|circle| circle.count_ones()).unwrap_or(open)
}

/// The result of a circle that contains all others: each group that succeeds in any of them succeeds in it. None if
/// there is no such result.
fn largest_result(start: Search<'_>, circle: GroupSet) -> Option<Known> {
    // Success is assumed first, so if there is a largest result, it is the first to be found.
    let largest = first_result(start, circle)?;
    let is_contained = |group: usize| {
        let mut other = start;
        other.assume(group, true);
        first_result(other, circle).is_none()
    };
    ones(circle & largest.failed).all(is_contained).then_some(largest)
}

/// The first result of a circle that satisfies its equations, when success is assumed of one group after the other,
/// and withdrawn where it is refuted. None if every result is.
fn first_result(start: Search<'_>, circle: GroupSet) -> Option<Known> {
    let mut search = start;
    let mut earlier: ArrayVec<(Search<'_>, usize), MAX_PARTS> = ArrayVec::new();
    for _ in 0..MAX_ACTIONS {
        if search.deduce(circle) {
            let Some(group) = ones(circle & !search.known.settled()).next() else {
                return Some(search.known);
            };
            // Each entry settles one group more, so there are never more of them than groups.
            earlier.push((search, group));
            search.assume(group, true);
        } else {
            let (before, group) = earlier.pop()?;
            search = before;
            search.assume(group, false);
        }
    }
    None
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
        self.known.settle(group, succeeds);
    }

    /// Settles what follows for `groups` from what is known, until nothing more does. False if an assumption is
    /// refuted; without assumptions always true.
    fn deduce(&mut self, groups: GroupSet) -> bool {
        loop {
            let before = self.known;
            for group in ones(groups & (!before.settled() | self.assumed)) {
                let bounds = Bounds { plan: self.plan, known: self.known };
                let succeeds = if bounds.obstacle(group, Bound::Most).is_some() {
                    false
                } else if bounds.obstacle(group, Bound::Least).is_none() {
                    true
                } else {
                    continue;
                };
                if !has(self.assumed, group) {
                    self.known.settle(group, succeeds);
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
