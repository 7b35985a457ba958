//! The speed at which Unhappy King Charles! is played: whole games at random, counted in players' actions.
//!
//! `cargo bench -p edgehill-engine --bench unhappy_king_charles`. An action is its legal list and its apply, with the chance events that
//! follow it; these are not counted. Figures of one run are compared with each other; the checksum of all final states says whether two
//! builds played the same games.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};
use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::{below, sampled};
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::unhappy_king_charles::{State, UnhappyKing};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

/// Games of the checksum.
const GAMES: u64 = 200;
/// Games of a sample.
const SAMPLE: u64 = 20;
/// Nodes of a game, of which one is looked at in the benches of single calls: random games end at some eight hundred.
const MIDDLE: u64 = 400;

fn main() {
    let (game, setup) = load();
    let (mut total, mut checksum) = (Played::default(), blake3::Hasher::new());
    for seed in 0..GAMES {
        let (played, last) = play(&game, &setup, seed, u64::MAX);
        total.actions += played.actions;
        total.chances += played.chances;
        total.listed += played.listed;
        total.forced += played.forced;
        checksum.update(&game.encoded(&last));
    }
    println!(
        "{GAMES} games: {} actions and {} chance events a game, {:.1} legal actions at a decision, {:.0} % of decisions with one action, \
         state of {} bytes, checksum {}",
        total.actions / GAMES,
        total.chances / GAMES,
        total.listed as f64 / total.actions as f64,
        100.0 * total.forced as f64 / total.actions as f64,
        size_of::<State>(),
        checksum.finalize().to_hex()
    );
    divan::main();
}

fn load() -> (UnhappyKing, Setup) {
    let game = UnhappyKing::load(&UnhappyKing::builtin()).expect("built-in content loads");
    let setup = Setup::default_of(game.catalogue());
    (game, setup)
}

#[derive(Copy, Clone, Default)]
struct Played {
    actions: u64,
    chances: u64,
    listed: u64,
    forced: u64,
}

/// A random game to its end, or to a node of this number.
fn play(game: &UnhappyKing, setup: &Setup, seed: u64, nodes: u64) -> (Played, State) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(setup);
    game.open(&mut state, &mut Events::silent());
    let mut legal: Vec<ActionId> = Vec::with_capacity(128);
    let mut played = Played::default();
    while played.actions + played.chances < nodes {
        match game.node(&state) {
            Node::Over => break,
            Node::Chance => {
                let outcome = sampled(&game.chance(&state), &mut rng);
                game.resolve(&mut state, &outcome, &mut Events::silent());
                played.chances += 1;
            }
            node => {
                let seat = node.to_act().iter().next().expect("somebody is to act");
                game.legal(&state, seat, &mut legal);
                let action = legal[below(legal.len() as u64, &mut rng) as usize];
                game.apply(&mut state, seat, action, &mut Events::silent());
                played.actions += 1;
                played.listed += legal.len() as u64;
                played.forced += u64::from(legal.len() == 1);
            }
        }
    }
    (played, state)
}

/// Whole games of the sample, counted by what `count` takes of each.
fn sample(bencher: Bencher<'_, '_>, count: impl Fn(Played) -> u64) {
    let (game, setup) = load();
    let items: u64 = (0..SAMPLE).map(|seed| count(play(&game, &setup, seed, u64::MAX).0)).sum();
    bencher
        .counter(ItemsCount::new(items))
        .bench(|| (0..SAMPLE).map(|seed| play(&game, &setup, seed, u64::MAX).0.actions).sum::<u64>());
}

/// Players' actions of 20 whole games.
#[divan::bench(sample_count = 50)]
fn actions(bencher: Bencher<'_, '_>) {
    sample(bencher, |played| played.actions);
}

/// The same games, by nodes of both kinds.
#[divan::bench(sample_count = 50)]
fn nodes(bencher: Bencher<'_, '_>) {
    sample(bencher, |played| played.actions + played.chances);
}

/// The same games, by the game.
#[divan::bench(sample_count = 50)]
fn games(bencher: Bencher<'_, '_>) {
    sample(bencher, |_| 1);
}

/// A copy of a state, as search makes it.
#[divan::bench]
fn clone(bencher: Bencher<'_, '_>) {
    let (game, setup) = load();
    let (_, state) = play(&game, &setup, 0, MIDDLE);
    bencher.counter(ItemsCount::new(1u64)).bench(|| divan::black_box(&state).clone());
}

/// A world from what a seat sees in the middle of a game.
#[divan::bench]
fn resample(bencher: Bencher<'_, '_>) {
    let (game, setup) = load();
    let (_, state) = play(&game, &setup, 0, MIDDLE);
    let view = game.view(&state, Observer::Seat(Seat::new(0)));
    let mut rng = ChaCha8Rng::seed_from_u64(1642);
    bencher
        .counter(ItemsCount::new(1u64))
        .bench_local(|| game.resample(&setup, divan::black_box(&view), &mut rng));
}
