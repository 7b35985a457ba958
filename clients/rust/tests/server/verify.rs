//! `verify` with a server's key: what the server has signed passes, and what somebody has changed since does not.

use sha2::{Digest, Sha256};

use crate::{TestServer, Workspace, has};

/// A folder with `a.edg`, the record of a match on this server.
fn recorded(server: &TestServer) -> Workspace {
    let workspace = Workspace::new();
    let seats = ["--seat", "south=bot:random"];
    let new = ["new", "--game", "skirmish", "--out", "m.json"];
    workspace.ok_on(server, &[&new[..], &seats].concat());
    workspace.ok_on(server, &["resign", "m.json", "north"]);
    workspace.ok_on(server, &["export", "m.json", "--out", "a.edg"]);
    workspace
}

/// The record with another name of South's, a digest of its own, and what stood after the digest if `signed`.
fn renamed(text: &str, signed: bool) -> String {
    let (lines, rest) = text.split_once("end ").expect("an end");
    let edited = lines.replacen("\"random\"", "\"Mallory\"", 1);
    assert_ne!(edited, lines);
    let unwrapped = edited.replace("\n  ", " ");
    let end = hex::encode(Sha256::digest(format!("edgehill/record/2{unwrapped}")));
    let signature = &rest[rest.find("signer ").expect("it is signed")..];
    format!("{edited}end {end}\n{}", if signed { signature } else { "" })
}

#[test]
fn a_record_passes_with_the_key_of_its_server_and_with_no_other() {
    let (server, other) = (TestServer::start(), TestServer::start());
    let workspace = recorded(&server);
    let text = workspace.read("a.edg");
    let key = text.lines().find_map(|line| line.strip_prefix("signer ")).expect("it is signed");
    has(&workspace.ok_on(&server, &["verify", "a.edg"]), "a.edg: nothing is wrong\n");
    has(&workspace.ok(&["verify", "a.edg", "--signing-key", key]), "a.edg: nothing is wrong\n");
    let out = workspace.consistent(&["a.edg"]);
    has(&out, "unchecked: names: whose key has signed it is not known\n");
    has(&out, "a.edg: consistent, but unchecked: entropy, end, names, host's word\n");
    let answer = workspace.on(&other, &["verify", "a.edg"]);
    assert_eq!(answer.code, 1);
    has(&answer.out, &format!("expected, that of {key} found"));
    let answer = workspace.run(&["verify", "a.edg", "--signing-key", "12ab"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "an Ed25519 public key of 64 hexadecimal digits expected");
}

#[test]
fn a_changed_record_is_refused_and_without_its_signature_unchecked_at_most() {
    let server = TestServer::start();
    let workspace = recorded(&server);
    let text = workspace.read("a.edg");
    workspace.write("moved.edg", &renamed(&text, true));
    workspace.write("stripped.edg", &renamed(&text, false));
    for (file, words) in [("moved.edg", " has not signed these lines"), ("stripped.edg", "none found")] {
        let answer = workspace.on(&server, &["verify", file]);
        assert_eq!(answer.code, 1, "{file}: {}", answer.out);
        has(&answer.out, words);
        has(&answer.out, ": the record is not in order\n");
    }
    assert_eq!(workspace.run(&["verify", "moved.edg"]).code, 1);
    has(&workspace.consistent(&["stripped.edg"]), "unchecked: names: it is not signed\n");
    // One that is wrong goes before one that is unchecked.
    assert_eq!(workspace.run(&["verify", "stripped.edg", "moved.edg"]).code, 1);
}

#[test]
fn a_record_of_before_a_rotation_passes_until_the_key_is_forgotten() {
    let mut server = TestServer::start();
    let workspace = recorded(&server);
    server.stop_for(&["rotate-key"]);
    workspace.moved("m.json", &server);
    has(&workspace.ok_on(&server, &["verify", "a.edg"]), "a.edg: nothing is wrong\n");
    workspace.ok_on(&server, &["export", "m.json", "--out", "b.edg"]);
    let signer = |file: &str| {
        let text = workspace.read(file);
        text.lines().find_map(|line| line.strip_prefix("signer ")).expect("it is signed").to_owned()
    };
    assert_ne!(signer("a.edg"), signer("b.edg"));
    has(&workspace.ok_on(&server, &["verify", "a.edg", "b.edg"]), "b.edg: nothing is wrong\n");
    server.stop_for(&["rotate-key", "--forget"]);
    has(&workspace.ok_on(&server, &["verify", "b.edg"]), "b.edg: nothing is wrong\n");
    let answer = workspace.on(&server, &["verify", "a.edg"]);
    assert_eq!(answer.code, 1);
    has(&answer.out, &format!("expected, that of {} found", signer("a.edg")));
    // Whoever wrote the key down before can still say whose word it is.
    has(&workspace.ok(&["verify", "a.edg", "--signing-key", &signer("a.edg")]), "a.edg: nothing is wrong\n");
}
