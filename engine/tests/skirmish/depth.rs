//! The deepest nesting of procedures, and the most bonus cards that can be owed: both as declared.

use std::sync::Arc;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::games::skirmish::Skirmish;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::table::{ApplyMode, Table};
use serde_json::{Value, json};

use crate::play::{NORTH, SOUTH, setup};

fn table(game: Skirmish, position: Value, chance_source: ChanceSource) -> Table<Skirmish> {
    let table = Table::open_position(Arc::new(game), setup("skirmish"), position, chance_source);
    table.expect("a position that the game accepts")
}

fn play(table: &mut Table<Skirmish>, seat: Seat, line: &str) {
    let taken = table.apply_line(seat, line, ApplyMode::Atomic);
    assert!(taken.is_ok(), "{seat}, `{line}`: {taken:?}");
}

/// The procedures under way, by name, outermost first.
fn path(table: &Table<Skirmish>) -> Vec<&'static str> {
    let turn_state = table.view(Observer::Spectator).turn_state;
    turn_state.procedures.iter().map(|procedure| procedure.frame).collect()
}

/// Returns how many bonus cards are owed.
fn owed(table: &Table<Skirmish>) -> usize {
    table.view(Observer::Spectator).turn_state.entitlements.len()
}

#[test]
fn a_battle_of_a_march_is_the_deepest_nesting() {
    let position = json!({
        "blocks": { "north": { "1": "bridge" }, "south": { "1": "mill" } },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    });
    let game = Skirmish::load(&Skirmish::builtin()).expect("built-in content loads");
    let mut table = table(game, position, ChanceSource::Manual);
    play(&mut table, NORTH, "card partisan; done");
    play(&mut table, SOUTH, "card colours; done");
    play(&mut table, NORTH, "march bridge mill; take north-1; go");
    assert_eq!(path(&table), Skirmish::DEEPEST);
}

#[test]
fn each_block_that_marches_into_a_battle_of_its_own_owes_a_bonus_card() {
    let cards = include_str!("../../content/skirmish/cards.toml");
    assert!(!cards.contains("marches = 4"), "with the cards at hand, too, every block can march by itself");
    let more = cards.replace("marches = 3", "marches = 4").into_bytes();
    let files = Skirmish::builtin().overlay([("cards.toml".to_owned(), more)]).expect("a file of the game");
    let game = Skirmish::load(&files).expect("cards with more marches are content, too");
    let all = |space: &str| json!({ "1": space, "2": space, "3": space, "4": space });
    let position = json!({
        "blocks": { "north": all("bridge"), "south": all("mill") },
        "hands": { "north": ["sconce"], "south": ["fife"] },
    });
    // Nobody is hit, so south holds the mill each time.
    let mut table =
        table(game, position, ChanceSource::script("6 6 6 6 6,6 6 6 6 6,6 6 6 6 6,6 6 6 6 6,drum"));
    play(&mut table, NORTH, "card sconce; done");
    play(&mut table, SOUTH, "card fife; done");
    for block in 1..=4 {
        play(&mut table, NORTH, &format!("march bridge mill; take north-{block}; go"));
        assert_eq!(owed(&table), block);
    }
    assert_eq!(owed(&table), Skirmish::OWED);
    assert_eq!(table.legal(NORTH).len(), 1, "nobody is left to march");
    play(&mut table, NORTH, "done");
    assert_eq!(owed(&table), Skirmish::OWED - 1, "the first is drawn");
    assert_eq!(table.chance_source_error(), None);
}
