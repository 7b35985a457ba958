//! Would the tests notice? Each enforced rule is switched off in turn, and a test that is named after it must fail.

#[path = "../support/switch.rs"]
mod each;

use edgehill_engine::game::Game;

pub(crate) use self::each::Body;
use crate::play::game;
use crate::{
    attempts, battles, content, control, facts, moves, recruits, retreats, sieges, storms, supply, tactics,
    told, turns, year,
};

const BODIES: &[&[Body]] = &[
    attempts::BODIES,
    battles::BODIES,
    content::BODIES,
    control::BODIES,
    facts::BODIES,
    moves::BODIES,
    recruits::BODIES,
    retreats::BODIES,
    sieges::BODIES,
    storms::BODIES,
    supply::BODIES,
    tactics::BODIES,
    told::BODIES,
    turns::BODIES,
    year::BODIES,
];

#[test]
fn no_enforced_rule_can_be_switched_off_unnoticed() {
    let unnoticed = each::unnoticed(&game().catalogue().ledger, BODIES);
    assert!(unnoticed.is_empty(), "tests still pass without: {}", unnoticed.join(", "));
}
