//! The score of a mirrored pair ([`PairScore`]) and of its matches ([`MatchOutcome`]).

use std::cmp::Ordering;

/// The outcome of a match between two, for one of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MatchOutcome {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl MatchOutcome {
    /// The outcome for the one whose return is `own`: returns are compared, their size does not count.
    #[must_use]
    pub fn of_returns(own: i32, other: i32) -> Self {
        match own.cmp(&other) {
            Ordering::Less => Self::Loss,
            Ordering::Equal => Self::Draw,
            Ordering::Greater => Self::Win,
        }
    }

    /// Returns the outcome of the same match for the other.
    #[must_use]
    pub const fn for_the_other(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Returns the points, times two.
    #[must_use]
    pub const fn half_points(self) -> u8 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// The points of one player in a mirrored pair: two matches with the same seed and the sides swapped. Five values: 0, 1/2, 1, 3/2, 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PairScore(u8);

impl PairScore {
    /// The score of a pair with these outcomes, both for the same player.
    #[must_use]
    pub const fn of(first: MatchOutcome, second: MatchOutcome) -> Self {
        Self(first.half_points() + second.half_points())
    }

    /// Returns the points, times two: 0 to 4.
    #[must_use]
    pub const fn half_points(self) -> u8 {
        self.0
    }

    /// Returns the pair's outcome as of one match: won with more than one point, drawn with one, lost with less.
    #[must_use]
    pub const fn outcome(self) -> MatchOutcome {
        match self.0 {
            0 | 1 => MatchOutcome::Loss,
            2 => MatchOutcome::Draw,
            _ => MatchOutcome::Win,
        }
    }
}
