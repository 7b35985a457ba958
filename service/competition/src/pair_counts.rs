//! Counts of mirrored pairs by their score ([`PairCounts`]).

use crate::elo;
use crate::estimate::Estimate;
use crate::pair_score::PairScore;
use crate::sample::Sample;

/// The numbers of mirrored pairs in which one player got 0, 1/2, 1, 3/2 and 2 points. A pair is one observation: its matches share
/// their dice, and are not independent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PairCounts([u64; 5]);

impl PairCounts {
    /// No pair.
    pub const EMPTY: Self = Self([0; 5]);

    /// Counts by score, from 0 points to 2; at most 2^32 - 1 each.
    #[must_use]
    pub fn new(counts: [u32; 5]) -> Self {
        Self(counts.map(u64::from))
    }

    /// Adds a pair.
    pub fn add(&mut self, score: PairScore) {
        self.0[usize::from(score.half_points())] += 1;
    }

    /// Returns the number of pairs with each score, from 0 points to 2.
    #[must_use]
    pub const fn each(&self) -> [u64; 5] {
        self.0
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the counts of the same pairs for the other player.
    #[must_use]
    pub fn for_the_other(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Returns the mean score of a match, from 0 to 1, with its interval by Student's t over pairs; [`None`] without a pair.
    /// Pairs that are all alike: as in [`Sample::estimate`].
    #[must_use]
    pub fn score(&self) -> Option<Estimate> {
        self.sample().estimate().map(|half_points| half_points.map(|value| value / 4.0))
    }

    /// Returns the unbiased variance of a pair's mean score; [`None`] with fewer than two pairs.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        self.sample().variance().map(|half_points| half_points / 16.0)
    }

    /// Returns the standard error of the mean score; [`None`] with fewer than two pairs.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.sample().standard_error().map(|half_points| half_points / 4.0)
    }

    /// Returns the difference in Elo that the mean score stands for, with the ends of its interval: infinite at a score of 0 or 1;
    /// [`None`] without a pair.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        self.score().map(|score| score.map(elo::elo_of_score))
    }

    /// Returns the normalized Elo with its interval; [`None`] without a pair.
    ///
    /// Its value is the mean score above 1/2 in standard deviations of a match, which is the square root of two times that of a pair,
    /// as the pairs have it. The interval is of those values that the likelihood of the pairs does not speak against, by the square of
    /// Student's t; without an end where nothing bounds it, and on both sides with one pair. Pairs that are all alike have the value 0 if
    /// they are level, else an infinite one.
    #[must_use]
    pub fn nelo(&self) -> Option<Estimate> {
        elo::nelo(&self.0)
    }

    fn sample(&self) -> Sample {
        Sample::of_counts(&self.0)
    }
}
