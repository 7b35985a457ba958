//! Would the tests notice? Each enforced rule is switched off in turn, and a test that is named after it must fail.

#[path = "../support/switch.rs"]
mod each;

use edgehill_engine::game::Game;

pub(crate) use self::each::Body;
use crate::play::game;
use crate::{
    actions, activation, battle, battle_cards, cards, cites, ends, facts, no_effect, odds, optional,
    purchases, scenarios, standing, tracks,
};

const BODIES: &[&[Body]] = &[
    actions::BODIES,
    activation::BODIES,
    battle::BODIES,
    battle_cards::BODIES,
    cards::BODIES,
    cites::BODIES,
    ends::BODIES,
    facts::BODIES,
    no_effect::BODIES,
    odds::BODIES,
    optional::BODIES,
    purchases::BODIES,
    scenarios::BODIES,
    standing::BODIES,
    tracks::BODIES,
];

#[test]
fn no_enforced_rule_can_be_switched_off_unnoticed() {
    let unnoticed = each::unnoticed(&game().catalogue().ledger, BODIES);
    assert!(unnoticed.is_empty(), "tests still pass without: {}", unnoticed.join(", "));
}
