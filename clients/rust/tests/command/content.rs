use std::fs;
use std::path::Path;

use crate::{Desk, has};

fn board() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/content/skirmish/board.toml");
    fs::read_to_string(path).expect("the specimen game has a board")
}

#[test]
fn files_of_an_owner_replace_built_in_ones() {
    let desk = Desk::new();
    desk.write("own/skirmish/board.toml", &board().replace("name = \"Bridge\"", "name = \"Stone Bridge\""));
    desk.write("own/README.md", "mine");
    let args = ["new", "--content", "own", "--game", "skirmish", "--seed", "1", "--out", "m.json"];
    desk.ok(&args);
    has(&desk.ok(&["games", "skirmish", "--content", "own"]), "Stone Bridge");
    // Without the files it is another game.
    let answer = desk.run(&["show", "m.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "--content");
    desk.ok(&["show", "m.json", "--content", "own"]);
}

#[test]
fn content_that_does_not_fit_is_named() {
    let desk = Desk::new();
    desk.write("misspelt/skirmish/bord.toml", &board());
    let answer = desk.run(&["games", "--content", "misspelt"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "bord.toml");
    desk.write("unknown/chess/board.toml", "");
    let answer = desk.run(&["games", "--content", "unknown"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "chess");
    desk.write("flat/board.toml", "");
    let answer = desk.run(&["games", "--content", "flat"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "a folder named after the game");
    assert_eq!(desk.run(&["games", "--content", "nowhere"]).code, 3);
}
