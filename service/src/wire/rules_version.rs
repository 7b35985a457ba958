//! The version of a game's rules.

use edgehill_engine::catalogue::Catalogue;
use edgehill_proto::v1;
use v1::ErrorReason;

use super::Refused;

/// Checks that the game is played here by the rules that the field `rules` names; what it leaves empty is
/// whatever is played.
///
/// # Errors
/// RULES_CHANGED if it is played by others, INVALID_FIELD for a hash that is none.
pub fn check(catalogue: &Catalogue, given: Option<&v1::RulesVersion>) -> Result<(), Refused> {
    let Some(v1::RulesVersion { number, content_hash }) = given else { return Ok(()) };
    let ours = catalogue.content.as_bytes();
    if !content_hash.is_empty() && content_hash.len() != ours.len() {
        let what = format!("expected {} bytes or none, found {}", ours.len(), content_hash.len());
        return Err(Refused::field("rules.content_hash", what));
    }
    let mut refused = Refused::of(ErrorReason::RulesChanged);
    let mut other = false;
    if *number != 0 && *number != catalogue.rules_version {
        other = true;
        refused = refused.violation("rules.number", format!("played here: {}", catalogue.rules_version));
    }
    if !content_hash.is_empty() && content_hash != ours {
        other = true;
        refused =
            refused.violation("rules.content_hash", format!("played here, in hex: {}", catalogue.content));
    }
    if other { Err(refused) } else { Ok(()) }
}
