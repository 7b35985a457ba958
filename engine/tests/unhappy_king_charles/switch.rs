//! Would the tests notice? Each enforced rule is switched off in turn, and a test that is named after it must fail.
//!
//! While the tests by number are being written, the rules that none of them notices yet are listed by chapters; a rule that is noticed
//! must leave its list, so that a list only gets shorter.

mod armies;
mod cards;
mod sieges;

use edgehill_engine::game::Game;

use crate::play::game;
use crate::support::switch::unnoticed;

#[test]
fn no_enforced_rule_can_be_switched_off_unnoticed() {
    let bodies = [cards::FILES, armies::FILES, sieges::FILES].concat();
    let open = [cards::OPEN, armies::OPEN, sieges::OPEN].concat();
    let mut found = unnoticed(&game().catalogue().ledger, &bodies);
    found.iter_mut().for_each(|rule| rule.truncate(rule.find(' ').unwrap_or(rule.len())));
    let news: Vec<&String> = found.iter().filter(|rule| !open.contains(&rule.as_str())).collect();
    assert!(news.is_empty(), "tests still pass without: {news:?}");
    let noticed: Vec<&&str> = open.iter().filter(|rule| !found.iter().any(|one| one == *rule)).collect();
    assert!(noticed.is_empty(), "noticed, so no longer open: {noticed:?}");
}
