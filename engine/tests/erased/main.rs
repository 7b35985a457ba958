//! Games without their types: the registry, house bots and records, tested on a small game with every kind of node.

mod bots;
mod registry;
mod toy;

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::bot::Bot;
use edgehill_engine::fate::Fate;
use edgehill_engine::game::Node;
use edgehill_engine::registry::{AnyGame, AnyTable, Hosted};
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::step::StepId;
use edgehill_engine::table::ListMode;

fn game() -> Arc<dyn AnyGame> {
    Arc::new(Hosted::new(toy::Prize::new()))
}

fn setup(game: &dyn AnyGame, scenario: &str, rounds: u8) -> Setup {
    let options = BTreeMap::from([("rounds".to_owned(), rounds.to_string())]);
    Setup::new(game.catalogue(), Some(scenario), &options).expect("a setup of the toy")
}

fn step(table: &dyn AnyTable, notation: &str) -> StepId {
    table.catalogue().steps.parse(notation).expect("a step of the toy")
}

fn take(table: &mut dyn AnyTable, seat: Seat, line: &str) {
    table.apply_line(seat, line, ListMode::Whole).expect("a legal line");
}

/// Plays with random bots until the match is over or `steps` were taken; bots take single steps, so drafts grow.
fn play(table: &mut dyn AnyTable, game: &dyn AnyGame, seed: u64, steps: usize) {
    let bot = |seat| game.bot("random", seat, seed).expect("every game has it");
    let mut bots: Vec<Box<dyn Bot>> = SeatSet::first(table.seats()).iter().map(bot).collect();
    for _ in 0..steps {
        let Some(seat) = table.node().owing().iter().next() else { break };
        let chosen = bots[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
        table.apply(seat, &[chosen], ListMode::Whole).expect("bots choose from the list");
    }
}

fn finished(game: &dyn AnyGame, scenario: &str, seed: u64) -> Box<dyn AnyTable> {
    let mut table = game.open(setup(game, scenario, 3), Fate::playout(seed));
    play(&mut *table, game, seed, 1_000);
    assert_eq!(table.node(), Node::Over);
    table
}
