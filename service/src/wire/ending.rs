//! How a match ended.

use edgehill_engine::game::Ending;
use edgehill_proto::v1;

/// An ending.
#[must_use]
pub fn of(ending: &Ending) -> v1::Ending {
    v1::Ending {
        returns: ending.returns.clone(),
        code: ending.code.to_owned(),
        rule: ending.rule.id().to_owned(),
        grade: ending.grade.to_owned(),
    }
}
