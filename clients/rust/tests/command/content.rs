use std::fs;
use std::path::Path;

use crate::{Workspace, has};

fn board() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/content/skirmish/board.toml");
    fs::read_to_string(path).expect("the specimen game has a board")
}

#[test]
fn files_of_an_owner_replace_built_in_ones() {
    let workspace = Workspace::new();
    workspace
        .write("own/skirmish/board.toml", &board().replace("name = \"Bridge\"", "name = \"Stone Bridge\""));
    workspace.write("own/README.md", "mine");
    let args = ["new", "--content", "own", "--game", "skirmish", "--seed", "1", "--out", "m.json"];
    workspace.ok(&args);
    has(&workspace.ok(&["games", "skirmish", "--content", "own"]), "Stone Bridge");
    // Without the files it is another game.
    let answer = workspace.run(&["show", "m.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "--content");
    workspace.ok(&["show", "m.json", "--content", "own"]);
}

#[test]
fn content_that_does_not_fit_is_named() {
    let workspace = Workspace::new();
    workspace.write("misspelt/skirmish/bord.toml", &board());
    let answer = workspace.run(&["games", "--content", "misspelt"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "bord.toml");
    workspace.write("unknown/chess/board.toml", "");
    let answer = workspace.run(&["games", "--content", "unknown"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "chess");
    workspace.write("flat/board.toml", "");
    let answer = workspace.run(&["games", "--content", "flat"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "a folder named after the game");
    assert_eq!(workspace.run(&["games", "--content", "nowhere"]).code, 3);
}
