//! Rules switched off one by one, each against the tests that bear its name.

use std::panic::catch_unwind;

use edgehill_engine::ledger::{Ledger, RuleStatus, switch};

/// A test.
pub(crate) type Body = (&'static str, fn());

/// Returns whether `test` is named after `rule`: after no other whose number goes on where this one ends, as
/// 6.2.1 does after 6.2.
fn bears(ledger: &Ledger, test: &str, rule: &str) -> bool {
    let prefix = |id: &str| format!("rule_{}_", id.to_ascii_lowercase().replace('.', "_"));
    let own = prefix(rule);
    let longer = |id: &str| prefix(id).len() > own.len() && test.starts_with(&prefix(id));
    test.starts_with(&own) && !ledger.iter().any(|entry| longer(&entry.id))
}

/// Returns whether a test fails while a rule is switched off.
pub(crate) fn fails_without(rule: &str, body: fn()) -> bool {
    switch::disable(Some(rule));
    let failed = catch_unwind(body).is_err();
    switch::disable(None);
    failed
}

/// The enforced rules without which all tests of their names still pass.
pub(crate) fn unnoticed(ledger: &Ledger, bodies: &[&[Body]]) -> Vec<String> {
    let noticed = |rule: &str| {
        let own = bodies.iter().copied().flatten().filter(|(name, _)| bears(ledger, name, rule));
        own.filter(|(_, body)| fails_without(rule, *body)).count() > 0
    };
    let enforced = ledger.iter().filter(|entry| entry.status == RuleStatus::Enforced);
    enforced
        .filter(|entry| !noticed(&entry.id))
        .map(|entry| format!("{} {}", entry.id, entry.title))
        .collect()
}
