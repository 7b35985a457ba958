//! `edgehill referee`: time, players and results of matches, by a referee's key.

use crate::{TestServer, Workspace, has};

fn by<'a>(key: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    ["--key", key].iter().chain(args).copied().collect()
}

/// An account of this id and role on a server, and its key.
fn account(workspace: &Workspace, server: &TestServer, chief: &str, id: &str, role: &str) -> String {
    workspace.ok_on(server, &by(chief, &["admin", "add", id, "--role", role]));
    let made = workspace.ok_on(server, &by(chief, &["admin", "key", id]));
    made.lines().next().expect("a key").to_owned()
}

#[test]
fn a_referee_gives_time_replaces_a_player_and_corrects_the_result() {
    let (workspace, (server, chief)) = (Workspace::new(), TestServer::start_with_operator("chief"));
    let ada = account(&workspace, &server, &chief, "ada", "player");
    let bob = account(&workspace, &server, &chief, "bob", "player");
    let umpire = account(&workspace, &server, &chief, "umpire", "referee");
    let ok = |key: &str, args: &[&str]| workspace.ok_on(&server, &by(key, args));
    ok(&ada, &["new", "--game", "skirmish", "--clock", "bank=10m", "--player", "Ann", "--out", "m.json"]);
    let file = workspace.read("m.json");
    let id = file
        .split('"')
        .find(|word| word.len() == 36 && word.matches('-').count() == 4)
        .expect("an id")
        .to_owned();

    let refused = workspace.on(&server, &by(&ada, &["referee", "add-time", &id, "north", "5m"]));
    assert_eq!(refused.code, 1);
    has(&refused.err, "NOT_ALLOWED");
    let given = ok(&umpire, &["referee", "add-time", &id, "north", "5m", "--reason", "the bell rang"]);
    has(&given, "Referee: North was given 5m (the bell rang)\n");
    has(&ok(&ada, &["show", "m.json"]), "North 15m in the bank");

    let replaced = ok(&umpire, &["referee", "replace", &id, "south", "--player", "Bob"]);
    let (invitation, told) = replaced.split_once('\n').expect("lines");
    assert!(invitation.starts_with("ehi_"), "{replaced}");
    has(told, "Referee: the player of South, Ann, was replaced\n");
    let void = workspace.on(&server, &by(&ada, &["resign", "m.json", "south"]));
    has(&void.err, "BAD_TOKEN");
    has(
        &ok(&bob, &["join", &id, "--invitation", invitation, "--out", "bob.json"]),
        "You play South: bob.json",
    );
    ok(&bob, &["resign", "bob.json", "south"]);

    let corrected = ok(&umpire, &["referee", "correct", &id, "-1", "1", "--reason", "a wrong click"]);
    has(&corrected, "Referee: the result was corrected: North -1, South 1 (a wrong click)\n");
    ok(&bob, &["export", &id, "--out", "m.edg"]);
    let checked = ok(&bob, &["verify", "m.edg"]);
    has(&checked, "corrected the result: returns [-1, 1]");
    has(&checked, "nothing is wrong");
    let acts = ok(&chief, &["admin", "acts", "umpire"]);
    has(&acts, &format!("umpire corrected the result of the match {id} to [-1, 1]: a wrong click\n"));
}

#[test]
fn a_match_that_a_referee_has_voided_says_so() {
    let (workspace, (server, chief)) = (Workspace::new(), TestServer::start_with_operator("chief"));
    let ada = account(&workspace, &server, &chief, "ada", "player");
    let umpire = account(&workspace, &server, &chief, "umpire", "referee");
    let ok = |key: &str, args: &[&str]| workspace.ok_on(&server, &by(key, args));
    ok(&ada, &["new", "--game", "skirmish", "--out", "m.json"]);
    let listed = ok(&ada, &["matches"]);
    let id = listed.split_whitespace().find(|word| word.len() == 36).expect("an id").to_owned();
    let voided = ok(&umpire, &["referee", "void", &id, "--reason", "a fire"]);
    has(&voided, "Over: a referee has ended the match, and it does not count");
    has(&voided, "Referee: the match was voided (a fire)\n");
    let shown = ok(&ada, &["show", "m.json"]);
    has(&shown, "Over: a referee has ended the match");
    assert!(!shown.contains("To act"), "{shown}");
}
