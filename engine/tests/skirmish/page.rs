//! The page on the skirmish, docs/games/skirmish.md: its examples are true.

use edgehill_engine::chance_source::ChanceSource;
use serde_json::Value;

use crate::play::{Match, NORTH, SOUTH};

const PAGE: &str = include_str!("../../../docs/games/skirmish.md");

/// The block of the page in this language.
fn example(language: &str) -> &'static str {
    let block = PAGE.split(&format!("```{language}\n")).nth(1).and_then(|rest| rest.split("```").next());
    block.expect("the page has such an example")
}

#[test]
fn the_example_can_be_played() {
    let lines: Vec<&str> = example("skirmish").lines().collect();
    let luck =
        |line: &&str| line.strip_prefix("draw ").or_else(|| line.strip_prefix("dice ")).map(str::to_owned);
    let script: Vec<String> = lines.iter().filter_map(luck).collect();
    let mut played = Match::start("skirmish", &script.join(","));
    for line in &lines {
        match line.split_once(": ") {
            Some(("north", actions)) => played.play(NORTH, actions),
            Some(("south", actions)) => played.play(SOUTH, actions),
            _ => continue,
        };
    }
    let result = played.result().expect("the example ends the match");
    assert_eq!(lines.last(), Some(&format!("over {} {}", result.code, result.rule).as_str()));
}

#[test]
fn the_position_is_accepted() {
    let position: Value = serde_json::from_str(example("json")).expect("it is JSON");
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
