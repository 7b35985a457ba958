//! Random games: no dead end, within the declared bound, won by either side in every way.

use std::collections::BTreeMap;

use edgehill_engine::event::Events;
use edgehill_engine::fate::{below, sampled};
use edgehill_engine::game::{Game, Node};
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::volume::volume;

/// Games in full.
const GAMES: usize = 20_000;

#[test]
fn random_games_end_in_every_way() {
    let game = crate::game();
    let setup = Setup::default_of(game.catalogue());
    let volume = volume(GAMES);
    let (mut sum, mut longest) = (0, 0);
    let mut results = BTreeMap::<(usize, &str), usize>::new();
    let mut legal = Vec::new();
    for number in 0..volume.cases as u64 {
        let mut rng = ChaCha8Rng::seed_from_u64(volume.seed.wrapping_add(number));
        let mut state = game.start(&setup);
        let mut length = 0;
        let ending = loop {
            match game.node(&state) {
                Node::Over => break game.ending(&state).expect("a game that is over has an ending"),
                Node::Chance => {
                    let outcome = sampled(&game.chance(&state), &mut rng);
                    game.resolve(&mut state, &outcome, &mut Events::silent());
                }
                node => {
                    let seat = node.owing().iter().next().expect("somebody owes a step");
                    game.legal(&state, seat, &mut legal);
                    assert!(!legal.is_empty(), "a dead end in game {number} from {}", volume.seed);
                    let step = legal[below(legal.len() as u64, &mut rng) as usize];
                    game.apply(&mut state, seat, step, &mut Events::silent());
                }
            }
            length += 1;
            assert!(length <= game.bound(&setup), "game {number} from {} has no end", volume.seed);
        };
        sum += length;
        longest = longest.max(length);
        let winner = usize::from(ending.returns[1] > 0);
        *results.entry((winner, ending.grade)).or_default() += 1;
    }
    println!("{} steps and chance events a game, {longest} in the longest", sum as usize / volume.cases);
    println!("winners by seat and grade: {results:?}");
    let ways = [(0, "major"), (0, "minor"), (1, "major"), (1, "minor")];
    assert!(results.keys().eq(ways.iter()), "every ending of 10.0 comes up: {results:?}");
}
