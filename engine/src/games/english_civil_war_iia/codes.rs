//! Result codes of parts, with their causes and rules: one table for events, arrows and saved states.

use crate::ledger::Rule;

use super::adjudicator::{Bounce, Join, Order, Outcome, RetreatOutcome, Void};
use super::rules;

/// The code of an order that is still being written; no part of a report has it.
pub(super) const DRAFT: &str = "draft";

/// The codes by their number: the code, a dot and the cause where there is one, and the rule behind it.
pub const CODES: [(&str, Rule); 26] = [
    ("held", rules::DIPLOMACY),
    ("moved", rules::DIPLOMACY),
    ("joined", rules::JOINING),
    ("joined", rules::OWN_LEADERS),
    ("merged", rules::MERGE),
    ("bounced.own_unit", rules::OWN_ARMY),
    ("bounced.own_unit", rules::EXCHANGE),
    ("bounced.limit", rules::LIMIT),
    ("bounced.contested", rules::UNDISPUTED),
    ("bounced.head_to_head", rules::HEAD_TO_HEAD),
    ("bounced.strength", rules::DEFENCE),
    ("bounced.standoff", rules::OWN_STANDOFF),
    ("bounced.standoff", rules::DIPLOMACY),
    ("given", rules::DIVIDED),
    ("cut_to", rules::CUT),
    ("cut", rules::CUT),
    ("void.merge_of_one", rules::MERGE_OF_ONE),
    ("void.three_leaders", rules::MERGE_LEADERS),
    ("void.unmatched", rules::UNMATCHED),
    ("void.illegal", rules::DIPLOMACY),
    ("retreated", rules::RETREAT),
    ("disbanded", rules::NO_RETREAT),
    ("clash", rules::CLASH),
    ("captured", rules::LONE_RETREAT),
    ("bounced.knot", rules::KNOT),
    ("dislodged", rules::DISLODGED),
];

/// The number of a hold that was dislodged: it has no other result.
pub(super) const DISLODGED: u8 = 25;

/// The number of an order that has been shown and not been adjudicated.
pub(super) const ORDERED: u8 = CODES.len() as u8;

/// The code of the event that shows an order.
pub(super) const fn ordered(order: Order) -> &'static str {
    match order {
        Order::Hold => "ordered.hold",
        Order::Move(_) => "ordered.move",
        Order::Merge(_) => "ordered.merge",
        Order::SupportHold(_) => "ordered.support",
        Order::SupportMove { .. } => "ordered.support_move",
    }
}

/// The number of a part's outcome.
pub(super) const fn code_of(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Held => 0,
        Outcome::Moved => 1,
        Outcome::Joined(Join::WithoutArmy) => 2,
        Outcome::Joined(Join::OntoLeaders) => 3,
        Outcome::Merged => 4,
        Outcome::Bounced { cause, .. } => match cause {
            Bounce::OwnUnit => 5,
            Bounce::Exchange => 6,
            Bounce::Limit => 7,
            Bounce::Contested => 8,
            Bounce::HeadToHead => 9,
            Bounce::Strength => 10,
            Bounce::OwnStandoff => 11,
            Bounce::Standoff => 12,
            Bounce::Knot => 24,
        },
        Outcome::Given { .. } => 13,
        Outcome::CutTo { .. } => 14,
        Outcome::Cut { .. } => 15,
        Outcome::Void(cause) => match cause {
            Void::MergeOfOne => 16,
            Void::ThreeLeaders => 17,
            Void::Unmatched => 18,
            Void::Illegal => 19,
        },
    }
}

/// The number of a retreat's outcome.
pub(super) const fn retreat_code_of(outcome: RetreatOutcome) -> u8 {
    match outcome {
        RetreatOutcome::Retreated => 20,
        RetreatOutcome::Disbanded => 21,
        RetreatOutcome::Clash => 22,
        RetreatOutcome::Captured => 23,
    }
}

/// Returns whether a part with this code left its space.
pub(super) const fn left(code: u8) -> bool {
    matches!(code, 1..=4)
}

/// Returns whether the units of a retreat with this code are off the board.
pub(super) const fn lost(code: u8) -> bool {
    matches!(code, 21..=23)
}

/// The code in words that programs read.
pub(super) fn name(code: u8) -> &'static str {
    CODES.get(usize::from(code)).map_or("ordered", |(name, _)| name)
}

/// The first number with the same name: what a view can tell of it, and so what a state keeps.
pub(super) fn plain(code: u8) -> u8 {
    number(name(code)).unwrap_or(code)
}

/// The rule behind a code.
pub(super) fn rule(code: u8) -> Rule {
    CODES.get(usize::from(code)).map_or(rules::DIPLOMACY, |&(_, rule)| rule)
}

/// The first number with this name: what a view can tell of it.
pub(super) fn number(name: &str) -> Option<u8> {
    CODES.iter().position(|(code, _)| *code == name).map(|index| index as u8)
}
