//! The refusals of a server, said as a local match says it.

use edgehill_client::Refused;
use edgehill_client::v1::{ErrorReason, RuleViolation};
use edgehill_engine::catalogue::Catalogue;

use crate::error::Error;

/// A refused action becomes the message with every ground and the title of its rule; anything else stays as it is.
pub(super) fn said(catalogue: &Catalogue, error: edgehill_client::Error) -> Error {
    match error.refused() {
        Some(refused) if !refused.grounds().is_empty() => Error::Refused(grounds(catalogue, refused)),
        Some(refused) if refused.reason() != ErrorReason::Unspecified && refused.violations().is_empty() => {
            match refused.code() {
                edgehill_client::tonic::Code::FailedPrecondition => Error::Refused(refused.to_string()),
                _ => error.into(),
            }
        }
        _ => error.into(),
    }
}

/// The refusal's sentence, and each ground under it.
pub(super) fn grounds(catalogue: &Catalogue, refused: &Refused) -> String {
    let mut text = format!("{}:", refused.message());
    for ground in refused.grounds() {
        text.push_str("\n  ");
        text.push_str(&one(catalogue, ground));
    }
    text
}

/// A ground: its words, its code, its rule with the rule's title.
pub(super) fn one(catalogue: &Catalogue, ground: &RuleViolation) -> String {
    let title = match catalogue.ledger.get(&ground.rule) {
        Some(rule) => format!("rule {}, {}", rule.id, rule.title),
        None if ground.rule == "contract" => "the engine's contract".to_owned(),
        None => format!("rule {}", ground.rule),
    };
    let words = if ground.words.is_empty() { &ground.code } else { &ground.words };
    format!("{words} ({}, {title})", ground.code)
}

/// Returns whether the server has answered with this reason.
pub(super) fn is(error: &edgehill_client::Error, reason: ErrorReason) -> bool {
    error.refused().is_some_and(|refused| refused.reason() == reason)
}
