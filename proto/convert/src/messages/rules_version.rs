//! The version of a game's rules.

use edgehill_engine::catalogue::Catalogue;
use edgehill_proto::v1;

/// The rules that a game is played by.
#[must_use]
pub fn of(catalogue: &Catalogue) -> v1::RulesVersion {
    v1::RulesVersion { number: catalogue.rules_version, content_hash: catalogue.content.as_bytes().to_vec() }
}
