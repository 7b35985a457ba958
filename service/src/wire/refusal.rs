//! What the engine refuses.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::game::CONTRACT;
use edgehill_engine::refusal::Reason as EngineReason;
use edgehill_engine::table::Refusal;
use edgehill_proto::v1::Reason;

use super::{Refused, ground};

/// A call that a match has refused, in the words of its game.
#[must_use]
pub fn of(catalogue: &Catalogue, refusal: Refusal) -> Refused {
    let message = refusal.to_string();
    let plain = |reason| Refused::new(reason, &*message);
    match refusal {
        Refusal::Step { index, step, reasons } => {
            let notation = catalogue.steps.notation(step);
            let message = format!("step {} of the list, {notation}, is not legal", index + 1);
            let grounds = reasons.iter().map(|reason| ground::of(catalogue, reason));
            Refused::new(of_grounds(&reasons), message).at(index).grounds(grounds)
        }
        Refusal::ListCrossesReveal { index } => plain(Reason::ListCrossesReveal).at(index),
        Refusal::EmptyList => plain(Reason::EmptyList).violation("steps", "expected at least one step"),
        Refusal::ListTooLong => plain(Reason::ListTooLong).violation("steps", &*message),
        Refusal::DraftTooLong => plain(Reason::DraftTooLong),
        Refusal::Line(error) => error.into(),
        Refusal::UnknownSeat => plain(Reason::UnknownSeat),
        Refusal::NothingToUndo => plain(Reason::NothingToUndo),
        Refusal::Committed => plain(Reason::Committed),
        Refusal::NoSuchDraftStep { .. } => plain(Reason::NoSuchDraftStep).violation("keep", &*message),
        Refusal::MatchOver => plain(Reason::MatchOver),
        Refusal::TooManyPasses { .. } => Refused::field("standing_passes", message),
        Refusal::NoOpponent => plain(Reason::NoOpponent),
        Refusal::NoOffer => plain(Reason::NoOffer),
        // Dice that a person enters: no call does.
        Refusal::NoChance | Refusal::Outcome(_) => Refused::of(Reason::InternalFault),
    }
}

/// The reason of a step that is refused: the first ground's, if it is the engine's own.
fn of_grounds(grounds: &[EngineReason]) -> Reason {
    match grounds.first().filter(|first| first.rule == CONTRACT).map(|first| first.code) {
        Some("NOT_YOUR_STEP") => Reason::NotYourStep,
        Some("CHANCE_PENDING") => Reason::ChancePending,
        Some("MATCH_OVER") => Reason::MatchOver,
        Some("UNKNOWN_STEP") => Reason::UnknownStep,
        _ => Reason::IllegalStep,
    }
}
