//! The reasons for which a match is closed to play: [`StoreFault`]s that the log's own checks find, or a reason
//! that the service gives.

use thiserror::Error;

use super::error::Error;
use super::limits::{DETAIL_BYTES_MAX, TEXT_BYTES_MAX};
use super::names::{MatchId, Position};

/// A match is closed to play: nothing is appended to it, and it is read only to look at ([`super::Store::read_stopped`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quarantine {
    /// Stable name of the reason, such as [`StoreFault::reason`].
    pub reason: String,
    /// The finding, in words.
    pub detail: String,
    /// When, in milliseconds since 1970.
    pub since_ms: u64,
}

impl Quarantine {
    /// The quarantine for a fault of the log.
    #[must_use]
    pub fn of(fault: &StoreFault, since_ms: u64) -> Self {
        Self { reason: fault.reason().to_owned(), detail: fault.to_string(), since_ms }
    }

    /// Tells the operator what was just found.
    pub(super) fn log(&self, id: MatchId) {
        let Self { reason, detail, .. } = self;
        tracing::error!(match_id = %id, reason, detail, "the log of a match is damaged, and the match is stopped");
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        Error::bound("a reason", self.reason.len(), TEXT_BYTES_MAX)?;
        Error::bound("the detail of a quarantine", self.detail.len(), DETAIL_BYTES_MAX)
    }
}

/// A fault of the log of one match.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StoreFault {
    /// An append is not there.
    #[error("append {revision} is missing at position {}", .position.0)]
    Missing {
        /// Its revision.
        revision: u64,
        /// The position at which it should be.
        position: Position,
    },
    /// An append's bytes are not those that were written.
    #[error("append {revision} at position {} is damaged: {what}", .position.0)]
    Damaged {
        /// Its revision.
        revision: u64,
        /// The position at which it is.
        position: Position,
        /// The part that does not fit.
        what: String,
    },
    /// A whole append, but not the one that belongs here.
    #[error("another append stands at position {} in place of append {revision}", .position.0)]
    Displaced {
        /// The revision that belongs here.
        revision: u64,
        /// The position at which it should be.
        position: Position,
    },
    /// The match's own row does not fit its checksum.
    #[error("the match's row is damaged: {what}")]
    RowDamaged {
        /// The part that does not fit.
        what: String,
    },
}

impl StoreFault {
    /// The stable name of the reason.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "APPEND_MISSING",
            Self::Damaged { .. } => "APPEND_DAMAGED",
            Self::Displaced { .. } => "APPEND_DISPLACED",
            Self::RowDamaged { .. } => "ROW_DAMAGED",
        }
    }
}
