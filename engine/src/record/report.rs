//! The findings of a check of a record ([`RecordReport`]): what is wrong with it, and what nobody could look into.

use std::fmt;

use crate::signing::VerifyingKey;

use super::fault::Finding;

/// The extent to which the outcomes could be checked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DiceCheck {
    /// Each against a seed that the host was bound to.
    Committed,
    /// Each against a seed that somebody chose: nobody was bound to it.
    Chosen,
    /// Not at all: the seed is withheld. The digests neither.
    Withheld,
    /// Not at all: there is no seed.
    NoSeed,
}

/// The extent to which a record is known to be a host's.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SignatureCheck {
    /// Nobody has signed it.
    Unsigned,
    /// It names this key, whose holder has not signed it.
    Invalid(VerifyingKey),
    /// The holder of this key has; whose it is, the checker did not know.
    Unknown(VerifyingKey),
    /// The holder of this key, which the checker knows.
    Known(VerifyingKey),
}

/// A part of a record that can't always be checked.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RecordPart {
    /// That the outcomes and digests are those of the match's seed.
    Seed,
    /// That the entropies are those that the seats gave.
    Entropy,
    /// That the match ended here, and so: nothing was cut off, and no resignation or agreement put in.
    End,
    /// That the players were these.
    Names,
    /// That a host says all of this: the match's id, the commitment and the rest of the record.
    HostsWord,
}

/// A part that could not be checked, and the reason.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Unchecked {
    /// The part.
    pub part: RecordPart,
    /// The reason, in words.
    pub why: &'static str,
}

/// The findings of a check of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordReport {
    /// Everything that is wrong, in the order of the lines.
    pub findings: Vec<Finding>,
    /// Everything that could not be checked, each part at most once, in the order of [`RecordPart`].
    pub unchecked: Vec<Unchecked>,
    /// Number of entries that were played again, and number that there are.
    pub entries: (usize, usize),
    /// Number of chance events among those played again.
    pub outcomes: usize,
    /// Extent to which the outcomes could be checked.
    pub dice: DiceCheck,
    /// Extent to which the record is known to be a host's.
    pub signature: SignatureCheck,
}

impl RecordReport {
    /// Returns whether nothing in the record contradicts the rules, its seed, or itself. That is little: whoever writes a
    /// record can write a consistent one, and [`RecordReport::unchecked`] says in which parts.
    #[must_use]
    pub const fn is_consistent(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns whether nothing is wrong: the record is consistent, and every part of it was checked.
    #[must_use]
    pub const fn is_fully_checked(&self) -> bool {
        self.is_consistent() && self.unchecked.is_empty()
    }

    fn verdict(&self) -> String {
        if !self.is_consistent() {
            return "the record is not in order".to_owned();
        }
        if self.is_fully_checked() {
            return "nothing is wrong".to_owned();
        }
        let parts: Vec<String> = self.unchecked.iter().map(|unchecked| unchecked.part.to_string()).collect();
        format!("consistent, but unchecked: {}", parts.join(", "))
    }
}

impl RecordPart {
    /// Its name, which the text of a report has.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Entropy => "entropy",
            Self::End => "end",
            Self::Names => "names",
            Self::HostsWord => "host's word",
        }
    }
}

impl fmt::Display for RecordPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for SignatureCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned => f.write_str("not signed"),
            Self::Invalid(key) => write!(f, "not signed by {key}, which it names"),
            Self::Unknown(key) => write!(f, "signed by {key}"),
            Self::Known(key) => write!(f, "signed by {key}, as it has to be"),
        }
    }
}

impl fmt::Display for RecordReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}")?;
        }
        for Unchecked { part, why } in &self.unchecked {
            writeln!(f, "unchecked: {part}: {why}")?;
        }
        let (played, all) = self.entries;
        let dice = match self.dice {
            DiceCheck::Committed => "checked against the committed seed",
            DiceCheck::Chosen => "checked against a seed that somebody chose",
            DiceCheck::Withheld => "not checked, and digests neither: the seed is withheld",
            DiceCheck::NoSeed => "not checked: there is no seed",
        };
        writeln!(
            f,
            "{played} of {all} entries replayed; {} outcomes {dice}; {}",
            self.outcomes, self.signature
        )?;
        f.write_str(&self.verdict())
    }
}
