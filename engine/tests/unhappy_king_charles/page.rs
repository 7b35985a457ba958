//! The example of docs/games/unhappy-king-charles.md is played, and its position is read.

use serde_json::Value;

use crate::fenced::block;
use crate::play::{P, R, at, start};

const PAGE: &str = include_str!("../../../docs/games/unhappy-king-charles.md");

#[test]
fn the_example_is_played_as_it_stands() {
    let lines: Vec<(&str, &str)> =
        block(PAGE, "unhappy-king").lines().map(|line| line.split_once('|').unwrap_or((line, ""))).collect();
    let script: Vec<&str> =
        lines.iter().map(|&(_, luck)| luck.trim()).filter(|luck| !luck.is_empty()).collect();
    let mut table = start(&script.join(" "));
    for (actions, _) in lines.into_iter().filter(|(actions, _)| !actions.is_empty()) {
        let (seat, actions) = actions.split_once(": ").expect("a seat and its actions");
        table.act_as(if seat == "royalist" { R } else { P }, actions);
    }
    assert_eq!((table.frame().as_str(), table.to_act()), ("recruitment", P));
    assert!(
        table.has_happened("standard") && table.brigades("unled-york").contains(&"whitecoats".to_owned())
    );
}

#[test]
fn the_described_position_is_read() {
    let position: Value = serde_json::from_str(block(PAGE, "json")).expect("JSON");
    let table = at(position, "");
    assert_eq!((table.to_act(), table.whereabouts("hopton"), table.count("hopton")), (R, "truro".into(), 2));
}
