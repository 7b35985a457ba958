//! Would the tests notice? Each enforced rule is switched off in turn, and a test that is named after it must fail.

use std::panic::catch_unwind;

use edgehill_engine::game::Game;
use edgehill_engine::ledger::{Status, switch};

use crate::play::game;
use crate::{battle, bonus, cards, drill, endings, interception, knowledge, marches};

/// A test that is named after a rule.
pub(crate) type Body = (&'static str, fn());

const BODIES: &[&[Body]] = &[
    cards::BODIES,
    marches::BODIES,
    interception::BODIES,
    battle::BODIES,
    bonus::BODIES,
    knowledge::BODIES,
    endings::BODIES,
    drill::BODIES,
];

#[test]
fn no_enforced_rule_can_be_switched_off_unnoticed() {
    let mut unnoticed = Vec::new();
    for entry in game().catalogue().ledger.iter().filter(|entry| entry.status == Status::Enforced) {
        let prefix = format!("rule_{}_", entry.id.replace('.', "_"));
        let named = BODIES.iter().copied().flatten().filter(|(name, _)| name.starts_with(&prefix));
        switch::disable(Some(&entry.id));
        let noticed = named.filter(|(_, body)| catch_unwind(body).is_err()).count();
        switch::disable(None);
        if noticed == 0 {
            unnoticed.push(format!("{} {}", entry.id, entry.title));
        }
    }
    assert!(unnoticed.is_empty(), "tests still pass without: {}", unnoticed.join(", "));
}
