use crate::{Workspace, has};

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

fn recorded() -> Workspace {
    let workspace = Workspace::new();
    workspace.ok(&ARENA);
    workspace
}

const FIRST: &str = "rec/skirmish-9-00001.edg";
const SECOND: &str = "rec/skirmish-9-00002.edg";

#[test]
fn a_good_record_is_in_order() {
    let workspace = recorded();
    let out = workspace.consistent(&[FIRST, SECOND]);
    assert_eq!(out.matches("consistent, but unchecked: end, names, host's word\n").count(), 2, "{out}");
    has(&out, "00001.edg: unchecked: names: it is not signed\n");
    has(&out, "checked against a seed that somebody chose");
}

#[test]
fn a_record_with_another_die_is_not_in_order() {
    let workspace = recorded();
    let text = workspace.read(FIRST);
    let die = text.lines().find(|line| line.starts_with("dice 3/")).expect("dice were rolled");
    let (place, faces) = die.split_once(": ").unwrap();
    let (first, rest) = faces.split_at(1);
    let other = if first == "1" { "2" } else { "1" };
    workspace.write(FIRST, &text.replace(die, &format!("{place}: {other}{rest}")));
    let answer = workspace.run(&["verify", FIRST, SECOND]);
    assert_eq!(answer.code, 1);
    has(&answer.out, "the seed gives ");
    has(&answer.out, "00002.edg: consistent, but unchecked: end, names, host's word\n");
}

#[test]
fn a_record_that_is_cut_or_scrawled_on_is_not_in_order() {
    let workspace = recorded();
    let text = workspace.read(FIRST);
    workspace.write("cut.edg", &text[..text.len() / 2]);
    workspace.write("scrawl.edg", &text.replace("result ", "result! "));
    for name in ["cut.edg", "scrawl.edg"] {
        let answer = workspace.run(&["verify", name]);
        assert_eq!(answer.code, 1, "{name}: {}", answer.err);
        has(&answer.out, "line ");
    }
}

#[test]
fn a_match_file_becomes_a_record() {
    let workspace = Workspace::new();
    workspace.ok(&["new", "--game", "skirmish", "--seed", "4", "--out", "m.json"]);
    let out = workspace.ok(&["record", "m.json", "--out", "m.edg", "--players", "Ann,Bob"]);
    has(&out, "The match is not over");
    has(&workspace.read("m.edg"), "seat north \"Ann\"\nseat south \"Bob\"\n");
    has(&workspace.consistent(&["m.edg"]), "unchecked: end: the match was not over when it was recorded\n");
    assert_eq!(workspace.ok(&["events", "m.edg", "--exact"]), workspace.ok(&["events", "m.json", "--exact"]));
}

#[test]
fn events_of_a_record_are_told() {
    let workspace = recorded();
    let out = workspace.ok(&["events", FIRST, "--as", "spectator"]);
    has(&out, "Published to a spectator\n    0  ");
}

#[test]
fn a_record_is_shown_as_it_stands_at_its_end() {
    let workspace = recorded();
    let out = workspace.ok(&["show", FIRST]);
    has(&out, "Node: over: ");
    has(&out, "Over: ");
}

#[test]
fn the_same_build_plays_records_alike() {
    let workspace = recorded();
    let edgehill = env!("CARGO_BIN_EXE_edgehill");
    has(&workspace.ok(&["diff-rules", edgehill, edgehill, "rec"]), "0 of 2 records differ\n");
    let answer = workspace.run(&["diff-rules", edgehill, edgehill, "."]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "no records");
}

/// The other build is a script that changes one word of what this build tells.
#[cfg(unix)]
#[test]
fn a_build_that_plays_otherwise_is_found_out() {
    use std::os::unix::fs::PermissionsExt;

    let workspace = recorded();
    let edgehill = env!("CARGO_BIN_EXE_edgehill");
    let script = format!("#!/bin/sh\n'{edgehill}' \"$@\" | sed '5s/ / changed /'\n");
    workspace.write("other-build", &script);
    let other = workspace.path("other-build");
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
    let answer = workspace.run(&["diff-rules", edgehill, other.to_str().unwrap(), "rec"]);
    assert_eq!(answer.code, 1);
    has(&answer.out, "00001.edg: line 5 differs\n  a: ");
    has(&answer.out, " changed ");
    has(&answer.out, "2 of 2 records differ\n");
}
