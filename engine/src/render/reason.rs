//! Refusals: why a step or a call is not accepted, with the rules.

use super::words;
use crate::catalogue::Catalogue;
use crate::refusal::Reason;
use crate::table::Refusal;

/// One ground on one line: its words, its code, its rule.
#[must_use]
pub fn reason(catalogue: &Catalogue, reason: &Reason) -> String {
    let text = words::say(catalogue, reason.code, &reason.refs);
    let rule = words::rule_by_title(catalogue, reason.rule);
    if words::template(catalogue, reason.code).is_some() {
        format!("{text} ({}, {rule})", reason.code)
    } else {
        format!("{text} ({rule})")
    }
}

/// A refused call: what is refused, and each ground under it.
#[must_use]
pub fn refusal(catalogue: &Catalogue, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Step { index, step, reasons } => {
            let notation = catalogue.steps.notation(*step);
            let mut text = format!("step {}, `{notation}`, is not legal:", index + 1);
            for ground in reasons {
                text.push_str("\n  ");
                text.push_str(&reason(catalogue, ground));
            }
            text
        }
        other => format!("{other} ({})", other.code()),
    }
}
