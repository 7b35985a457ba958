//! Encounters of a round ([`Encounter`]), and the matches that come of them ([`PlannedMatch`]).

use serde::{Deserialize, Serialize};

use super::{EntrantId, MatchSlot, SeedGroup};

/// An encounter of a round, with the sides of its first match. In each further match the sides are swapped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encounter {
    /// Two entrants meet.
    Pair {
        /// The one with the game's first seat in the first match.
        first: EntrantId,
        /// The one with its second seat there.
        second: EntrantId,
    },
    /// An entrant that nobody is left for, or nobody is to meet.
    Bye(EntrantId),
    /// An entrant plays alone, on the seed of the round.
    Solo(EntrantId),
}

impl Encounter {
    /// Returns the entrants, in the order of their seats in the first match.
    pub fn entrants(self) -> impl Iterator<Item = EntrantId> {
        let (one, other) = match self {
            Self::Pair { first, second } => (first, Some(second)),
            Self::Bye(entrant) | Self::Solo(entrant) => (entrant, None),
        };
        [Some(one), other].into_iter().flatten()
    }

    /// Returns whether this entrant is one of its.
    #[must_use]
    pub fn has(self, entrant: EntrantId) -> bool {
        self.entrants().any(|one| one == entrant)
    }

    /// Returns the one that an entrant meets in it, if they meet somebody.
    #[must_use]
    pub fn opponent_of(self, entrant: EntrantId) -> Option<EntrantId> {
        match self {
            Self::Pair { first, second } if first == entrant => Some(second),
            Self::Pair { first, second } if second == entrant => Some(first),
            _ => None,
        }
    }

    /// Returns the entrants of the match of this number, counted from 0, in the order of their seats.
    #[must_use]
    pub fn seats(self, index: usize) -> Vec<EntrantId> {
        let mut seats: Vec<EntrantId> = self.entrants().collect();
        if index % 2 == 1 {
            seats.reverse();
        }
        seats
    }
}

/// A match that is to be begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedMatch {
    /// Its place in the competition.
    pub slot: MatchSlot,
    /// The entrants in the order of their seats: two, or one in a game for one.
    pub seats: Vec<EntrantId>,
    /// The matches that it shares its seed with; [`None`] if its seed is its own.
    pub group: Option<SeedGroup>,
}
