//! Porcupine, which says of a history whether it can be that of a log with conditional appends and a table of requests: the program of
//! `service/tests/histories`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The program, built; `None` where Go is missing, which in CI is a fault.
fn program() -> Option<PathBuf> {
    if !Command::new("go").arg("version").output().is_ok_and(|said| said.status.success()) {
        assert!(std::env::var_os("CI").is_none(), "Go is missing");
        eprintln!("skipped: the check of histories by Porcupine (no go)");
        return None;
    }
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("histories");
    let built = Command::new("go")
        .args(["build", "-o"])
        .arg(&program)
        .arg(".")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/histories"))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(program)
}

fn run(program: &Path, history: &Path) -> Output {
    Command::new(program).arg(history).output().unwrap()
}

/// Fails unless the history is one of such a log.
pub(crate) fn check(history: &Path) {
    let Some(program) = program() else { return };
    let said = run(&program, history);
    eprint!("{}", String::from_utf8_lossy(&said.stdout));
    if !said.status.success() {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("history.jsonl");
        std::fs::copy(history, &kept).unwrap();
        panic!("{} ({})", String::from_utf8_lossy(&said.stderr), kept.display());
    }
    for (change, corrupted) in corrupted(history) {
        let path = history.with_extension("corrupted");
        std::fs::write(&path, corrupted).unwrap();
        assert!(!run(&program, &path).status.success(), "it takes a history for one, with {change}");
    }
}

/// The history of one match with its record, all calls of which were answered, changed so that it can't be one, and how.
fn corrupted(history: &Path) -> [(&'static str, String); 4] {
    let text = std::fs::read_to_string(history).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // A call without an answer may have happened, and so account for an action that stands there once too often.
    let unanswered: HashSet<_> =
        lines.iter().filter(|line| line["answer"] == "unknown").map(|line| line["match"].as_str()).collect();
    let is_certain = |line: &&Value| {
        line["kind"] == "record"
            && !line["commits"].as_array().unwrap().is_empty()
            && !unanswered.contains(&line["match"].as_str())
    };
    let record =
        lines.iter().find(is_certain).expect("a match in which every call was answered, one at least");
    let of_match: Vec<&Value> = lines.iter().filter(|line| line["match"] == record["match"]).collect();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut all: Vec<Value> = of_match.iter().copied().cloned().collect();
        all.iter_mut().filter(|line| line["kind"] == "record").for_each(change);
        all
    };
    let removed = with(&|record| drop(record["commits"].as_array_mut().unwrap().pop()));
    let doubled = with(&|record| {
        let commits = record["commits"].as_array_mut().unwrap();
        commits.extend(commits.last().cloned());
    });
    let mut stale = with(&|_| {});
    let end = record["end"].as_u64().unwrap();
    // A seat that did something has events.
    let seat = record["commits"][0][0].to_string();
    stale.push(serde_json::json!({
        "kind": "look", "match": record["match"], "observer": seat, "length": 0, "begin": end + 1, "end": end + 2
    }));
    let mut other = with(&|_| {});
    let mut seen = other.iter().find(|line| line["seen"].is_u64()).expect("somebody watched it").clone();
    seen["seen"] = (seen["seen"].as_u64().unwrap() ^ 1).into();
    other.push(seen);
    let text = |lines: Vec<Value>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    [
        ("an acknowledged action gone", text(removed)),
        ("an action done twice", text(doubled)),
        ("a stale look", text(stale)),
        ("an event that is another to somebody", text(other)),
    ]
}
