//! The deepest nesting of procedures: as declared, by an option that activates Scotland, which no card at hand has; with these it is one
//! list less.

use std::sync::Arc;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::games::cruel_necessity::CruelNecessity;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::{ApplyMode, Table};
use serde_json::{Value, json};

use crate::play::{PLAYER, action, setup};

/// Scotland in its area 1, with no fortress of Parliament before it or behind; the North before London.
fn pushed(card: &str, item: u8) -> Value {
    json!({
        "at": "event", "current": card, "item": item,
        "fortresses": { "hull": ["royalist", 2], "edinburgh": ["royalist", 2] },
        "armies": { "scotland": { "area": 1 }, "north": { "area": 0 } },
    })
}

fn table(game: CruelNecessity, position: Value) -> Table<CruelNecessity> {
    let table = Table::open_position(Arc::new(game), setup("first", &[]), position, ChanceSource::Manual);
    table.expect("a position that the game accepts")
}

/// The procedures under way, by name, outermost first.
fn path(table: &Table<CruelNecessity>) -> Vec<&'static str> {
    let turn_state = table.view(Observer::Seat(PLAYER)).turn_state;
    turn_state.procedures.iter().map(|procedure| procedure.frame).collect()
}

#[test]
fn an_option_that_activates_scotland_opens_the_deepest_nesting() {
    let cards = include_str!("../../content/cruel-necessity/cards.toml");
    let option = r#"{ id = "impose-presbyterianism", ops = ["#;
    assert!(cards.contains(option));
    let more = cards.replacen(option, &format!(r#"{option}{{ op = "activate", army = "scotland" }}, "#), 1);
    let more = CruelNecessity::builtin().overlay([("cards.toml".to_owned(), more.into_bytes())]);
    let game =
        CruelNecessity::load(&more.expect("a file of the game")).expect("an option may activate an Army");
    let mut table = table(game, pushed("22", 2));
    let chosen = action("choose impose-presbyterianism");
    table.apply(PLAYER, &[chosen], ApplyMode::Atomic).expect("the option is open");
    assert_eq!(path(&table), CruelNecessity::DEEPEST);
}

#[test]
fn the_cards_at_hand_nest_one_list_less() {
    let game = CruelNecessity::load(&CruelNecessity::builtin()).expect("built-in content loads");
    let path = path(&table(game, pushed("22", 0)));
    let [turn, items, _, rest @ ..] = CruelNecessity::DEEPEST else { panic!("a list within a list") };
    assert_eq!(path, [&[*turn, *items], rest].concat());
}
