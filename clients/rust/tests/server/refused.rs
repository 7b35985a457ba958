use crate::{TestServer, Workspace, has};

#[test]
fn what_a_server_can_not_do_is_refused() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    for (args, why) in [
        (&["enter", "m.json", "3"][..], "a server rolls its own dice"),
        (&["diff-rules", "a", "b", "dir"], "it compares builds"),
        (&["shrink", "run.txt"], "in files"),
        (&["games", "--content", "dir"], "its own content"),
        (&["new", "--game", "skirmish", "--dice", "real", "--out", "m.json"], "a server rolls its own dice"),
        (
            &["arena", "--local", "--game", "skirmish", "--bots", "a", "--games", "1", "--seed", "1"],
            "not both",
        ),
    ] {
        let answer = workspace.on(&server, args);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{args:?}: {}", answer.err);
        has(&answer.err, why);
    }
}

#[test]
fn what_only_a_server_has_asks_for_one() {
    let workspace = Workspace::new();
    for args in [
        &["watch", "id"][..],
        &["join", "id", "--out", "m.json"],
        &["leave", "m.json"],
        &["abort", "m.json"],
        &["reveal", "m.json"],
        &["rematch", "m.json", "--out", "n.json"],
        &["seek", "skirmish", "--out", "m.json"],
        &["new-matches", "plan.json", "--out", "made.json"],
        &["matches"],
        &["export", "id"],
        &["bot", "--match", "id", "random"],
    ] {
        let answer = workspace.run(args);
        assert_eq!(answer.code, 2, "{args:?}");
        has(&answer.err, "--server URL");
    }
    for more in
        [&["--seat", "south=open"][..], &["--player", "Ada"], &["--commit-reveal"], &["--clock", "limit=3d"]]
    {
        let args: Vec<&str> =
            ["new", "--game", "skirmish", "--out", "m.json"].iter().chain(more).copied().collect();
        let answer = workspace.run(&args);
        assert_eq!(answer.code, 2, "{args:?}");
        has(&answer.err, "--server");
    }
    let answer = workspace.run(&["play", "skirmish", "--others"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "--server");
}

#[test]
fn a_server_that_is_not_there_is_said_so() {
    let workspace = Workspace::new();
    let answer = workspace.run(&["--server", "http://127.0.0.1:1", "games"]);
    assert_eq!(answer.code, 5);
    has(&answer.err, "no server answers at http://127.0.0.1:1: ");
    has(&answer.err, "make run");
    let answer = workspace.run(&["--server", "127.0.0.1:1", "games"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "is not a server's URL");
}

#[test]
fn what_the_server_does_not_have_is_refused_with_what_it_has() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    for (args, why) in [
        (&["game", "chess"][..], "UNKNOWN_GAME"),
        (&["new", "--game", "chess", "--out", "m.json"], "UNKNOWN_GAME"),
        (
            &["new", "--game", "skirmish", "--scenario", "siege", "--out", "m.json"],
            "this game has skirmish, drill",
        ),
        (
            &["new", "--game", "skirmish", "--seat", "east=open", "--out", "m.json"],
            "this match has north, south",
        ),
        (&["new", "--game", "skirmish", "--seat", "south=bot", "--out", "m.json"], "bot:NAME"),
        (&["new", "--game", "skirmish", "--seat", "south=bot:deep", "--out", "m.json"], "UNKNOWN_BOT"),
        (&["show", "01a20000-0000-7000-8000-000000000000"], "UNKNOWN_MATCH"),
        (&["show", "no-such-file.json"], "match"),
    ] {
        let answer = workspace.on(&server, args);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{args:?}: {}", answer.err);
        has(&answer.err, why);
        assert!(!workspace.path("m.json").exists(), "{args:?}");
    }
}
