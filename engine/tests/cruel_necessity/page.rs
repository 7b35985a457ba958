//! The example of docs/games/cruel-necessity.md is played, and its position is read.

use serde_json::Value;

use crate::fenced::block;
use crate::play::Match;

const PAGE: &str = include_str!("../../../docs/games/cruel-necessity.md");

#[test]
fn the_example_is_played_as_it_stands() {
    let lines: Vec<(&str, &str)> = block(PAGE, "cruel-necessity")
        .lines()
        .map(|line| line.split_once(": ").unwrap_or((line, "")))
        .collect();
    let script: Vec<&str> = lines.iter().map(|&(_, luck)| luck).filter(|luck| !luck.is_empty()).collect();
    let mut played = Match::start("first", &[], &script.join(" "));
    for (action, _) in lines {
        played.play(action);
    }
    assert_eq!(played.asked(), "act");
}

#[test]
fn the_described_position_is_read() {
    let position: Value = serde_json::from_str(block(PAGE, "json")).expect("JSON");
    let read = Match::at("whole-war", &[], position, "");
    assert_eq!(
        (read.army("north"), read.fort("hull"), read.zeal()),
        ("3 disordered".into(), "royalist 2".into(), 3)
    );
}
