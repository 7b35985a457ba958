//! House bots: `ironside` plays to survive, and is far better at it than `random`.

use std::sync::Arc;

use edgehill_engine::bot::{Bot, HouseBot, random};
use edgehill_engine::event::Events;
use edgehill_engine::fate::sampled;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::cruel_necessity::{CruelNecessity, State, ironside};
use edgehill_engine::seat::Observer;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::play::{PLAYER, game, setup};

/// A whole match by a bot that sees views alone.
fn play(bot: &HouseBot<CruelNecessity>, scenario: &str, seed: u64) -> State {
    let game: Arc<CruelNecessity> = game();
    let mut bot: Box<dyn Bot> = (bot.make)(&game, PLAYER, seed);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(&setup(scenario, &[]));
    let mut legal = Vec::new();
    loop {
        match game.node(&state) {
            Node::Over => return state,
            Node::Chance => {
                let outcome = sampled(&game.chance(&state), &mut rng);
                game.resolve(&mut state, &outcome, &mut Events::silent());
            }
            _ => {
                game.legal(&state, PLAYER, &mut legal);
                let step = bot.choose(&game.view(&state, Observer::Seat(PLAYER)), &legal);
                assert!(legal.contains(&step));
                game.apply(&mut state, PLAYER, step, &mut Events::silent());
            }
        }
    }
}

fn finished(bot: &HouseBot<CruelNecessity>, scenario: &str, games: u64) -> usize {
    let over = |seed| game().ending(&play(bot, scenario, seed)).expect("the match is over");
    (0..games).map(over).filter(|ending| ending.code == "finished").count()
}

#[test]
fn ironside_brings_the_whole_war_to_its_end_far_more_often_than_random() {
    let (ours, any) = (finished(&ironside(), "whole-war", 40), finished(&random(), "whole-war", 40));
    assert!(ours >= 20 && ours >= 3 * any, "{ours} and {any} of 40");
}

#[test]
fn ironside_survives_each_war_alone() {
    for scenario in ["first", "second", "third"] {
        let ours = finished(&ironside(), scenario, 20);
        assert!(ours >= 16, "{scenario}: {ours} of 20");
    }
}

#[test]
#[ignore = "a measurement, for docs/games/cruel-necessity.md"]
fn how_often_random_survives() {
    println!("random: {} of 1000", finished(&random(), "whole-war", 1_000));
}

#[test]
fn the_same_seed_gives_the_same_match() {
    assert_eq!(play(&ironside(), "first", 7), play(&ironside(), "first", 7));
}
