//! Rules that the events of the month rest on, as exactly as the report can tell.

use crate::ledger::Rule;

use super::super::adjudicator::{Dislodged, Order, Space};
use super::super::codes;
use super::super::rules;
use super::super::state::{ReportLine, State};

/// By which rule a part may be ordered so.
pub(in super::super) fn of_order(state: &State, line: &ReportLine) -> Rule {
    let led = !line.leaders.is_empty();
    let alone = line.armies == 0;
    match line.order {
        Order::Hold if led && !alone => rules::ATTACHED,
        Order::Hold if alone => rules::LONE_STRENGTH,
        Order::Hold if line.armies > 1 => rules::STRENGTH,
        Order::Hold => rules::SPLIT,
        Order::Merge(_) if led => rules::MERGE_LEADERS,
        Order::Merge(_) => rules::MERGE,
        Order::SupportHold(_) if led && !alone => rules::WITH_ARMY,
        Order::SupportHold(_) => rules::ONE_SUPPORT,
        Order::SupportMove { from, to } => of_support(state, line, from, to),
        Order::Move(_) if alone && line.leaders.len() == 2 => rules::PAIR,
        Order::Move(_) if alone && line.strength == 0 => rules::NO_STRENGTH,
        Order::Move(_) if alone => rules::PARTING,
        Order::Move(_) if led => rules::SHARES_ORDER,
        Order::Move(_) => rules::MULTIPLE_UNITS,
    }
}

/// By which rule a part may support what goes from one space to another.
fn of_support(state: &State, line: &ReportLine, from: Space, to: Space) -> Rule {
    let supported = state.report.iter().filter(|other| !other.retreat && other.space == from);
    let mut supported =
        supported.filter(|other| matches!(other.order, Order::Move(at) | Order::Merge(at) if at == to));
    match supported.next() {
        _ if from == line.space => rules::OWN_STACK,
        None => rules::UNMATCHED,
        Some(other) if other.seat != line.seat => rules::FOREIGN_SUPPORT,
        Some(other) if matches!(other.order, Order::Merge(_)) => rules::MERGE_SUPPORT,
        Some(other) if other.strength == 0 => rules::WEAK_SUPPORTED,
        Some(_) => rules::DIVIDED,
    }
}

/// By which rule a part's order came to what it came to; `code` may be more exact than the report's.
pub(in super::super) fn of_result(state: &State, line: &ReportLine, code: u8) -> Rule {
    match (line.order, codes::name(code)) {
        (Order::Merge(to), "merged") if held_by_own(state, line, to) => rules::POOL,
        (Order::Merge(_), "bounced.strength" | "bounced.standoff") => rules::ONE_RESULT,
        _ => codes::rule(code),
    }
}

/// Returns whether own parts stayed in `space` this month.
fn held_by_own(state: &State, line: &ReportLine, space: Space) -> bool {
    let own = state.report.iter().filter(|other| other.seat == line.seat && other.space == space);
    own.filter(|other| !other.retreat).any(|other| !codes::left(other.code))
}

/// By which rule a stack was dislodged.
pub(in super::super) const fn of_dislodgement(stack: &Dislodged) -> Rule {
    if stack.armies == 0 { rules::WEAK_ATTACK } else { rules::DISLODGED }
}

/// By which rule a retreat came to what it came to.
pub(in super::super) fn of_retreat(state: &State, line: &ReportLine) -> Rule {
    let Order::Move(to) = line.order else { return codes::rule(line.code) };
    let elsewhere = |other: &&ReportLine| (other.retreat, other.space) != (true, line.space);
    let joined = state
        .report
        .iter()
        .filter(elsewhere)
        .any(|other| other.retreat && other.order == Order::Move(to) && other.seat == line.seat);
    let vacated =
        state.report.iter().any(|other| !other.retreat && other.space == to && codes::left(other.code));
    match codes::name(line.code) {
        "retreated" if joined => rules::REUNITED,
        "retreated" if vacated => rules::VACATED,
        _ => codes::rule(line.code),
    }
}
