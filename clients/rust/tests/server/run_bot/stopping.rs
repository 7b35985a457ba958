//! Orders to stop.

use std::fs;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{Hall, is_running, outcome, says};
use crate::with;

#[test]
fn ctrl_c_leaves_no_process_behind_and_another_run_goes_on_with_the_seat() {
    let hall = Hall::open();
    let id = hall.against_the_house();
    let fifo = hall.workspace.path("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("`mkfifo` runs").success());
    // It ignores every polite word, and so does the process that it has started.
    let ready = r#"trap '' INT TERM HUP; echo '{"type":"ready"}'"#;
    let hang = "sleep 600 & echo \"$$ $!\" > fifo; wait; wait; sleep 600";
    hall.bot("hangs.sh", ready, hang, "");
    let args = ["--key", &hall.ada, "run-bot", "--json", "--seats", "seats", "--", "sh", "hangs.sh"];
    let runner = Command::new(env!("CARGO_BIN_EXE_edgehill"))
        .args(with(&hall.server, &args))
        .current_dir(hall.workspace.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let numbers = fs::read_to_string(&fifo).expect("the bot says its numbers");
    let numbers: Vec<&str> = numbers.split_whitespace().collect();
    assert_eq!(numbers.len(), 2);
    assert!(numbers.iter().all(|number| is_running(number)), "{numbers:?}");
    kill_process(Pid::from_child(&runner), Signal::INT).expect("it runs");
    let ended = runner.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    let stopped = outcome(&String::from_utf8(ended.stdout).expect("text"));
    says(&stopped, &[("match", json!(id)), ("outcome", json!("stopped")), ("status", json!("RUNNING"))]);
    // They were killed; the system takes a moment to end what is not the runner's own child.
    let is_gone = |number: &&str| (0..1_000).any(|_| !is_running(number));
    assert!(numbers.iter().all(is_gone), "{numbers:?}");

    hall.plain_bot("plays.sh");
    let over = hall.play(&["--seats", "seats", "--match", &id], "plays.sh", 0);
    says(&over, &[("match", json!(id)), ("outcome", json!("over")), ("restarts", json!(0))]);
}
