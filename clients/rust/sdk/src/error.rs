//! The faults between a program and a server ([`Error`]).

use std::time::Duration;

use tonic::Status;

use crate::play::Channel;
use crate::refused::Refused;

/// The reason that a call of this crate gives no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server refused the call. Nothing has changed, and to repeat it as it was is of no use.
    #[error(transparent)]
    Refused(Box<Refused>),
    /// No answer came within [`RetryPolicy::deadline`](crate::RetryPolicy::deadline), for all repetitions.
    ///
    /// It is not known whether a call that changes something was carried out: it is safe to make it again
    /// with the same request id.
    #[error("no answer from the server for {} s: {}", waited.as_secs_f32().ceil(), last.message())]
    Unreachable {
        /// The time for which it was tried.
        waited: Duration,
        /// The status of the last try.
        last: Box<Status>,
    },
    /// The call ended with a status that is none of the server's refusals: what stands between, or what is no server of
    /// this API.
    #[error("the call failed: {}: {}", .0.code(), .0.message())]
    Status(Box<Status>),
    /// No server answers at the address.
    #[error("no server answers at {url}: {why}")]
    Nobody {
        /// The address.
        url: String,
        /// The operating system's error.
        why: String,
    },
    /// The address of the server can't be used.
    #[error("{url} is not a server's address: {why}")]
    Address {
        /// As it was given.
        url: String,
        /// The fault of it.
        why: String,
    },
    /// A key or token is none: it has characters that no header takes.
    #[error("a key or token has printable ASCII characters only")]
    Token,
    /// The server sent something that its API does not have: a gap in a sequence, an answer without its content.
    #[error("the server sent what can't be: {0}")]
    Protocol(String),
    /// The rules that the server plays now are not those of the match: its catalogue does not fit the match's numbers.
    #[error("the server does not play the rules of {game} that the match was made with")]
    OtherRules {
        /// The game's id.
        game: String,
    },
    /// A bot has chosen what the server refuses.
    #[error("the bot at seat {seat} chose an action that is refused: {refused}")]
    Bot {
        /// The bot's seat.
        seat: u32,
        /// The refusal of the server.
        refused: Box<Refused>,
    },
    /// A seat was taken over by another stream, or closed by the server.
    #[error("the server has closed the channel: {0}")]
    Closed(Box<Refused>),
    /// The session has no such channel, or it is closed.
    #[error("{0} is not open")]
    NoChannel(Channel),
    /// The operating system gives no randomness.
    #[error("no random numbers from the operating system: {0}")]
    Entropy(#[from] getrandom::Error),
}

impl Error {
    /// The error of a status: a refusal where the server sent one.
    #[must_use]
    pub fn of(status: Status) -> Self {
        match Refused::from_status(&status) {
            Some(refused) => Self::Refused(Box::new(refused)),
            None => Self::Status(Box::new(status)),
        }
    }

    /// Returns the server's refusal, if it refused.
    #[must_use]
    pub fn refused(&self) -> Option<&Refused> {
        match self {
            Self::Refused(refused) | Self::Closed(refused) | Self::Bot { refused, .. } => Some(refused),
            _ => None,
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Self::Refused(Box::new(refused))
    }
}
