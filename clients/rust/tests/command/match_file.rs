use std::fs;

use crate::{Workspace, has};

/// A match whose four first cards are known.
fn dealt() -> Workspace {
    let workspace = Workspace::new();
    workspace.ok(&["new", "--game", "skirmish", "--dice", "fife,drum,matchlock,trumpet", "--out", "m.json"]);
    workspace
}

#[test]
fn a_match_goes_on_from_call_to_call() {
    let workspace = dealt();
    has(&workspace.ok(&["legal", "m.json"]), "card matchlock");
    has(&workspace.ok(&["apply", "m.json", "north", "card fife; done"]), "North has committed");
    has(&workspace.ok(&["legal", "m.json"]), "South\ncard: ");
    let out = workspace.ok(&["apply", "m.json", "south", "card", "trumpet;", "done"]);
    has(&out, "South shows Trumpet");
    has(&out, "To act: south");
    let board = workspace.ok(&["show", "m.json"]);
    has(&board, "Skirmish, as seen by a spectator\nNode: South to choose\n");
    has(&board, "north-shown North's card: 1 card, seen: Fife");
}

#[test]
fn a_seat_sees_its_own_hand_and_no_other() {
    let workspace = dealt();
    has(&workspace.ok(&["show", "m.json", "--as", "north"]), "North's hand: 2 cards, seen: Fife, Matchlock");
    has(&workspace.ok(&["show", "m.json", "--as", "south"]), "North's hand: 2 cards\n");
    has(&workspace.ok(&["show", "m.json"]), "North's hand: 2 cards\n");
    has(&workspace.ok(&["show", "m.json", "--as", "North", "--brief"]), "2 cards, seen: Fife, Matchlock");
}

#[test]
fn an_illegal_line_is_refused_with_its_rule_and_changes_nothing() {
    let workspace = dealt();
    let before = workspace.read("m.json");
    let answer = workspace.run(&["apply", "m.json", "north", "done"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "action 1, `done`, is not legal:\n");
    has(&answer.err, "rule 2.3");
    assert_eq!(workspace.read("m.json"), before);

    let answer = workspace.run(&["apply", "m.json", "north", "card fife; march moon"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "`march moon`");
    assert_eq!(workspace.read("m.json"), before);
}

#[test]
fn a_list_that_runs_past_a_reveal_is_refused_or_cut() {
    let workspace = dealt();
    workspace.ok(&["apply", "m.json", "north", "card fife; done"]);
    let before = workspace.read("m.json");
    let line = "card trumpet; done; march south-camp heath";
    let answer = workspace.run(&["apply", "m.json", "south", line]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "LIST_CROSSES_REVEAL");
    assert_eq!(workspace.read("m.json"), before);
    has(&workspace.ok(&["apply", "--until-reveal", "m.json", "south", line]), "Actions taken: 2\n");
}

#[test]
fn own_actions_are_taken_back_until_they_are_final() {
    let workspace = dealt();
    workspace.ok(&["apply", "m.json", "north", "card fife"]);
    has(&workspace.ok(&["show", "m.json", "--as", "north"]), "Draft (1; can be taken back: 1): card fife");
    has(&workspace.ok(&["undo", "m.json", "north"]), "Taken back: card fife\n");
    workspace.ok(&["apply", "m.json", "north", "card matchlock; done"]);
    let answer = workspace.run(&["undo", "m.json", "north"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "COMMITTED");
}

#[test]
fn undo_keeps_as_many_actions_as_are_asked_for() {
    let workspace = dealt();
    workspace.ok(&["apply", "m.json", "north", "card fife; done"]);
    workspace.ok(&["apply", "m.json", "south", "card trumpet; done"]);
    workspace.ok(&["apply", "m.json", "south", "march south-camp heath; take south-1; take south-2"]);
    let out = workspace.ok(&["undo", "m.json", "south", "--keep", "1"]);
    has(&out, "Taken back: take south-1; take south-2\n");
    let answer = workspace.run(&["undo", "m.json", "south", "--keep", "5"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "the draft has 1 actions");
}

#[test]
fn events_are_told_from_the_beginning_to_whom_they_concern() {
    let workspace = dealt();
    workspace.ok(&["apply", "m.json", "north", "card fife"]);
    let north = workspace.ok(&["events", "m.json", "--as", "north"]);
    has(&north, "North is dealt Fife");
    has(&north, "North picks Fife");
    let all = workspace.ok(&["events", "m.json", "--changes"]);
    has(&all, "Published to South");
    has(&all, "         North's hand: 1 card, seen: Fife\n");
    let south = workspace.ok(&["events", "m.json", "--as", "south"]);
    has(&south, "North is dealt a Dawn card (");
    assert!(!south.contains("Fife"), "{south}");
}

#[test]
fn a_seat_gives_up() {
    let workspace = dealt();
    has(&workspace.ok(&["resign", "m.json", "south"]), "Over: ");
    let answer = workspace.run(&["apply", "m.json", "north", "card fife"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "MATCH_FINISHED");
    has(&workspace.ok(&["legal", "m.json"]), "No legal actions: not to act now.");
}

#[test]
fn unknown_seats_and_options_are_refused_with_what_there_is() {
    let workspace = dealt();
    let answer = workspace.run(&["show", "m.json", "--as", "east"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "seat `east`: this match has north, south, spectator");
    let answer = workspace.run(&["new", "--game", "skirmish", "--scenario", "siege", "--out", "n.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "scenario `siege`: this game has skirmish, drill");
    let answer = workspace.run(&["new", "--game", "skirmish", "--option", "fog", "--out", "n.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "an option is written id=value");
    assert!(!workspace.path("n.json").exists());
}

#[test]
fn a_file_that_is_there_is_not_replaced_without_being_asked() {
    let workspace = dealt();
    let before = workspace.read("m.json");
    let answer = workspace.run(&["new", "--game", "skirmish", "--out", "m.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "--force");
    assert_eq!(workspace.read("m.json"), before);
    workspace.ok(&["new", "--game", "skirmish", "--seed", "1", "--out", "m.json", "--force"]);
    assert_ne!(workspace.read("m.json"), before);
}

#[test]
fn a_file_that_is_no_match_is_told_apart() {
    let workspace = dealt();
    workspace.write("other.json", "{}");
    let answer = workspace.run(&["show", "other.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "other.json is not a match file");
    let damaged = workspace.read("m.json").replace("\"saved\": \"01", "\"saved\": \"09");
    workspace.write("damaged.json", &damaged);
    let answer = workspace.run(&["show", "damaged.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "not an encoded state");
    let older = workspace.read("m.json").replace("\"rules_version\": ", "\"rules_version\": 9");
    workspace.write("older.json", &older);
    let answer = workspace.run(&["show", "older.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "rules version 9");
    assert_eq!(workspace.run(&["show", "none.json"]).code, 3);
}

#[test]
fn a_match_starts_from_a_described_position() {
    let workspace = Workspace::new();
    workspace.write("p.json", r#"{ "turn": 3, "hands": { "north": ["fife"], "south": ["drum"] } }"#);
    workspace.write("p.toml", "turn = 3\n[hands]\nnorth = [\"fife\"]\nsouth = [\"drum\"]\n");
    for name in ["p.json", "p.toml"] {
        let out = format!("from-{name}");
        workspace.ok(&["new", "--game", "skirmish", "--position", name, "--dice", "real", "--out", &out]);
        let board = workspace.ok(&["show", &out, "--as", "north"]);
        has(&board, "Turn = 3");
        has(&board, "North's hand: 1 card, seen: Fife");
    }
    workspace.write("bad.json", r#"{ "turn": 99 }"#);
    let answer = workspace.run(&["new", "--game", "skirmish", "--position", "bad.json", "--out", "x.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "field turn");
    fs::copy(workspace.path("p.json"), workspace.path("p.txt")).expect("a copy");
    let answer = workspace.run(&["new", "--game", "skirmish", "--position", "p.txt", "--out", "x.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, ".json");
}
