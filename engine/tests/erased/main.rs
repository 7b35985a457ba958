//! Games without their types: the registry, house bots and records, tested on a small game with every kind of node.

mod bots;
mod damage;
mod events;
mod places;
mod record;
mod recorded_acts;
mod recorded_adjournments;
mod registry;
mod signing;
mod toy;
mod trust;
mod verify;
#[path = "../support/volume.rs"]
#[allow(dead_code, reason = "nothing here counts cases")]
mod volume;
mod wrapping;

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::bot::Bot;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::dice::{Entropy, OptionsSalt, ServerSeed, Terms};
use edgehill_engine::game::Node;
use edgehill_engine::record::{Dice, HostSecrets, Origin, SeatEntropy, options_hash};
use edgehill_engine::registry::{AnyGame, AnyTable, Hosted, Registry};
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;

fn game() -> Arc<dyn AnyGame> {
    Arc::new(Hosted::new(toy::Prize::new()))
}

fn setup(game: &dyn AnyGame, scenario: &str, rounds: u8) -> Setup {
    let options = BTreeMap::from([("rounds".to_owned(), rounds.to_string())]);
    Setup::new(game.catalogue(), Some(scenario), &options).expect("a setup of the toy")
}

fn action(table: &dyn AnyTable, notation: &str) -> ActionId {
    table.catalogue().actions.parse(notation).expect("an action of the toy")
}

fn take(table: &mut dyn AnyTable, seat: Seat, line: &str) {
    table.apply_line(seat, line, ApplyMode::Atomic).expect("a legal line");
}

/// Plays with random bots until the match is over or `actions` were taken; bots take single actions, so drafts grow.
fn play(table: &mut dyn AnyTable, game: &dyn AnyGame, seed: u64, actions: usize) {
    let bot = |seat| game.bot("random", seat, seed).expect("every game has it");
    let mut bots: Vec<Box<dyn Bot>> = SeatSet::first(table.seats()).iter().map(bot).collect();
    for _ in 0..actions {
        let Some(seat) = table.node().to_act().iter().next() else { break };
        let chosen = bots[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
        table.apply(seat, &[chosen], ApplyMode::Atomic).expect("bots choose from the list");
    }
}

/// The games that records are tested on: the toy, and every game of the registry.
fn all_games() -> Vec<Arc<dyn AnyGame>> {
    let registry = Registry::built_in().expect("built-in content is accepted");
    std::iter::once(game()).chain(registry.games().cloned()).collect()
}

/// A match with committed dice, played by random bots for `actions` actions, and what its record is to say.
fn committed(game: &dyn AnyGame, setup: Setup, seed: u8, actions: usize) -> (Box<dyn AnyTable>, Origin) {
    let catalogue = game.catalogue();
    let (match_id, server_seed) = (format!("match-{seed}"), ServerSeed::from_bytes([seed; 32]));
    let salt = OptionsSalt::from_bytes([seed ^ 45; 32]);
    let rules_version = catalogue.rules_version.to_string();
    let terms = Terms {
        id: &match_id,
        game: catalogue.id,
        rules_version: &rules_version,
        content_hash: *catalogue.content.as_bytes(),
        options_hash: options_hash(catalogue, &setup, None, &salt),
    };
    let commitment = server_seed.commit(&terms).expect("short texts");
    // The second seat of an odd match gives none.
    let gives = |index: usize| {
        let given = index == 0 || seed.is_multiple_of(2);
        let entropy = if given { Entropy::from_bytes([seed ^ 99; 32]) } else { Entropy::ABSENT };
        let commitment = given.then(|| entropy.commit(&match_id, index as u32).expect("a short id"));
        SeatEntropy { entropy, commitment }
    };
    let entropies: Vec<SeatEntropy> = (0..catalogue.seats_of(&setup)).map(gives).collect();
    let drawn: Vec<Entropy> = entropies.iter().map(|seat| seat.entropy.clone()).collect();
    let chance_source = ChanceSource::Seeded(server_seed.seed(&match_id, &drawn).expect("few seats"));
    let mut table = game.open(setup, chance_source);
    play(&mut *table, game, u64::from(seed), actions);
    let secrets = Some(HostSecrets { server_seed, salt });
    let dice = Dice::Committed { group: None, commitment, secrets, entropies };
    let players = vec!["Ann".to_owned(), "Bj\u{f6}rn \u{1f3b2}  \"B\"".to_owned()];
    (
        table,
        Origin {
            match_id,
            players,
            dice,
            begun_under: None,
            given_up: None,
            adjournments: Vec::new(),
            referee_acts: Vec::new(),
        },
    )
}

fn finished(game: &dyn AnyGame, scenario: &str, seed: u64) -> Box<dyn AnyTable> {
    let mut table = game.open(setup(game, scenario, 3), ChanceSource::playout(seed));
    play(&mut *table, game, seed, 1_000);
    assert_eq!(table.node(), Node::Over);
    table
}
