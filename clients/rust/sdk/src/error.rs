//! The faults between a program and a server ([`Error`]).

use std::time::Duration;

use tonic::Status;

use crate::play::event::Channel;
use crate::refusal::ServerRefusal;

/// The reason that a call of this crate gives no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server refused the call. Nothing has changed, and to repeat it as it was is of no use.
    #[error(transparent)]
    Refused(Box<ServerRefusal>),
    /// No connection could be made at all within [`RetryPolicy::first_connection`](crate::RetryPolicy::first_connection).
    #[error(
        "no server answers at {url}: {why}. Is the server running (`make run` starts one), and are host and port right \
         (the default is 7400)?"
    )]
    Connect {
        /// The URL, as it was given.
        url: String,
        /// The operating system's error.
        why: String,
    },
    /// No answer came within [`RetryPolicy::deadline`](crate::RetryPolicy::deadline), for all repetitions.
    ///
    /// It is not known whether a call that changes something was carried out: it is safe to make it again
    /// with the same request id.
    #[error("no answer from the server at {url} for {} s: {}", waited.as_secs_f32().ceil(), last.message())]
    Unreachable {
        /// The URL, as it was given.
        url: String,
        /// The time for which it was tried.
        waited: Duration,
        /// The status of the last try.
        last: Box<Status>,
    },
    /// The call ended with a status that is none of the server's refusals: one of a proxy on the way, or of a server that is
    /// none of this API.
    #[error("the call failed: {}: {}", .0.code(), .0.message())]
    Status(Box<Status>),
    /// The URL of the server can't be used.
    #[error("{url} is not a server's URL: {why}")]
    InvalidUrl {
        /// As it was given.
        url: String,
        /// The fault of it.
        why: String,
    },
    /// A certificate that the client was given, to trust or to show, can't be used.
    #[error("{0}")]
    InvalidCertificate(String),
    /// A key or token is none: it has characters that no header takes.
    #[error("a key or token has printable ASCII characters only")]
    InvalidToken,
    /// The server sent something that its API does not have: a gap in a sequence, an answer without its content.
    #[error("the server sent what can't be: {0}")]
    Protocol(String),
    /// The rules that the server plays now are not those of the match: its catalogue does not fit the match's numbers.
    #[error("the server does not play the rules of {game} that the match was made with")]
    OtherRules {
        /// The game's id.
        game: String,
    },
    /// A bot has chosen an action that the server refuses.
    #[error("the bot at seat {seat} chose an action that is refused: {refusal}")]
    Bot {
        /// The bot's seat.
        seat: u32,
        /// The refusal of the server.
        refusal: Box<ServerRefusal>,
    },
    /// A seat was taken over by another stream, or closed by the server.
    #[error("the server has closed the channel: {0}")]
    Closed(Box<ServerRefusal>),
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
        match ServerRefusal::from_status(&status) {
            Some(refusal) => Self::Refused(Box::new(refusal)),
            None => Self::Status(Box::new(status)),
        }
    }

    /// Returns the server's refusal, if it refused.
    #[must_use]
    pub fn refusal(&self) -> Option<&ServerRefusal> {
        match self {
            Self::Refused(refusal) | Self::Closed(refusal) | Self::Bot { refusal, .. } => Some(refusal),
            _ => None,
        }
    }
}

impl From<ServerRefusal> for Error {
    fn from(refusal: ServerRefusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

/// The field of an answer that has to be there.
pub(crate) fn required<T>(field: Option<T>, name: &str) -> Result<T, Error> {
    field.ok_or_else(|| Error::Protocol(format!("an answer without its `{name}`")))
}
