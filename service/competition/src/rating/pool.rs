//! The ratings of those who play one game under like terms ([`RatingPool`]).

use std::collections::BTreeMap;

use super::{
    DEVIATION_SHARE_MAX, PoolRating, RESULTS_MIN, RatedResult, RatingError, RatingSystem, glicko2, weng_lin,
};
use crate::estimate::Estimate;
use crate::student::NORMAL_QUANTILE;

/// The ratings of a pool after some results: those of one game, and of whatever else keeps results comparable, such as its scenario
/// and clocks.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingPool {
    ratings: Ratings,
    /// By name, the number of results.
    results: BTreeMap<String, u32>,
    /// Of the last result.
    period: u32,
}

#[derive(Clone, PartialEq, Debug)]
enum Ratings {
    WengLin(weng_lin::Ratings),
    Glicko2(glicko2::Ratings),
}

impl RatingPool {
    /// A pool without a result.
    #[must_use]
    pub fn new(system: RatingSystem) -> Self {
        let ratings = match system {
            RatingSystem::WengLin => Ratings::WengLin(weng_lin::Ratings::default()),
            RatingSystem::Glicko2 => Ratings::Glicko2(glicko2::Ratings::default()),
        };
        Self { ratings, results: BTreeMap::new(), period: 0 }
    }

    /// The pool that these results make, in their order.
    ///
    /// # Errors
    /// That of the first result that has one.
    pub fn of(system: RatingSystem, results: &[RatedResult<'_>]) -> Result<Self, RatingError> {
        let mut pool = Self::new(system);
        results.iter().try_for_each(|result| pool.add(result))?;
        Ok(pool)
    }

    /// Adds a result.
    ///
    /// # Errors
    /// If somebody met themselves, or a result of a later period came before; the pool is then as it was.
    pub fn add(&mut self, result: &RatedResult<'_>) -> Result<(), RatingError> {
        if result.first == result.second {
            return Err(RatingError::Alone);
        }
        if result.period < self.period {
            return Err(RatingError::PeriodOver { given: result.period, open: self.period });
        }
        match &mut self.ratings {
            Ratings::WengLin(ratings) => ratings.add(result),
            Ratings::Glicko2(ratings) => ratings.add(result),
        }
        for name in [result.first, result.second] {
            *self.results.entry(name.to_owned()).or_default() += 1;
        }
        self.period = result.period;
        Ok(())
    }

    /// Returns the system of its ratings.
    #[must_use]
    pub const fn system(&self) -> RatingSystem {
        match self.ratings {
            Ratings::WengLin(_) => RatingSystem::WengLin,
            Ratings::Glicko2(_) => RatingSystem::Glicko2,
        }
    }

    /// Returns the rating of somebody who has a result. In a period that is open it is the one that they would have if the period ended now.
    #[must_use]
    pub fn rating(&self, name: &str) -> Option<PoolRating> {
        let &results = self.results.get(name)?;
        let (value, deviation) = match &self.ratings {
            Ratings::WengLin(ratings) => ratings.rating(name),
            Ratings::Glicko2(ratings) => ratings.rating(name),
        };
        let half = NORMAL_QUANTILE * deviation;
        let deviation_max = DEVIATION_SHARE_MAX * self.system().newcomer_deviation();
        Some(PoolRating {
            rating: Estimate { value, low: value - half, high: value + half },
            deviation,
            results,
            provisional: results < RESULTS_MIN || deviation > deviation_max,
        })
    }

    /// Returns the ratings of all who have a result, the highest first, and those that are equal by name.
    #[must_use]
    pub fn ratings(&self) -> Vec<(&str, PoolRating)> {
        let names = self.results.keys().map(String::as_str);
        let mut ratings: Vec<_> = names.filter_map(|name| Some((name, self.rating(name)?))).collect();
        // Sorting keeps the order of names where it has nothing to do.
        ratings.sort_by(|(_, one), (_, other)| other.rating.value.total_cmp(&one.rating.value));
        ratings
    }
}
