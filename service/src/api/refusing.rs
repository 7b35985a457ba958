//! What callers are told when identity or host refuse them.

use std::time::Duration;

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::seat::Seat;
use edgehill_proto::v1::{LimitName, Reason};

use crate::matches::MatchError;
use crate::wire::{self, Refused};
use crate::{host, identity, store};

/// After how long it makes sense to repeat a call that could not be made durable.
const STORE_WAIT: Duration = Duration::from_millis(100);

/// What stands against a call whose match has no room left in the store.
const LOG_FULL: &str = "a limit of the store is reached: the log of the match has no room for this";

impl From<identity::Error> for Refused {
    fn from(error: identity::Error) -> Self {
        let reason = match error.reason() {
            "NOT_ALLOWED" => Reason::NotAllowed,
            _ => Reason::BadToken,
        };
        Self::new(reason, error.to_string())
    }
}

/// What the host refuses, in the words of the match's game where rules refuse.
pub(super) fn of(error: host::Error, catalogue: Option<&Catalogue>, seat: Option<Seat>) -> Refused {
    let words = error.to_string();
    match error {
        host::Error::Match(error) => of_match(error, catalogue, seat),
        host::Error::Store(error) => of_store(&error),
        host::Error::UnknownGroup => Refused::of(Reason::UnknownGroup),
        host::Error::GroupMismatch(words) => Refused::new(Reason::GroupMismatch, words),
        host::Error::Field { field, why } => Refused::field(field, why),
        host::Error::BadPosition(error) => error.into(),
        host::Error::TooManyMatches { max } => Refused::limit_reached(LimitName::OpenMatches, max),
        host::Error::NotOver => Refused::of(Reason::MatchRunning),
        host::Error::LogFull => Refused::new(Reason::LimitReached, LOG_FULL),
        host::Error::Unavailable => Refused::store_unavailable(STORE_WAIT),
        host::Error::Entropy(_) | host::Error::Fault(_) => fault(&words),
    }
}

/// A fault of the server. What went wrong is for its log, and not for callers.
fn fault(words: &str) -> Refused {
    tracing::error!(target: "edgehill::api", fault = words, "a call met a fault of the server");
    Refused::of(Reason::InternalFault)
}

fn of_match(error: MatchError, catalogue: Option<&Catalogue>, seat: Option<Seat>) -> Refused {
    let words = error.to_string();
    let plain = |reason| Refused::new(reason, &*words);
    match error {
        MatchError::Refused(refusal) => match catalogue {
            Some(catalogue) => wire::refusal::of(catalogue, refusal),
            None => fault(&words),
        },
        MatchError::LineTooLong { .. } => plain(Reason::LineTooLong).violation("steps.line", &*words),
        MatchError::NotStarted => plain(Reason::MatchNotStarted),
        MatchError::NotRevealing => plain(Reason::NotRevealing),
        MatchError::SeatTaken(_) => plain(Reason::SeatTaken),
        MatchError::UnknownSeat { .. } => plain(Reason::UnknownSeat),
        MatchError::NoOpenSeat => plain(Reason::NoOpenSeat),
        MatchError::BadInvitation(_) => plain(Reason::BadInvitation),
        MatchError::EntropyMismatch(_) => plain(Reason::EntropyMismatch),
        MatchError::Field { field, why } => Refused::field(field, why),
        MatchError::BadToken => plain(Reason::BadToken),
        MatchError::StaleSequence { seq, .. } => match seat {
            Some(seat) => Refused::stale(seat, seq),
            None => Refused::of(Reason::StaleSequence).with_seq(seq),
        },
        MatchError::SequenceAhead { seq, .. } => plain(Reason::CursorAhead).with_seq(seq),
        MatchError::RequestReused => plain(Reason::RequestIdReused),
        MatchError::Unplayable { .. } => plain(Reason::Unplayable),
        MatchError::Stopped { .. } => plain(Reason::Quarantined),
        MatchError::Fault(_) | MatchError::Unreplayable { .. } => fault(&words),
    }
}

fn of_store(error: &store::Error) -> Refused {
    match error {
        store::Error::NotFound(id) => unknown_match(&id.to_string()),
        store::Error::RequestReused => Refused::of(Reason::RequestIdReused),
        store::Error::Quarantined { quarantine, .. } => {
            // The detail may tell what was found in the log, which is not for everybody.
            let stopped = MatchError::Stopped { reason: quarantine.reason.clone() };
            Refused::new(Reason::Quarantined, stopped.to_string())
        }
        store::Error::Unavailable { .. } | store::Error::Conflict { .. } => {
            Refused::store_unavailable(STORE_WAIT)
        }
        store::Error::Closed => Refused::draining(STORE_WAIT),
        store::Error::TooLarge { .. } => Refused::new(Reason::LimitReached, LOG_FULL),
        store::Error::Failed { .. } => {
            tracing::error!(target: "edgehill::api", reason = error.reason(), "the store has failed");
            Refused::store_unavailable(STORE_WAIT)
        }
        other => fault(&other.to_string()),
    }
}

/// No such match.
pub(super) fn unknown_match(given: &str) -> Refused {
    let given: String = given.chars().take(64).collect();
    Refused::new(Reason::UnknownMatch, format!("match `{given}`: this server has no such match"))
}
