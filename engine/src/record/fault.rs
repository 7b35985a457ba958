//! Faults of a record, and their places ([`Finding`], [`RecordFault`]).

use std::fmt;

use thiserror::Error;

use crate::chance::OutcomeError;
use crate::dice::{self, VerifyError};
use crate::event::ChanceRef;
use crate::game::LineError;
use crate::position::PositionError;
use crate::setup::SetupError;
use crate::signing::VerifyingKey;

use super::{EntryDigest, TextDigest};

/// A fault and its line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct Finding {
    /// Number of the line, from 1.
    pub line: usize,
    /// The fault in that line.
    pub fault: RecordFault,
}

/// A difference between a record and what the rules, its seed and its own digests give.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    /// The header is about something else than the game at hand.
    #[error("{part} {expected} expected, {found} found")]
    Header {
        /// `game`, `rules`, `content`, `seats` or `options`.
        part: &'static str,
        /// Value of the game at hand.
        expected: String,
        /// Value in the record.
        found: String,
    },
    /// The game does not have this scenario or option.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game does not accept this start.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The actions can't be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// An action is not legal, or a call not accepted.
    #[error("{refused}; {expected} expected")]
    Refused {
        /// The refused call, and the reason.
        refused: String,
        /// Description of what would have been accepted.
        expected: String,
    },
    /// Something else is due: no dice, no draw, not of this seat.
    #[error("{expected} expected, {found} found")]
    Event {
        /// Description of what is due.
        expected: String,
        /// Description of what is recorded.
        found: String,
    },
    /// A chance event under another stream or number.
    #[error("draw {expected} expected, {found} found")]
    ChanceRef {
        /// As the rules and the events before have it.
        expected: Place,
        /// As recorded.
        found: Place,
    },
    /// An outcome that can't be.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
    /// An outcome that the seed does not give.
    #[error("the seed gives {expected}, {found} found")]
    Seed {
        /// As the seed gives it.
        expected: String,
        /// As recorded.
        found: String,
    },
    /// The dice can't be asked this.
    #[error(transparent)]
    Dice(#[from] dice::Error),
    /// The commitment, or a seat's.
    #[error(transparent)]
    Commitment(#[from] VerifyError),
    /// Entropies are missing or too many.
    #[error("{expected} entropies expected, {found} found")]
    Entropies {
        /// One a seat.
        expected: usize,
        /// Number that there are.
        found: usize,
    },
    /// The entry was changed or leads to another state than it did, or an entry before it is missing.
    #[error("digest {expected} expected, {found} found")]
    Digest {
        /// As replayed.
        expected: EntryDigest,
        /// As recorded.
        found: EntryDigest,
    },
    /// The replayed match ended otherwise, or is not over.
    #[error("`{expected}` expected, `{found}` found")]
    Result {
        /// As the rules have it.
        expected: String,
        /// As recorded.
        found: String,
    },
    /// The text was changed after it was written.
    #[error("the lines above have digest {expected}, {found} found")]
    Text {
        /// Of the text.
        expected: TextDigest,
        /// As its line `end` says.
        found: TextDigest,
    },
    /// The record is not the one that was signed.
    #[error("{signer} has not signed these lines")]
    Signature {
        /// The key that the record names.
        signer: VerifyingKey,
    },
    /// Somebody else has signed it.
    #[error("the signature of {expected} expected, that of {found} found")]
    Signer {
        /// The keys that would do.
        expected: String,
        /// As recorded.
        found: VerifyingKey,
    },
    /// Nobody has signed it.
    #[error("the signature of {expected} expected, none found")]
    Unsigned {
        /// The keys that would do.
        expected: String,
    },
}

/// A draw of a match's dice, as records write it: stream/n.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Place(pub ChanceRef);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0.stream, self.0.n)
    }
}

impl RecordFault {
    /// Stable name in SCREAMING_CASE.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Header { .. } => "OTHER_GAME",
            Self::Setup(_) => "UNKNOWN_SETUP",
            Self::Position(_) => "UNFIT_POSITION",
            Self::Line(_) => "UNREADABLE_LINE",
            Self::Refused { .. } => "ILLEGAL_ACTION",
            Self::Event { .. } => "NOT_DUE",
            Self::ChanceRef { .. } => "OTHER_DRAW",
            Self::Outcome(_) => "UNFIT_OUTCOME",
            Self::Seed { .. } => "OTHER_OUTCOME",
            Self::Dice(error) => error.reason(),
            Self::Commitment(error) => error.reason(),
            Self::Entropies { .. } => "ENTROPY_COUNT",
            Self::Digest { .. } => "OTHER_DIGEST",
            Self::Result { .. } => "OTHER_RESULT",
            Self::Text { .. } => "TEXT_CHANGED",
            Self::Signature { .. } => "SIGNATURE_MISMATCH",
            Self::Signer { .. } => "OTHER_SIGNER",
            Self::Unsigned { .. } => "UNSIGNED",
        }
    }
}
