//! Would the tests notice? Each enforced rule is switched off in turn, and a test that is named after it must fail.
//!
//! Ordinary runs try the tests that bear a rule's name. With `EDGEHILL_VOLUME=full` all tests here are tried with each rule,
//! and those that fail are listed: what a rule is held by.

#[path = "../support/switch.rs"]
mod each;

use std::io::Write;
use std::panic::catch_unwind;

use edgehill_engine::game::Game;
use edgehill_engine::ledger::RuleStatus;

pub(crate) use self::each::Body;
use self::each::fails_without;
use crate::play::game;
use crate::volume::is_full;
use crate::{facts, leaders, lines, multiple_units, positions, seasons, told, victory, worked};

const BODIES: &[&[Body]] = &[
    facts::BODIES,
    seasons::BODIES,
    leaders::BODIES,
    multiple_units::BODIES,
    told::BODIES,
    victory::BODIES,
    worked::BODIES,
    lines::BODIES,
    positions::BODIES,
];

#[test]
fn no_enforced_rule_can_be_switched_off_unnoticed() {
    let ledger = &game().catalogue().ledger;
    for entry in ledger.iter().filter(|entry| is_full() && entry.status == RuleStatus::Enforced) {
        let failed = BODIES.iter().copied().flatten().filter(|(_, body)| fails_without(&entry.id, *body));
        let failed: Vec<&str> = failed.map(|&(name, _)| name).collect();
        // Past the harness, which keeps what passing tests print to itself.
        let line = format!("{:<4}{}", entry.id, failed.join(", "));
        writeln!(std::io::stdout().lock(), "{line}").expect("standard output can be written");
    }
    let unnoticed = each::unnoticed(ledger, BODIES);
    assert!(unnoticed.is_empty(), "tests still pass without: {}", unnoticed.join(", "));
}

/// The run above shows nothing unless the tests pass while all rules are on.
#[test]
fn every_test_that_is_tried_passes_with_all_rules_on() {
    let failed = BODIES.iter().copied().flatten().filter(|(_, body)| catch_unwind(body).is_err());
    let failed: Vec<&str> = failed.map(|&(name, _)| name).collect();
    assert!(failed.is_empty(), "{}", failed.join(", "));
}
