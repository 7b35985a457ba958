//! Records: a match as text that can be read, compared, pasted, replayed and checked (docs/record.md).
//!
//! Invariant: a [`Record`] is what [`Record::parse`] reads from its own [`Record::to_text`]; there is one text for a record.
//! A record holds outcomes, so it replays without its seed; the seed only checks them.

mod ascii;
mod digest;
mod events;
mod fault;
mod header;
mod make;
mod parse;
mod recorded_act;
mod recorded_adjournment;
mod replay;
mod report;
mod restated;
mod signature;
mod terms;
mod text;
mod verify;
mod write;

pub(crate) use digest::DigestKey;
pub use digest::{EntryDigest, TextDigest};
pub use events::events_text;
pub use fault::{Finding, RecordFault};
pub use header::{
    ChosenSeed, Dice, HostSecrets, NAME_BYTES_MAX, Origin, Player, RecordHeader, RulesPin, SeatEntropy,
};
pub use make::RecordError;
pub use parse::ParseError;
pub use recorded_act::{RecordedAct, RecordedActKind};
pub use recorded_adjournment::{AdjournedBy, RecordedAdjournment};
pub use replay::{ReplayError, replay};
pub use report::{DiceCheck, RecordPart, RecordReport, SignatureCheck, Unchecked};
pub use signature::RecordSignature;
pub use terms::options_hash;
pub use text::{LINE_WIDTH, RECORD_BYTES_MAX};
pub use verify::verify;

use crate::event::ChanceRef;
use crate::game::MatchResult;

use signature::SIGNED_KIND;

/// A match as it was recorded: header, what happened with a digest of each state, result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    header: RecordHeader,
    /// The state before anything happened.
    start: Marked,
    entries: Vec<RecordEntry>,
    result: Option<RecordedResult>,
    result_line: usize,
    given_up: Option<String>,
    adjournments: Vec<RecordedAdjournment>,
    referee_acts: Vec<RecordedAct>,
    end: TextDigest,
    /// The digest of the text, whatever the line `end` says.
    derived: TextDigest,
    end_line: usize,
    signature: Option<RecordSignature>,
    /// The line of the signer; the last line if there is none.
    signature_line: usize,
}

/// A digest and the line that it stands in.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Marked {
    line: usize,
    digest: EntryDigest,
}

/// Something that happened, in words that need a game to be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordEntry {
    /// Number of the line that it begins in, from 1.
    pub line: usize,
    /// The occurrence.
    pub what: Recorded,
    /// Of what came before it, of it, and of the state after it.
    pub digest: EntryDigest,
}

/// An occurrence of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// Actions of a seat became final.
    Commit {
        /// Its id.
        seat: String,
        /// The actions, as the game's `print_line` writes them, or as ids: `#12 #40`.
        line: String,
    },
    /// Dice were rolled.
    Roll {
        /// The draw of the match's dice.
        chance_ref: ChanceRef,
        /// The faces, in the roll's order.
        faces: Vec<u8>,
    },
    /// Something was chosen by lot, or drawn.
    Pick {
        /// The draw of the match's dice.
        chance_ref: ChanceRef,
        /// Its id, or `#` and its place among the options, from 0, where ids don't tell them apart.
        what: String,
    },
    /// A seat gave up.
    Resigned {
        /// Its id.
        seat: String,
    },
    /// The seats agreed on a draw.
    Agreed,
}

/// The way a match ended, as it was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedResult {
    /// The victory's name, by template.
    pub code: String,
    /// The rule that ended it.
    pub rule: String,
    /// Return of each seat, in seat order.
    pub returns: Vec<i32>,
    /// Grade of the victory; may be empty.
    pub grade: String,
}

impl From<&MatchResult> for RecordedResult {
    fn from(result: &MatchResult) -> Self {
        Self {
            code: result.code.to_owned(),
            rule: result.rule.id().to_owned(),
            returns: result.returns.clone(),
            grade: result.grade.to_owned(),
        }
    }
}

impl Record {
    /// Returns what was settled before the match.
    #[must_use]
    pub const fn header(&self) -> &RecordHeader {
        &self.header
    }

    /// Returns what happened, in order.
    #[must_use]
    pub fn entries(&self) -> &[RecordEntry] {
        &self.entries
    }

    /// Returns the way it ended; `None` if it was not over when it was recorded.
    #[must_use]
    pub const fn result(&self) -> Option<&RecordedResult> {
        self.result.as_ref()
    }

    /// The id of the seat that gave up while the host could not play the match, if one did: the match is over, and the rules know
    /// of no result.
    #[must_use]
    pub fn given_up(&self) -> Option<&str> {
        self.given_up.as_deref()
    }

    /// Returns whether the match was over when it was recorded, by its rules or without them.
    pub(crate) fn is_over(&self) -> bool {
        self.result.is_some() || self.is_voided() || self.given_up.is_some()
    }

    /// The digest of all that the record says, as its line `end` has it. The signature is not part of it.
    #[must_use]
    pub const fn digest(&self) -> TextDigest {
        self.end
    }
}
