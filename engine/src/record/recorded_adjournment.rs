//! Adjournments as a record has them ([`RecordedAdjournment`]): a match was put off, and its clocks stood.
//!
//! They stand after the result, in their order and before the acts of referees, each with the number of entries before it: nothing is
//! played while a match is adjourned, so that entries and their digests are those of the game alone.

use std::fmt;

use super::Record;

/// The first word of an adjournment's line.
pub(super) const ADJOURNED: &str = "adjourned";

/// The form of an adjournment's line, for those who wrote another.
pub(super) const EXPECTED: &str = "`adjourned`, the number of entries before it, `by`, `seats` or `referee`, `for` and milliseconds, and `lasted` and milliseconds once it has ended";

/// An adjournment, as a record has it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RecordedAdjournment {
    /// Number of the record's entries before it.
    pub entries: usize,
    /// Those who adjourned the match.
    pub by: AdjournedBy,
    /// The longest time that it was to last, in milliseconds.
    pub longest_ms: u64,
    /// The time that it lasted, in milliseconds, outages of the host with it; `None`: it had not ended when the record was made.
    pub lasted_ms: Option<u64>,
}

/// Those who adjourned a match.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AdjournedBy {
    /// Its seats, which agreed.
    Seats,
    /// A referee.
    Referee,
}

impl fmt::Display for AdjournedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seats => "seats",
            Self::Referee => "referee",
        })
    }
}

impl fmt::Display for RecordedAdjournment {
    /// The adjournment in words for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entries, by, longest_ms, lasted_ms } = self;
        let who = match by {
            AdjournedBy::Seats => "the seats",
            AdjournedBy::Referee => "a referee",
        };
        write!(f, "after {entries} entries {who} adjourned the match for at most {longest_ms} milliseconds")?;
        match lasted_ms {
            Some(lasted_ms) => write!(f, "; it went on after {lasted_ms}"),
            None => f.write_str("; it has not gone on since"),
        }
    }
}

impl RecordedAdjournment {
    /// The line of the record.
    pub(super) fn line(&self) -> String {
        let Self { entries, by, longest_ms, lasted_ms } = self;
        let lasted = lasted_ms.map(|lasted_ms| format!(" lasted {lasted_ms}")).unwrap_or_default();
        format!("{ADJOURNED} {entries} by {by} for {longest_ms}{lasted}")
    }

    /// Reads a line behind its first word.
    pub(super) fn read(rest: &str) -> Option<Self> {
        let words: Vec<&str> = rest.split(' ').collect();
        let [entries, "by", by, "for", longest_ms, lasted @ ..] = &words[..] else { return None };
        let by = match *by {
            "seats" => AdjournedBy::Seats,
            "referee" => AdjournedBy::Referee,
            _ => return None,
        };
        let lasted_ms = match lasted {
            [] => None,
            ["lasted", lasted_ms] => Some(lasted_ms.parse().ok()?),
            _ => return None,
        };
        Some(Self { entries: entries.parse().ok()?, by, longest_ms: longest_ms.parse().ok()?, lasted_ms })
    }

    /// Returns the objection to `self` in a record of so many entries with these adjournments before it; in words of what would be
    /// accepted. `is_over`: the match is.
    pub(super) fn objection(&self, entries: usize, is_over: bool, before: &[Self]) -> Option<String> {
        let last = before.last().map_or(0, |one| one.entries);
        match () {
            () if before.iter().any(|one| one.lasted_ms.is_none()) => {
                Some("no other after one that has not ended".to_owned())
            }
            () if self.entries < last || self.entries > entries => {
                Some(format!("an adjournment after {last} to {entries} entries, in order,"))
            }
            () if self.lasted_ms.is_none() && self.entries != entries => {
                Some(format!("one that has not ended after all {entries} entries"))
            }
            () if self.lasted_ms.is_none() && is_over => {
                Some("one that has ended, since the match is over,".to_owned())
            }
            () => None,
        }
    }
}

impl Record {
    /// The adjournments of the match, in order: its host's word, which a signature covers.
    #[must_use]
    pub fn adjournments(&self) -> &[RecordedAdjournment] {
        &self.adjournments
    }
}
