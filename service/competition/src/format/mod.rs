//! Formats: pure functions from a field and its results so far to the next round ([`Format::next_round`]).
//!
//! Invariants: nobody is twice in a round; only active entrants are paired; whatever the results are, and whoever leaves, the rounds
//! end. docs/competitions.md has the rules of each format.

mod gauntlet;
mod history;
mod knockout;
mod ladder;
mod round_robin;
mod series;
mod sides;
mod swiss;

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::encounter::{Encounter, EncounterResult, EntrantId};
use crate::settings::CompetitionSettings;

pub(crate) use knockout::reached;
pub(crate) use ladder::positions;

/// The one who goes on from an encounter of a knockout that stays level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelWinner {
    /// The better seed.
    BetterSeed,
    /// The other one: a better seed has to win.
    LowerSeed,
}

/// The rule for encounters of a knockout that are level after their matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decider {
    /// The most further matches (mirrored: pairs) that are played, each only while the encounter is level.
    pub replays: u8,
    /// The one who goes on if that decides nothing.
    pub then: LevelWinner,
}

/// The order of a ladder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LadderOrder {
    /// The seeding, in which an entrant who beats somebody higher changes places with them.
    Swap,
    /// The Glicko-2 ratings of the results so far.
    Rating,
}

/// The format of a competition: who meets whom, in how many rounds, and by what they are ranked. Written for people: `Swiss of 7 rounds`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// Everybody meets everybody, once a cycle. Ranked by points.
    RoundRobin {
        /// The number of cycles, 1 to 20; sides are swapped from one to the next.
        cycles: u8,
    },
    /// In each round entrants with like points meet, and as a rule nobody twice. Ranked by points.
    Swiss {
        /// The number of rounds.
        rounds: u16,
    },
    /// An entrant that loses an encounter is out. Ranked by the round that was reached.
    Knockout {
        /// The rule for encounters that are level.
        decider: Decider,
        /// True if the losers of the last four meet for the third place, in the round of the final.
        third_place: bool,
    },
    /// Neighbours on a ladder challenge each other. Ranked by the place on it.
    Ladder {
        /// The number of rounds, in each of which an entrant has one challenge at most.
        rounds: u16,
        /// The order of the ladder.
        order: LadderOrder,
    },
    /// Some entrants each meet all others, and none of their own. Ranked by points.
    Gauntlet {
        /// The number of those who run it: the first ones that enrolled.
        challengers: u16,
        /// The number of times that they meet each other entrant, 1 to 20.
        cycles: u8,
    },
    /// In a game for one, everybody plays the same seeds, one a round. Ranked by the mean score.
    Series {
        /// The number of seeds.
        seeds: u16,
        /// The least score of the scenario, which a forfeit counts as.
        least: i32,
        /// The greatest score of the scenario.
        most: i32,
    },
}

/// The input of a pairing.
#[derive(Clone, Copy, Debug)]
pub struct PairingInput<'a> {
    /// The settings.
    pub settings: &'a CompetitionSettings,
    /// The entrants of the start, the best seed first.
    pub seeding: &'a [EntrantId],
    /// The entrants among them that have not left.
    pub active: &'a BTreeSet<EntrantId>,
    /// The encounters of each round so far, in order, all of them over. The verdicts of those that are not count as they stand.
    pub rounds: &'a [Vec<EncounterResult>],
}

/// The answer to the rounds so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextRound {
    /// A round of these encounters; none, if those who would have met have left.
    Pair(Vec<Encounter>),
    /// Nothing: all rounds are played, or nobody is left to meet.
    Finished,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u16, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        match *self {
            Self::RoundRobin { cycles } => write!(f, "round robin of {}", plural(cycles.into(), "cycle")),
            Self::Swiss { rounds } => write!(f, "Swiss of {}", plural(rounds, "round")),
            Self::Knockout { .. } => f.write_str("knockout"),
            Self::Ladder { rounds, .. } => write!(f, "ladder of {}", plural(rounds, "round")),
            Self::Gauntlet { challengers, .. } => {
                write!(f, "gauntlet of {}", plural(challengers, "challenger"))
            }
            Self::Series { seeds, .. } => write!(f, "series of {}", plural(seeds, "seed")),
        }
    }
}

impl Format {
    /// Returns what follows the rounds so far: a pure function of its input.
    #[must_use]
    pub fn next_round(self, input: &PairingInput<'_>) -> NextRound {
        if input.active.len() < self.entrants_min() {
            return NextRound::Finished;
        }
        let encounters = match self {
            Self::RoundRobin { cycles } => round_robin::pair(cycles, input),
            Self::Swiss { rounds } => swiss::pair(rounds, input),
            Self::Knockout { decider, third_place } => knockout::pair(decider, third_place, input),
            Self::Ladder { rounds, order } => ladder::pair(rounds, order, input),
            Self::Gauntlet { challengers, cycles } => gauntlet::pair(challengers, cycles, input),
            Self::Series { seeds, .. } => series::pair(seeds, input),
        };
        encounters.map_or(NextRound::Finished, NextRound::Pair)
    }

    /// Returns whether a further round follows so many: by their number where that is enough, and else by pairing it.
    pub(crate) fn goes_on(
        self,
        played: usize,
        active: &BTreeSet<EntrantId>,
        next_round: impl FnOnce() -> NextRound,
    ) -> bool {
        match self {
            Self::Swiss { rounds } | Self::Ladder { rounds, .. } | Self::Series { seeds: rounds, .. } => {
                active.len() >= self.entrants_min() && played < usize::from(rounds)
            }
            Self::RoundRobin { .. } | Self::Gauntlet { .. } | Self::Knockout { .. } => {
                next_round() != NextRound::Finished
            }
        }
    }

    /// Returns the fewest entrants with which it can go on.
    #[must_use]
    pub const fn entrants_min(self) -> usize {
        if self.is_solitaire() { 1 } else { 2 }
    }

    /// Returns whether entrants play alone.
    #[must_use]
    pub const fn is_solitaire(self) -> bool {
        matches!(self, Self::Series { .. })
    }

    /// Returns whether a round rests on who won the encounters before it, so that those can't be taken back.
    pub(crate) const fn builds_on_results(self) -> bool {
        matches!(self, Self::Knockout { .. } | Self::Ladder { .. })
    }

    /// Returns whether its encounters are played on while they are level, and how often.
    pub(crate) const fn deciders(self) -> u8 {
        match self {
            Self::Knockout { decider, .. } => decider.replays,
            _ => 0,
        }
    }
}
