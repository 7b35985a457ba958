//! Checking a record against rules, commitment and seed ([`verify`]).

use std::fmt;

use crate::dice::{Terms, VerifyError};
use crate::registry::AnyGame;

use super::fault::{Finding, RecordFault};
use super::header::Dice;
use super::replay::Replay;
use super::terms::options_hash;
use super::{Record, Recorded};

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

/// The findings of a check of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordReport {
    /// Everything that is wrong, in the order of the lines.
    pub findings: Vec<Finding>,
    /// Number of entries that were played again, and number that there are.
    pub entries: (usize, usize),
    /// Number of chance events among those played again.
    pub outcomes: usize,
    /// Extent to which the outcomes could be checked.
    pub dice: DiceCheck,
}

impl RecordReport {
    /// Returns whether nothing is wrong; [`RecordReport::dice`] says what could not be looked into.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

impl fmt::Display for RecordReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}")?;
        }
        let (played, all) = self.entries;
        let dice = match self.dice {
            DiceCheck::Committed => "checked against the committed seed",
            DiceCheck::Chosen => "checked against a seed that somebody chose",
            DiceCheck::Withheld => "not checked, and digests neither: the seed is withheld",
            DiceCheck::NoSeed => "not checked: there is no seed",
        };
        let verdict = if self.is_clean() { "nothing is wrong" } else { "the record is not in order" };
        write!(f, "{verdict}: {played} of {all} entries replayed; {} outcomes {dice}", self.outcomes)
    }
}

/// Checks everything about a record that can be checked: commitments, the seed's derivation, each action by the rules, each
/// outcome by the seed, each digest, the result, the text. The check goes on after a fault as long as the replay can.
///
/// A record can't prove which commitment was shown before the match: compare it with the one that you were shown.
#[must_use]
pub fn verify(game: &dyn AnyGame, record: &Record) -> RecordReport {
    let mut findings = Vec::new();
    let mut played = 0;
    if let Some(mut replay) = Replay::open(game, record, &mut findings) {
        check_dice(game, record, &replay, &mut findings);
        while replay.action(&mut findings) {}
        played = replay.played;
        if played == record.entries.len() {
            replay.check_result(&mut findings);
        }
    }
    if record.end != record.derived {
        let fault = RecordFault::Text { expected: record.derived, found: record.end };
        findings.push(Finding { line: record.end_line, fault });
    }
    findings.sort_by_key(|finding| finding.line);
    let chance =
        |entry: &&super::RecordEntry| matches!(entry.what, Recorded::Roll { .. } | Recorded::Pick { .. });
    let dice = match &record.header.dice {
        Dice::Committed { server_seed: None, .. } | Dice::Chosen(None) => DiceCheck::Withheld,
        Dice::Committed { .. } => DiceCheck::Committed,
        Dice::Chosen(_) => DiceCheck::Chosen,
        _ => DiceCheck::NoSeed,
    };
    let outcomes = record.entries[..played].iter().filter(chance).count();
    RecordReport { findings, entries: (played, record.entries.len()), outcomes, dice }
}

/// The commitment of the host and those of the seats, and that each seat has a part in the seed.
fn check_dice(game: &dyn AnyGame, record: &Record, replay: &Replay<'_>, findings: &mut Vec<Finding>) {
    let header = &record.header;
    let Dice::Committed { group, commitment, server_seed, entropies } = &header.dice else { return };
    let mut note = |part: &str, fault: RecordFault| findings.push(Finding { line: header.line(part), fault });
    for (index, seat) in entropies.iter().enumerate() {
        let opened = seat
            .commitment
            .as_ref()
            .map_or(Ok(()), |commitment| commitment.verify(header.dice_id(), index as u32, &seat.entropy));
        if let Err(error) = opened {
            note(&format!("entropy {index}"), error.into());
        }
    }
    let Some(server_seed) = server_seed else { return };
    // In a group there is one for each entrant, and only the group knows how many those are.
    if group.is_none() && entropies.len() != replay.table.seats() {
        let fault = RecordFault::Entropies { expected: replay.table.seats(), found: entropies.len() };
        note("server-seed", fault);
    }
    let rules_version = header.rules_version.to_string();
    let catalogue = game.catalogue();
    let terms = Terms {
        id: header.dice_id(),
        game: &header.game,
        rules_version: &rules_version,
        content_hash: *header.content.as_bytes(),
        options_hash: options_hash(catalogue, replay.table.setup(), header.position.as_ref()),
    };
    match commitment.verify(&terms, server_seed) {
        Ok(()) => {}
        Err(error @ VerifyError::Request(_)) => note("match", error.into()),
        Err(error) => note("commitment", error.into()),
    }
}
