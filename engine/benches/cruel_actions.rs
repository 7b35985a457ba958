//! The speed at which Cruel Necessity is played: whole wars at random, counted in the player's actions, and in
//! all nodes.
//!
//! `cargo bench -p edgehill-engine --bench cruel_actions`. An action is its legal list and its apply. Figures of one run are compared
//! with each other; the checksum of all final states says whether two builds played the same games.

use divan::Bencher;
use divan::counter::ItemsCount;
use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::{below, sampled};
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::cruel_necessity::{CruelNecessity, State};
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const GAMES: u64 = 200;

fn main() {
    let game = CruelNecessity::load(&CruelNecessity::builtin()).expect("built-in content loads");
    let setup = Setup::default_of(game.catalogue());
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

#[derive(Copy, Clone, Default)]
struct Played {
    actions: u64,
    chances: u64,
    listed: u64,
}

/// A random match of the whole war; a player who passes no sooner than they must keeps it long.
fn play(game: &CruelNecessity, setup: &Setup, seed: u64) -> (Played, State) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(setup);
    let mut legal: Vec<ActionId> = Vec::with_capacity(64);
    let mut played = Played::default();
    loop {
        match game.node(&state) {
            Node::Over => return (played, state),
            Node::Chance => {
                let outcome = sampled(&game.chance(&state), &mut rng);
                game.resolve(&mut state, &outcome, &mut Events::silent());
                played.chances += 1;
            }
            _ => {
                game.legal(&state, Seat::new(0), &mut legal);
                let action = legal[below(legal.len() as u64, &mut rng) as usize];
                game.apply(&mut state, Seat::new(0), action, &mut Events::silent());
                played.actions += 1;
                played.listed += legal.len() as u64;
            }
        }
    }
}

/// Returns the count of 20 whole matches.
fn counted(game: &CruelNecessity, setup: &Setup, count: impl Fn(Played) -> u64) -> ItemsCount {
    ItemsCount::new((0..20).map(|seed| count(play(game, setup, seed).0)).sum::<u64>())
}

/// The player's actions of 20 whole matches; the time of the chance events between them is in it.
#[divan::bench(sample_count = 400, sample_size = 1)]
fn actions(bencher: Bencher<'_, '_>) {
    let game = CruelNecessity::load(&CruelNecessity::builtin()).expect("built-in content loads");
    let setup = Setup::default_of(game.catalogue());
    bencher
        .counter(counted(&game, &setup, |played| played.actions))
        .bench(|| (0..20).map(|seed| play(&game, &setup, seed).0.actions).sum::<u64>());
}

/// The same matches, counted in nodes: actions and chance events.
#[divan::bench(sample_count = 400, sample_size = 1)]
fn nodes(bencher: Bencher<'_, '_>) {
    let game = CruelNecessity::load(&CruelNecessity::builtin()).expect("built-in content loads");
    let setup = Setup::default_of(game.catalogue());
    bencher
        .counter(counted(&game, &setup, |played| played.actions + played.chances))
        .bench(|| (0..20).map(|seed| play(&game, &setup, seed).0.actions).sum::<u64>());
}
