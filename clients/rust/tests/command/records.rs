use crate::{Desk, has};

const ARENA: [&str; 12] = [
    "arena",
    "--local",
    "--game",
    "skirmish",
    "--bots",
    "random,random",
    "--games",
    "2",
    "--seed",
    "9",
    "--records",
    "rec",
];

fn recorded() -> Desk {
    let desk = Desk::new();
    desk.ok(&ARENA);
    desk
}

const FIRST: &str = "rec/skirmish-9-00001.edg";
const SECOND: &str = "rec/skirmish-9-00002.edg";

#[test]
fn a_good_record_is_in_order() {
    let desk = recorded();
    let out = desk.ok(&["verify", FIRST, SECOND]);
    assert_eq!(out.matches("nothing is wrong").count(), 2, "{out}");
    has(&out, "checked against a seed that somebody chose");
}

#[test]
fn a_record_with_another_die_is_not_in_order() {
    let desk = recorded();
    let text = desk.read(FIRST);
    let die = text.lines().find(|line| line.starts_with("dice 3/")).expect("dice were rolled");
    let (place, faces) = die.split_once(": ").unwrap();
    let (first, rest) = faces.split_at(1);
    let other = if first == "1" { "2" } else { "1" };
    desk.write(FIRST, &text.replace(die, &format!("{place}: {other}{rest}")));
    let answer = desk.run(&["verify", FIRST, SECOND]);
    assert_eq!(answer.code, 1);
    has(&answer.out, "the seed gives ");
    has(&answer.out, "00002.edg: nothing is wrong");
}

#[test]
fn a_record_that_is_cut_or_scrawled_on_is_not_in_order() {
    let desk = recorded();
    let text = desk.read(FIRST);
    desk.write("cut.edg", &text[..text.len() / 2]);
    desk.write("scrawl.edg", &text.replace("result ", "result! "));
    for name in ["cut.edg", "scrawl.edg"] {
        let answer = desk.run(&["verify", name]);
        assert_eq!(answer.code, 1, "{name}: {}", answer.err);
        has(&answer.out, "line ");
    }
}

#[test]
fn a_match_file_becomes_a_record() {
    let desk = Desk::new();
    desk.ok(&["new", "--game", "skirmish", "--seed", "4", "--out", "m.json"]);
    let out = desk.ok(&["record", "m.json", "--out", "m.edg", "--players", "Ann,Bob"]);
    has(&out, "The match is not over");
    has(&desk.read("m.edg"), "seat north \"Ann\"\nseat south \"Bob\"\n");
    desk.ok(&["verify", "m.edg"]);
    assert_eq!(desk.ok(&["events", "m.edg", "--exact"]), desk.ok(&["events", "m.json", "--exact"]));
}

#[test]
fn events_of_a_record_are_told() {
    let desk = recorded();
    let out = desk.ok(&["events", FIRST, "--as", "spectator"]);
    has(&out, "As a spectator heard it\n    0  ");
}

#[test]
fn a_record_is_shown_as_it_stands_at_its_end() {
    let desk = recorded();
    let out = desk.ok(&["show", FIRST]);
    has(&out, "Node: over: ");
    has(&out, "Over: ");
}

#[test]
fn the_same_build_plays_records_alike() {
    let desk = recorded();
    let edgehill = env!("CARGO_BIN_EXE_edgehill");
    has(&desk.ok(&["diff-rules", edgehill, edgehill, "rec"]), "0 of 2 records differ\n");
    let answer = desk.run(&["diff-rules", edgehill, edgehill, "."]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "no records");
}

/// The other build is a script that changes one word of what this build tells.
#[cfg(unix)]
#[test]
fn a_build_that_plays_otherwise_is_found_out() {
    use std::os::unix::fs::PermissionsExt;

    let desk = recorded();
    let edgehill = env!("CARGO_BIN_EXE_edgehill");
    let script = format!("#!/bin/sh\n'{edgehill}' \"$@\" | sed '5s/ / changed /'\n");
    desk.write("other-build", &script);
    let other = desk.path("other-build");
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
    let answer = desk.run(&["diff-rules", edgehill, other.to_str().unwrap(), "rec"]);
    assert_eq!(answer.code, 1);
    has(&answer.out, "00001.edg: line 5 differs\n  a: ");
    has(&answer.out, " changed ");
    has(&answer.out, "2 of 2 records differ\n");
}
