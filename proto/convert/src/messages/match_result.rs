//! The result of a match.

use edgehill_engine::game::{MatchResult, Termination};
use edgehill_proto::v1;

use super::reference;

/// A result.
#[must_use]
pub fn of(result: &MatchResult) -> v1::MatchResult {
    v1::MatchResult {
        returns: result.returns.clone(),
        code: result.code.to_owned(),
        rule: result.rule.id().to_owned(),
        grade: result.grade.to_owned(),
        termination: termination(result.termination).into(),
        refs: reference::all(&result.refs),
    }
}

/// The way in which a match was finished by its rules or by its seats.
#[must_use]
pub const fn termination(of: Termination) -> v1::Termination {
    match of {
        Termination::Victory => v1::Termination::Victory,
        Termination::Resignation => v1::Termination::Resignation,
        Termination::Agreement => v1::Termination::Agreement,
    }
}
