//! The reasons for which the store refuses: [`Error`].

use std::path::PathBuf;

use thiserror::Error;

use super::names::MatchId;
use super::quarantine::Quarantine;

/// Every way in which a call on the store can fail. [`Error::reason`] is stable.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// There is no such match.
    #[error("there is no match {0}")]
    NotFound(MatchId),
    /// A match of this name was created before.
    #[error("match {0} exists already")]
    MatchExists(MatchId),
    /// Somebody else's append came first.
    #[error("the match stands at revision {current}")]
    Conflict {
        /// The revision at which the match stands.
        current: u64,
    },
    /// Somebody else's act came first.
    #[error("the next act of administration has the number {next}")]
    ActConflict {
        /// The number that the next act has.
        next: u64,
    },
    /// Somebody else's event came first.
    #[error("the next event of the competition has the number {next}")]
    EventConflict {
        /// The number that the next event has.
        next: u64,
    },
    /// The request id was used before, for something else.
    #[error("this request id was used for another request")]
    RequestReused,
    /// A secret of this name is kept already, and it is another one.
    #[error("another secret is kept under this name")]
    SecretKept,
    /// A secret can't be opened: it was sealed with another key, or it is damaged.
    #[error("a secret can't be opened with this server's key")]
    SecretUnreadable,
    /// Something is not of the form that it has to have.
    #[error("{what}")]
    Invalid {
        /// The form.
        what: &'static str,
    },
    /// Something is longer than its limit.
    #[error("{what} has {given} bytes or entries, at most {max} are taken")]
    TooLarge {
        /// The thing that is too large.
        what: &'static str,
        /// Its length.
        given: u64,
        /// The limit.
        max: u64,
    },
    /// The match is closed to play until somebody has looked at it.
    #[error("match {id} is in quarantine ({}): {}", .quarantine.reason, .quarantine.detail)]
    Quarantined {
        /// The match.
        id: MatchId,
        /// The reason.
        quarantine: Quarantine,
    },
    /// It could not be made durable. Nothing of it is visible; the same request may be sent again.
    #[error("the store can't do it now: {why}")]
    Unavailable {
        /// The fault below, in words.
        why: String,
    },
    /// The disk failed while it was made durable: it may find its way into the store, or not. Nothing of it is visible, and
    /// the same request tells once the store writes again.
    #[error("it is not known whether the disk has it: {why}")]
    OutcomeUnknown {
        /// The fault below, in words.
        why: String,
    },
    /// The disk has failed, and the store is not open again yet: nothing was tried.
    #[error("the store waits for its disk: {why}")]
    Failed {
        /// The fault below, in words.
        why: String,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// The store was opened to be read alone.
    #[error("the store is open to read alone")]
    ReadOnly,
    /// The file is damaged.
    #[error(
        "the store {path} is damaged ({what}): keep the file, look through it with fsck, restore a backup"
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The damage that was found.
        what: String,
    },
    /// Another process has the store open.
    #[error("the store {path} is open in another process")]
    Locked {
        /// The store's file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{path} is not a store of Edgehill")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version of the program.
    #[error("the store {path} has schema {found}, this program knows those up to {known}: use a newer one")]
    SchemaTooNew {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The last schema that this program knows.
        known: i64,
    },
    /// The file was written by an earlier version of the program, whose matches this one does not read.
    #[error("the store {path} has schema {found}, which build {build} reads, and this one from {oldest} on")]
    SchemaTooOld {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The first schema that this program reads.
        oldest: i64,
        /// The commit of the last build that reads it.
        build: &'static str,
    },
    /// The file can't be opened.
    #[error("the store {path} can't be opened: {why}")]
    Open {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        why: String,
    },
}

impl Error {
    /// The stable name of the reason.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "MATCH_NOT_FOUND",
            Self::MatchExists(_) => "MATCH_EXISTS",
            Self::Conflict { .. } => "REVISION_CONFLICT",
            Self::ActConflict { .. } => "ACT_CONFLICT",
            Self::EventConflict { .. } => "EVENT_CONFLICT",
            Self::RequestReused => "REQUEST_REUSED",
            Self::SecretKept => "SECRET_KEPT",
            Self::SecretUnreadable => "SECRET_UNREADABLE",
            Self::Invalid { .. } => "STORE_INVALID",
            Self::TooLarge { .. } => "STORE_TOO_LARGE",
            Self::Quarantined { .. } => "MATCH_QUARANTINED",
            Self::Unavailable { .. } => "STORE_UNAVAILABLE",
            Self::OutcomeUnknown { .. } => "STORE_OUTCOME_UNKNOWN",
            Self::Failed { .. } => "STORE_FAILED",
            Self::Closed => "STORE_CLOSED",
            Self::ReadOnly => "STORE_READ_ONLY",
            Self::Corrupt { .. } => "STORE_CORRUPT",
            Self::Locked { .. } => "STORE_LOCKED",
            Self::NotAStore { .. } => "NOT_A_STORE",
            Self::SchemaTooNew { .. } => "SCHEMA_TOO_NEW",
            Self::SchemaTooOld { .. } => "SCHEMA_TOO_OLD",
            Self::Open { .. } => "STORE_OPEN",
        }
    }

    /// Returns whether it is the disk's fault, and the same may succeed when it is asked for again.
    #[must_use]
    pub const fn passes(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::OutcomeUnknown { .. } | Self::Failed { .. })
    }

    /// Refuses what is longer than `max`.
    pub(super) fn bound(what: &'static str, given: usize, max: usize) -> Result<(), Self> {
        if given <= max {
            return Ok(());
        }
        Err(Self::TooLarge { what, given: given as u64, max: max as u64 })
    }
}

/// The end of an operation inside a transaction, if not well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// The answer to this one operation; the others of its transaction go on.
    Refused(Error),
    /// As well, and the match has to be closed to play: its log is not whole.
    Faulty(MatchId, Quarantine),
    /// The storage itself failed; the whole transaction is off.
    Broken(Failure),
}

/// The storage itself failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure(pub(super) Error);

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Broken(failure)
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(error) | Trouble::Broken(Failure(error)) => error,
            Trouble::Faulty(id, quarantine) => Self::Quarantined { id, quarantine },
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}
