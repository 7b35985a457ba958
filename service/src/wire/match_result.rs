//! The ending of a match.

use edgehill_engine::game::MatchResult;
use edgehill_proto::v1;

/// An ending.
#[must_use]
pub fn of(ending: &MatchResult) -> v1::MatchResult {
    v1::MatchResult {
        returns: ending.returns.clone(),
        code: ending.code.to_owned(),
        rule: ending.rule.id().to_owned(),
        grade: ending.grade.to_owned(),
    }
}
