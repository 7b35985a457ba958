//! Names of what a competition numbers: entrants, rounds, encounters, matches, and the seeds that matches share.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text that is no word of a competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}")]
pub struct ParseWordError {
    /// The form that is read, with an example.
    pub expected: &'static str,
}

/// Declares a type that counts from 1, which is written as a sign and the number.
macro_rules! counted {
    ($(#[$meta:meta])* pub struct $name:ident = $sign:literal, $expected:literal;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(NonZeroU16);

        impl $name {
            /// The first.
            pub const FIRST: Self = Self(NonZeroU16::MIN);

            /// The one with this number; [`None`] for 0.
            #[must_use]
            pub const fn new(number: u16) -> Option<Self> {
                match NonZeroU16::new(number) {
                    Some(number) => Some(Self(number)),
                    None => None,
                }
            }

            /// The one at this place of a list, counted from 0; [`None`] from 65,535 on.
            #[must_use]
            pub fn at(index: usize) -> Option<Self> {
                Self::new(u16::try_from(index + 1).ok()?)
            }

            /// Returns the number, from 1.
            #[must_use]
            pub const fn number(self) -> u16 {
                self.0.get()
            }

            /// Returns the place in a list, from 0.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($sign, "{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = ParseWordError;

            fn from_str(text: &str) -> Result<Self, ParseWordError> {
                let number = text.strip_prefix($sign).and_then(number);
                number.map(Self).ok_or(ParseWordError { expected: $expected })
            }
        }
    };
}

counted! {
    /// An entrant of a competition by the order of enrolment, from 1: written `#3`.
    pub struct EntrantId = "#", "an entrant as # and a number from 1, such as #3";
}

counted! {
    /// A round of a competition, from 1.
    pub struct Round = "", "a round as a number from 1, such as 3";
}

/// A number from 1 as it is written: without a sign or zeros before it.
fn number(text: &str) -> Option<NonZeroU16> {
    text.parse::<NonZeroU16>().ok().filter(|number| number.to_string() == text)
}

/// An encounter by its round and its place in the round, from 1: written `2.5`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct EncounterId {
    /// The round.
    pub round: Round,
    /// The place in the list of the round's encounters, from 1.
    pub number: NonZeroU16,
}

impl EncounterId {
    const EXPECTED: ParseWordError =
        ParseWordError { expected: "an encounter as a round and a number from 1, such as 2.5" };

    /// The encounter at this place of the round's list, counted from 0; [`None`] from 65,535 on.
    #[must_use]
    pub fn at(round: Round, index: usize) -> Option<Self> {
        let number = u16::try_from(index + 1).ok().and_then(NonZeroU16::new)?;
        Some(Self { round, number })
    }

    /// Returns the place in the round's list, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.number.get() as usize - 1
    }
}

impl fmt::Display for EncounterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.round, self.number)
    }
}

impl FromStr for EncounterId {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        let (round, place) = text.split_once('.').ok_or(Self::EXPECTED)?;
        let round = round.parse().map_err(|_| Self::EXPECTED)?;
        Ok(Self { round, number: number(place).ok_or(Self::EXPECTED)? })
    }
}

/// A match of an encounter that is to be played, is played or was: written `2.5.1`, and `2.5.1/2` if it is played for the second time since
/// the first was voided. No two matches of a competition share one, so that a driver may make its request ids of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct MatchSlot {
    /// The encounter.
    pub encounter: EncounterId,
    /// The number of the match in the encounter, from 1.
    pub number: NonZeroU16,
    /// The number of the attempt, from 1: one more for each that was voided to be replayed.
    pub attempt: NonZeroU16,
}

impl MatchSlot {
    const EXPECTED: ParseWordError = ParseWordError {
        expected: "a match as an encounter and a number from 1, such as 2.5.1, or 2.5.1/2 for its second attempt",
    };

    /// Returns the place in the list of the encounter's matches, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.number.get() as usize - 1
    }
}

impl fmt::Display for MatchSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.encounter, self.number)?;
        if self.attempt > NonZeroU16::MIN { write!(f, "/{}", self.attempt) } else { Ok(()) }
    }
}

impl FromStr for MatchSlot {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        let (place, attempt) = match text.split_once('/') {
            Some((place, attempt)) => (place, number(attempt).filter(|attempt| attempt.get() > 1)),
            None => (text, Some(NonZeroU16::MIN)),
        };
        let (encounter, match_number) = place.rsplit_once('.').ok_or(Self::EXPECTED)?;
        Ok(Self {
            encounter: encounter.parse().map_err(|_| Self::EXPECTED)?,
            number: number(match_number).ok_or(Self::EXPECTED)?,
            attempt: attempt.ok_or(Self::EXPECTED)?,
        })
    }
}

/// Matches that share a seed, by the name that their driver makes a group under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum SeedGroup {
    /// Both matches of a mirrored pair: written `2.5 pair 1`, and `2.5 pair 1/2` if it is played for the second time.
    Pair {
        /// The encounter.
        encounter: EncounterId,
        /// The number of the pair in the encounter, from 1.
        pair: NonZeroU16,
        /// The number of the attempt, from 1.
        attempt: NonZeroU16,
    },
    /// The matches of all entrants on one seed of the common series: written `seed 4`.
    Series(Round),
}

impl fmt::Display for SeedGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair { encounter, pair, attempt } if attempt.get() == 1 => {
                write!(f, "{encounter} pair {pair}")
            }
            Self::Pair { encounter, pair, attempt } => write!(f, "{encounter} pair {pair}/{attempt}"),
            Self::Series(round) => write!(f, "seed {round}"),
        }
    }
}
