//! Refusals: why an action or a call is not accepted, with the rules.

use super::words;
use crate::catalogue::Catalogue;
use crate::refusal::RuleViolation;
use crate::table::Refusal;

/// One ground on one line: its words, its code, its rule.
#[must_use]
pub fn rule_violation(catalogue: &Catalogue, rule_violation: &RuleViolation) -> String {
    let text = words::say(catalogue, rule_violation.code, &rule_violation.refs);
    let rule = words::rule_by_title(catalogue, rule_violation.rule);
    if words::template(catalogue, rule_violation.code).is_some() {
        format!("{text} ({}, {rule})", rule_violation.code)
    } else {
        format!("{text} ({rule})")
    }
}

/// A refused call: what is refused, and each ground under it.
#[must_use]
pub fn refusal(catalogue: &Catalogue, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Action { index, action, rule_violations } => {
            let notation = catalogue.actions.notation(*action);
            let mut text = format!("action {}, `{notation}`, is not legal:", index + 1);
            for ground in rule_violations {
                text.push_str("\n  ");
                text.push_str(&rule_violation(catalogue, ground));
            }
            text
        }
        other => format!("{other} ({})", other.code()),
    }
}
