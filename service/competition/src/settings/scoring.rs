//! Points and tie-breaks as they are settled ([`PointRules`], [`TieBreak`]).

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::encounter::ParseWordError;

/// Points in halves: written `2`, `2.5`, and in formats for people as such a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Points(u32);

impl Points {
    /// No point.
    pub const ZERO: Self = Self(0);

    /// Points that are this many halves.
    #[must_use]
    pub const fn of_halves(halves: u32) -> Self {
        Self(halves)
    }

    /// Returns the number of halves.
    #[must_use]
    pub const fn halves(self) -> u32 {
        self.0
    }

    /// Returns them so many times.
    #[must_use]
    pub(crate) const fn times(self, times: u32) -> Self {
        Self(self.0 * times)
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(each: I) -> Self {
        each.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.0 % 2 == 1 { ".5" } else { "" };
        write!(f, "{}{half}", self.0 / 2)
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        } else {
            u32::deserialize(deserializer).map(Self)
        }
    }
}

impl FromStr for Points {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        let (whole, half) = text.strip_suffix(".5").map_or((text, 0), |whole| (whole, 1));
        let whole: Option<u32> = whole.parse().ok().filter(|number: &u32| number.to_string() == whole);
        let halves = whole.and_then(|whole| whole.checked_mul(2)?.checked_add(half));
        halves.map(Self).ok_or(ParseWordError { expected: "points in halves, such as 2 or 2.5" })
    }
}

/// The thing that points are given for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointBasis {
    /// Each match.
    Matches,
    /// Each encounter: it is won by more wins than losses among its matches, draws left out.
    Encounters,
}

/// The points of a match, or of an encounter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointRules {
    /// The thing that they are given for.
    pub basis: PointBasis,
    /// For a win; by a forfeit of the other as well.
    pub win: Points,
    /// For a draw.
    pub draw: Points,
    /// For a loss.
    pub loss: Points,
    /// For a match that one has forfeited. An encounter that is lost by forfeits counts as lost.
    pub forfeit: Points,
    /// For a bye of a Swiss: for each match that an encounter has, or for the encounter. Byes of other formats give none.
    pub bye: Points,
}

impl PointRules {
    /// A point for a win or a bye, and a half for a draw.
    #[must_use]
    pub const fn classic(basis: PointBasis) -> Self {
        let (zero, half, one) = (Points(0), Points(1), Points(2));
        Self { basis, win: one, draw: half, loss: zero, forfeit: zero, bye: one }
    }
}

/// A way to rank those who have the same points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// The points among those who are tied, if each of them has met each: written `direct encounter`.
    DirectEncounter,
    /// The sum of the points of the opponents: written `buchholz`.
    Buchholz,
    /// The same sum without the opponent who has the fewest: written `buchholz cut 1`.
    BuchholzCut1,
    /// The points of opponents who were beaten, and half of those with whom it was a draw: written `sonneborn-berger`.
    SonnebornBerger,
    /// The number of matches that were won: written `wins`.
    Wins,
    /// The better seed: written `seeding`. It leaves nobody tied.
    Seeding,
}

impl TieBreak {
    /// Every tie-break.
    pub const ALL: [Self; 6] = [
        Self::DirectEncounter,
        Self::Buchholz,
        Self::BuchholzCut1,
        Self::SonnebornBerger,
        Self::Wins,
        Self::Seeding,
    ];
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DirectEncounter => "direct encounter",
            Self::Buchholz => "buchholz",
            Self::BuchholzCut1 => "buchholz cut 1",
            Self::SonnebornBerger => "sonneborn-berger",
            Self::Wins => "wins",
            Self::Seeding => "seeding",
        })
    }
}

impl FromStr for TieBreak {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        let expected = ParseWordError {
            expected: "one of direct encounter, buchholz, buchholz cut 1, sonneborn-berger, wins and seeding",
        };
        Self::ALL.into_iter().find(|tie_break| tie_break.to_string() == text).ok_or(expected)
    }
}
