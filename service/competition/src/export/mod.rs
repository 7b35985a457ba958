//! Competitions for others to read: pages, tables, JSON. Pure functions of a competition as it is now.
//!
//! Invariants: the same competition gives the same text; what entrants and hosts wrote is data in it, never markup, formula or script. docs/competitions.md
//! has the fields.

mod axis;
mod course;
mod course_plot;
pub mod csv;
mod escaped;
pub mod html;
mod interval_plot;
pub mod json;
pub mod overview;

use crate::competition::{Competition, CompetitionPhase, EntrantStatus};
use crate::encounter::EntrantId;

/// The name of an entrant, as it stands in the log.
fn name(competition: &Competition, entrant: EntrantId) -> &str {
    competition.entrant(entrant).map_or("", |entrant| entrant.name.as_str())
}

const fn phase_word(phase: CompetitionPhase) -> &'static str {
    match phase {
        CompetitionPhase::Enrolling => "enrolling",
        CompetitionPhase::Running => "running",
        CompetitionPhase::Finished => "finished",
        CompetitionPhase::Cancelled => "cancelled",
    }
}

const fn status_word(status: EntrantStatus) -> &'static str {
    match status {
        EntrantStatus::Active => "active",
        EntrantStatus::Withdrawn => "withdrawn",
        EntrantStatus::Disqualified => "disqualified",
    }
}
