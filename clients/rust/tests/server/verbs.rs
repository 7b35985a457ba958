use crate::{TestServer, Workspace, has};

/// The same match at one's own table and on a server, by the same seed.
fn both() -> (Workspace, TestServer) {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    workspace.ok(&["new", "--game", "skirmish", "--seed", "7", "--out", "own.json"]);
    let out = workspace.ok_on(&server, &["new", "--game", "skirmish", "--seed", "7", "--out", "far.json"]);
    has(&out, "Skirmish, Skirmish: far.json\nMatch: ");
    has(&out, "Dice: a seed that was chosen, as the match says to everybody\n");
    has(&out, "To act, in secret: north, south\n");
    (workspace, server)
}

/// Returns what the verb says of both matches, which is the same.
fn alike(workspace: &Workspace, server: &TestServer, args: &[&str]) -> String {
    let at = |file| args.iter().map(|arg| if *arg == "FILE" { file } else { *arg }).collect::<Vec<_>>();
    let own = workspace.run(&at("own.json"));
    let far = workspace.on(server, &at("far.json"));
    assert_eq!((own.code, &own.out, &own.err), (far.code, &far.out, &far.err), "{args:?}");
    own.out
}

/// The first legal action of a seat in the game's notation, if it is to act.
fn first_action(workspace: &Workspace, seat: &str) -> Option<String> {
    let menu = workspace.ok(&["legal", "own.json", "--as", seat]);
    let line = menu.lines().find_map(|line| line.trim_start().strip_prefix("1  "))?;
    line.split("  ").next().map(|notation| notation.trim().to_owned())
}

#[test]
fn the_verbs_say_of_a_match_on_a_server_what_they_say_of_one_in_a_file() {
    let (workspace, server) = both();
    for who in ["spectator", "north", "south"] {
        has(&alike(&workspace, &server, &["show", "FILE", "--as", who]), "Skirmish, as seen by ");
        alike(&workspace, &server, &["show", "FILE", "--as", who, "--brief"]);
    }
    has(&alike(&workspace, &server, &["legal", "FILE"]), "North\ncard: Choose a card\n");
    for seat in ["north", "south"] {
        let action = first_action(&workspace, seat).expect("a card");
        alike(&workspace, &server, &["apply", "FILE", seat, &action]);
        has(&alike(&workspace, &server, &["undo", "FILE", seat]), "Taken back: card ");
        alike(&workspace, &server, &["apply", "FILE", seat, &action]);
        has(&alike(&workspace, &server, &["show", "FILE", "--as", seat]), "can be taken back");
        alike(&workspace, &server, &["apply", "FILE", seat, "done"]);
        alike(&workspace, &server, &["show", "FILE", "--as", seat]);
    }
    for _ in 0..12 {
        for seat in ["north", "south"] {
            if let Some(action) = first_action(&workspace, seat) {
                alike(&workspace, &server, &["apply", "FILE", seat, &action]);
                alike(&workspace, &server, &["legal", "FILE"]);
            }
        }
    }
    for who in ["spectator", "north", "south"] {
        alike(&workspace, &server, &["show", "FILE", "--as", who]);
    }
    has(
        &alike(&workspace, &server, &["events", "FILE", "--as", "spectator"]),
        "Published to a spectator\n    0  ",
    );
    // A file is told again without what was taken back; on a server that is among a seat's events.
    let published = workspace.ok_on(&server, &["events", "far.json", "--as", "north", "--changes"]);
    has(&published, "Published to North\n    0  North is dealt ");
    has(&published, "  Taken back\n");
    has(&alike(&workspace, &server, &["resign", "FILE", "south"]), "Over: ");
    has(&alike(&workspace, &server, &["legal", "FILE"]), "No legal actions: not to act now.\nOver: ");
}

#[test]
fn a_refused_action_is_told_with_its_rule_and_changes_nothing() {
    let (workspace, server) = both();
    let before = workspace.ok_on(&server, &["show", "far.json", "--as", "north"]);
    let answer = workspace.on(&server, &["apply", "far.json", "north", "done"]);
    assert_eq!((answer.code, answer.out.as_str()), (1, ""));
    has(&answer.err, "is not legal:\n  No card is picked yet (NO_CARD_PICKED, rule 2.3, The choice)\n");
    let answer = workspace.on(&server, &["undo", "far.json", "north"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "NOTHING_TO_UNDO");
    let answer = workspace.on(&server, &["apply", "far.json", "north", "march moon"]);
    assert_eq!(answer.code, 2, "{}", answer.err);
    has(&answer.err, "march moon");
    assert_eq!(workspace.ok_on(&server, &["show", "far.json", "--as", "north"]), before);
}

#[test]
fn a_list_that_runs_past_a_reveal_is_refused_or_cut() {
    let (workspace, server) = both();
    let card = first_action(&workspace, "north").expect("a card");
    workspace.ok_on(&server, &["apply", "far.json", "north", &format!("{card}; done")]);
    let line = format!("{}; done; pass", first_action(&workspace, "south").expect("a card"));
    let answer = workspace.on(&server, &["apply", "far.json", "south", &line]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "LIST_CROSSES_REVEAL");
    has(
        &workspace.ok_on(&server, &["apply", "--until-reveal", "far.json", "south", &line]),
        "Actions taken: 2\n",
    );
}

#[test]
fn games_are_listed_and_told_as_this_build_does() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    for args in [&["games"][..], &["games", "--ids"], &["games", "skirmish"], &["game", "skirmish"]] {
        assert_eq!(workspace.ok_on(&server, args), workspace.ok(args));
    }
    for id in workspace.ok(&["games", "--ids"]).lines() {
        assert_eq!(workspace.ok_on(&server, &["game", id]), workspace.ok(&["game", id]));
    }
}

#[test]
fn the_record_of_a_match_is_there_when_it_is_over_and_passes() {
    let (workspace, server) = both();
    let early = workspace.on(&server, &["export", "far.json", "--out", "early.edg"]);
    assert_eq!(early.code, 1, "{}", early.err);
    has(&early.err, "MATCH_RUNNING");
    assert!(!workspace.path("early.edg").exists());
    let card = first_action(&workspace, "north").expect("a card");
    workspace.ok_on(&server, &["apply", "far.json", "north", &format!("{card}; done")]);
    workspace.ok_on(&server, &["resign", "far.json", "north"]);
    assert_eq!(workspace.ok_on(&server, &["export", "far.json", "--out", "a.edg"]), "a.edg\n");
    workspace.ok_on(&server, &["record", "far.json", "--out", "b.edg"]);
    assert_eq!(workspace.read("a.edg"), workspace.read("b.edg"));
    has(&workspace.read("a.edg"), "resigned north");
    has(&workspace.ok_on(&server, &["verify", "a.edg"]), "nothing is wrong");
    has(&workspace.consistent(&["a.edg"]), "consistent, but unchecked: ");
    assert_eq!(
        workspace.ok_on(&server, &["events", "far.json", "--exact"]),
        workspace.ok(&["events", "--exact", "a.edg"])
    );
    let named = workspace.ok_on(&server, &["export", "far.json"]);
    assert_eq!(workspace.read(named.trim()), workspace.read("a.edg"));
    assert!(named.starts_with("skirmish-"), "{named}");
}

#[test]
fn matches_are_listed() {
    let (workspace, server) = both();
    workspace.ok_on(
        &server,
        &["new", "--game", "skirmish", "--seat", "south=open", "--player", "Ada", "--out", "n.json"],
    );
    let all = workspace.ok_on(&server, &["matches"]);
    assert_eq!(all.lines().count(), 2, "{all}");
    let open = workspace.ok_on(&server, &["matches", "--open", "--game", "skirmish"]);
    assert_eq!(open.lines().count(), 1, "{open}");
    has(&open, "  skirmish  waiting: Ada, free\n");
    has(&workspace.ok_on(&server, &["matches", "--running"]), "running: somebody, somebody\n");
    assert_eq!(workspace.ok_on(&server, &["matches", "--finished"]), "");
    assert_eq!(workspace.ok_on(&server, &["matches", "--limit", "1"]).lines().count(), 1);
}

#[test]
fn a_match_starts_from_a_described_position() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    workspace.write("p.json", r#"{ "turn": 3, "hands": { "north": ["fife"], "south": ["drum"] } }"#);
    workspace.ok_on(&server, &["new", "--game", "skirmish", "--position", "p.json", "--out", "m.json"]);
    has(&workspace.ok_on(&server, &["show", "m.json", "--as", "north"]), "North's hand: 1 card, seen: Fife");
    workspace.write("bad.json", r#"{ "turn": 99 }"#);
    let answer = workspace
        .on(&server, &["new", "--game", "skirmish", "--position", "bad.json", "--out", "bad-m.json"]);
    assert_eq!(answer.code, 2, "{}", answer.err);
    has(&answer.err, "turn");
    assert!(!workspace.path("bad-m.json").exists());
}
