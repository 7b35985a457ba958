//! Scores in a game for one over a common series of seeds ([`SeriesScores`]).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::estimate::Estimate;
use crate::sample::{Sample, SampleError};

/// The scores of entrants who each play the same series of seeds alone. They have means, and differences between means, but no Elo: nobody
/// has beaten anybody. An entrant's score on a seed is one observation; of two entrants, their difference on a seed that both have played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeriesScores {
    range: RangeInclusive<i32>,
    entrants: BTreeMap<String, BTreeMap<u64, i32>>,
}

/// The reason that a score does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeriesError {
    /// The entrant has a score on this seed.
    #[error("the entrant has a score on seed {0} of the series: a seed is played once")]
    PlayedBefore(u64),
    /// It is outside of the game's range, or one too many.
    #[error(transparent)]
    Sample(#[from] SampleError),
}

impl SeriesScores {
    /// No score yet, in a game whose scores are in this range. It is what bounds an interval where all scores are alike.
    ///
    /// # Panics
    /// If the range is empty, or its ends are further apart than 2^31 - 1.
    #[must_use]
    pub fn new(range: RangeInclusive<i32>) -> Self {
        assert!(!range.is_empty(), "a range has a number in it");
        assert!(
            range.end().checked_sub(*range.start()).is_some(),
            "differences are whole numbers of 32 bits"
        );
        Self { range, entrants: BTreeMap::new() }
    }

    /// Adds the score of an entrant on the seed of this number in the series.
    ///
    /// # Errors
    /// If the entrant has one there, or it is outside of the range; nothing is added then.
    pub fn add(&mut self, entrant: &str, seed: u64, score: i32) -> Result<(), SeriesError> {
        Sample::new(self.range.clone()).add(score)?;
        let scores = self.entrants.get(entrant);
        if scores.is_some_and(|scores| scores.contains_key(&seed)) {
            return Err(SeriesError::PlayedBefore(seed));
        }
        self.entrants.entry(entrant.to_owned()).or_default().insert(seed, score);
        Ok(())
    }

    /// Returns those who have a score, by name.
    pub fn entrants(&self) -> impl Iterator<Item = &str> {
        self.entrants.keys().map(String::as_str)
    }

    /// Returns the scores of an entrant as a sample, whose [`Sample::estimate`] is the mean with its interval; empty for somebody
    /// unknown.
    #[must_use]
    pub fn scores(&self, entrant: &str) -> Sample {
        let scores = self.entrants.get(entrant).into_iter().flatten().map(|(_, &score)| score);
        sample(self.range.clone(), scores)
    }

    /// Returns the mean by which one entrant is above another over the seeds that both have played, with its interval; [`None`] if
    /// there is no such seed. Paired by seed, a hard seed counts for neither.
    #[must_use]
    pub fn difference(&self, one: &str, other: &str) -> Option<Estimate> {
        let (one, other) = (self.entrants.get(one)?, self.entrants.get(other)?);
        let both = one.iter().filter_map(|(seed, score)| Some(score - other.get(seed)?));
        let width = self.range.end() - self.range.start();
        sample(-width..=width, both).estimate()
    }
}

/// The sample of numbers that are known to be in the range.
fn sample(range: RangeInclusive<i32>, numbers: impl Iterator<Item = i32>) -> Sample {
    let mut sample = Sample::new(range);
    for number in numbers {
        sample.add(number).expect("scores were checked when they were added");
    }
    sample
}
