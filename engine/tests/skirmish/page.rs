//! The page on the skirmish, docs/games/skirmish.md: its examples are true.

use edgehill_engine::chance_source::ChanceSource;
use serde_json::Value;

use crate::play::{Match, SOUTH};
use crate::support::example_of;

const PAGE: &str = include_str!("../../../docs/games/skirmish.md");

#[test]
fn the_example_can_be_played() {
    Match::of_example("skirmish", example_of(PAGE, "skirmish"));
}

#[test]
fn the_position_is_accepted() {
    let position: Value = serde_json::from_str(example_of(PAGE, "json")).expect("it is JSON");
    let read = Match::at("skirmish", position, ChanceSource::script(""));
    assert_eq!(read.hand(SOUTH), ["drum", "waggon"]);
}

#[test]
fn every_card_stands_in_the_table() {
    let cards: toml::Table = include_str!("../../content/skirmish/cards.toml").parse().expect("it is TOML");
    let cards = cards["card"].as_array().expect("a list");
    assert_eq!(cards.len(), 12);
    for card in cards {
        let row = format!(
            "| `{}` | {} | {} |",
            card["id"].as_str().unwrap_or_default(),
            card["number"],
            card["marches"]
        );
        assert!(PAGE.contains(&row), "{row}");
    }
}
