//! Entrants ([`Entrant`]).

use serde::Serialize;

use crate::encounter::EntrantId;

/// The part that an entrant still has in a competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum EntrantStatus {
    /// It plays.
    Active,
    /// It left by itself.
    Withdrawn,
    /// It was sent away, and has no rank.
    Disqualified,
}

/// An entrant of a competition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entrant {
    /// The id, by the order of enrolment.
    pub id: EntrantId,
    /// The name, which no other entrant has.
    pub name: String,
    /// The rating that it came with, by which it is seeded.
    pub rating: Option<i32>,
    /// The part that it still has.
    pub status: EntrantStatus,
    /// The evidence for which it was disqualified; empty if it was not.
    pub evidence: String,
}
