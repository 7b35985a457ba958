//! An encounter with its matches ([`EncounterState`]): which are played, which are to begin, and when it is over.

use std::collections::BTreeSet;
use std::num::NonZeroU16;

use serde::Serialize;

use super::Due;
use crate::encounter::{
    Encounter, EncounterId, EncounterResult, EntrantId, ForfeitReason, MatchSlot, PlannedMatch, SeedGroup,
    Verdict,
};
use crate::settings::{CompetitionSettings, EncounterLength};

/// A match that was begun.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayedMatch {
    /// The number of the attempt, from 1.
    pub attempt: NonZeroU16,
    /// Its id on the server.
    pub match_id: String,
    /// The verdict; [`None`] while it is played.
    pub verdict: Option<Verdict>,
    /// The evidence that the verdict rests on; empty while it is played.
    pub evidence: String,
    /// True if it was voided to be played again.
    pub replayed: bool,
}

/// An encounter with the attempts at each of its matches, the last of which counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct EncounterState {
    pub(super) encounter: Encounter,
    /// True if each two matches share a seed.
    pub(super) mirrored: bool,
    /// The attempts at each match by its number; one that is not there has not begun.
    pub(super) attempts: Vec<Vec<PlayedMatch>>,
}

/// The progress of an encounter.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    pub(super) result: EncounterResult,
    /// The places of the matches that are to begin.
    pub(super) to_begin: Vec<usize>,
}

impl EncounterState {
    pub(super) const fn new(encounter: Encounter, settings: &CompetitionSettings) -> Self {
        let mirrored = settings.encounter.mirrored && matches!(encounter, Encounter::Pair { .. });
        Self { encounter, mirrored, attempts: Vec::new() }
    }

    /// The attempt at a match that counts, unless it is to be played again.
    pub(super) fn current(&self, index: usize) -> Option<&PlayedMatch> {
        self.attempts.get(index)?.last().filter(|attempt| !attempt.replayed)
    }

    /// The number of the attempt that counts, or of the one to begin. Both matches of a mirrored pair are in step, also where one has not
    /// begun: a match that was created for it, and not written down, has the seed of the attempt before.
    fn attempt(&self, index: usize) -> NonZeroU16 {
        if let Some(current) = self.current(index) {
            return current.attempt;
        }
        let partner = self.mirrored.then_some(index ^ 1);
        let lists = std::iter::once(index).chain(partner).filter_map(|place| self.attempts.get(place));
        let replayed = lists.flatten().filter(|played| played.replayed).map(|played| played.attempt);
        replayed.max().map_or(NonZeroU16::MIN, |last| last.saturating_add(1))
    }

    pub(super) fn slot(&self, encounter: EncounterId, index: usize) -> MatchSlot {
        let number = u16::try_from(index + 1).ok().and_then(NonZeroU16::new);
        let number = number.expect("settings bound the matches of an encounter");
        MatchSlot { encounter, number, attempt: self.attempt(index) }
    }

    /// The verdict of a match: its own, or a forfeit if it has not begun and somebody has left.
    fn verdict(&self, index: usize, active: &BTreeSet<EntrantId>) -> Option<Verdict> {
        if let Some(begun) = self.current(index) {
            return begun.verdict;
        }
        let reason = ForfeitReason::Absence;
        let mut absent = self.encounter.entrants().filter(|entrant| !active.contains(entrant));
        match (absent.next(), absent.next()) {
            (Some(_), Some(_)) => Some(Verdict::BothForfeit(reason)),
            (Some(entrant), None) => Some(Verdict::Forfeit { entrant, reason }),
            (None, _) => None,
        }
    }

    /// The progress, when these have not left.
    pub(super) fn progress(&self, settings: &CompetitionSettings, active: &BTreeSet<EntrantId>) -> Progress {
        let mut planned = self.planned_at_first(settings);
        loop {
            let verdicts = (0..planned).map(|index| self.verdict(index, active)).collect();
            let mut result = EncounterResult { encounter: self.encounter, verdicts, is_over: false };
            let to_begin: Vec<usize> = (0..planned)
                .filter(|&index| self.current(index).is_none() && result.verdicts[index].is_none())
                .collect();
            if result.verdicts.iter().any(Option::is_none) {
                return Progress { result, to_begin };
            }
            let more = further(&result, settings);
            if more == 0 {
                result.is_over = true;
                return Progress { result, to_begin };
            }
            planned += more;
        }
    }

    /// The number of matches that are planned from the beginning, and those that have come to be played.
    fn planned_at_first(&self, settings: &CompetitionSettings) -> usize {
        let terms = settings.encounter;
        match (self.encounter, terms.length) {
            (Encounter::Bye(_), _) => 0,
            (Encounter::Solo(_), _) => 1,
            (Encounter::Pair { .. }, EncounterLength::All(all)) => {
                self.attempts.len().next_multiple_of(terms.block()).max(usize::from(all.get()))
            }
            (Encounter::Pair { .. }, EncounterLength::BestOf(_)) => {
                self.attempts.len().max(1).next_multiple_of(terms.block())
            }
        }
    }

    /// The steps that it waits for: matches to begin and to watch.
    pub(super) fn due(&self, id: EncounterId, progress: &Progress) -> Vec<Due> {
        let matches = (0..progress.result.verdicts.len()).filter_map(|index| {
            if progress.to_begin.contains(&index) {
                return Some(Due::Begin(self.planned(id, index)));
            }
            let begun = self.current(index).filter(|begun| begun.verdict.is_none())?;
            let seats = self.encounter.seats(index);
            Some(Due::Watch { slot: self.slot(id, index), seats, match_id: begun.match_id.clone() })
        });
        matches.collect()
    }

    fn planned(&self, id: EncounterId, index: usize) -> PlannedMatch {
        let group = match self.encounter {
            Encounter::Solo(_) => Some(SeedGroup::Series(id.round)),
            Encounter::Pair { .. } if self.mirrored => {
                let pair = u16::try_from(index / 2 + 1).ok().and_then(NonZeroU16::new);
                Some(SeedGroup::Pair {
                    encounter: id,
                    pair: pair.expect("settings bound the matches of an encounter"),
                    attempt: self.attempt(index),
                })
            }
            Encounter::Pair { .. } | Encounter::Bye(_) => None,
        };
        PlannedMatch { slot: self.slot(id, index), seats: self.encounter.seats(index), group }
    }

    /// Every match that was begun.
    pub(super) fn matches(&self, id: EncounterId) -> impl Iterator<Item = (MatchSlot, &PlayedMatch)> {
        self.attempts.iter().enumerate().flat_map(move |(index, attempts)| {
            attempts
                .iter()
                .map(move |played| (MatchSlot { attempt: played.attempt, ..self.slot(id, index) }, played))
        })
    }
}

/// The number of matches that come after those that are planned, all of which have a verdict.
fn further(result: &EncounterResult, settings: &CompetitionSettings) -> usize {
    let Encounter::Pair { first, second } = result.encounter else { return 0 };
    let (terms, played) = (settings.encounter, result.verdicts.len());
    let most = usize::from(terms.length.most().get());
    let lead = result.half_points(first).abs_diff(result.half_points(second));
    if played < most {
        let left = most - played;
        return if lead as usize > 2 * left { 0 } else { terms.block().min(left) };
    }
    let deciders = (played - most) / terms.block();
    let goes_on = lead == 0 && deciders < usize::from(settings.format.deciders());
    if goes_on { terms.block() } else { 0 }
}
