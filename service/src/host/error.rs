//! The reasons for which the host refuses a call ([`Error`]).

use std::borrow::Cow;

use edgehill_proto::v1::LimitName;
use thiserror::Error;

use crate::entropy::EntropyError;
use crate::matches::MatchError;
use crate::store::{self, MatchId};

/// The reason for which the host refuses a call. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The match refuses it.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The store refuses it.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// There is no randomness.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// There is no such seed group, or it is another creator's.
    #[error("there is no such seed group")]
    UnknownGroup,
    /// The match does not fit its seed group, or the group has all its matches.
    #[error("{0}")]
    GroupMismatch(&'static str),
    /// A field of the request is at fault.
    #[error("{field}: {why}")]
    Field {
        /// Its path in the request.
        field: Cow<'static, str>,
        /// The fault, and what would be accepted.
        why: String,
    },
    /// One of several matches that are to be made together can't be made, and so none is.
    #[error("matches[{index}]: {error}")]
    Planned {
        /// Its index in the request.
        index: usize,
        /// The reason.
        error: Box<Self>,
    },
    /// The game does not accept the described position.
    #[error("the described position: {0}")]
    BadPosition(#[from] edgehill_engine::position::PositionError),
    /// The creator, or the server, has too many matches of the kind that are not over.
    #[error("{}: there are {max} matches that are not over", limit.as_str_name())]
    TooManyMatches {
        /// The limit that is reached.
        limit: LimitName,
        /// Its value.
        max: u64,
    },
    /// The caller, or the server, has too many open seeks.
    #[error("{}: {max} seeks are open", limit.as_str_name())]
    TooManySeeks {
        /// The limit that is reached.
        limit: LimitName,
        /// Its value.
        max: u64,
    },
    /// The same request seeks in a newer stream.
    #[error("the same request seeks in a newer stream, which has its place")]
    SeekTakenOver,
    /// The record is public when the match is over.
    #[error("the match is not over, and its record is the referee's alone until then")]
    NotOver,
    /// The competition that the match is of has not published it.
    #[error("the competition has not published this match yet: its players and referees alone may see it")]
    NotPublished,
    /// The match could not be made durable as far as the caller would have seen it, or nobody knows whether it was.
    #[error("it is not known whether it was made durable; the same call with its request id is safe")]
    Unavailable,
    /// The same, and it is known that nothing of the call was done.
    #[error("nothing of it was made durable; the same call with its request id is safe")]
    NothingDone,
    /// The account that took the seat is not there any more, or may not play.
    #[error("this server has revoked the account that took the seat, and its token with it")]
    AccountRevoked,
    /// Another host has the match, of those that share the store.
    #[error("another server has the match {0} now")]
    Elsewhere(MatchId),
    /// The match's log takes nothing more.
    #[error("the log of this match is full")]
    LogFull,
    /// A fault of the server.
    #[error("{0}")]
    Fault(String),
}

impl Error {
    /// Returns whether the same may succeed when it is asked for again, since it was the store's disk that failed.
    pub(super) const fn passes(&self) -> bool {
        match self {
            Self::Unavailable | Self::NothingDone => true,
            Self::Store(error) => error.passes(),
            _ => false,
        }
    }
}
