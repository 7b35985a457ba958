//! Settings of a competition, as they are when it is made ([`CompetitionSettings`]).

mod check;
mod clock;
mod policy;
mod scoring;

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use serde::{Deserialize, Serialize};

use crate::format::Format;
use crate::rating::RatingSystem;

pub use check::SettingsError;
pub use clock::ClockSettings;
pub use policy::{
    AllowedCalls, ForfeitRule, IllegalActionCost, Policy, Publication, TimeoutCost, WithdrawalRule,
};
pub use scoring::{PointBasis, PointRules, Points, TieBreak};

/// The terms of every match of a competition, as the driver hands them to the server; a competition itself does not read them.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GameTerms {
    /// The id of the game.
    pub game: String,
    /// The id of the scenario; empty for the game's first.
    pub scenario: String,
    /// The options by their ids; those that are missing are at their defaults.
    pub options: BTreeMap<String, String>,
    /// The clocks; [`None`] for none.
    pub clock: Option<ClockSettings>,
}

/// The number of matches of an encounter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EncounterLength {
    /// This many are played, all at once if the driver likes.
    All(NonZeroU8),
    /// At most this many are played, one after the other (mirrored: two by two), until one entrant is ahead by more points than are left.
    BestOf(NonZeroU8),
}

impl EncounterLength {
    /// Returns the most matches that it plans, deciders of a knockout left out.
    #[must_use]
    pub const fn most(self) -> NonZeroU8 {
        match self {
            Self::All(matches) | Self::BestOf(matches) => matches,
        }
    }
}

/// The terms of an encounter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncounterTerms {
    /// The number of its matches.
    pub length: EncounterLength,
    /// True if each two of them are a mirrored pair: they share a seed, and are one observation. Sides are swapped from match to match
    /// in any case.
    pub mirrored: bool,
}

impl EncounterTerms {
    /// The number of matches that are planned together: those that share a seed.
    pub(crate) const fn block(self) -> usize {
        if self.mirrored { 2 } else { 1 }
    }
}

/// The settings of a competition: all that is settled before anybody enrols. They never change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompetitionSettings {
    /// The name, of 1 to 100 characters.
    pub name: String,
    /// The terms of its matches.
    pub terms: GameTerms,
    /// The format, with its number of rounds where that does not follow from the number of entrants.
    pub format: Format,
    /// The terms of an encounter.
    pub encounter: EncounterTerms,
    /// The points of a match or an encounter.
    pub points: PointRules,
    /// The tie-breaks in the order in which they are looked at. What they leave tied is shown as tied.
    #[serde(default)]
    pub tie_breaks: Vec<TieBreak>,
    /// The system of the ratings beside the standings; [`None`] for no ratings.
    #[serde(default)]
    pub ratings: Option<RatingSystem>,
    /// The policy: what is allowed and what it costs.
    #[serde(default)]
    pub policy: Policy,
}

impl CompetitionSettings {
    /// Checks that the settings fit each other.
    ///
    /// # Errors
    /// The first setting that is not accepted, with what would be.
    pub fn check(&self) -> Result<(), SettingsError> {
        check::check(self)
    }
}
