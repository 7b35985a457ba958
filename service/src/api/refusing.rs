//! The refusals that callers get when identity or host refuse them.

use std::time::Duration;

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::seat::Seat;
use edgehill_engine::table::Refusal;
use edgehill_proto::v1::{ErrorReason, LimitName};

use crate::matches::MatchError;
use crate::wire::{self, Refused};
use crate::{host, identity, store};

/// After how long it makes sense to repeat a call that could not be made durable.
const STORE_WAIT: Duration = Duration::from_millis(100);

/// The objection to a call whose match has no room left in the store.
const LOG_FULL: &str = "a limit of the store is reached: the log of the match has no room for this";

impl From<identity::Error> for Refused {
    fn from(error: identity::Error) -> Self {
        let reason = match error.reason() {
            "NOT_ALLOWED" => ErrorReason::NotAllowed,
            _ => ErrorReason::BadToken,
        };
        Self::new(reason, error.to_string())
    }
}

/// Returns the host's refusal, in the words of the match's game where rules refuse.
pub(super) fn of(error: host::Error, catalogue: Option<&Catalogue>, seat: Option<Seat>) -> Refused {
    let words = error.to_string();
    match error {
        host::Error::Match(error) => of_match(error, catalogue, seat),
        host::Error::Store(error) => of_store(&error),
        host::Error::UnknownGroup => Refused::of(ErrorReason::UnknownGroup),
        host::Error::GroupMismatch(words) => Refused::new(ErrorReason::GroupMismatch, words),
        host::Error::Field { field, why } => Refused::field(field, why),
        host::Error::Planned { index, error } => of(*error, catalogue, seat).of_item("matches", index),
        host::Error::BadPosition(error) => error.into(),
        host::Error::TooManyMatches { limit, max } | host::Error::TooManySeeks { limit, max } => {
            Refused::limit_reached(limit, max)
        }
        host::Error::SeekTakenOver => Refused::new(ErrorReason::OpenedElsewhere, words),
        host::Error::NotOver => Refused::of(ErrorReason::MatchRunning),
        host::Error::NotPublished => Refused::of(ErrorReason::NotPublished),
        host::Error::AccountRevoked => Refused::new(ErrorReason::BadToken, words),
        host::Error::LogFull => {
            Refused::new(ErrorReason::LimitReached, LOG_FULL).of_limit(LimitName::MatchLogBytes)
        }
        host::Error::Unavailable => Refused::store_unavailable(STORE_WAIT),
        host::Error::Elsewhere(id) => Refused::elsewhere(id, STORE_WAIT),
        host::Error::NothingDone => nothing_done(),
        host::Error::Entropy(_) | host::Error::Fault(_) => fault(&words),
    }
}

/// A fault of the server. What went wrong is for its log, and not for callers.
pub(super) fn fault(words: &str) -> Refused {
    tracing::error!(fault = words, "a call met a fault of the server");
    Refused::of(ErrorReason::InternalFault)
}

fn of_match(error: MatchError, catalogue: Option<&Catalogue>, seat: Option<Seat>) -> Refused {
    let words = error.to_string();
    let plain = |reason| Refused::new(reason, &*words);
    match error {
        // It takes no words of a game, nor its rules.
        MatchError::Refused(Refusal::MatchFinished) => Refused::of(ErrorReason::MatchFinished),
        MatchError::Refused(refusal) => match catalogue {
            Some(catalogue) => wire::refusal::of(catalogue, refusal),
            None => fault(&words),
        },
        MatchError::NotYourTurn { seat, to_act, refusal } => match catalogue {
            Some(catalogue) => wire::refusal::of_turn(catalogue, seat, to_act, refusal),
            None => fault(&words),
        },
        MatchError::LineTooLong { .. } => plain(ErrorReason::LineTooLong).violation("actions.line", &*words),
        MatchError::CallWithheld(_) => plain(ErrorReason::CallWithheld),
        MatchError::NotStarted { .. } => plain(ErrorReason::MatchNotStarted),
        MatchError::NotTheCreator => plain(ErrorReason::NotAllowed),
        MatchError::Started => plain(ErrorReason::MatchStarted),
        MatchError::Aborted => plain(ErrorReason::MatchAborted),
        MatchError::Expired => plain(ErrorReason::MatchExpired),
        MatchError::NotRevealing => plain(ErrorReason::NotRevealing),
        MatchError::SeatTaken(_) => plain(ErrorReason::SeatTaken),
        MatchError::UnknownSeat { .. } => plain(ErrorReason::UnknownSeat),
        MatchError::NoOpenSeat => plain(ErrorReason::NoOpenSeat),
        MatchError::BadInvitation(_) => plain(ErrorReason::BadInvitation),
        MatchError::EntropyMismatch(_) => plain(ErrorReason::EntropyMismatch),
        MatchError::Field { field, why } => Refused::field(field, why),
        MatchError::BadToken => plain(ErrorReason::BadToken),
        MatchError::StaleSequence { seq, expected } => match seat {
            Some(seat) => Refused::stale(seat, expected, seq),
            None => Refused::of(ErrorReason::StaleSequence).with_seq(seq),
        },
        MatchError::SequenceAhead { seq, .. } => {
            let what = format!("expected at most {seq}, the number of the seat's last event");
            plain(ErrorReason::CursorAhead).with_seq(seq).violation("expected_seq", what)
        }
        MatchError::RequestReused { .. } => plain(ErrorReason::RequestIdReused),
        MatchError::NotOver => plain(ErrorReason::MatchRunning),
        MatchError::NoClocks => plain(ErrorReason::NoClocks),
        MatchError::Adjourned { .. } => plain(ErrorReason::Adjourned),
        MatchError::NotAdjourned => plain(ErrorReason::NotAdjourned),
        MatchError::NoAdjournmentOffer => plain(ErrorReason::NoOffer),
        MatchError::TooManyRefereeActs { max } => Refused::limit_reached(LimitName::RefereeActs, max as u64),
        MatchError::TooManyChanges { max } => Refused::limit_reached(LimitName::TurnChanges, max),
        MatchError::LogFull { max } => Refused::limit_reached(LimitName::MatchLogBytes, max),
        MatchError::Unplayable { .. } | MatchError::ContentMissing { .. } => plain(ErrorReason::Unplayable),
        MatchError::Stopped { .. } => plain(ErrorReason::Quarantined),
        MatchError::Fault(_)
        | MatchError::LogNotFull
        | MatchError::NoTimeRunsOut
        | MatchError::Unreplayable { .. } => fault(&words),
    }
}

pub(super) fn of_store(error: &store::Error) -> Refused {
    match error {
        store::Error::NotFound(id) => unknown_match(&id.to_string()),
        store::Error::RequestReused => Refused::of(ErrorReason::RequestIdReused),
        store::Error::Quarantined { quarantine, .. } => {
            // The detail may tell what was found in the log, which is not for everybody.
            let stopped = MatchError::Stopped { reason: quarantine.reason.clone() };
            Refused::new(ErrorReason::Quarantined, stopped.to_string())
        }
        store::Error::OutcomeUnknown { .. }
        | store::Error::Conflict { .. }
        | store::Error::ActConflict { .. }
        | store::Error::EventConflict { .. } => Refused::store_unavailable(STORE_WAIT),
        store::Error::Unavailable { .. } | store::Error::Failed { .. } => nothing_done(),
        // Another server has taken over, and answers.
        store::Error::Closed | store::Error::Locked { .. } => Refused::draining(STORE_WAIT),
        store::Error::TooLarge { .. } => {
            Refused::new(ErrorReason::LimitReached, LOG_FULL).of_limit(LimitName::MatchLogBytes)
        }
        other => fault(&other.to_string()),
    }
}

/// STORE_UNAVAILABLE, for a call of which nothing was done.
fn nothing_done() -> Refused {
    let words = "the store does not write now, and nothing of the call was done; repeat it as it was";
    Refused::new(ErrorReason::StoreUnavailable, words).retry_after(STORE_WAIT)
}

/// No such match.
pub(super) fn unknown_match(given: &str) -> Refused {
    let given: String = given.chars().take(64).collect();
    Refused::new(ErrorReason::UnknownMatch, format!("match `{given}`: this server has no such match"))
}
