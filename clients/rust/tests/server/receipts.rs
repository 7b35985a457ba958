//! `receipt`, and `verify --receipt`: what a server has shown, kept while a match goes on and held against its record.

use crate::{TestServer, Workspace, has};

/// A match of which North's transcript was begun before it was played, and a spectator's after it; and its record.
fn kept(server: &TestServer) -> Workspace {
    let workspace = Workspace::new();
    workspace.ok_on(server, &["new", "--game", "skirmish", "--seat", "south=bot:random", "--out", "m.json"]);
    let north = ["receipt", "m.json", "--as", "north", "--out", "north.edt"];
    has(&workspace.ok_on(server, &north), "north.edt\n");
    workspace.ok_on(server, &["bot", "--match", "m.json", "random"]);
    has(&workspace.ok_on(server, &north), ", 2 receipts\n");
    has(&workspace.ok_on(server, &["receipt", "m.json", "--out", "all.edt"]), "nothing is wrong\n");
    workspace.ok_on(server, &["export", "m.json", "--out", "m.edg"]);
    workspace
}

#[test]
fn what_was_shown_is_what_the_record_tells() {
    let server = TestServer::start();
    let workspace = kept(&server);
    for file in ["north.edt", "all.edt"] {
        let out = workspace.ok_on(&server, &["verify", "--receipt", file, "m.edg"]);
        has(&out, "m.edg: nothing is wrong\n");
        has(&out, &format!("{file}: all of the match was shown\n"));
        has(&out, &format!("{file}: nothing is wrong\n"));
        // Without the server's key nothing contradicts anything, and whose word it is stays open.
        let answer = workspace.run(&["verify", "--receipt", file, "m.edg"]);
        assert_eq!(answer.code, 6, "{}", answer.out);
        has(&answer.out, &format!("{file}: unchecked: signer: "));
        let key = workspace.read("m.edg");
        let key = key.lines().find_map(|line| line.strip_prefix("signer ")).expect("it is signed");
        workspace.ok(&["verify", "--receipt", file, "m.edg", "--signing-key", key]);
    }
    // Every fact of the match rests on what came before it: a transcript without its end is a beginning.
    let text = workspace.read("all.edt");
    let lines: Vec<&str> = text.lines().collect();
    workspace.write("cut.edt", &lines[..lines.len() - 4].join("\n"));
    let answer = workspace.on(&server, &["verify", "--receipt", "cut.edt", "m.edg"]);
    assert_eq!(answer.code, 6, "{}", answer.out);
    has(&answer.out, "no receipt proves them");
}

#[test]
fn what_was_not_shown_so_is_not_in_order() {
    let (server, other) = (TestServer::start(), TestServer::start());
    let workspace = kept(&server);
    let text = workspace.read("all.edt");
    let lines: Vec<&str> = text.lines().collect();
    let swapped = [&lines[..4], &[lines[5], lines[4]], &lines[6..]].concat();
    workspace.write("swapped.edt", &swapped.join("\n"));
    let answer = workspace.on(&server, &["verify", "--receipt", "swapped.edt", "m.edg"]);
    assert_eq!(answer.code, 1, "{}", answer.out);
    has(&answer.out, "is for other events, or for another order\n");
    has(&answer.out, "swapped.edt: what was shown is not in order\n");
    // Another server's key, another match, another observer's file, and what is no transcript.
    assert_eq!(workspace.on(&other, &["verify", "--receipt", "all.edt", "m.edg"]).code, 1);
    workspace.ok_on(&server, &["new", "--game", "skirmish", "--seat", "south=bot:random", "--out", "n.json"]);
    workspace.ok_on(&server, &["resign", "n.json", "north"]);
    workspace.ok_on(&server, &["export", "n.json", "--out", "n.edg"]);
    let answer = workspace.on(&server, &["verify", "--receipt", "all.edt", "n.edg"]);
    assert_eq!(answer.code, 1);
    has(&answer.out, "the record is of another match");
    let answer = workspace.on(&server, &["receipt", "m.json", "--as", "north", "--out", "all.edt"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "all.edt is of another match or observer");
    let answer = workspace.on(&server, &["verify", "--receipt", "m.edg", "m.edg"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "m.edg is not a transcript: line 1: `edgehill transcript 1` expected");
    assert_eq!(workspace.run(&["receipt", "m"]).code, 2, "it needs a server");
}

#[test]
fn receipts_of_before_a_rotation_and_of_after_it_are_of_one_transcript() {
    let mut server = TestServer::start();
    let workspace = Workspace::new();
    workspace.ok_on(&server, &["new", "--game", "skirmish", "--seat", "south=bot:random", "--out", "m.json"]);
    let north = ["receipt", "m.json", "--as", "north", "--out", "north.edt"];
    has(&workspace.ok_on(&server, &north), ", 1 receipts\n");
    server.stop_for(&["rotate-key"]);
    workspace.moved("m.json", &server);
    // The seat's token plays on, and both keys have signed.
    workspace.ok_on(&server, &["bot", "--match", "m.json", "random"]);
    has(&workspace.ok_on(&server, &north), ", 2 receipts\n");
    workspace.ok_on(&server, &["export", "m.json", "--out", "m.edg"]);
    let out = workspace.ok_on(&server, &["verify", "--receipt", "north.edt", "m.edg"]);
    has(&out, "north.edt: all of the match was shown\n");
    has(&out, "north.edt: nothing is wrong\n");
    let key = workspace.read("m.edg");
    let key = key.lines().find_map(|line| line.strip_prefix("signer ")).expect("it is signed");
    let answer = workspace.run(&["verify", "--receipt", "north.edt", "m.edg", "--signing-key", key]);
    assert_ne!(answer.code, 0, "the key of now alone is not that of all receipts: {}", answer.out);
}
