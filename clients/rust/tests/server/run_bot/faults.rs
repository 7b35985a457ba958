//! Programs that break: the match goes on.

use serde_json::json;

use super::{Hall, READY, says};
use crate::has;

/// Plays a match against the house with a bot whose first process does this at its first prompt, and returns the outcome. Its second
/// process plays as it should.
fn with_fault(hall: &Hall, options: &[&str], fault: &str) -> serde_json::Value {
    hall.against_the_house();
    hall.bot("bot.sh", READY, &format!(r#"if [ "$restart" = 0 ]; then {fault}; else answer; fi"#), "");
    hall.play(options, "bot.sh", 0)
}

fn log(hall: &Hall, outcome: &serde_json::Value) -> String {
    hall.workspace.read(&format!("logs/{}-0.log", outcome["match"].as_str().expect("an id")))
}

#[test]
fn a_bot_that_dies_is_started_again_and_the_match_goes_on() {
    let hall = Hall::open();
    let outcome = with_fault(&hall, &["--log", "logs"], "echo 'out of luck' >&2; exit 7");
    says(
        &outcome,
        &[
            ("outcome", json!("over")),
            ("restarts", json!(1)),
            ("reason", json!("it has ended: exit status: 7")),
        ],
    );
    let log = log(&hall, &outcome);
    has(&log, "out of luck\n");
    // The bot's own words come by another way, and stand anywhere between.
    let own: Vec<&str> = log.lines().filter(|line| line.starts_with("== ")).collect();
    has(&own.join("\n"), "== restart 1 of 3: it has ended: exit status: 7\n== process 2 starts\n");
}

#[test]
fn a_bot_that_hangs_is_killed_and_started_again() {
    let hall = Hall::open();
    let outcome = with_fault(&hall, &["--answer-time", "1s"], "sleep 600");
    says(
        &outcome,
        &[
            ("outcome", json!("over")),
            ("restarts", json!(1)),
            ("reason", json!("no answer to prompt 1 within 1s")),
        ],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_bot_is_held_to_its_memory_and_its_processor_time() {
    let hall = Hall::open();
    // One process asks for more than it may: the system refuses it.
    let hog = "x=$(head -c 200000000 /dev/zero | tr '\\0' x)";
    let outcome = with_fault(&hall, &["--memory-mib", "64"], hog);
    says(&outcome, &[("outcome", json!("over")), ("restarts", json!(1))]);
    // Three together have more than they may, none of them alone.
    let hogs = "for hog in 1 2 3; do head -c 40000000 /dev/zero | tail -c 40000000 | sleep 600 & done; wait";
    let outcome = with_fault(&hall, &["--memory-mib", "64"], hogs);
    says(
        &outcome,
        &[
            ("outcome", json!("over")),
            ("restarts", json!(1)),
            ("reason", json!("it has more memory than it may")),
        ],
    );
    let outcome = with_fault(&hall, &["--cpu-seconds", "1"], "while :; do :; done");
    says(&outcome, &[("outcome", json!("over")), ("restarts", json!(1))]);
    has(outcome["reason"].as_str().expect("a reason"), "SIGXCPU");
}

/// A runner that ends between the server's answer and its own file has asked before, so that the next one is given the same seat.
#[test]
fn a_seat_whose_token_could_not_be_kept_is_had_again() {
    let hall = Hall::open();
    let id = hall.against_the_house();
    // Where the token is to go there is something else, from the moment on in which the bot is ready.
    let hello = format!("mkdir 'seats/{id}-0.json'; {READY}");
    hall.bot("bot.sh", &hello, "answer", "");
    let failed = hall.run(&hall.ada, &["--seats", "seats"], "bot.sh");
    assert_eq!(failed.code, 3, "{}{}", failed.out, failed.err);
    has(&failed.err, "can't write");
    has(&hall.host(&["matches"]), &format!("{id}  skirmish  running"));

    std::fs::remove_dir(hall.workspace.path(&format!("seats/{id}-0.json"))).expect("an empty folder");
    hall.plain_bot("bot.sh");
    let outcome = super::outcome(&hall.run(&hall.ada, &["--seats", "seats"], "bot.sh").out);
    says(&outcome, &[("match", json!(id)), ("outcome", json!("over"))]);
    assert!(!hall.workspace.path(&format!("seats/{id}-0.asked")).exists());
}

#[test]
fn lines_that_are_none_of_the_protocol_are_told_and_counted() {
    let hall = Hall::open();
    hall.against_the_house();
    let rubbish = r#"if [ -z "$sent" ]; then sent=1; echo rubbish; echo '{"type":"move"}'; echo '{"type":"ready"}'; fi; answer"#;
    let other = r#"'{"type":"fault"'*) printf '%s\n' "$line" >&2 ;;"#;
    let early = r#"echo '{"type":"resign"}'; echo '{"type":"ready"}'"#;
    hall.bot("bot.sh", early, rubbish, other);
    let outcome = hall.play(&["--log", "logs"], "bot.sh", 0);
    says(
        &outcome,
        &[("outcome", json!("over")), ("restarts", json!(0)), ("refusals", json!(0)), ("faults", json!(4))],
    );
    let log = log(&hall, &outcome);
    for said in
        ["expected `ready` before anything else", "expected a JSON object", "`play`", "expected `ready` once"]
    {
        has(&log, said);
    }
    assert_eq!(log.matches(r#"{"type":"fault","message":""#).count(), 4, "{log}");
}

#[test]
fn a_line_without_an_end_and_a_flood_of_rubbish_end_a_process() {
    let hall = Hall::open();
    let outcome = with_fault(&hall, &[], "head -c 100000 /dev/zero | tr '\\0' x; sleep 600");
    says(
        &outcome,
        &[
            ("outcome", json!("over")),
            ("restarts", json!(1)),
            ("faults", json!(1)),
            ("reason", json!("it has written a line of more than 65536 bytes")),
        ],
    );
    let outcome = with_fault(&hall, &[], "yes rubbish");
    says(&outcome, &[("outcome", json!("over")), ("restarts", json!(1)), ("faults", json!(100))]);
}

#[test]
fn a_flood_on_standard_error_is_cut_in_the_log_and_holds_up_nothing() {
    let hall = Hall::open();
    hall.against_the_house();
    let flood = r#"if [ -z "$sent" ]; then sent=1; yes flood | head -c 5000000 >&2; fi; answer"#;
    hall.bot("bot.sh", READY, flood, "");
    let outcome = hall.play(&["--log", "logs", "--log-kib", "16"], "bot.sh", 0);
    says(&outcome, &[("outcome", json!("over")), ("restarts", json!(0)), ("faults", json!(0))]);
    let log = log(&hall, &outcome);
    assert!((16_384..20_000).contains(&log.len()), "{} bytes", log.len());
    assert_eq!(log.matches("== cut here: the bot has written more than 16384 bytes\n").count(), 1);
    has(&log, " skirmish north: over");
}

#[test]
fn actions_that_are_not_legal_are_refused_and_asked_for_again() {
    let hall = Hall::open();
    hall.against_the_house();
    // An action that the game does not have, one that is not legal now, a list without any; then one that is.
    let wrong = r#"tries=$((tries + 1)); case $tries in
        1) echo "{\"type\":\"play\",\"prompt\":$(prompt),\"actions\":[4095]}" ;;
        2) echo "{\"type\":\"play\",\"prompt\":$(prompt),\"line\":\"done\"}" ;;
        3) echo "{\"type\":\"play\",\"prompt\":$(prompt),\"actions\":[]}" ;;
        4) echo "{\"type\":\"undo\"}" ;;
        *) answer ;;
        esac"#;
    hall.bot("bot.sh", READY, wrong, r#"'{"type":"refused"'*) printf '%s\n' "$line" >&2 ;;"#);
    let outcome = hall.play(&["--log", "logs"], "bot.sh", 0);
    says(
        &outcome,
        &[("outcome", json!("over")), ("restarts", json!(0)), ("refusals", json!(4)), ("faults", json!(0))],
    );
    let log = log(&hall, &outcome);
    has(&log, r#"{"type":"refused","prompt":1,"reason":"UNKNOWN_ACTION","message":""#);
    has(&log, r#"{"type":"refused","prompt":2,"reason":"ILLEGAL_ACTION","message":""#);
    has(&log, r#"{"type":"refused","prompt":3,"reason":"EMPTY_LIST","message":""#);
    has(&log, r#"{"type":"refused","prompt":4,"reason":"NOTHING_TO_UNDO","message":""#);
    has(&log, r#""ruleViolations":[{"code":""#);
}

#[test]
fn an_answer_to_a_prompt_of_before_is_refused_and_harmless() {
    let hall = Hall::open();
    hall.against_the_house();
    let twice = r#"[ -z "$before" ] || echo "$before"; before=$(answer); echo "$before""#;
    hall.bot("bot.sh", READY, twice, r#"'{"type":"refused"'*) printf '%s\n' "$line" >&2 ;;"#);
    let outcome = hall.play(&["--log", "logs"], "bot.sh", 0);
    says(&outcome, &[("outcome", json!("over")), ("restarts", json!(0)), ("faults", json!(0))]);
    let (actions, refusals) = (outcome["actions"].as_u64(), outcome["refusals"].as_u64());
    assert_eq!(
        refusals,
        actions.map(|actions| actions - 1),
        "each answer but the last came twice: {outcome}"
    );
    let log = log(&hall, &outcome);
    has(
        &log,
        r#"{"type":"refused","prompt":1,"reason":"STALE_PROMPT","message":"prompt 1 is not open: prompt 2 is","rules":[],"refusal":null}"#,
    );
}

#[test]
fn a_broken_bot_leaves_its_seat_or_resigns_as_it_was_told() {
    let hall = Hall::open();
    let id = hall.against_the_house();
    hall.bot("bot.sh", READY, "exit 7", "");
    let left = hall.play(&["--restarts", "2"], "bot.sh", 4);
    says(
        &left,
        &[
            ("outcome", json!("broken")),
            ("status", json!("RUNNING")),
            ("return", json!(null)),
            ("restarts", json!(2)),
        ],
    );
    has(&hall.host(&["matches", "--running"]), &id);
    hall.against_the_house();
    let resigned = hall.play(&["--restarts", "0", "--resign-when-broken"], "bot.sh", 4);
    says(
        &resigned,
        &[
            ("outcome", json!("broken")),
            ("status", json!("FINISHED")),
            ("return", json!(-1)),
            ("restarts", json!(0)),
        ],
    );
}

#[test]
fn a_bot_that_is_never_ready_takes_no_seat() {
    let hall = Hall::open();
    hall.against_the_house();
    hall.workspace.write("bot.sh", "cat > /dev/null\n");
    let outcome = hall.play(&["--restarts", "0", "--ready-time", "1s", "--resign-when-broken"], "bot.sh", 4);
    says(&outcome, &[("outcome", json!("broken")), ("reason", json!("not ready within 1s"))]);
    has(&hall.ok(&hall.ada, &["matches", "--invited"]), "skirmish");
}
