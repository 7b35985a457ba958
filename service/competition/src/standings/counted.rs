//! The encounters that count, by entrant ([`CountedResults`]).

use std::collections::{BTreeMap, BTreeSet};

use crate::encounter::{EncounterResult, EntrantId};

/// The encounters that count for standings, in order and by entrant.
pub(super) struct CountedResults<'a> {
    by_entrant: BTreeMap<EntrantId, Vec<&'a EncounterResult>>,
}

impl<'a> CountedResults<'a> {
    pub(super) fn of(rounds: &'a [Vec<EncounterResult>]) -> Self {
        let mut by_entrant: BTreeMap<EntrantId, Vec<&EncounterResult>> = BTreeMap::new();
        for result in rounds.iter().flatten() {
            for entrant in result.encounter.entrants() {
                by_entrant.entry(entrant).or_default().push(result);
            }
        }
        Self { by_entrant }
    }

    /// The encounters of an entrant, in order.
    pub(super) fn of_entrant(&self, entrant: EntrantId) -> impl Iterator<Item = &'a EncounterResult> {
        self.by_entrant.get(&entrant).into_iter().flatten().copied()
    }

    /// The encounters of each two who have met, for either of them.
    pub(super) fn by_pair(&self) -> BTreeMap<(EntrantId, EntrantId), Vec<&'a EncounterResult>> {
        let mut met: BTreeMap<_, Vec<&EncounterResult>> = BTreeMap::new();
        for (&entrant, results) in &self.by_entrant {
            for &result in results {
                if let Some(opponent) = result.encounter.opponent_of(entrant) {
                    met.entry((entrant, opponent)).or_default().push(result);
                }
            }
        }
        met
    }
}

/// The rounds without the encounters of those whose results don't count.
pub(super) fn without(
    rounds: &[Vec<EncounterResult>],
    annulled: &BTreeSet<EntrantId>,
) -> Vec<Vec<EncounterResult>> {
    let counts = |result: &&EncounterResult| !result.encounter.entrants().any(|one| annulled.contains(&one));
    rounds.iter().map(|round| round.iter().filter(counts).cloned().collect()).collect()
}
