//! Matches of two players put together into mirrored pairs ([`MirroredPairs`]).

use std::collections::BTreeMap;

use crate::pair_counts::PairCounts;
use crate::pair_score::{MatchOutcome, PairScore};

/// The side that the player whose outcomes are counted had in a match of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PairSide {
    /// The first seat.
    First,
    /// The second seat.
    Second,
}

/// Mirrored pairs of two players by their seed groups, which may be any name or number. A match whose partner is missing does not
/// count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MirroredPairs<G> {
    groups: BTreeMap<G, PairState>,
    counts: PairCounts,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PairState {
    /// One match has been played.
    Half(PairSide, MatchOutcome),
    Whole,
}

/// The reason that a match belongs to no pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PairError {
    /// The group's other match had the same sides.
    #[error(
        "both matches of the group have the player on the same side: the second of a pair has the sides swapped"
    )]
    SameSide,
    /// The group has two matches already.
    #[error("the group has two matches already: a pair has no third")]
    Whole,
}

impl<G: Ord> MirroredPairs<G> {
    /// No match yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { groups: BTreeMap::new(), counts: PairCounts::EMPTY }
    }

    /// Adds the match of a group in which the player had this side, with their outcome; the pair's score, if this makes it whole.
    ///
    /// # Errors
    /// If it is no half of a pair; nothing is added then.
    pub fn add(
        &mut self,
        group: G,
        side: PairSide,
        outcome: MatchOutcome,
    ) -> Result<Option<PairScore>, PairError> {
        match self.groups.get(&group) {
            None => {
                self.groups.insert(group, PairState::Half(side, outcome));
                Ok(None)
            }
            Some(PairState::Half(other, _)) if *other == side => Err(PairError::SameSide),
            Some(&PairState::Half(_, earlier)) => {
                let score = PairScore::of(earlier, outcome);
                self.groups.insert(group, PairState::Whole);
                self.counts.add(score);
                Ok(Some(score))
            }
            Some(PairState::Whole) => Err(PairError::Whole),
        }
    }

    /// Returns the counts of the pairs that are whole.
    #[must_use]
    pub const fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// Returns the number of matches whose partner is missing.
    #[must_use]
    pub fn unpaired(&self) -> usize {
        self.groups.values().filter(|state| matches!(state, PairState::Half(..))).count()
    }
}

impl<G: Ord> Default for MirroredPairs<G> {
    fn default() -> Self {
        Self::new()
    }
}
