//! Acts of a referee as a record has them ([`RecordedAct`]): what happened to a match that its rules know nothing of.
//!
//! They stand after the result, in their order, each with the number of entries before it, so that the entries and their digests
//! are those of the game alone.

use std::fmt;

use super::header::NAME_BYTES_MAX;
use super::{Record, ascii};

/// The first word of an act's line.
pub(super) const REFEREE: &str = "referee";

/// The forms of an act's line, for those who wrote another.
pub(super) const EXPECTED: &str = "`referee`, the number of entries before it, and `time`, `replaced`, `voided`, `corrected`, `adjourned` or `resumed` with what goes with it";

/// An act of a referee, as a record has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedAct {
    /// Number of the record's entries before it.
    pub entries: usize,
    /// The act.
    pub kind: RecordedActKind,
    /// The referee's reason; may be empty.
    pub reason: String,
}

/// The kind of a recorded act, with what goes with it. Seats are named by their ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordedActKind {
    /// A seat's clock was given time.
    TimeAdded {
        /// The seat.
        seat: String,
        /// Milliseconds.
        added_ms: u64,
    },
    /// A seat was taken from its player, for another one to go on with.
    PlayerReplaced {
        /// The seat.
        seat: String,
        /// The player whom it was taken from; may be empty. The header has the last one.
        former: String,
    },
    /// The match was ended, and does not count.
    MatchVoided,
    /// The result was corrected.
    ResultCorrected {
        /// The return of each seat instead, in seat order.
        returns: Vec<i32>,
    },
    /// The match was adjourned.
    MatchAdjourned {
        /// The longest time that it was to last, in milliseconds.
        longest_ms: u64,
    },
    /// The match, which was adjourned, went on.
    AdjournmentEnded,
}

impl fmt::Display for RecordedAct {
    /// The act in words for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} entries a referee ", self.entries)?;
        match &self.kind {
            RecordedActKind::TimeAdded { seat, added_ms } => {
                write!(f, "gave the clock of {seat} {added_ms} milliseconds")?;
            }
            RecordedActKind::PlayerReplaced { seat, former } => {
                write!(f, "replaced the player of {seat}, {former:?}")?;
            }
            RecordedActKind::MatchVoided => f.write_str("voided the match")?,
            RecordedActKind::ResultCorrected { returns } => {
                write!(f, "corrected the result: returns {returns:?}")?;
            }
            RecordedActKind::MatchAdjourned { longest_ms } => {
                write!(f, "adjourned the match for at most {longest_ms} milliseconds")?;
            }
            RecordedActKind::AdjournmentEnded => f.write_str("let the match go on")?,
        }
        if self.reason.is_empty() { Ok(()) } else { write!(f, " ({:?})", self.reason) }
    }
}

impl RecordedAct {
    /// The line of the record.
    pub(super) fn line(&self) -> String {
        let kind = match &self.kind {
            RecordedActKind::TimeAdded { seat, added_ms } => format!("time {seat} {added_ms}"),
            RecordedActKind::PlayerReplaced { seat, former } => {
                format!("replaced {seat} {}", ascii::quoted(former))
            }
            RecordedActKind::MatchVoided => "voided".to_owned(),
            RecordedActKind::ResultCorrected { returns } => {
                let returns: Vec<String> = returns.iter().map(i32::to_string).collect();
                format!("corrected {}", returns.join(" "))
            }
            RecordedActKind::MatchAdjourned { longest_ms } => format!("adjourned {longest_ms}"),
            RecordedActKind::AdjournmentEnded => "resumed".to_owned(),
        };
        format!("{REFEREE} {} {kind} reason {}", self.entries, ascii::quoted(&self.reason))
    }

    /// Reads a line behind its first word.
    pub(super) fn read(rest: &str) -> Option<Self> {
        let text = |quoted: &str| ascii::unquoted(quoted).filter(|text| text.len() <= NAME_BYTES_MAX);
        let seat = |id: &str| ascii::is_word(id).then(|| id.to_owned());
        let words = words(rest)?;
        let [entries, what @ .., "reason", reason] = &words[..] else { return None };
        let kind = match what {
            ["time", id, added_ms] => {
                RecordedActKind::TimeAdded { seat: seat(id)?, added_ms: added_ms.parse().ok()? }
            }
            ["replaced", id, former] => {
                RecordedActKind::PlayerReplaced { seat: seat(id)?, former: text(former)? }
            }
            ["voided"] => RecordedActKind::MatchVoided,
            ["corrected", returns @ ..] => {
                let returns = returns.iter().map(|one| one.parse().ok()).collect::<Option<_>>()?;
                RecordedActKind::ResultCorrected { returns }
            }
            ["adjourned", longest_ms] => {
                RecordedActKind::MatchAdjourned { longest_ms: longest_ms.parse().ok()? }
            }
            ["resumed"] => RecordedActKind::AdjournmentEnded,
            _ => return None,
        };
        Some(Self { entries: entries.parse().ok()?, kind, reason: text(reason)? })
    }

    /// Returns the objection to `self` in a record of so many entries, with these seats and these acts before it; in words of what
    /// would be accepted.
    pub(super) fn objection(&self, entries: usize, seats: &[&str], before: &[Self]) -> Option<String> {
        let last = before.last().map_or(0, |act| act.entries);
        let is_over = before.iter().any(|act| act.kind.is_of_the_end());
        let known = |seat: &String| seats.contains(&seat.as_str());
        match &self.kind {
            _ if self.entries < last || self.entries > entries => {
                Some(format!("an act after {last} to {entries} entries, in order,"))
            }
            kind if kind.is_of_the_end() && self.entries != entries => Some(format!(
                "an act that ends the match, or comes behind its end, after all {entries} entries"
            )),
            RecordedActKind::MatchVoided if is_over => {
                Some("a match that is not over before it is voided".to_owned())
            }
            RecordedActKind::TimeAdded { .. }
            | RecordedActKind::PlayerReplaced { .. }
            | RecordedActKind::MatchAdjourned { .. }
            | RecordedActKind::AdjournmentEnded
                if is_over =>
            {
                Some("nothing but corrections after the end of the match".to_owned())
            }
            RecordedActKind::TimeAdded { seat, .. } | RecordedActKind::PlayerReplaced { seat, .. }
                if !known(seat) =>
            {
                Some(format!("a seat of the match ({})", seats.join(", ")))
            }
            RecordedActKind::ResultCorrected { returns } if returns.len() != seats.len() => {
                Some(format!("{} numbers, one a seat,", seats.len()))
            }
            _ => None,
        }
    }
}

/// The words of a line, where what stands in quotes is one.
fn words(mut text: &str) -> Option<Vec<&str>> {
    let mut words = Vec::new();
    loop {
        let length = match text.strip_prefix('"') {
            None => text.find(' ').unwrap_or(text.len()),
            Some(quoted) => {
                let mut escaped = false;
                let end = quoted.bytes().position(|byte| {
                    let closes = byte == b'"' && !escaped;
                    escaped = byte == b'\\' && !escaped;
                    closes
                })?;
                end + 2
            }
        };
        let (word, rest) = text.split_at(length);
        words.push(word);
        if rest.is_empty() {
            return Some(words);
        }
        text = rest.strip_prefix(' ')?;
    }
}

impl RecordedActKind {
    /// Returns whether the match is over with it, or was before.
    const fn is_of_the_end(&self) -> bool {
        matches!(self, Self::MatchVoided | Self::ResultCorrected { .. })
    }
}

impl Record {
    /// The acts of referees on the match, in order: its host's word, which a signature covers.
    #[must_use]
    pub fn referee_acts(&self) -> &[RecordedAct] {
        &self.referee_acts
    }

    /// Returns whether a referee has voided the match: it is over, and has no result.
    #[must_use]
    pub fn is_voided(&self) -> bool {
        self.referee_acts.iter().any(|act| act.kind == RecordedActKind::MatchVoided)
    }

    /// The return of each seat instead of the result's, by the last correction of a referee.
    #[must_use]
    pub fn corrected_returns(&self) -> Option<&[i32]> {
        self.referee_acts.iter().rev().find_map(|act| match &act.kind {
            RecordedActKind::ResultCorrected { returns } => Some(returns.as_slice()),
            _ => None,
        })
    }
}
