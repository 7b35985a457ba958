//! Whole numbers from a known range ([`Sample`]), such as the returns of a game for one over a series of seeds.

use std::ops::RangeInclusive;

use crate::estimate::Estimate;
use crate::student::{self, TAIL};

/// Independent observations, each a whole number of a known range. Their sums are whole, so that their order does not matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    low: i32,
    /// The upper end of the range less its lower.
    width: u32,
    count: u64,
    /// Of what each is above `low`.
    sum: u128,
    /// Of the squares of that.
    squares: u128,
}

/// The reason that a number is no observation of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// It is outside of the range.
    #[error("{given} is not from {low} to {high}")]
    OutOfRange {
        /// The number.
        given: i32,
        /// The least that is accepted.
        low: i32,
        /// The most that is accepted.
        high: i32,
    },
    /// There are 2^32 - 1 observations, which is the most.
    #[error("a sample has at most {} observations", u32::MAX)]
    Full,
}

impl Sample {
    /// No observation yet, of numbers in this range.
    ///
    /// # Panics
    /// If the range is empty.
    #[must_use]
    pub fn new(range: RangeInclusive<i32>) -> Self {
        assert!(!range.is_empty(), "a range has a number in it");
        let (low, width) = (*range.start(), range.end().abs_diff(*range.start()));
        Self { low, width, count: 0, sum: 0, squares: 0 }
    }

    /// The sample in which each number from 0 on was observed so many times.
    pub(crate) fn of_counts(counts: &[u64; 5]) -> Self {
        let mut sample = Self::new(0..=4);
        for (value, &count) in (0_u128..).zip(counts) {
            sample.count += count;
            sample.sum += value * u128::from(count);
            sample.squares += value * value * u128::from(count);
        }
        sample
    }

    /// Adds an observation.
    ///
    /// # Errors
    /// If it is outside of the range, or the sample is full; the sample is then as it was.
    pub fn add(&mut self, value: i32) -> Result<(), SampleError> {
        let high = self.low.wrapping_add_unsigned(self.width);
        if !(self.low..=high).contains(&value) {
            return Err(SampleError::OutOfRange { given: value, low: self.low, high });
        }
        if self.count >= u64::from(u32::MAX) {
            return Err(SampleError::Full);
        }
        let above = u128::from(value.abs_diff(self.low));
        self.count += 1;
        self.sum += above;
        self.squares += above * above;
        Ok(())
    }

    /// Returns the number of observations.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean, if there is an observation.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let sum = i128::from(self.low) * i128::from(self.count) + self.sum as i128;
        (self.count > 0).then(|| sum as f64 / self.count as f64)
    }

    /// Returns the unbiased variance, if there are two observations.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let count = u128::from(self.count);
        (count > 1).then(|| self.spread() as f64 / (count * (count - 1)) as f64)
    }

    /// Returns the standard error of the mean, if there are two observations.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.count as f64).sqrt())
    }

    /// Returns the mean with its interval by Student's t, within the range, if there is an observation.
    ///
    /// Observations that are all alike, such as a single one, have no spread to go by. The interval is then that of the other numbers'
    /// probability: with n alike it is below 1 - 0.025^(1/n), or so many would not have been seen, and the mean is no farther from them
    /// than if all of it lay at an end of the range.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let value = self.mean()?;
        let (least, most) = (f64::from(self.low), f64::from(self.low) + f64::from(self.width));
        let (below, above) = if self.spread() == 0 {
            let others = -f64::exp_m1(TAIL.ln() / self.count as f64);
            (others * (value - least), others * (most - value))
        } else {
            let half = student::quantile(self.count - 1) * self.standard_error()?;
            (half, half)
        };
        Some(Estimate { value, low: (value - below).max(least), high: (value + above).min(most) })
    }

    /// Of the squares of what each is from the mean the sum, times the number of observations: 0 if all are alike.
    const fn spread(&self) -> u128 {
        self.count as u128 * self.squares - self.sum * self.sum
    }
}
