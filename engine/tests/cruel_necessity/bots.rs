//! House bots: `ironside` plays to survive, and is far better at it than `random`.

use std::ops::Range;
use std::sync::Arc;

use edgehill_engine::bot::{Bot, HouseBot, random};
use edgehill_engine::chance_source::sampled;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::cruel_necessity::{CruelNecessity, State, ironside};
use edgehill_engine::seat::Observer;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::play::{PLAYER, game, setup};
use crate::volume::volume;

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
                let action = bot.choose(&game.view(&state, Observer::Seat(PLAYER)), &legal);
                assert!(legal.contains(&action));
                game.apply(&mut state, PLAYER, action, &mut Events::silent());
            }
        }
    }
}

/// Returns the number of matches from these seeds that a bot brings to the last card.
fn finished(bot: &HouseBot<CruelNecessity>, scenario: &str, seeds: Range<u64>) -> usize {
    let over = |seed| game().result(&play(bot, scenario, seed)).expect("the match is over");
    seeds.map(over).filter(|result| result.code == "finished").count()
}

/// The whole war is finished in at least 60 matches of a hundred, and at least three times as often as by `random`: of 1,000
/// matches in full.
#[test]
fn ironside_brings_the_whole_war_to_its_end_far_more_often_than_random() {
    let volume = volume(1_000);
    // Fresh seeds may be anything: they are counted on from, not past the end.
    let first = volume.seed >> 1;
    let seeds = first..first + volume.cases as u64;
    let ours = finished(&ironside(), "whole-war", seeds.clone());
    let any = finished(&random(), "whole-war", seeds);
    println!("{ours} and {any} of {}", volume.cases);
    assert!(ours * 100 >= 60 * volume.cases && ours >= 3 * any, "{ours} and {any} of {}", volume.cases);
}

#[test]
fn ironside_survives_each_war_alone() {
    for scenario in ["first", "second", "third"] {
        let ours = finished(&ironside(), scenario, 0..20);
        assert!(ours >= 16, "{scenario}: {ours} of 20");
    }
}

#[test]
#[ignore = "a measurement, for docs/games/cruel-necessity.md"]
fn how_often_random_survives() {
    println!("random: {} of 1000", finished(&random(), "whole-war", 0..1_000));
}

#[test]
#[ignore = "a measurement, for the bot's weights"]
fn how_often_ironside_survives_and_with_how_many_points() {
    for scenario in game().catalogue().scenarios.iter().map(|scenario| scenario.id) {
        let over = (100_000..101_000).map(|seed| game().result(&play(&ironside(), scenario, seed)));
        let over = over.map(|result| result.expect("the match is over"));
        let mut points: Vec<i32> =
            over.filter(|result| result.code == "finished").map(|result| result.returns[0]).collect();
        points.sort_unstable();
        let at = |part: usize| points.get(points.len() * part / 10).copied().unwrap_or(-99);
        println!("{scenario}: {} of 1000, points 10% {} 50% {} 90% {}", points.len(), at(1), at(5), at(9));
        for least in (-15..30).step_by(3) {
            let here = points.iter().filter(|&&points| (least..least + 3).contains(&points)).count();
            println!("  {least:>4} to {:>3} {here:>5} {}", least + 2, "#".repeat(here / 10));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_match() {
    assert_eq!(play(&ironside(), "first", 7), play(&ironside(), "first", 7));
}
