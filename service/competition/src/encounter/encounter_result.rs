//! An encounter with what it has come to so far ([`EncounterResult`]).

use std::cmp::Ordering;

use super::{Encounter, EntrantId, Verdict};

/// An encounter with the verdicts of its matches, as pairings and standings are computed from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncounterResult {
    /// The encounter.
    pub encounter: Encounter,
    /// The verdict of each match that was planned, by its number; [`None`] while it has none.
    pub verdicts: Vec<Option<Verdict>>,
    /// True if no further match comes.
    pub is_over: bool,
}

impl EncounterResult {
    /// Returns the verdicts that count: those of matches that are over and not void.
    pub fn counting(&self) -> impl Iterator<Item = Verdict> {
        self.verdicts.iter().flatten().copied().filter(|verdict| *verdict != Verdict::Void)
    }

    /// Returns an entrant's points in it, times two, with a point for a win and a half for a draw.
    #[must_use]
    pub fn half_points(&self, entrant: EntrantId) -> u32 {
        let outcomes = self.counting().filter_map(|verdict| verdict.outcome_for(entrant, self.encounter));
        outcomes.map(|outcome| u32::from(outcome.half_points())).sum()
    }

    /// Returns the one who is ahead, if two have met and one is.
    #[must_use]
    pub fn leader(&self) -> Option<EntrantId> {
        let Encounter::Pair { first, second } = self.encounter else { return None };
        match self.half_points(first).cmp(&self.half_points(second)) {
            Ordering::Greater => Some(first),
            Ordering::Less => Some(second),
            Ordering::Equal => None,
        }
    }
}
