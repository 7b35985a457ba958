//! The laws of the kit, and its words, as long as the game is not among those of the registry, which `tests/conformance.rs` holds to them.

use std::collections::BTreeMap;

use edgehill_engine::game::Game;
use edgehill_engine::games::unhappy_king_charles::colonel;
use edgehill_engine::laws::{Care, Law, Laws, Leads, TurnTrack, Volume, conform_led, words_of};

use crate::play::game;
use crate::volume::volume;

/// Nodes that are looked at in full.
const NODES: usize = 20_000;
/// One run at least for so many nodes.
const NODES_PER_RUN: usize = 100;
/// Random runs whose every word is read.
const WORDY_RUNS: usize = 1_000;

#[test]
fn keeps_the_laws_of_the_kit() {
    let volume = volume(NODES);
    let (nodes, runs) = (volume.cases as u64, (volume.cases / NODES_PER_RUN) as u64);
    let leads = Leads { bots: vec![colonel()], turns: TurnTrack { marker: "turn", last: None } };
    let laws = Laws::ALL.without(Law::Golden);
    let volume = Volume { nodes, runs, seed: volume.seed };
    match conform_led(&game(), volume, laws, Care::Sampled, &leads) {
        Ok(tally) => {
            println!("{tally}\n{}", tally.turns);
            assert!(10 * tally.turns.late() >= tally.turns.all(), "too few late nodes:\n{}", tally.turns);
            let idle = tally.untried(laws.without(Law::Panic));
            let idle: BTreeMap<String, ()> = idle.map(|law| (format!("{law:?}"), ())).collect();
            // It depends on the seed whether a node has few worlds.
            let idle: Vec<&String> = idle.keys().filter(|law| *law != "Distribution").collect();
            assert_eq!(idle, ["Sealed"], "{tally}");
        }
        Err(failure) => panic!("{}", failure.report(game().catalogue())),
    }
}

#[test]
fn says_everything_in_words() {
    let volume = volume(WORDY_RUNS);
    let played = words_of(&game(), "civil-war", volume.cases as u64, volume.seed);
    if let Err(failure) = played {
        panic!("{}", failure.report(game().catalogue()));
    }
}
