//! The refusals of the engine.

use edgehill_convert::messages::rule_violation;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::game::CONTRACT;
use edgehill_engine::refusal::RuleViolation;
use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_engine::table::Refusal;
use edgehill_proto::v1::ErrorReason;

use super::Refused;

/// A call that a match has refused, in the words of its game.
#[must_use]
pub fn of(catalogue: &Catalogue, refusal: Refusal) -> Refused {
    let message = refusal.to_string();
    let plain = |reason| Refused::new(reason, &*message);
    match refusal {
        Refusal::Action { index, action, rule_violations } => {
            let notation = catalogue.actions.notation(action);
            let message = format!("action {} of the list, {notation}, is not legal", index + 1);
            let reason = reason_of(&rule_violations);
            let violations = rule_violations.iter().map(|one| rule_violation::of(catalogue, one));
            Refused::new(reason, message).at(index).rule_violations(violations)
        }
        Refusal::ListCrossesReveal { index } => plain(ErrorReason::ListCrossesReveal).at(index),
        Refusal::EmptyList => {
            plain(ErrorReason::EmptyList).violation("actions", "expected at least one action")
        }
        Refusal::ListTooLong => plain(ErrorReason::ListTooLong).violation("actions", &*message),
        Refusal::DraftTooLong => plain(ErrorReason::DraftTooLong),
        Refusal::Line(error) => error.into(),
        Refusal::UnknownSeat => plain(ErrorReason::UnknownSeat),
        Refusal::NothingToUndo => plain(ErrorReason::NothingToUndo),
        Refusal::Committed => plain(ErrorReason::Committed),
        Refusal::NoSuchDraftAction { .. } => {
            plain(ErrorReason::NoSuchDraftAction).violation("keep_draft_actions", &*message)
        }
        Refusal::MatchFinished => plain(ErrorReason::MatchFinished),
        Refusal::TooManyPasses { .. } => Refused::field("standing_passes", message),
        Refusal::NoOpponent => plain(ErrorReason::NoOpponent),
        Refusal::NoOffer => plain(ErrorReason::NoOffer),
        // Dice that a person enters: no call does.
        Refusal::NoChance | Refusal::Outcome(_) => Refused::of(ErrorReason::InternalFault),
    }
}

/// The refusal of an action that is `seat`'s only when it is their turn: it says whose turn it is.
#[must_use]
pub fn of_turn(catalogue: &Catalogue, seat: Seat, to_act: SeatSet, refusal: Refusal) -> Refused {
    let named = |seat: Seat| {
        let name = catalogue.seats.get(seat.index()).map_or("", |seat| seat.name);
        format!("{name} ({seat})")
    };
    let turn = match to_act.iter().map(named).collect::<Vec<_>>().as_slice() {
        [] => "no seat is to act".to_owned(),
        [only] => format!("{only} is to act"),
        [seats @ .., last] => format!("{} and {last} are to act", seats.join(", ")),
    };
    of(catalogue, refusal).saying(format!("it is not the turn of {}: {turn}", named(seat)))
}

/// The reason of an action that is refused: the first violation's, if it is of the engine's own contract.
fn reason_of(violations: &[RuleViolation]) -> ErrorReason {
    match violations.first().filter(|first| first.rule == CONTRACT).map(|first| first.code) {
        Some("NOT_YOUR_TURN") => ErrorReason::NotYourTurn,
        Some("CHANCE_PENDING") => ErrorReason::ChancePending,
        Some("MATCH_FINISHED") => ErrorReason::MatchFinished,
        Some("UNKNOWN_ACTION") => ErrorReason::UnknownAction,
        _ => ErrorReason::IllegalAction,
    }
}
