//! The speed at which This War Without an Enemy is played: whole games at random, counted in players' actions.
//!
//! `cargo bench -p edgehill-engine --bench twwae_actions`. An action is its legal list and its apply, with the chance events that follow
//! it; these are not counted. Figures of one run are compared with each other; the checksum of all final states says whether two
//! builds played the same games.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};
use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::{below, sampled};
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::this_war_without_an_enemy::{State, ThisWarWithoutAnEnemy as ThisWar};
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

/// Games of the checksum.
const GAMES: u64 = 200;
/// Games of a sample.
const SAMPLE: u64 = 20;

fn main() {
    let (game, setup) = load();
    let (mut total, mut checksum) = (Played::default(), blake3::Hasher::new());
    for seed in 0..GAMES {
        let (played, last) = play(&game, &setup, seed);
        total.actions += played.actions;
        total.chances += played.chances;
        total.listed += played.listed;
        checksum.update(&game.encoded(&last));
    }
    println!(
        "{GAMES} games: {} actions and {} chance events a game, {:.1} legal actions at a decision, state of {} bytes, checksum {}",
        total.actions / GAMES,
        total.chances / GAMES,
        total.listed as f64 / total.actions as f64,
        size_of::<State>(),
        checksum.finalize().to_hex()
    );
    divan::main();
}

fn load() -> (ThisWar, Setup) {
    let game = ThisWar::load(&ThisWar::builtin()).expect("built-in content loads");
    let setup = Setup::default_of(game.catalogue());
    (game, setup)
}

#[derive(Copy, Clone, Default)]
struct Played {
    actions: u64,
    chances: u64,
    listed: u64,
}

/// A random game to its end.
fn play(game: &ThisWar, setup: &Setup, seed: u64) -> (Played, State) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(setup);
    let mut legal: Vec<ActionId> = Vec::with_capacity(128);
    let mut played = Played::default();
    loop {
        match game.node(&state) {
            Node::Over => return (played, state),
            Node::Chance => {
                let outcome = sampled(&game.chance(&state), &mut rng);
                game.resolve(&mut state, &outcome, &mut Events::silent());
                played.chances += 1;
            }
            node => {
                let Some(seat) = node.to_act().iter().next() else { return (played, state) };
                game.legal(&state, seat, &mut legal);
                let action = legal[below(legal.len() as u64, &mut rng) as usize];
                game.apply(&mut state, seat, action, &mut Events::silent());
                played.actions += 1;
                played.listed += legal.len() as u64;
            }
        }
    }
}

/// Players' actions of 20 whole games.
#[divan::bench(sample_count = 50)]
fn actions(bencher: Bencher<'_, '_>) {
    let (game, setup) = load();
    let count: u64 = (0..SAMPLE).map(|seed| play(&game, &setup, seed).0.actions).sum();
    bencher
        .counter(ItemsCount::new(count))
        .bench(|| (0..SAMPLE).map(|seed| play(&game, &setup, seed).0.actions).sum::<u64>());
}

/// The same games, by the game.
#[divan::bench(sample_count = 50)]
fn games(bencher: Bencher<'_, '_>) {
    let (game, setup) = load();
    bencher
        .counter(ItemsCount::new(SAMPLE))
        .bench(|| (0..SAMPLE).map(|seed| play(&game, &setup, seed).0.actions).sum::<u64>());
}

/// A copy of a state, as search makes it.
#[divan::bench]
fn clone(bencher: Bencher<'_, '_>) {
    let (game, setup) = load();
    let (_, state) = play(&game, &setup, 0);
    bencher.counter(ItemsCount::new(1u64)).bench(|| divan::black_box(&state).clone());
}
