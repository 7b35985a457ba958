//! The playouts that are kept as digests (engine/tests/golden) still show what they were chosen for: a digest tells nobody.

use std::sync::LazyLock;

use edgehill_engine::laws::{golden, golden_bots};
use edgehill_engine::registry::Registry;
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;

static REGISTRY: LazyLock<Registry> =
    LazyLock::new(|| Registry::built_in().expect("the built-in content is sound"));

/// A playout by a house bot from a seed, as all could see it.
fn spectated(by: &str, seed: u64) -> String {
    let game = REGISTRY.game("unhappy-king-charles").expect("the game is listed").as_ref();
    let mut bots = golden_bots(game, by, seed).expect("a house bot");
    let goldens = golden(game, &Setup::default_of(game.catalogue()), seed, &mut bots);
    let goldens = goldens.unwrap_or_else(|breach| panic!("{}", breach.detail));
    let spectated = goldens.into_iter().find(|golden| golden.observer == Observer::Spectator);
    spectated.expect("somebody watches").text()
}

#[test]
fn the_house_bot_plays_a_war_to_turn_11() {
    let text = spectated("colonel", 27);
    assert!(text.contains("The war ends by points"), "it ended before");
}

#[test]
fn the_house_bot_takes_the_king() {
    assert!(spectated("colonel", 163).contains("King Charles has Surrendered"));
}

#[test]
fn chance_forces_the_new_model_army_out_of_a_hand() {
    let text = spectated("random", 62);
    assert!(text.contains("New Model Army is taken from the hand of Parliament"), "it was not drawn");
    assert!(text.contains("The Self-Denying Ordinance takes the command"), "and formed at once");
}
