//! Grounds against an action.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::refusal::RuleViolation;
use edgehill_proto::v1;

use super::{Words, reference};

/// A ground; always in words.
#[must_use]
pub fn of(catalogue: &Catalogue, reason: &RuleViolation) -> v1::RuleViolation {
    v1::RuleViolation {
        code: reason.code.to_owned(),
        rule: reason.rule.id().to_owned(),
        refs: reference::all(&reason.refs),
        words: Words::of(catalogue).say(reason.code, &reason.refs),
    }
}

/// A ground with what the ledger says of its rule; nothing is said of the engine's own contract.
#[must_use]
pub fn with_rule(catalogue: &Catalogue, reason: &RuleViolation) -> v1::GroundedRule {
    let entry = catalogue.ledger.get(reason.rule.id());
    v1::GroundedRule {
        ground: Some(of(catalogue, reason)),
        title: entry.map_or_else(String::new, |entry| entry.title.clone()),
        text: entry.map_or_else(String::new, |entry| entry.text.clone()),
    }
}
