//! Rules that an action would violate.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::refusal::RuleViolation;
use edgehill_proto::v1;

use super::{TextMode, reference};

/// A violation; always in words.
#[must_use]
pub fn of(catalogue: &Catalogue, violation: &RuleViolation) -> v1::RuleViolation {
    v1::RuleViolation {
        code: violation.code.to_owned(),
        rule: violation.rule.id().to_owned(),
        refs: reference::all(&violation.refs),
        text: TextMode::of(catalogue).say(violation.code, &violation.refs),
        ..v1::RuleViolation::default()
    }
}

/// A violation with what the ledger says of its rule; nothing is said of the engine's own contract.
#[must_use]
pub fn with_rule(catalogue: &Catalogue, violation: &RuleViolation) -> v1::RuleViolation {
    let entry = catalogue.ledger.get(violation.rule.id());
    v1::RuleViolation {
        rule_title: entry.map_or_else(String::new, |entry| entry.title.clone()),
        rule_text: entry.map_or_else(String::new, |entry| entry.text.clone()),
        ..of(catalogue, violation)
    }
}
