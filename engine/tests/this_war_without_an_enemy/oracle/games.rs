//! Random games: no dead end, within the declared bound, won by either side in every way.

use std::collections::BTreeMap;

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::below;
use edgehill_engine::game::Game;
use edgehill_engine::games::this_war_without_an_enemy::State;
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::walk::go_on;
use crate::volume::volume;

/// Games in full.
const GAMES: usize = 20_000;

#[test]
fn random_games_end_in_every_way() {
    let game = super::game();
    let setup = Setup::default_of(game.catalogue());
    let volume = volume(GAMES);
    let (mut sum, mut longest) = (0, 0);
    let mut results = BTreeMap::<(usize, &str), usize>::new();
    for number in 0..volume.cases as u64 {
        let mut rng = ChaCha8Rng::seed_from_u64(volume.seed.wrapping_add(number));
        let mut state = game.start(&setup);
        let mut length = 0;
        let random = |dice: &mut ChaCha8Rng, _: &State, _: Seat, legal: &[ActionId]| {
            legal[below(legal.len() as u64, dice) as usize]
        };
        while go_on(&game, &mut state, &mut rng, random) {
            length += 1;
            assert!(length <= game.bound(&setup), "game {number} from {} has no end", volume.seed);
        }
        let result = game.result(&state).expect("a game that is over has an ending");
        sum += length;
        longest = longest.max(length);
        let winner = usize::from(result.returns[1] > 0);
        *results.entry((winner, result.grade)).or_default() += 1;
    }
    println!("{} actions and chance events a game, {longest} in the longest", sum as usize / volume.cases);
    println!("winners by seat and grade: {results:?}");
    let ways = [(0, "major"), (0, "minor"), (1, "major"), (1, "minor")];
    assert!(results.keys().eq(ways.iter()), "every ending of 10.0 comes up: {results:?}");
}
