//! The findings of a check of a transcript ([`TranscriptReport`]).

use std::fmt;
use std::ops::RangeInclusive;

use edgehill_engine::signing::VerifyingKey;

/// Something that is wrong with a transcript: the host, or whoever kept it, has not shown what they say.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// A receipt is for other events than those before it, or for them in another order.
    Hash {
        /// The number of the last event before it.
        seq: u64,
    },
    /// The key of a receipt has not signed it.
    Signature {
        /// The number that it is for.
        seq: u64,
    },
    /// A receipt is signed with a key that is not known to be the host's.
    Signer {
        /// The number that it is for.
        seq: u64,
        /// The key.
        found: VerifyingKey,
    },
    /// The record is of another match.
    OtherMatch {
        /// The id of that match.
        found: String,
    },
    /// The match of the record has no such seat.
    NoSuchSeat,
    /// The record can't be played again.
    Record {
        /// The first fault in it.
        why: String,
    },
    /// An event can't be understood.
    Garbled {
        /// Its number.
        seq: u64,
    },
    /// Something else was shown than what the record tells.
    Fact {
        /// The number of the event.
        seq: u64,
        /// The code of the event that was shown.
        shown: &'static str,
        /// The code of the event that the record tells there; `None`: none.
        told: Option<&'static str>,
    },
    /// Something was not shown that the record tells.
    Missing {
        /// The code of the event that the record tells.
        told: &'static str,
    },
    /// The events do not lead to the view at the end of the record.
    View,
}

/// The findings of a check of a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranscriptReport {
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
    /// Number of events.
    pub events: u64,
    /// Number of receipts that fit the events before them and are signed.
    pub receipts: usize,
    /// The key of the last of them, and whether it is known to be the host's.
    pub signer: Option<(VerifyingKey, bool)>,
    /// Number of facts that the record tells, too; 0 without a record.
    pub facts: usize,
    /// Number of facts of drafts of the observer's own that no record has.
    pub drafted: usize,
    /// True if transcript and record have both come to the end of the match.
    pub is_whole: bool,
    /// Numbers that were replaced before there was a receipt for them.
    replaced: Vec<RangeInclusive<u64>>,
    /// The number of the last right receipt.
    receipted: u64,
    /// The number of the last event since then that says itself what the hash came to.
    jump: u64,
}

impl TranscriptReport {
    pub(super) fn new(events: u64) -> Self {
        Self {
            faults: Vec::new(),
            events,
            receipts: 0,
            signer: None,
            facts: 0,
            drafted: 0,
            is_whole: false,
            replaced: Vec::new(),
            receipted: 0,
            jump: 0,
        }
    }

    /// Notes that an event says itself what the hash came to: no later receipt proves it, or what is before it.
    pub(super) fn note_jump(&mut self, seq: u64) {
        self.jump = seq;
    }

    /// Notes a right receipt for the events up to `seq`.
    pub(super) fn note_receipt(&mut self, seq: u64, key: VerifyingKey, known: bool) {
        self.receipts += 1;
        self.signer = Some((key, known));
        if self.jump > self.receipted {
            self.replaced.push(self.receipted + 1..=self.jump);
        }
        self.receipted = seq;
    }

    /// Returns the numbers of events that no receipt proves: those that were replaced before there was one, and those after the
    /// last.
    #[must_use]
    pub fn unproven(&self) -> Vec<RangeInclusive<u64>> {
        let rest = (self.receipted < self.events).then(|| self.receipted + 1..=self.events);
        self.replaced.iter().cloned().chain(rest).collect()
    }

    /// Returns whether nothing contradicts anything.
    #[must_use]
    pub const fn is_consistent(&self) -> bool {
        self.faults.is_empty()
    }

    /// Returns whether a known host has signed for every event, and nothing contradicts that.
    #[must_use]
    pub fn is_fully_checked(&self) -> bool {
        self.is_consistent() && self.unproven().is_empty() && matches!(self.signer, Some((_, true)))
    }
}

impl fmt::Display for TranscriptReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.faults {
            writeln!(f, "{fault}")?;
        }
        writeln!(f, "{} events, {} receipts", self.events, self.receipts)?;
        match self.signer {
            Some((key, true)) => writeln!(f, "signed by the host, {key}")?,
            Some((key, false)) => writeln!(f, "unchecked: signer: whose key {key} is is not known")?,
            None => writeln!(f, "unchecked: signer: no receipt is right")?,
        }
        for range in self.unproven() {
            writeln!(f, "unchecked: events {} to {}: no receipt proves them", range.start(), range.end())?;
        }
        if self.facts > 0 {
            writeln!(f, "{} facts that were shown follow from the record", self.facts)?;
        }
        if self.drafted > 0 {
            writeln!(f, "{} facts were of drafts, which no record has", self.drafted)?;
        }
        if self.is_whole {
            writeln!(f, "all of the match was shown")?;
        }
        let verdict = match (self.is_consistent(), self.is_fully_checked()) {
            (false, _) => "what was shown is not in order",
            (true, false) => "consistent, but unchecked in part",
            (true, true) => "nothing is wrong",
        };
        write!(f, "{verdict}")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash { seq } => {
                write!(f, "the receipt for number {seq} is for other events, or for another order")
            }
            Self::Signature { seq } => write!(f, "the receipt for number {seq} is not signed by its key"),
            Self::Signer { seq, found } => {
                write!(f, "the receipt for number {seq} is signed by {found}, which is not the host's key")
            }
            Self::OtherMatch { found } => write!(f, "the record is of another match: {found:?}"),
            Self::NoSuchSeat => write!(f, "the match of the record has no such seat"),
            Self::Record { why } => write!(f, "the record can't be played again: {why}"),
            Self::Garbled { seq } => write!(f, "event {seq} can't be understood"),
            Self::Fact { seq, shown, told: Some(told) } => {
                write!(
                    f,
                    "event {seq}: `{shown}` was shown, where the record tells `{told}`, or tells it otherwise"
                )
            }
            Self::Fact { seq, shown, told: None } => {
                write!(f, "event {seq}: `{shown}` was shown, and the record tells nothing more")
            }
            Self::Missing { told } => write!(f, "`{told}`, which the record tells, was not shown"),
            Self::View => write!(f, "what was shown does not lead to the view at the end of the record"),
        }
    }
}

impl std::error::Error for Fault {}
