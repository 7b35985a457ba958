//! Bytes as players: whatever they say, the cheap laws hold. Runs on the stable compiler; a coverage-guided engine can drive the
//! same targets (`cargo bolero test`).

#[path = "support/volume.rs"]
mod volume;

use std::sync::Arc;

use bolero::check;
use bolero::generator::produce;
use edgehill_engine::chance_source::below;
use edgehill_engine::game::Game;
use edgehill_engine::games::skirmish::Skirmish;
use edgehill_engine::laws::{Run, play_from_bytes};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use volume::volume;

/// Inputs in full.
const INPUTS: usize = 20_000;
/// The most bytes of an input: enough for whole matches of the specimen.
const BYTES: usize = 768;

fn skirmish() -> Arc<Skirmish> {
    Arc::new(Skirmish::load(&Skirmish::builtin()).expect("the built-in content is sound"))
}

fn holds(game: &Arc<Skirmish>, bytes: &[u8]) -> u64 {
    match play_from_bytes(game, bytes) {
        Ok(tally) => tally.nodes,
        Err(failure) => panic!("{}", failure.report(game.catalogue())),
    }
}

/// Known inputs each time; new ones, and those that failed once, by the fuzzer.
#[test]
fn runs_from_bytes_keep_the_cheap_laws() {
    let game = skirmish();
    let volume = volume(INPUTS);
    let mut rng = ChaCha8Rng::seed_from_u64(volume.seed);
    for _ in 0..volume.cases {
        let mut bytes = vec![0; below(BYTES as u64, &mut rng) as usize];
        rng.fill_bytes(&mut bytes);
        holds(&game, &bytes);
    }
    let bytes = produce::<Vec<u8>>().with().len(0..BYTES);
    check!().with_iterations(fresh(volume.cases)).with_generator(bytes).for_each(|bytes| {
        holds(&game, bytes);
    });
}

/// Returns the number of new inputs that the fuzzer makes: none where everything is to be the same each time.
const fn fresh(cases: usize) -> usize {
    if cases == INPUTS { INPUTS } else { 0 }
}

/// Inputs that nobody generates by chance: no bytes at all, the same byte for ever, counting.
#[test]
fn plain_bytes_keep_the_cheap_laws() {
    let game = skirmish();
    let plain = (0..=255).map(|byte| vec![byte; BYTES]);
    let counting = (0..16).map(|action| (0..BYTES).map(|at| (at * (2 * action + 1)) as u8).collect());
    let mut nodes = 0;
    for bytes in plain.chain(counting).chain([Vec::new()]) {
        nodes += holds(&game, &bytes);
    }
    assert!(nodes > 1_000, "{nodes} nodes: the bytes do not get anywhere");
}

#[test]
fn texts_of_runs_never_panic() {
    let game = skirmish();
    let words = [
        "north", "south", "@9", ":", "revise", "undo", "stands", "enter", "roll", "card", "drum", ";", "\n",
        "7",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(volume(INPUTS).seed);
    for _ in 0..volume(INPUTS).cases {
        let length = below(24, &mut rng);
        let text: Vec<&str> =
            (0..length).map(|_| words[below(words.len() as u64, &mut rng) as usize]).collect();
        if let Ok(run) = Run::parse(game.catalogue(), &text.join(" ")) {
            let printed = run.print(game.catalogue());
            assert_eq!(Run::parse(game.catalogue(), &printed).as_ref(), Ok(&run));
        }
    }
}
