use crate::{TestServer, Workspace, has};

/// The word after `start` on the line that begins so.
fn after<'a>(out: &'a str, start: &str) -> &'a str {
    let line = out.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("`{start}`: {out}"));
    line[start.len()..].trim()
}

#[test]
fn two_people_with_an_invitation_play_a_match() {
    let (ada, bob, server) = (Workspace::new(), Workspace::new(), TestServer::start());
    let out =
        ada.ok_on(&server, &["new", "--game", "skirmish", "--seat", "south=invited", "--out", "m.json"]);
    has(&out, "Dice: the server's seed, bound by ");
    has(&out, "Waiting for players: south\n");
    let (id, invitation) = (after(&out, "Match: "), after(&out, "Invitation for south: "));
    has(&ada.ok_on(&server, &["show", "m.json", "--as", "north"]), "Waiting for players: south\n");

    let answer = bob.on(&server, &["join", id, "--seat", "south", "--out", "m.json"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "BAD_INVITATION");
    let out =
        bob.ok_on(&server, &["join", id, "--invitation", invitation, "--player", "Bob", "--out", "m.json"]);
    has(&out, "You play South: m.json\n");
    has(&out, "To act, in secret: north, south\n");
    has(&bob.ok_on(&server, &["legal", "m.json"]), "South\ncard: ");
    has(&ada.ok_on(&server, &["legal", "m.json"]), "North\ncard: ");

    let answer = bob.on(&server, &["show", "m.json", "--as", "north"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "m.json has no token for North");
    has(&bob.ok_on(&server, &["show", id]), "as seen by a spectator");
    has(&bob.ok_on(&server, &["events", id]), "Published to a spectator\n");
    let published = bob.ok_on(&server, &["events", "m.json", "--changes"]);
    has(&published, "Published to South\n");
    has(&published, "Published to a spectator\n");
    has(&ada.ok_on(&server, &["matches"]), "running: somebody, Bob\n");
}

#[test]
fn a_match_that_is_finished_is_played_again_with_the_sides_swapped() {
    let (ada, bob, server) = (Workspace::new(), Workspace::new(), TestServer::start());
    let out =
        ada.ok_on(&server, &["new", "--game", "skirmish", "--seat", "south=invited", "--out", "m.json"]);
    let (id, invitation) = (after(&out, "Match: "), after(&out, "Invitation for south: "));
    bob.ok_on(&server, &["join", id, "--invitation", invitation, "--out", "m.json"]);
    let early = ada.on(&server, &["rematch", "m.json", "--out", "n.json"]);
    assert_eq!(early.code, 1, "{}", early.err);
    has(&early.err, "MATCH_RUNNING");
    ada.ok_on(&server, &["resign", "m.json", "north"]);
    let out = bob.ok_on(&server, &["rematch", "m.json", "--player", "Bob", "--out", "n.json"]);
    has(&out, "You play North: n.json\nWaiting for players: south\n");
    let out = ada.ok_on(&server, &["rematch", "m.json", "--out", "n.json"]);
    has(&out, "You play South: n.json\n");
    has(&out, "To act, in secret: north, south\n");
    has(&ada.ok_on(&server, &["legal", "n.json"]), "South\ncard: ");
    has(&bob.ok_on(&server, &["legal", "n.json"]), "North\ncard: ");
    // Again, it is the same match, in which one has one's seat.
    has(&ada.ok_on(&server, &["rematch", "m.json", "--out", "n.json"]), "You play South: n.json\n");
    let other = ada.on(&server, &["rematch", "m.json", "--out", "m.json"]);
    assert_eq!(other.code, 3, "{}", other.err);
    has(&other.err, "m.json is there already");
}

#[test]
fn a_seat_that_is_open_is_for_the_first_to_come() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let out = workspace.ok_on(&server, &["new", "--game", "skirmish", "--seat", "1=open", "--out", "m.json"]);
    let id = after(&out, "Match: ");
    has(&workspace.ok_on(&server, &["join", id, "--out", "m.json"]), "You play North: m.json\n");
    has(&workspace.ok_on(&server, &["legal", "m.json"]), "South\ncard: ");
    let answer = workspace.on(&server, &["join", id, "--out", "n.json"]);
    assert_eq!(answer.code, 1, "{}", answer.err);
    has(&answer.err, "NO_OPEN_SEAT");
    assert!(!workspace.path("n.json").exists());
}

#[test]
fn a_seat_that_is_given_back_can_be_taken_again() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let out =
        workspace.ok_on(&server, &["new", "--game", "skirmish", "--seat", "south=open", "--out", "m.json"]);
    let id = after(&out, "Match: ");
    let invited = workspace.on(&server, &["leave", "m.json", "south"]);
    assert_eq!(invited.code, 2, "{}", invited.err);
    has(&invited.err, "no token for South");
    let out = workspace.ok_on(&server, &["leave", "m.json"]);
    assert_eq!(out, "Left: North\nWaiting for players: north, south\n");
    assert!(!workspace.read("m.json").contains("\"token\""), "a void token is not kept");
    assert_eq!(workspace.on(&server, &["leave", "m.json"]).code, 2, "there is no seat to leave");
    workspace.ok_on(&server, &["join", id, "--seat", "south", "--out", "s.json"]);
    has(&workspace.ok_on(&server, &["show", id]), "Waiting for players: north\n");
}

#[test]
fn a_match_is_taken_back_by_its_creator_alone() {
    let (ada, bob, server) = (Workspace::new(), Workspace::new(), TestServer::start());
    let out = ada.ok_on(&server, &["new", "--game", "skirmish", "--seat", "south=open", "--out", "m.json"]);
    let id = after(&out, "Match: ");
    assert_eq!(bob.on(&server, &["abort", id]).code, 1, "it is not Bob's");
    let aborted = "Aborted: its creator took it back before it began\n";
    assert_eq!(ada.ok_on(&server, &["abort", "m.json"]), aborted);
    assert_eq!(bob.ok_on(&server, &["show", id]), aborted);
    assert_eq!(bob.ok_on(&server, &["watch", id]), aborted);
    ada.ok_on(&server, &["new", "--game", "skirmish", "--out", "n.json"]);
    let late = ada.on(&server, &["abort", "n.json"]);
    assert_eq!(late.code, 1, "{}", late.err);
    has(&late.err, "MATCH_STARTED");
}

#[test]
fn seats_that_bind_themselves_reveal_when_all_are_there() {
    let (ada, bob, server) = (Workspace::new(), Workspace::new(), TestServer::start());
    let out = ada.ok_on(
        &server,
        &["new", "--game", "skirmish", "--commit-reveal", "--seat", "south=open", "--out", "m.json"],
    );
    let id = after(&out, "Match: ");
    has(&ada.ok_on(&server, &["reveal", "m.json"]), "Nothing to reveal");
    let answer = bob.on(&server, &["join", id, "--out", "m.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "--seat");
    let out = bob.ok_on(&server, &["join", id, "--seat", "south", "--out", "m.json"]);
    has(&out, "Waiting for entropy to be revealed\n");
    has(&ada.ok_on(&server, &["reveal", "m.json"]), "Running\n");
    has(&bob.ok_on(&server, &["legal", "m.json"]), "South\ncard: ");
    ada.ok_on(&server, &["resign", "m.json", "north"]);
    ada.ok_on(&server, &["export", "m.json", "--out", "r.edg"]);
    has(&ada.read("r.edg"), " committed");
    has(&ada.ok_on(&server, &["verify", "r.edg"]), "nothing is wrong");
}

#[test]
fn a_match_with_clocks_says_how_they_stand() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let new = ["new", "--game", "skirmish", "--out", "m.json", "--clock"];
    let answer = workspace.on(&server, &[&new[..], &["bank=10"]].concat());
    assert_eq!(answer.code, 2);
    has(&answer.err, "--clock: expected a time such as 90s, 10m, 1h or 3d, found `bank=10`");
    let answer = workspace.on(&server, &[&new[..], &["increment=5s"]].concat());
    assert_eq!(answer.code, 2, "{}", answer.err);
    has(&answer.err, "expected a `bank` or a `decision_limit`, found neither");
    let out = workspace.ok_on(&server, &[&new[..], &["bank=10m,increment=5s"]].concat());
    has(&out, "Clocks: North 10m in the bank; South 10m in the bank\n");

    // Both are asked at once, and nobody answers.
    let short = ["new", "--game", "skirmish", "--out", "n.json", "--clock", "limit=1s,end=forfeit"];
    let out = workspace.ok_on(&server, &short);
    let id = after(&out, "Match: ");
    workspace.ok_on(&server, &["watch", id]);
    let out = workspace.ok_on(&server, &["show", "n.json"]);
    has(&out, "Over: the time of North has run out\n");
    has(&out, "Clocks: North time ran out once; South in time\n");
    workspace.ok_on(&server, &["export", "n.json", "--out", "r.edg"]);
    has(&workspace.ok_on(&server, &["verify", "r.edg"]), "nothing is wrong");
}

#[test]
fn a_file_with_seats_is_for_its_own_server_and_for_its_owner() {
    let (workspace, server, other) = (Workspace::new(), TestServer::start(), TestServer::start());
    workspace.ok_on(&server, &["new", "--game", "skirmish", "--out", "m.json"]);
    let answer = workspace.on(&other, &["show", "m.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, server.url());
    let answer = workspace.run(&["show", "m.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, &format!("--server {}", server.url()));
    let before = workspace.read("m.json");
    let answer = workspace.on(&server, &["new", "--game", "skirmish", "--out", "m.json"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "--force");
    assert_eq!(workspace.read("m.json"), before);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(workspace.path("m.json")).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o077, 0, "tokens are its owner's");
    }
}
