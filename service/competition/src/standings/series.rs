//! The scores of a series ([`SeriesTable`]).

use std::collections::{BTreeMap, BTreeSet};

use super::{CrossCell, MatchTally};
use crate::encounter::{Encounter, EncounterResult, EntrantId, Verdict};
use crate::estimate::Estimate;
use crate::format::Format;
use crate::series_scores::SeriesScores;
use crate::settings::Points;

/// The scores of all entrants over the seeds that were played, a forfeit as the least.
pub(super) struct SeriesTable {
    scores: SeriesScores,
    entrants: BTreeSet<EntrantId>,
}

impl SeriesTable {
    /// The scores of these rounds; [`None`] for a format in which entrants meet.
    pub(super) fn of(format: Format, rounds: &[Vec<EncounterResult>]) -> Option<Self> {
        let Format::Series { least, most, .. } = format else { return None };
        let mut table = Self { scores: SeriesScores::new(least..=most), entrants: BTreeSet::new() };
        let started: BTreeSet<EntrantId> =
            rounds.iter().flatten().flat_map(|result| result.encounter.entrants()).collect();
        for (seed, results) in (1_u64..).zip(rounds) {
            for result in results {
                let Encounter::Solo(entrant) = result.encounter else { continue };
                match result.verdicts.first().copied().flatten() {
                    Some(Verdict::Score { score, .. }) => table.add(entrant, seed, score),
                    Some(verdict) if verdict.is_forfeit_of(entrant) => table.add(entrant, seed, least),
                    _ => {}
                }
            }
            // An entrant that has left plays no further seed, and has the least score there: leaving is no way to keep a lucky mean.
            let there: BTreeSet<EntrantId> =
                results.iter().flat_map(|result| result.encounter.entrants()).collect();
            started.difference(&there).for_each(|&entrant| table.add(entrant, seed, least));
        }
        Some(table)
    }

    fn add(&mut self, entrant: EntrantId, seed: u64, score: i32) {
        self.entrants.insert(entrant);
        self.scores
            .add(&entrant.to_string(), seed, score)
            .expect("each seed is played once, and events have scores of the range");
    }

    /// The mean score with its interval.
    pub(super) fn mean(&self, entrant: EntrantId) -> Option<Estimate> {
        self.scores.scores(&entrant.to_string()).estimate()
    }

    /// The differences of all who have played a seed in common.
    pub(super) fn cross_table(&self) -> BTreeMap<(EntrantId, EntrantId), CrossCell> {
        let names: Vec<(EntrantId, String)> =
            self.entrants.iter().map(|&entrant| (entrant, entrant.to_string())).collect();
        let mut cells = BTreeMap::new();
        for (one, one_name) in &names {
            for (other, other_name) in names.iter().filter(|(other, _)| other != one) {
                if let Some(difference) = self.scores.difference(one_name, other_name) {
                    let cell = CrossCell {
                        points: Points::ZERO,
                        tally: MatchTally::default(),
                        difference: Some(difference),
                    };
                    cells.insert((*one, *other), cell);
                }
            }
        }
        cells
    }
}
