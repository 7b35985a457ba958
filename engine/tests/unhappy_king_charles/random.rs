//! Whole games at random: they end within their bound, and not all in one way.

use std::collections::BTreeMap;

use edgehill_engine::chance_source::sampled;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::unhappy_king_charles::UnhappyKing;
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::volume::volume;

/// Random games that are played by the rules alone.
const GAMES: usize = 2_000;

fn game() -> UnhappyKing {
    UnhappyKing::load(&UnhappyKing::builtin()).expect("the built-in content is sound")
}

/// A random game; returns its ending and the number of actions and outcomes.
fn play(game: &UnhappyKing, setup: &Setup, seed: u64) -> (&'static str, u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(setup);
    game.open(&mut state, &mut Events::silent());
    let (mut legal, mut steps) = (Vec::new(), 0);
    loop {
        match game.node(&state) {
            Node::Over => {
                let result = game.result(&state).expect("a game that is over has a result");
                return (result.code, steps);
            }
            Node::Chance => {
                let outcome = sampled(&game.chance(&state), &mut rng);
                game.resolve(&mut state, &outcome, &mut Events::silent());
            }
            node => {
                let seat = node.to_act().iter().next().expect("somebody is to act");
                game.legal(&state, seat, &mut legal);
                assert!(!legal.is_empty(), "a dead end in the game of seed {seed}");
                let action = legal[(rng.next_u64() % legal.len() as u64) as usize];
                game.apply(&mut state, seat, action, &mut Events::silent());
            }
        }
        steps += 1;
        assert!(steps <= game.bound(setup), "the game of seed {seed} passes its bound");
    }
}

#[test]
fn random_games_come_to_an_end() {
    let game = game();
    let setup = Setup::default_of(game.catalogue());
    let volume = volume(GAMES);
    let mut endings: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for seed in 0..volume.cases as u64 {
        let (code, steps) = play(&game, &setup, volume.seed.wrapping_add(seed));
        let ending = endings.entry(code).or_default();
        *ending = (ending.0 + 1, ending.1.max(steps));
    }
    println!("{endings:?}");
    assert!(endings.len() > 1, "one ending alone: {endings:?}");
}
