//! The speed at which English Civil War IIa is played: whole games at random, counted in phases (nodes settled).
//!
//! `cargo bench -p edgehill-engine --bench phases`. Figures of one run are compared with each other, not with those of other
//! machines; the checksum of all final states says whether two builds played the same games.

use divan::Bencher;
use divan::counter::ItemsCount;
use edgehill_engine::action::{ActionId, VerbKind};
use edgehill_engine::chance_source::below;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::english_civil_war_iia::{EnglishCivilWar, State};
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const GAMES: u64 = 20;

/// Counts allocations: a game allocates its buffer, and nothing while orders are listed and entered.
#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    let game = EnglishCivilWar::standard();
    let setup = Setup::default_of(game.catalogue());
    let (mut phases, mut actions, mut checksum) = (0, 0, blake3::Hasher::new());
    for seed in 0..GAMES {
        let played = play(&game, &setup, seed, true);
        phases += played.phases;
        actions += played.actions;
        checksum.update(&game.encoded(&played.last));
    }
    println!("{GAMES} games, {phases} phases, {actions} actions, checksum {}", checksum.finalize().to_hex());
    divan::main();
}

struct Played {
    phases: u32,
    actions: u32,
    last: State,
}

/// A random game; `listing` asks for the legal actions anew each time, as a player does.
fn play(game: &EnglishCivilWar, setup: &Setup, seed: u64, listing: bool) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(setup);
    let mut legal: Vec<ActionId> = Vec::with_capacity(256);
    let navigates: Vec<bool> = game
        .catalogue()
        .actions
        .ids()
        .map(|id| game.catalogue().actions.verb_of(id).is_some_and(|verb| verb.kind == VerbKind::Navigate))
        .collect();
    let (mut phases, mut actions) = (0, 0);
    while let Node::Sealed(to_act) = game.node(&state) {
        let Some(seat) = to_act.iter().next() else { break };
        if listing {
            game.legal(&state, seat, &mut legal);
        } else {
            legal.clear();
            game.candidates(&state, seat, &mut legal);
        }
        legal.retain(|action| !navigates[usize::from(action.0)]);
        let action = legal[below(legal.len() as u64, &mut rng) as usize];
        if !listing && !game.permits(&state, seat, action) {
            continue;
        }
        game.apply(&mut state, seat, action, &mut Events::silent());
        actions += 1;
        let commits =
            game.catalogue().actions.verb_of(action).is_some_and(|verb| verb.kind == VerbKind::Done);
        phases += u32::from(commits && to_act.len() == 1);
    }
    Played { phases, actions, last: state }
}

#[divan::bench(args = [true, false])]
fn random_games(bencher: Bencher<'_, '_>, listing: bool) {
    let game = EnglishCivilWar::standard();
    let setup = Setup::default_of(game.catalogue());
    let phases: u32 = (0..GAMES).map(|seed| play(&game, &setup, seed, listing).phases).sum();
    let run = || (0..GAMES).map(|seed| play(&game, &setup, seed, listing).actions).sum::<u32>();
    bencher.counter(ItemsCount::new(phases)).bench(run);
}

/// All orders of a first month, listed and entered: nothing is allocated.
#[divan::bench]
fn enter_a_month_of_orders(bencher: Bencher<'_, '_>) {
    let game = EnglishCivilWar::standard();
    let mut state = game.start(&Setup::default_of(game.catalogue()));
    let mut legal: Vec<ActionId> = Vec::with_capacity(game.catalogue().actions.len());
    let enter = |state: &mut State, legal: &mut Vec<ActionId>| {
        let mut actions = 0;
        while let Node::Sealed(to_act) = game.node(state) {
            let Some(seat) = to_act.iter().next() else { break };
            game.legal(state, seat, legal);
            // The middle of the list is an order more often than not, and never the action that navigates.
            let action = legal[legal.len() / 2];
            game.apply(state, seat, action, &mut Events::silent());
            actions += 1;
            let commits =
                game.catalogue().actions.verb_of(action).is_some_and(|verb| verb.kind == VerbKind::Done);
            if commits && to_act.len() == 1 {
                break;
            }
        }
        actions
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
