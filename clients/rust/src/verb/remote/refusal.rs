//! The refusals of a server, in the words of a local match.

use edgehill_client::ServerRefusal;
use edgehill_client::tonic::Code;
use edgehill_client::v1::{ErrorReason, RuleViolation};
use edgehill_engine::catalogue::Catalogue;

use crate::error::Error;

/// A refused action becomes the message with every rule that is violated; anything else stays as it is.
pub(super) fn said(catalogue: &Catalogue, error: edgehill_client::Error) -> Error {
    match error.refusal() {
        Some(refusal) if !refusal.rule_violations().is_empty() => {
            Error::Refused(rule_violations(catalogue, refusal))
        }
        Some(refusal)
            if refusal.reason() != ErrorReason::Unspecified && refusal.field_violations().is_empty() =>
        {
            match refusal.code() {
                Code::FailedPrecondition => Error::Refused(refusal.to_string()),
                _ => error.into(),
            }
        }
        _ => error.into(),
    }
}

/// The refusal's sentence, and each violation under it.
pub(super) fn rule_violations(catalogue: &Catalogue, refusal: &ServerRefusal) -> String {
    let mut text = format!("{}:", refusal.message());
    for violation in refusal.rule_violations() {
        text.push_str("\n  ");
        text.push_str(&one(catalogue, violation));
    }
    text
}

/// A violation: its text, its code, its rule with the rule's title.
pub(super) fn one(catalogue: &Catalogue, violation: &RuleViolation) -> String {
    let title = match catalogue.ledger.get(&violation.rule) {
        Some(rule) => format!("rule {}, {}", rule.id, rule.title),
        None if violation.rule == "contract" => "the engine's contract".to_owned(),
        None => format!("rule {}", violation.rule),
    };
    let text = if violation.text.is_empty() { &violation.code } else { &violation.text };
    format!("{text} ({}, {title})", violation.code)
}

/// True if the server has answered with this reason.
pub(super) fn is(error: &edgehill_client::Error, reason: ErrorReason) -> bool {
    error.refusal().is_some_and(|refusal| refusal.reason() == reason)
}
