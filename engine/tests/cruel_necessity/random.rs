//! Random matches: 100,000 in full, over all scenarios and options. They end within their bound, nobody is ever stuck, dice and
//! draws always fit, a saved state reads back, and a view is all of a state.

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::{below, sampled};
use edgehill_engine::codec::Reader;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::cruel_necessity::{CruelNecessity, State};
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::coverage::{SCENARIOS, with_options};
use crate::play::{PLAYER, game};
use crate::volume::volume;

/// Matches of the full volume.
const MATCHES: usize = 100_000;
/// One node in so many is looked at closely.
const LOOKS: u64 = 512;

/// Asserts the rules that a state must keep, wherever it stands.
fn looked_at(game: &CruelNecessity, setup: &Setup, state: &State, rng: &mut ChaCha8Rng) {
    let bytes = game.encoded(state);
    let mut reader = Reader::new(&bytes);
    let read = game.decode(&mut reader).expect("a saved state can be read");
    assert!(reader.finish().is_ok() && read == *state, "a saved state reads back");
    // Once a match is over, its view no longer says which card was the last.
    if game.node(state) != Node::Over {
        let view = game.view(state, Observer::Seat(PLAYER));
        assert!(game.resample(setup, &view, rng) == *state, "a view is all of a state: {state:?}");
    }
}

/// A random match; gives how its scenario ended, and in how many actions and chance events.
fn played(seed: u64) -> (&'static str, u32) {
    let game = game();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let scenario = SCENARIOS[below(SCENARIOS.len() as u64, &mut rng) as usize];
    let setup = with_options(scenario, below(256, &mut rng) as u8);
    // A hasty player passes; a slow one goes on as long as there is something else to do.
    let slow = below(2, &mut rng) == 0;
    let mut state = game.start(&setup);
    let (mut legal, mut nodes): (Vec<ActionId>, u32) = (Vec::new(), 0);
    loop {
        if below(LOOKS, &mut rng) == 0 {
            looked_at(&game, &setup, &state, &mut rng);
        }
        match game.node(&state) {
            Node::Over => break,
            Node::Chance => {
                let chance = game.chance(&state);
                let outcome = sampled(&chance, &mut rng);
                assert!(chance.admits(&outcome).is_ok());
                game.resolve(&mut state, &outcome, &mut Events::silent());
            }
            _ => {
                game.legal(&state, PLAYER, &mut legal);
                assert!(!legal.is_empty(), "a dead end in match {seed}, after {nodes} nodes");
                // Passing comes last in the list.
                let choices = if slow && legal.len() > 1 { legal.len() - 1 } else { legal.len() };
                let action = legal[below(choices as u64, &mut rng) as usize];
                game.apply(&mut state, PLAYER, action, &mut Events::silent());
            }
        }
        nodes += 1;
        assert!(nodes <= game.bound(&setup), "match {seed} is past its bound");
    }
    looked_at(&game, &setup, &state, &mut rng);
    (game.result(&state).expect("the match is over").code, nodes)
}

#[test]
fn random_matches_end_and_nothing_goes_wrong() {
    let volume = volume(MATCHES);
    let (mut ends, mut most) = (std::collections::BTreeMap::<&str, u32>::new(), 0);
    for index in 0..volume.cases as u64 {
        let (end, nodes) = played(volume.seed.wrapping_add(index));
        *ends.entry(end).or_default() += 1;
        most = most.max(nodes);
    }
    println!("{ends:?}, {most} nodes at most");
    assert_eq!(ends.keys().copied().collect::<Vec<_>>(), ["finished", "four_f", "london_lost"]);
}
