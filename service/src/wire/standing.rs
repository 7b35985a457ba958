//! Standing passes.

use edgehill_engine::catalogue::STANDING_PASSES_MAX;
use edgehill_engine::view::{PassScope, StandingPass};
use edgehill_proto::v1;

use super::Refused;

/// The most bytes of a window's name: those of games are far shorter.
pub const WINDOW_BYTES_MAX: usize = 64;

/// Reads the field `standing_passes`.
///
/// # Errors
/// INVALID_FIELD for more than 64, an unknown scope, a procedure where the scope is another, or too long a name.
pub fn read(given: &[v1::StandingPass]) -> Result<Vec<StandingPass>, Refused> {
    if given.len() > STANDING_PASSES_MAX {
        let what = format!("expected at most {STANDING_PASSES_MAX}, found {}", given.len());
        return Err(Refused::field("standing_passes", what));
    }
    given.iter().enumerate().map(|(index, pass)| read_one(index, pass)).collect()
}

fn read_one(index: usize, pass: &v1::StandingPass) -> Result<StandingPass, Refused> {
    let bad = |field: &str, what: &str| Refused::field(format!("standing_passes[{index}].{field}"), what);
    let scope = match v1::PassScope::try_from(pass.scope) {
        Ok(v1::PassScope::Always) => PassScope::Always,
        Ok(v1::PassScope::Procedure) => PassScope::Procedure(pass.procedure),
        Ok(v1::PassScope::UntilAttacked) => PassScope::UntilAttacked,
        Ok(v1::PassScope::Unspecified) | Err(_) => {
            let what = "expected PASS_SCOPE_ALWAYS, PASS_SCOPE_PROCEDURE or PASS_SCOPE_UNTIL_ATTACKED";
            return Err(bad("scope", what));
        }
    };
    if pass.procedure != 0 && !matches!(scope, PassScope::Procedure(_)) {
        return Err(bad("procedure", "expected 0: only PASS_SCOPE_PROCEDURE names one"));
    }
    if pass.window.len() > WINDOW_BYTES_MAX {
        return Err(bad("window", &format!("expected at most {WINDOW_BYTES_MAX} bytes")));
    }
    let window = Some(&pass.window).filter(|window| !window.is_empty()).cloned();
    Ok(StandingPass { window, scope })
}
