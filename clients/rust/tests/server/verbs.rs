use crate::{Desk, House, has};

/// The same match at one's own table and on a server, by the same seed.
fn both() -> (Desk, House) {
    let (desk, house) = (Desk::new(), House::open());
    desk.ok(&["new", "--game", "skirmish", "--seed", "7", "--out", "own.json"]);
    let out = desk.ok_on(&house, &["new", "--game", "skirmish", "--seed", "7", "--out", "far.json"]);
    has(&out, "Skirmish, Skirmish: far.json\nMatch: ");
    has(&out, "Luck: a seed that was chosen, as the match says to everybody\n");
    has(&out, "Owing, in secret: north, south\n");
    (desk, house)
}

/// What the verb says of both matches, which is the same.
fn alike(desk: &Desk, house: &House, args: &[&str]) -> String {
    let at = |file| args.iter().map(|arg| if *arg == "FILE" { file } else { *arg }).collect::<Vec<_>>();
    let own = desk.run(&at("own.json"));
    let far = desk.on(house, &at("far.json"));
    assert_eq!((own.code, &own.out, &own.err), (far.code, &far.out, &far.err), "{args:?}");
    own.out
}

/// The first legal step of a seat in the game's notation, if it owes one.
fn first_step(desk: &Desk, seat: &str) -> Option<String> {
    let menu = desk.ok(&["legal", "own.json", "--as", seat]);
    let line = menu.lines().find_map(|line| line.trim_start().strip_prefix("1  "))?;
    line.split("  ").next().map(|notation| notation.trim().to_owned())
}

#[test]
fn the_verbs_say_of_a_match_on_a_server_what_they_say_of_one_in_a_file() {
    let (desk, house) = both();
    for who in ["spectator", "north", "south"] {
        has(&alike(&desk, &house, &["show", "FILE", "--as", who]), "Skirmish, as seen by ");
        alike(&desk, &house, &["show", "FILE", "--as", who, "--brief"]);
    }
    has(&alike(&desk, &house, &["legal", "FILE"]), "North\ncard: Choose a card\n");
    for seat in ["north", "south"] {
        let step = first_step(&desk, seat).expect("a card");
        alike(&desk, &house, &["apply", "FILE", seat, &step]);
        has(&alike(&desk, &house, &["undo", "FILE", seat]), "Taken back: card ");
        alike(&desk, &house, &["apply", "FILE", seat, &step]);
        has(&alike(&desk, &house, &["show", "FILE", "--as", seat]), "can be taken back");
        alike(&desk, &house, &["apply", "FILE", seat, "done"]);
        alike(&desk, &house, &["show", "FILE", "--as", seat]);
    }
    for _ in 0..12 {
        for seat in ["north", "south"] {
            if let Some(step) = first_step(&desk, seat) {
                alike(&desk, &house, &["apply", "FILE", seat, &step]);
                alike(&desk, &house, &["legal", "FILE"]);
            }
        }
    }
    for who in ["spectator", "north", "south"] {
        alike(&desk, &house, &["show", "FILE", "--as", who]);
    }
    has(&alike(&desk, &house, &["events", "FILE", "--as", "spectator"]), " heard it\n    0  ");
    // A file is told again without what was taken back; on a server that is among a seat's events.
    let heard = desk.ok_on(&house, &["events", "far.json", "--as", "north", "--changes"]);
    has(&heard, "As North heard it\n    0  North is dealt ");
    has(&heard, "  Taken back\n");
    has(&alike(&desk, &house, &["resign", "FILE", "south"]), "Over: ");
    has(&alike(&desk, &house, &["legal", "FILE"]), "No steps: nothing is owed.\nOver: ");
}

#[test]
fn a_refused_step_is_told_with_its_rule_and_changes_nothing() {
    let (desk, house) = both();
    let before = desk.ok_on(&house, &["show", "far.json", "--as", "north"]);
    let answer = desk.on(&house, &["apply", "far.json", "north", "done"]);
    assert_eq!((answer.code, answer.out.as_str()), (1, ""));
    has(&answer.err, "is not legal:\n  No card is picked yet (NO_CARD_PICKED, rule 2.3, The choice)\n");
    let answer = desk.on(&house, &["undo", "far.json", "north"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "NOTHING_TO_UNDO");
    let answer = desk.on(&house, &["apply", "far.json", "north", "march moon"]);
    assert_eq!(answer.code, 2, "{}", answer.err);
    has(&answer.err, "march moon");
    assert_eq!(desk.ok_on(&house, &["show", "far.json", "--as", "north"]), before);
}

#[test]
fn a_list_that_runs_past_a_reveal_is_refused_or_cut() {
    let (desk, house) = both();
    let card = first_step(&desk, "north").expect("a card");
    desk.ok_on(&house, &["apply", "far.json", "north", &format!("{card}; done")]);
    let line = format!("{}; done; pass", first_step(&desk, "south").expect("a card"));
    let answer = desk.on(&house, &["apply", "far.json", "south", &line]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "LIST_CROSSES_REVEAL");
    has(&desk.ok_on(&house, &["apply", "--until-reveal", "far.json", "south", &line]), "Steps taken: 2\n");
}

#[test]
fn games_are_listed_and_told_as_this_build_does() {
    let (desk, house) = (Desk::new(), House::open());
    for args in [&["games"][..], &["games", "--ids"], &["games", "skirmish"], &["game", "skirmish"]] {
        assert_eq!(desk.ok_on(&house, args), desk.ok(args));
    }
    for id in desk.ok(&["games", "--ids"]).lines() {
        assert_eq!(desk.ok_on(&house, &["game", id]), desk.ok(&["game", id]));
    }
}

#[test]
fn the_record_of_a_match_is_there_when_it_is_over_and_passes() {
    let (desk, house) = both();
    let early = desk.on(&house, &["export", "far.json", "--out", "early.edg"]);
    assert_eq!(early.code, 1, "{}", early.err);
    has(&early.err, "MATCH_RUNNING");
    assert!(!desk.path("early.edg").exists());
    let card = first_step(&desk, "north").expect("a card");
    desk.ok_on(&house, &["apply", "far.json", "north", &format!("{card}; done")]);
    desk.ok_on(&house, &["resign", "far.json", "north"]);
    assert_eq!(desk.ok_on(&house, &["export", "far.json", "--out", "a.edg"]), "a.edg\n");
    desk.ok_on(&house, &["record", "far.json", "--out", "b.edg"]);
    assert_eq!(desk.read("a.edg"), desk.read("b.edg"));
    has(&desk.read("a.edg"), "resigned north");
    has(&desk.ok(&["verify", "a.edg"]), "nothing is wrong");
    assert_eq!(
        desk.ok_on(&house, &["events", "far.json", "--exact"]),
        desk.ok(&["events", "--exact", "a.edg"])
    );
    let named = desk.ok_on(&house, &["export", "far.json"]);
    assert_eq!(desk.read(named.trim()), desk.read("a.edg"));
    assert!(named.starts_with("skirmish-"), "{named}");
}

#[test]
fn matches_are_listed() {
    let (desk, house) = both();
    desk.ok_on(
        &house,
        &["new", "--game", "skirmish", "--seat", "south=open", "--player", "Ada", "--out", "n.json"],
    );
    let all = desk.ok_on(&house, &["matches"]);
    assert_eq!(all.lines().count(), 2, "{all}");
    let open = desk.ok_on(&house, &["matches", "--open", "--game", "skirmish"]);
    assert_eq!(open.lines().count(), 1, "{open}");
    has(&open, "  skirmish  waiting: Ada, free\n");
    has(&desk.ok_on(&house, &["matches", "--running"]), "running: somebody, somebody\n");
    assert_eq!(desk.ok_on(&house, &["matches", "--over"]), "");
    assert_eq!(desk.ok_on(&house, &["matches", "--limit", "1"]).lines().count(), 1);
}

#[test]
fn a_match_starts_from_a_described_position() {
    let (desk, house) = (Desk::new(), House::open());
    desk.write("p.json", r#"{ "turn": 3, "hands": { "north": ["fife"], "south": ["drum"] } }"#);
    desk.ok_on(&house, &["new", "--game", "skirmish", "--position", "p.json", "--out", "m.json"]);
    has(&desk.ok_on(&house, &["show", "m.json", "--as", "north"]), "North's hand: 1 card, seen: Fife");
    desk.write("bad.json", r#"{ "turn": 99 }"#);
    let answer =
        desk.on(&house, &["new", "--game", "skirmish", "--position", "bad.json", "--out", "bad-m.json"]);
    assert_eq!(answer.code, 2, "{}", answer.err);
    has(&answer.err, "turn");
    assert!(!desk.path("bad-m.json").exists());
}
