//! The cost of a player's action through the table that serves every player: three observers' events, heads and knowledge, the list of
//! whoever is to act, and a bot that is given its view; beside it the rules alone.
//!
//! `cargo bench -p edgehill-engine --bench table`. Whole games at random, in seconds of the processor; an action counts with the chance
//! events that follow it. The checksum of all that was published says whether two builds told the same. An argument chooses games by
//! a part of their id.

use std::alloc::System;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use edgehill_engine::action::ActionId;
use edgehill_engine::bot::{Bot, Random};
use edgehill_engine::chance_source::{ChanceSource, sampled};
use edgehill_engine::dice::Seed;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::cruel_necessity::CruelNecessity;
use edgehill_engine::games::english_civil_war_iia::EnglishCivilWar;
use edgehill_engine::games::skirmish::Skirmish;
use edgehill_engine::games::this_war_without_an_enemy::ThisWarWithoutAnEnemy;
use edgehill_engine::games::unhappy_king_charles::UnhappyKing;
use edgehill_engine::seat::{Observer, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, FollowedView, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATIONS: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_chosen = |id: &str| chosen.is_empty() || chosen.iter().any(|part| id.contains(part.as_str()));
    println!(
        "an action, in us of the processor          rules   table   + bot   allocations   actions   checksum of events"
    );
    if is_chosen(CruelNecessity::ID) {
        measure(CruelNecessity::load(&CruelNecessity::builtin()).expect("built-in content loads"), 300);
    }
    if is_chosen(EnglishCivilWar::ID) {
        measure(EnglishCivilWar::load(&EnglishCivilWar::builtin()).expect("built-in content loads"), 30);
    }
    if is_chosen(Skirmish::ID) {
        measure(Skirmish::load(&Skirmish::builtin()).expect("built-in content loads"), 1000);
    }
    if is_chosen(ThisWarWithoutAnEnemy::ID) {
        let game = ThisWarWithoutAnEnemy::load(&ThisWarWithoutAnEnemy::builtin());
        measure(game.expect("built-in content loads"), 100);
    }
    if is_chosen(UnhappyKing::ID) {
        measure(UnhappyKing::load(&UnhappyKing::builtin()).expect("built-in content loads"), 20);
    }
}

/// How much of a table's work a run asks for.
#[derive(Copy, Clone, PartialEq)]
enum Asked {
    /// Lists and actions.
    Table,
    /// And the view of whoever is to act, given to a bot.
    Views,
}

fn measure<G: Game>(game: G, games: u64) {
    let game = Arc::new(game);
    let setup = Setup::default_of(game.catalogue());
    let mut checksum = blake3::Hasher::new();
    for seed in 0..games.min(20) {
        play(&game, &setup, seed, Asked::Table, |table| tell(table, &mut checksum));
    }
    let timed = |run: &dyn Fn(u64) -> u64| {
        // The first game warms up.
        run(0);
        let (region, start) = (Region::new(ALLOCATIONS), ProcessTime::now());
        let actions: u64 = (0..games).map(run).sum();
        (start.elapsed(), region.change().allocations + region.change().reallocations, actions)
    };
    let (alone, _, alone_actions) = timed(&|seed| play_rules(&game, &setup, seed));
    let (table, _, actions) = timed(&|seed| play(&game, &setup, seed, Asked::Table, |_| {}));
    let (views, allocations, _) = timed(&|seed| play(&game, &setup, seed, Asked::Views, |_| {}));
    let each = |time: Duration, actions: u64| time.as_secs_f64() * 1e6 / actions as f64;
    println!(
        "{:40} {:7.2} {:7.2} {:7.2} {:13.1} {:9} {}",
        game.catalogue().id,
        each(alone, alone_actions),
        each(table, actions),
        each(views, actions),
        allocations as f64 / actions as f64,
        actions,
        &checksum.finalize().to_hex()[..16],
    );
}

/// Adds all that was published to each observer.
fn tell<G: Game>(table: &Table<G>, checksum: &mut blake3::Hasher) {
    for observer in Observer::all(table.seats()) {
        for event in table.published(observer, 0) {
            checksum.update(format!("{event:?}").as_bytes());
        }
    }
}

/// A random game through the table; returns the number of players' actions.
fn play<G: Game>(
    game: &Arc<G>,
    setup: &Setup,
    seed: u64,
    asked: Asked,
    mut end: impl FnMut(&Table<G>),
) -> u64 {
    let mut dice = [0; 32];
    dice[..8].copy_from_slice(&seed.to_le_bytes());
    let source = ChanceSource::Seeded(Seed::from_bytes(dice));
    let mut table = Table::open(Arc::clone(game), setup.clone(), source);
    let seats = SeatSet::first(table.seats());
    let mut bots: Vec<Random> = seats.iter().map(|seat| Random::new(game.catalogue(), seat, seed)).collect();
    let mut views: Vec<FollowedView> =
        seats.iter().map(|seat| table.followed(Observer::Seat(seat))).collect();
    let mut actions = 0;
    while table.node() != Node::Over {
        for seat in seats.iter() {
            let legal = table.legal(seat);
            if legal.is_empty() {
                continue;
            }
            let followed = &mut views[seat.index()];
            if asked == Asked::Views {
                table.follow(followed);
            }
            let action = bots[seat.index()].choose(black_box(followed.view()), &legal);
            table.apply(seat, &[action], ApplyMode::Atomic).expect("what is listed is accepted");
            actions += 1;
        }
    }
    end(&table);
    actions
}

/// A random game by the rules alone, with nobody listening; returns the number of players' actions.
fn play_rules<G: Game>(game: &Arc<G>, setup: &Setup, seed: u64) -> u64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(setup);
    let first = game.view(&state, Observer::Spectator);
    let seats = SeatSet::first(game.catalogue().seats_of(setup));
    let mut bots: Vec<Random> = seats.iter().map(|seat| Random::new(game.catalogue(), seat, seed)).collect();
    game.open(&mut state, &mut Events::silent());
    let mut legal: Vec<ActionId> = Vec::with_capacity(128);
    let mut actions = 0;
    loop {
        match game.node(&state) {
            Node::Over => return actions,
            Node::Chance => {
                let outcome = sampled(&game.chance(&state), &mut rng);
                game.resolve(&mut state, &outcome, &mut Events::silent());
            }
            node => {
                for seat in node.to_act().iter().take(1) {
                    game.legal(&state, seat, &mut legal);
                    let action = bots[seat.index()].choose(&first, &legal);
                    game.apply(&mut state, seat, action, &mut Events::silent());
                    actions += 1;
                }
            }
        }
    }
}
