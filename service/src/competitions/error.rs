//! The reasons for which competitions refuse ([`Error`]).

use edgehill_competition::{CompetitionRefusal, ReplayFault};
use thiserror::Error;

use crate::store::{self, CompetitionId};

/// The reason that something is not done with a competition, or that it is not read. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// There is no such competition.
    #[error("competition {0}: this server has no such competition")]
    Unknown(CompetitionId),
    /// The request id was used for something else.
    #[error("the request id belongs to a call that said something else")]
    RequestReused,
    /// The competition does not take it.
    #[error(transparent)]
    Refused(#[from] CompetitionRefusal),
    /// A field of the request is at fault.
    #[error("{field}: {fault}")]
    Field {
        /// Its path.
        field: &'static str,
        /// The fault, and what would be accepted.
        fault: String,
    },
    /// The account is an entrant already.
    #[error("the account is an entrant of the competition")]
    AlreadyEnrolled,
    /// The account has as many competitions as it may have.
    #[error("the account has {max} competitions that are neither finished nor cancelled")]
    TooMany {
        /// The limit.
        max: usize,
    },
    /// An event that is kept can't be read.
    #[error("event {number} of the competition {competition} can't be read: {why}")]
    Unreadable {
        /// The competition.
        competition: CompetitionId,
        /// The event's number.
        number: u64,
        /// The reason.
        why: String,
    },
    /// The log of a competition does not lead anywhere.
    #[error("the log of the competition {competition}: event {}: {}", fault.index + 1, fault.refusal)]
    Unreplayable {
        /// The competition.
        competition: CompetitionId,
        /// The event at fault.
        fault: ReplayFault,
    },
}
