//! The tests of what goes over the wire: that messages say what the engine says, that what callers send is read or
//! refused, and that neither tells anybody more than they may know.

mod action_lists;
mod catalog;
mod client;
mod comments;
mod error_reasons;
mod legal;
mod limits;
#[path = "../shared/message.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod message;
mod published;
mod refusals;
mod requests;
mod secrets;
mod statuses;
mod views;

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;
use edgehill_engine::view::{PassScope, StandingPass};
use edgehill_service::wire::Refused;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Seeds of the playouts.
const SEEDS: [u64; 3] = [1642, 1643, 1645];
/// No playout is longer: a war of many seasons says the same things again.
const CALLS_MAX: usize = 700;

fn registry() -> Registry {
    Registry::built_in().expect("built-in content is accepted")
}

fn game(id: &str) -> Arc<dyn AnyGame> {
    Arc::clone(registry().game(id).expect("the registry has it"))
}

/// A match of the default set-up, with dice of its own.
fn open(game: &dyn AnyGame) -> Box<dyn AnyTable> {
    game.open(Setup::default_of(game.catalogue()), ChanceSource::playout(1))
}

/// Every scenario of every game, opened with dice of `seed`.
fn matches(seed: u64) -> Vec<Box<dyn AnyTable>> {
    let mut tables = Vec::new();
    for game in registry().games() {
        for scenario in &game.catalogue().scenarios {
            let setup =
                Setup::new(game.catalogue(), Some(scenario.id), &BTreeMap::new()).expect("it is there");
            tables.push(game.open(setup, ChanceSource::playout(seed)));
        }
    }
    tables
}

fn below(bound: usize, rng: &mut ChaCha8Rng) -> usize {
    (rng.next_u64() % bound.max(1) as u64) as usize
}

/// Plays at random, with undos, offers and standing passes, and looks at the match after each call.
fn play(table: &mut dyn AnyTable, seed: u64, mut look: impl FnMut(&dyn AnyTable, &mut ChaCha8Rng)) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    look(table, &mut rng);
    for _ in 0..CALLS_MAX {
        let to_act: Vec<Seat> = table.node().to_act().iter().collect();
        if to_act.is_empty() {
            break;
        }
        let seat = to_act[below(to_act.len(), &mut rng)];
        match below(16, &mut rng) {
            0 if !table.draft(seat).is_empty() => {
                let keep = below(table.draft(seat).len(), &mut rng);
                let _ = table.undo(seat, keep);
            }
            1 => drop(table.offer_draw(seat)),
            2 => {
                let pass = StandingPass { window: None, scope: PassScope::UntilAttacked };
                table.stand(seat, vec![pass; below(2, &mut rng)]).expect("it sits there");
            }
            _ => {
                let legal = table.legal(seat);
                let action = legal[below(legal.len(), &mut rng)];
                table.apply(seat, &[action], ApplyMode::Atomic).expect("what is listed is accepted");
            }
        }
        look(table, &mut rng);
    }
}

/// A refusal's reason, the paths of the fields at fault, and the index.
fn refused<T: std::fmt::Debug>(read: Result<T, Refused>) -> (String, Vec<String>, Option<u32>) {
    let refusal = read.expect_err("it can't be read").into_refusal();
    assert!(!refusal.message.is_empty());
    let reason = refusal.reason().as_str_name().trim_start_matches("ERROR_REASON_").to_owned();
    (reason, refusal.field_violations.into_iter().map(|one| one.field).collect(), refusal.index)
}
