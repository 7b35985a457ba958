//! Would the tests notice? Each enforced rule is switched off in turn, and a test that is named after it must fail.

use std::panic::catch_unwind;

use edgehill_engine::game::Game;
use edgehill_engine::ledger::{Status, switch};

use crate::play::game;
use crate::{
    attempts, battles, content, control, moves, recruits, retreats, sieges, storms, supply, tactics, turns,
    year,
};

/// A test that is named after a rule.
pub(crate) type Body = (&'static str, fn());

const BODIES: &[&[Body]] = &[
    attempts::BODIES,
    battles::BODIES,
    content::BODIES,
    control::BODIES,
    moves::BODIES,
    recruits::BODIES,
    retreats::BODIES,
    sieges::BODIES,
    storms::BODIES,
    supply::BODIES,
    tactics::BODIES,
    turns::BODIES,
    year::BODIES,
];

#[test]
fn no_enforced_rule_can_be_switched_off_unnoticed() {
    let mut unnoticed = Vec::new();
    for entry in game().catalogue().ledger.iter().filter(|entry| entry.status == Status::Enforced) {
        let prefix = format!("rule_{}_", entry.id.to_ascii_lowercase().replace('.', "_"));
        let named = BODIES.iter().copied().flatten().filter(|(name, _)| name.starts_with(&prefix));
        // Of 7.1 and 7.1x: what follows the number is a word.
        let own = named.filter(|(name, _)| !name[prefix.len()..].starts_with(|c: char| c.is_ascii_digit()));
        switch::disable(Some(&entry.id));
        let noticed = own.filter(|(_, body)| catch_unwind(body).is_err()).count();
        switch::disable(None);
        if noticed == 0 {
            unnoticed.push(format!("{} {}", entry.id, entry.title));
        }
    }
    assert!(unnoticed.is_empty(), "tests still pass without: {}", unnoticed.join(", "));
}
