use std::fs;
use std::path::Path;

use crate::{Workspace, has};

#[test]
fn games_are_listed_and_told() {
    let workspace = Workspace::new();
    has(&workspace.ok(&["games"]), "skirmish: Skirmish\n");
    has(&workspace.ok(&["games", "--ids"]), "skirmish\n");
    let told = workspace.ok(&["games", "skirmish"]);
    for part in [
        "Scenarios\n",
        "drill: Drill for one (seats: 1; returns -1 to +1)",
        "march",
        "House bots\n",
        "random: ",
    ] {
        has(&told, part);
    }
}

#[test]
fn an_unknown_game_is_refused_with_those_that_there_are() {
    let answer = Workspace::new().run(&["games", "chess"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "game `chess`: this build has ");
    has(&answer.err, "skirmish");
}

#[test]
fn one_game_has_a_verb_of_its_own() {
    let workspace = Workspace::new();
    assert_eq!(workspace.ok(&["game", "skirmish"]), workspace.ok(&["games", "skirmish"]));
}

#[test]
fn exit_codes_are_in_the_help() {
    let help = Workspace::new().ok(&["--help"]);
    has(&help, "Exit codes:");
    has(&help, "1  the answer is no");
}

/// The text of a golden is what the engine's tests keep, and what a digest is made of.
#[test]
fn a_golden_is_told_to_one_observer_or_to_all() {
    let workspace = Workspace::new();
    let north = workspace.ok(&["golden", "skirmish", "skirmish", "--observer", "north"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../engine/tests/golden/skirmish/skirmish.random-1642.north.txt");
    assert_eq!(north, fs::read_to_string(path).expect("the golden is kept"));
    let all = workspace.ok(&["golden", "skirmish", "skirmish", "--by", "random", "--seed", "1642"]);
    has(&all, &north);
    has(&all, "Published to a spectator\n");
    assert_ne!(
        north,
        workspace.ok(&["golden", "skirmish", "skirmish", "--observer", "north", "--seed", "7"])
    );
    let answer = workspace.run(&["golden", "skirmish", "drill", "--by", "captain"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "bot `captain`: this game has random");
    assert_eq!(
        workspace.run(&["golden", "skirmish", "drill", "--observer", "south"]).code,
        2,
        "it has one seat"
    );
}
