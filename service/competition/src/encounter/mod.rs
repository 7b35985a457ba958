//! Encounters of a round: who meets whom, in which matches, with which verdicts.

mod encounter_result;
mod ids;
mod pairing;
mod verdict;

pub use encounter_result::EncounterResult;
pub use ids::{EncounterId, EntrantId, MatchSlot, ParseWordError, Round, SeedGroup};
pub use pairing::{Encounter, PlannedMatch};
pub use verdict::{ForfeitReason, Verdict};
