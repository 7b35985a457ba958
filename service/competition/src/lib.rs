//! Statistics of competitions, as functions of results: mirrored pairs as observations, intervals for all that is estimated, early
//! stopping by a sequential test, ratings of pools. docs/statistics.md says what each number means.
//!
//! Invariants: the same results in the same order give the same numbers to the last digit; no number is NaN; where a number has
//! no end on one side, that end is infinite, and where there is nothing to tell, it is [`None`].
//!
//! ```
//! use edgehill_competition::{MatchOutcome, MirroredPairs, PairSide, Sprt, SprtVerdict};
//!
//! // Each group of matches shares a seed, with the sides swapped.
//! let mut pairs = MirroredPairs::new();
//! for group in 0..40 {
//!     let second = if group % 4 == 0 { MatchOutcome::Loss } else { MatchOutcome::Win };
//!     pairs.add(group, PairSide::First, MatchOutcome::Win)?;
//!     pairs.add(group, PairSide::Second, second)?;
//! }
//! assert_eq!(pairs.counts().each(), [0, 0, 10, 0, 30]);
//!
//! let score = pairs.counts().score().expect("there are pairs");
//! assert!(0.8 < score.low && score.value == 0.875 && score.high < 0.95);
//!
//! let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05)?;
//! assert_eq!(sprt.state(pairs.counts()).verdict, SprtVerdict::AcceptH1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod elo;
mod estimate;
mod likelihood;
mod mirrored_pairs;
mod pair_counts;
mod pair_score;
pub mod rating;
mod sample;
mod series_scores;
mod sprt;
mod student;

pub use elo::{NELO_MAX, elo_of_score};
pub use estimate::Estimate;
pub use mirrored_pairs::{MirroredPairs, PairError, PairSide};
pub use pair_counts::PairCounts;
pub use pair_score::{MatchOutcome, PairScore};
pub use sample::{Sample, SampleError};
pub use series_scores::{SeriesError, SeriesScores};
pub use sprt::{Sprt, SprtError, SprtState, SprtVerdict};
