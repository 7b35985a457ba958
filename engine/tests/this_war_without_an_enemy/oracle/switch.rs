//! Would model and onlooker notice? Each enforced rule of what they watch is switched off in turn.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use edgehill_engine::game::Game;
use edgehill_engine::ledger::{RuleStatus, switch};

use super::atlas::Atlas;
use super::generate;
use super::random::Random;
use super::watched::watch;

/// Positions, and games, until somebody should have noticed.
const POSITIONS: u64 = 5_000;
const GAMES: u64 = 60;

/// Rules outside of sections 7 to 9, and of the rulings on them, that the onlooker holds games to.
const WATCHED: &[&str] = &["4.15", "4.21", "4.51", "C4", "6.13", "6.14", "6.16", "6.17", "6.18"];

/// `watched`: games are looked at first, in which the rule is missed soon.
fn is_noticed(
    game: &Arc<edgehill_engine::games::this_war_without_an_enemy::ThisWarWithoutAnEnemy>,
    watched: bool,
) -> bool {
    let atlas = Atlas::load();
    let described = |seed: u64| {
        let mut random = Random::new(seed);
        let position = generate::position(&atlas, &mut random);
        super::play(game, &atlas, &position, "", random).is_err()
    };
    // A rule less may make the game fall over: that is noticed, too.
    let noticed = |look: &dyn Fn() -> bool| catch_unwind(AssertUnwindSafe(look)).unwrap_or(true);
    let in_positions = || (0..POSITIONS).any(|seed| noticed(&|| described(seed)));
    let in_games = || (0..GAMES).any(|seed| noticed(&|| watch(game, &atlas, seed).is_err()));
    let looks: [&dyn Fn() -> bool; 2] =
        if watched { [&in_games, &in_positions] } else { [&in_positions, &in_games] };
    looks.into_iter().any(|look| look())
}

#[test]
fn no_rule_of_battles_and_sieges_can_be_switched_off_unnoticed() {
    let game = Arc::new(super::game());
    let mut unnoticed = Vec::new();
    let mut count = 0;
    for entry in game.catalogue().ledger.iter().filter(|entry| entry.status == RuleStatus::Enforced) {
        let fought = entry.id.starts_with(['7', '8', '9', 'T', 'V', 'G']);
        let watched = WATCHED.contains(&entry.id.as_str());
        if !fought && !watched {
            continue;
        }
        count += 1;
        switch::disable(Some(&entry.id));
        if !is_noticed(&game, watched) {
            unnoticed.push(format!("{} {}", entry.id, entry.title));
        }
        switch::disable(None);
    }
    assert!(count > 30, "the ledger has {count} such rules");
    assert!(unnoticed.is_empty(), "game and model still agree without: {}", unnoticed.join(", "));
}
