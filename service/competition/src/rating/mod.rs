//! Ratings of pools ([`RatingPool`]): of those who play one game under like terms, by one of two systems.
//!
//! Invariant: a pool is what its results make of an empty one, in their order. Ratings that are gone on with and ratings that are computed
//! anew from all results are equal to the last digit.
//!
//! ```
//! use edgehill_competition::MatchOutcome;
//! use edgehill_competition::rating::{RatedResult, RatingPool, RatingSystem};
//!
//! let results = [
//!     RatedResult { first: "ada", second: "ben", outcome: MatchOutcome::Win, period: 1 },
//!     RatedResult { first: "ben", second: "ada", outcome: MatchOutcome::Draw, period: 2 },
//! ];
//! let pool = RatingPool::of(RatingSystem::Glicko2, &results)?;
//! let (best, rating) = pool.ratings()[0];
//! assert_eq!((best, rating.results, rating.provisional), ("ada", 2, true));
//! # Ok::<(), edgehill_competition::rating::RatingError>(())
//! ```

mod glicko2;
mod pool;
mod weng_lin;

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;

use crate::estimate::Estimate;
use crate::pair_score::MatchOutcome;

pub use pool::RatingPool;

/// Results below which a rating is provisional.
pub const RESULTS_MIN: u32 = 20;

/// The part of a newcomer's deviation above which a rating is provisional.
pub const DEVIATION_SHARE_MAX: f64 = 0.5;

/// A system of ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingSystem {
    /// The Bradley-Terry model of Weng and Lin (2011) with full pairing, result by result. A newcomer has 25, with a deviation of 25/3.
    WengLin,
    /// Glickman's Glicko-2 (2012), period by period, with its system constant at 0.5. A newcomer has 1500, with a deviation of 350 and a
    /// volatility of 0.06; the deviation of those who pause grows with each period.
    Glicko2,
}

/// A result that counts for the ratings of a pool: of one match, or of a mirrored pair as [`crate::PairScore::outcome`] has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedResult<'a> {
    /// The one whose outcome it is.
    pub first: &'a str,
    /// The other.
    pub second: &'a str,
    /// The outcome for the first.
    pub outcome: MatchOutcome,
    /// The rating period. Weng-Lin has no use for it.
    pub period: u32,
}

/// The rating of somebody in a pool.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PoolRating {
    /// The rating with its interval: 1.96 deviations on either side.
    pub rating: Estimate,
    /// The standard deviation of the rating.
    pub deviation: f64,
    /// The number of their results in the pool.
    pub results: u32,
    /// True with fewer than [`RESULTS_MIN`] results, and while the deviation is more than [`DEVIATION_SHARE_MAX`] of a newcomer's.
    pub provisional: bool,
}

/// The reason that a result does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingError {
    /// Somebody met themselves.
    #[error("both players of the result are the same: a rating tells two apart")]
    Alone,
    /// The results are out of order.
    #[error(
        "the result is of period {given}, and one of period {open} came before: results are in the order of their periods"
    )]
    PeriodOver {
        /// The period of the result.
        given: u32,
        /// The last period that had one.
        open: u32,
    },
}

impl RatingSystem {
    /// Returns the deviation of a newcomer.
    #[must_use]
    pub fn newcomer_deviation(self) -> f64 {
        match self {
            Self::WengLin => skillratings::weng_lin::WengLinRating::new().uncertainty,
            Self::Glicko2 => skillratings::glicko2::Glicko2Rating::new().deviation,
        }
    }
}

const fn outcome_of(outcome: MatchOutcome) -> Outcomes {
    match outcome {
        MatchOutcome::Loss => Outcomes::LOSS,
        MatchOutcome::Draw => Outcomes::DRAW,
        MatchOutcome::Win => Outcomes::WIN,
    }
}
