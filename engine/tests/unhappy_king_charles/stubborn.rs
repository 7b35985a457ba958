//! Every free list ends (S12, G10): players who never stop as long as there is anything else to do come to an end of each list, and of the
//! game.

use std::collections::BTreeMap;

use edgehill_engine::chance_source::sampled;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::play::game;
use crate::volume::volume;

/// Games in full.
const GAMES: usize = 8_000;
/// The most that a seat may do on end, without dice, a card or the other seat between: there are 68 Brigades, which are chosen, turned
/// and placed by three actions at most, twice where they gather (MC24), and 23 Generals.
const ON_END: usize = 3 * 2 * 68 + 2 * 23;

#[test]
fn stubborn_players_come_to_the_end_of_every_list() {
    let game = game();
    let actions = &game.catalogue().actions;
    let setup = Setup::default_of(game.catalogue());
    let ends: Vec<_> = ["done", "pass", "stand"].map(|word| actions.parse(word).expect("an action")).into();
    let volume = volume(GAMES);
    // By procedure the longest that a seat went on.
    let mut longest = BTreeMap::<&'static str, usize>::new();
    for case in 0..volume.cases {
        let seed = volume.seed.wrapping_add(case as u64);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut state = game.start(&setup);
        game.open(&mut state, &mut Events::silent());
        let (mut legal, mut steps, mut on_end, mut last) = (Vec::new(), 0, 0, None);
        loop {
            match game.node(&state) {
                Node::Over => break,
                Node::Chance => {
                    let outcome = sampled(&game.chance(&state), &mut rng);
                    game.resolve(&mut state, &outcome, &mut Events::silent());
                    last = None;
                }
                node => {
                    let seat = node.to_act().iter().next().expect("somebody is to act");
                    on_end = if last == Some(seat) { on_end + 1 } else { 1 };
                    last = Some(seat);
                    let path = game.turn_state(&state, Observer::Spectator);
                    let frame = path.procedures.last().map_or("", |procedure| procedure.frame);
                    let most = longest.entry(frame).or_default();
                    *most = on_end.max(*most);
                    assert!(on_end <= ON_END, "{seat} goes on in {frame}, in the game of seed {seed}");
                    game.legal(&state, seat, &mut legal);
                    let rest: Vec<_> =
                        legal.iter().copied().filter(|action| !ends.contains(action)).collect();
                    let list = if rest.is_empty() { &legal } else { &rest };
                    let action = list[(rng.next_u64() % list.len() as u64) as usize];
                    game.apply(&mut state, seat, action, &mut Events::silent());
                }
            }
            steps += 1;
            assert!(steps <= game.bound(&setup), "it passes its bound");
        }
    }
    println!("actions on end, by procedure: {longest:?}");
    for list in ["activation", "recruitment", "raids", "campaigning", "deserters"] {
        assert!(longest.contains_key(list), "{list} was come to: {longest:?}");
    }
}
