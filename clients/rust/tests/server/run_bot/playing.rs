//! Programs that keep to the protocol.

use std::thread;

use serde_json::{Value, json};

use super::{Hall, READY, outcome, says};
use crate::has;

#[test]
fn two_programs_play_a_match_that_is_kept_for_them() {
    let hall = Hall::open();
    let id = hall.new_match("skirmish", &["north=account:ada", "south=account:bob"]);
    hall.plain_bot("ada.sh");
    // By notation, and up to where something is revealed.
    let by_line = r#"notation=${line#*'"notations":["'}; notation=${notation%%\"*}
        echo "{\"type\":\"play\",\"prompt\":$(prompt),\"line\":\"$notation\",\"until_reveal\":true}""#;
    hall.bot("bob.sh", READY, by_line, "");
    let [ada, bob] = thread::scope(|scope| {
        let bob = scope.spawn(|| hall.run(&hall.bob, &["--name", "Bob's", "--seed", "5"], "bob.sh"));
        let ada = hall.run(&hall.ada, &["--log", "logs"], "ada.sh");
        [ada, bob.join().expect("it ends")]
    });
    for answer in [&ada, &bob] {
        assert_eq!((answer.code, &*answer.err), (0, ""), "{}", answer.out);
    }
    let [ada, bob] = [ada, bob].map(|answer| outcome(&answer.out));
    for (outcome, seat, seat_id) in [(&ada, 0, "north"), (&bob, 1, "south")] {
        says(
            outcome,
            &[
                ("match", json!(id)),
                ("seat", json!(seat)),
                ("seat_id", json!(seat_id)),
                ("outcome", json!("over")),
                ("status", json!("FINISHED")),
                ("restarts", json!(0)),
                ("refusals", json!(0)),
                ("faults", json!(0)),
                ("reason", json!("")),
            ],
        );
        assert!(outcome["actions"].as_u64() > Some(0), "{outcome}");
        assert_eq!(outcome["return"], outcome["returns"][seat], "{outcome}");
    }
    assert_eq!(ada["result"], bob["result"]);
    has(&hall.host(&["matches", "--finished"]), "finished: sh, Bob's\n");
    hall.host(&["export", &id, "--out", "r.edg"]);
    has(&hall.host(&["verify", "r.edg"]), "nothing is wrong");
    let log = hall.workspace.read(&format!("logs/{id}-0.log"));
    assert!(log.starts_with("== process 1 starts\n"), "{log}");
    has(&log, "== the process has ended: exit status: 0\n");
    has(&log, " skirmish north: over, return ");
}

#[test]
fn a_bot_gets_the_lines_that_it_wants_as_they_are_promised() {
    let hall = Hall::open();
    let id = hall.new_match("skirmish", &["north=account:ada", "south=bot:random"]);
    let ready = r#"echo '{"type":"ready","want":["catalog","view","events","state","actions","text"]}'
        echo "{\"type\":\"log\",\"text\":\"key: ${EDGEHILL_KEY-none}, $LUCK\"}"; printf '%s\n' "$line" >> lines.txt"#;
    hall.bot(
        "ada.sh",
        ready,
        r#"printf '%s\n' "$line" >> lines.txt; answer"#,
        r#"
        '{"type":"bye"'*) printf '%s\n' "$line" >> lines.txt; exit 0 ;;
        *) printf '%s\n' "$line" >> lines.txt ;;"#,
    );
    let args = ["--server", hall.server.url(), "run-bot", "--games", "1", "--match", &id, "--log", "."];
    let args = [&args, &["--env", "LUCK=good", "--seed", "1642", "--", "sh", "ada.sh"][..]].concat();
    let answer = hall.workspace.run_in(&args, "", &[("EDGEHILL_KEY", &hall.ada)]);
    assert_eq!((answer.code, &*answer.err), (0, ""), "{}", answer.out);
    has(&answer.out, &format!("{id}  skirmish north: over, return "));
    has(&hall.workspace.read(&format!("{id}-0.log")), "log: key: none, good\n");

    let text = hall.workspace.read("lines.txt");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let hello = text.lines().next().expect("a line");
    assert!(
        hello.starts_with(&format!(
            r#"{{"type":"hello","protocol":1,"match":"{id}","game":"skirmish","rules":"#
        ))
    );
    has(hello, r#","seat":0,"seats":["north","south"],"seed":"#);
    has(hello, r#","restart":0,"options":["#);
    assert!(hello.ends_with(r#","clock":null}"#), "{hello}");
    assert!(lines[0]["seed"].as_u64().is_some_and(|seed| seed < 1 << 53), "{hello}");

    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    assert_eq!(lines[1]["type"], "catalog");
    assert_eq!(lines[1]["game"]["summary"]["id"], "skirmish");
    let (decides, views) = (of("decide"), of("view"));
    let mut prompts = decides.iter().map(|line| line["prompt"].as_u64().expect("a number"));
    assert!((1..=decides.len() as u64).all(|number| prompts.next() == Some(number)), "no number is left out");
    for decide in &decides {
        let legal = decide["legal"].as_array().expect("ids");
        assert!((1..=legal.len() as u64).contains(&decide["choices"].as_u64().expect("a number")));
        for (index, id) in legal.iter().enumerate() {
            let table = &lines[1]["actions"][id.as_u64().expect("an id") as usize];
            assert_eq!(decide["notations"][index], table["notation"]);
            assert_eq!(decide["actions"][index]["notation"], table["notation"]);
            assert!(decide["actions"][index]["text"].is_string(), "{decide}");
        }
    }
    assert!(views.len() >= decides.len(), "one before each prompt");
    for view in views {
        assert_eq!(view["view"]["observer"], json!({"seat": 0}));
        has(view["text"].as_str().expect("a board"), "North");
    }
    let events = of("update").into_iter().flat_map(|line| line["events"].as_array().expect("events"));
    assert!(events.clone().all(|event| event["text"].is_string()), "in words");
    assert!(events.count() > 0);
    assert_eq!(of("state").last().expect("a state")["state"]["status"], "MATCH_STATUS_FINISHED");
    let [.., over, bye] = lines.as_slice() else { panic!("{text}") };
    assert_eq!((&over["type"], &over["status"]), (&json!("over"), &json!("FINISHED")));
    assert_eq!(over["return"], over["returns"][0]);
    assert_eq!(*bye, json!({"type": "bye", "reason": "OVER"}));
}

#[test]
fn a_bot_that_wants_nothing_is_greeted_asked_and_dismissed() {
    let hall = Hall::open();
    hall.against_the_house();
    hall.bot("ada.sh", READY, "answer", r#"*) printf '%s\n' "$line" >&2 ;;"#);
    let outcome = hall.play(&["--log", "logs"], "ada.sh", 0);
    let log = hall.workspace.read(&format!("logs/{}-0.log", outcome["match"].as_str().expect("an id")));
    let told: Vec<&str> = log.lines().filter(|line| line.starts_with('{')).collect();
    assert!(
        matches!(&*told, [over, bye] if over.starts_with(r#"{"type":"over","#) && bye.starts_with(r#"{"type":"bye","#)),
        "{log}"
    );
}

#[test]
fn draws_and_resignations_are_the_bot_s_to_say() {
    let hall = Hall::open();
    hall.new_match("skirmish", &["north=account:ada", "south=account:bob"]);
    let ready = r#"echo '{"type":"ready","want":["state"]}'"#;
    // Neither answers a prompt otherwise: an offer lapses when its seat goes on.
    let offer = r#"[ -n "$offered" ] || { offered=1; echo '{"type":"offer-draw"}'; }"#;
    hall.bot("ada.sh", ready, offer, "");
    hall.bot("bob.sh", ready, ":", r#"'{"type":"state"'*drawOffers*) echo '{"type":"accept-draw"}' ;;"#);
    let [ada, bob] = thread::scope(|scope| {
        let bob = scope.spawn(|| hall.run(&hall.bob, &[], "bob.sh"));
        [hall.run(&hall.ada, &[], "ada.sh"), bob.join().expect("it ends")]
    });
    for answer in [ada, bob] {
        says(&outcome(&answer.out), &[("return", json!(0)), ("refusals", json!(0)), ("restarts", json!(0))]);
    }
    hall.against_the_house();
    hall.bot("ada.sh", READY, r#"echo '{"type":"resign"}'"#, "");
    says(
        &hall.play(&[], "ada.sh", 0),
        &[("return", json!(-1)), ("actions", json!(0)), ("restarts", json!(0))],
    );
}

#[test]
fn a_pair_with_the_same_dice_is_played_at_the_same_time() {
    let hall = Hall::open();
    let seats = |north: &str, south: &str, entrants: &str| {
        format!(
            r#"{{"game": "skirmish", "group": "pair", "entrants": {entrants},
               "seats": {{"north": "account:{north}", "south": "account:{south}"}}}}"#
        )
    };
    let [first, second] = [seats("ada", "bob", "[0, 1]"), seats("bob", "ada", "[1, 0]")];
    hall.workspace
        .write("plan.json", &format!(r#"{{"matches": [{first}, {second}], "groups": {{"pair": 2}}}}"#));
    hall.host(&["new-matches", "plan.json", "--out", "pair.json"]);
    hall.plain_bot("bot.sh");
    let run = |key: &str| {
        let args = ["--key", key, "run-bot", "--json", "--games", "2", "--", "sh", "bot.sh"];
        hall.workspace.ok_on(&hall.server, &args)
    };
    let outs = thread::scope(|scope| {
        let bob = scope.spawn(|| run(&hall.bob));
        [run(&hall.ada), bob.join().expect("it ends")]
    });
    for out in outs {
        assert_eq!(out.matches(r#""outcome":"over","status":"FINISHED""#).count(), 2, "{out}");
    }
}

#[test]
fn a_match_that_is_named_has_to_be_there() {
    let hall = Hall::open();
    let id = hall.new_match("skirmish", &["north=account:bob", "south=bot:random"]);
    hall.plain_bot("bot.sh");
    let answer = hall.run(&hall.ada, &["--match", &id], "bot.sh");
    assert_eq!(answer.code, 2, "{}", answer.err);
    has(&answer.err, "has no seat that is kept for this account");
    let answer = hall.workspace.run(&["run-bot", "--", "sh", "bot.sh"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "--server URL");
    let answer = hall.run(&hall.ada, &["--env", "LUCK"], "bot.sh");
    assert_eq!(answer.code, 2);
    has(&answer.err, "--env: expected NAME=VALUE, found `LUCK`");
    hall.against_the_house();
    let args = ["--key", &hall.ada, "run-bot", "--", "./no-such-bot"];
    let answer = hall.workspace.on(&hall.server, &args);
    assert_eq!(answer.code, 3, "{}", answer.err);
    has(&answer.err, "no-such-bot: No such file");
    has(&hall.ok(&hall.ada, &["matches", "--invited"]), "skirmish");
}
