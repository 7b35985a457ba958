//! Competitions as machines that are folded from their logs, and the statistics of results, as pure functions.
//!
//! - A [`Competition`] is the fold of its [`CompetitionEvent`]s; what its driver has to do next follows from it ([`Competition::due`]).
//!   Pairings are functions of a [`Format`], and [`Standings`] of the results. docs/competitions.md has the rules.
//! - Mirrored pairs are observations, all that is estimated has an interval, a series ends early by a sequential test, pools have
//!   ratings. docs/statistics.md says what each number means.
//!
//! Invariants: the same events, or results in the same order, give the same state and the same numbers to the last digit; no number is
//! NaN; where a number has no end on one side, that end is infinite, and where there is nothing to tell, it is [`None`].
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

mod competition;
mod elo;
mod encounter;
mod estimate;
pub mod export;
mod format;
mod likelihood;
mod mirrored_pairs;
mod pair_counts;
mod pair_score;
pub mod rating;
mod sample;
mod series_scores;
mod settings;
mod sprt;
mod standings;
mod student;

pub use competition::{
    Competition, CompetitionEvent, CompetitionPhase, CompetitionRefusal, Due, ENTRANTS_MAX, Entrant,
    EntrantStatus, EventError, PairingFault, PlayedMatch, ReplayFault, TEXT_BYTES_MAX,
};
pub use elo::{NELO_MAX, elo_of_score};
pub use encounter::{
    Encounter, EncounterId, EncounterResult, EntrantId, ForfeitReason, MatchSlot, ParseWordError,
    PlannedMatch, Round, SeedGroup, Verdict,
};
pub use estimate::Estimate;
pub use format::{Decider, Format, LadderOrder, LevelWinner, NextRound, PairingInput};
pub use mirrored_pairs::{MirroredPairs, PairError, PairSide};
pub use pair_counts::PairCounts;
pub use pair_score::{MatchOutcome, PairScore};
pub use sample::{Sample, SampleError};
pub use series_scores::{SeriesError, SeriesScores};
pub use settings::{
    AllowedCalls, ClockSettings, CompetitionSettings, EncounterLength, EncounterTerms, ForfeitRule,
    GameTerms, IllegalActionCost, PointBasis, PointRules, Points, Policy, Publication, SettingsError,
    TieBreak, TimeoutCost, WithdrawalRule,
};
pub use sprt::{Sprt, SprtError, SprtState, SprtVerdict};
pub use standings::{CrossCell, MatchTally, StandingRow, Standings, TieBreakValue};
