//! Standing passes.

use edgehill_engine::view::{PassScope, StandingPass};
use edgehill_proto::v1;

/// A standing pass.
#[must_use]
pub fn of(pass: &StandingPass) -> v1::StandingPass {
    let (scope, procedure) = match pass.scope {
        PassScope::Always => (v1::PassScope::Always, 0),
        PassScope::Procedure(procedure) => (v1::PassScope::Procedure, procedure),
        PassScope::UntilAttacked => (v1::PassScope::UntilAttacked, 0),
    };
    v1::StandingPass { window: pass.window.clone().unwrap_or_default(), scope: scope.into(), procedure }
}
