//! How fast English Civil War IIa is played: whole games at random, counted in phases (nodes settled).
//!
//! `cargo bench -p edgehill-engine --bench phases`. Figures of one run are compared with each other, not with those of other
//! machines; the checksum of all final states says whether two builds played the same games.

use divan::Bencher;
use divan::counter::ItemsCount;
use edgehill_engine::event::Events;
use edgehill_engine::fate::below;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::english_civil_war_iia::{EnglishCivilWar, State};
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;
use edgehill_engine::step::{StepId, VerbKind};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const GAMES: u64 = 20;

/// Counts allocations: a game allocates its buffer, and nothing while orders are listed and entered.
#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    let game = EnglishCivilWar::standard();
    let setup = Setup::default_of(game.catalogue());
    let (mut phases, mut steps, mut checksum) = (0, 0, blake3::Hasher::new());
    for seed in 0..GAMES {
        let played = play(&game, &setup, seed, true);
        phases += played.phases;
        steps += played.steps;
        checksum.update(&game.encoded(&played.last));
    }
    println!("{GAMES} games, {phases} phases, {steps} steps, checksum {}", checksum.finalize().to_hex());
    divan::main();
}

struct Played {
    phases: u32,
    steps: u32,
    last: State,
}

/// A random game; `listing` asks for the legal steps anew each time, as a player does.
fn play(game: &EnglishCivilWar, setup: &Setup, seed: u64, listing: bool) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(setup);
    let mut legal: Vec<StepId> = Vec::with_capacity(256);
    let navigates: Vec<bool> = game
        .catalogue()
        .steps
        .ids()
        .map(|id| game.catalogue().steps.verb_of(id).is_some_and(|verb| verb.kind == VerbKind::Navigate))
        .collect();
    let (mut phases, mut steps) = (0, 0);
    while let Node::Sealed(owing) = game.node(&state) {
        let Some(seat) = owing.iter().next() else { break };
        if listing {
            game.legal(&state, seat, &mut legal);
        } else {
            legal.clear();
            game.candidates(&state, seat, &mut legal);
        }
        legal.retain(|step| !navigates[usize::from(step.0)]);
        let step = legal[below(legal.len() as u64, &mut rng) as usize];
        if !listing && !game.permits(&state, seat, step) {
            continue;
        }
        game.apply(&mut state, seat, step, &mut Events::silent());
        steps += 1;
        let commits = game.catalogue().steps.verb_of(step).is_some_and(|verb| verb.kind == VerbKind::Done);
        phases += u32::from(commits && owing.len() == 1);
    }
    Played { phases, steps, last: state }
}

#[divan::bench(args = [true, false])]
fn random_games(bencher: Bencher<'_, '_>, listing: bool) {
    let game = EnglishCivilWar::standard();
    let setup = Setup::default_of(game.catalogue());
    let phases: u32 = (0..GAMES).map(|seed| play(&game, &setup, seed, listing).phases).sum();
    let run = || (0..GAMES).map(|seed| play(&game, &setup, seed, listing).steps).sum::<u32>();
    bencher.counter(ItemsCount::new(phases)).bench(run);
}

/// All orders of a first month, listed and entered: nothing is allocated.
#[divan::bench]
fn enter_a_month_of_orders(bencher: Bencher<'_, '_>) {
    let game = EnglishCivilWar::standard();
    let mut state = game.start(&Setup::default_of(game.catalogue()));
    let mut legal: Vec<StepId> = Vec::with_capacity(game.catalogue().steps.len());
    let enter = |state: &mut State, legal: &mut Vec<StepId>| {
        let mut steps = 0;
        while let Node::Sealed(owing) = game.node(state) {
            let Some(seat) = owing.iter().next() else { break };
            game.legal(state, seat, legal);
            // The middle of the list is an order more often than not, and never the step that navigates.
            let step = legal[legal.len() / 2];
            game.apply(state, seat, step, &mut Events::silent());
            steps += 1;
            let commits =
                game.catalogue().steps.verb_of(step).is_some_and(|verb| verb.kind == VerbKind::Done);
            if commits && owing.len() == 1 {
                break;
            }
        }
        steps
    };
    // Influence and adjustment come first.
    for _ in 0..2 {
        enter(&mut state, &mut legal);
    }
    bencher.bench_local(|| enter(&mut divan::black_box(state), &mut legal));
}

#[divan::bench]
fn clone_a_state(bencher: Bencher<'_, '_>) {
    let game = EnglishCivilWar::standard();
    let state = game.start(&Setup::default_of(game.catalogue()));
    bencher.bench(|| *divan::black_box(&state));
}

#[divan::bench]
fn draw_a_board(bencher: Bencher<'_, '_>) {
    let game = EnglishCivilWar::standard();
    let state = game.start(&Setup::default_of(game.catalogue()));
    bencher.bench(|| game.board(divan::black_box(&state), Observer::Spectator));
}
