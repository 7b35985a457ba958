use crate::{House, Workspace, has};

/// The word after `start` on the line that begins so.
fn after<'a>(out: &'a str, start: &str) -> &'a str {
    let line = out.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("`{start}`: {out}"));
    line[start.len()..].trim()
}

#[test]
fn two_people_with_an_invitation_play_a_match() {
    let (ada, bob, house) = (Workspace::new(), Workspace::new(), House::open());
    let out = ada.ok_on(&house, &["new", "--game", "skirmish", "--seat", "south=invited", "--out", "m.json"]);
    has(&out, "Luck: the server's seed, bound by ");
    has(&out, "Waiting for players: south\n");
    let (id, invitation) = (after(&out, "Match: "), after(&out, "Invitation for south: "));
    has(&ada.ok_on(&house, &["show", "m.json", "--as", "north"]), "Waiting for players: south\n");

    let answer = bob.on(&house, &["join", id, "--seat", "south", "--out", "m.json"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "BAD_INVITATION");
    let out =
        bob.ok_on(&house, &["join", id, "--invitation", invitation, "--player", "Bob", "--out", "m.json"]);
    has(&out, "You play South: m.json\n");
    has(&out, "Owing, in secret: north, south\n");
    has(&bob.ok_on(&house, &["legal", "m.json"]), "South\ncard: ");
    has(&ada.ok_on(&house, &["legal", "m.json"]), "North\ncard: ");

    let answer = bob.on(&house, &["show", "m.json", "--as", "north"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "m.json has no token for North");
    has(&bob.ok_on(&house, &["show", id]), "as seen by a spectator");
    has(&bob.ok_on(&house, &["events", id]), "As a spectator heard it\n");
    let published = bob.ok_on(&house, &["events", "m.json", "--changes"]);
    has(&published, "As South heard it\n");
    has(&published, "As a spectator heard it\n");
    has(&ada.ok_on(&house, &["matches"]), "running: somebody, Bob\n");
}

#[test]
fn a_seat_that_is_open_is_for_whoever_comes_first() {
    let (workspace, house) = (Workspace::new(), House::open());
    let out = workspace.ok_on(&house, &["new", "--game", "skirmish", "--seat", "1=open", "--out", "m.json"]);
    let id = after(&out, "Match: ");
    has(&workspace.ok_on(&house, &["join", id, "--out", "m.json"]), "You play North: m.json\n");
    has(&workspace.ok_on(&house, &["legal", "m.json"]), "South\ncard: ");
    let answer = workspace.on(&house, &["join", id, "--out", "n.json"]);
    assert_eq!(answer.code, 1, "{}", answer.err);
    has(&answer.err, "NO_OPEN_SEAT");
    assert!(!workspace.path("n.json").exists());
}

#[test]
fn seats_that_bind_themselves_reveal_when_all_are_there() {
    let (ada, bob, house) = (Workspace::new(), Workspace::new(), House::open());
    let out = ada.ok_on(
        &house,
        &["new", "--game", "skirmish", "--commit-reveal", "--seat", "south=open", "--out", "m.json"],
    );
    let id = after(&out, "Match: ");
    has(&ada.ok_on(&house, &["reveal", "m.json"]), "Nothing to reveal");
    let answer = bob.on(&house, &["join", id, "--out", "m.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "--seat");
    let out = bob.ok_on(&house, &["join", id, "--seat", "south", "--out", "m.json"]);
    has(&out, "Waiting for entropy to be revealed\n");
    has(&ada.ok_on(&house, &["reveal", "m.json"]), "Running\n");
    has(&bob.ok_on(&house, &["legal", "m.json"]), "South\ncard: ");
    ada.ok_on(&house, &["resign", "m.json", "north"]);
    ada.ok_on(&house, &["export", "m.json", "--out", "r.edg"]);
    has(&ada.read("r.edg"), " committed");
    has(&ada.ok(&["verify", "r.edg"]), "nothing is wrong");
}

#[test]
fn a_file_with_seats_is_for_its_own_server_and_for_its_owner() {
    let (workspace, house, other) = (Workspace::new(), House::open(), House::open());
    workspace.ok_on(&house, &["new", "--game", "skirmish", "--out", "m.json"]);
    let answer = workspace.on(&other, &["show", "m.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, house.url());
    let answer = workspace.run(&["show", "m.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, &format!("--server {}", house.url()));
    let before = workspace.read("m.json");
    let answer = workspace.on(&house, &["new", "--game", "skirmish", "--out", "m.json"]);
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
