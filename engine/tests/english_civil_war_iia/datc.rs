//! The public Diplomacy adjudication test cases that concern armies, on the adjudicator of English Civil War IIa.
//!
//! `cargo test -p edgehill-engine datc` runs and lists the cases. Further files of the same format are read from the
//! folder that `EDGEHILL_DATC_DIR` names.

use std::fmt;
use std::io::Write;

use super::datc_case::{Case, MapData};
use serde::Deserialize;
use serde_json::Value;

const CASES: &str = include_str!("../data/english-civil-war-iia/datc_army_cases.json");

/// Prints a line past the test harness, which keeps what passing tests print to itself.
fn say(line: fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").expect("standard output can be written");
}

/// The numbers of cases that were run and left out, and the faults.
#[derive(Default)]
struct Tally {
    ok: usize,
    skipped: usize,
    faults: Vec<String>,
}

impl Tally {
    fn run(&mut self, data: &Value, map: &MapData) {
        let id = data["id"].as_str().unwrap_or("without an id");
        match Case::deserialize(data) {
            Ok(case) if !case.is_runnable() => {
                self.skipped += 1;
                say(format_args!("case {} skipped", case.id));
            }
            Ok(case) => match case.check(map) {
                Ok(()) => {
                    self.ok += 1;
                    say(format_args!("case {} ok", case.id));
                }
                Err(fault) => self.fault(id, &fault),
            },
            Err(error) => self.fault(id, &error.to_string()),
        }
    }

    fn fault(&mut self, id: &str, fault: &str) {
        say(format_args!("case {id} failed: {fault}"));
        self.faults.push(format!("case {id}: {fault}"));
    }

    fn finish(self) -> (usize, usize) {
        assert!(self.faults.is_empty(), "{} cases failed:\n{}", self.faults.len(), self.faults.join("\n"));
        (self.ok, self.skipped)
    }
}

fn standard_map() -> MapData {
    let file: Value = serde_json::from_str(CASES).expect("the case file is JSON");
    MapData::deserialize(&file["map"]).expect("the case file has the standard map")
}

fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(CASES).expect("the case file is JSON");
    file["cases"].as_array().expect("the case file has cases").clone()
}

#[test]
fn datc_cases_come_out_as_published() {
    let map = standard_map();
    let mut tally = Tally::default();
    say(format_args!(""));
    for case in cases() {
        tally.run(&case, &map);
    }
    assert_eq!(tally.finish(), (55, 0), "cases run and skipped");
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the folder of further cases is named and read by the test alone"
)]
fn datc_cases_of_a_given_folder_come_out_as_published() {
    let Ok(folder) = std::env::var("EDGEHILL_DATC_DIR") else {
        say(format_args!("EDGEHILL_DATC_DIR is not set"));
        return;
    };
    // Cargo runs tests in the package's folder; a relative path is meant from the workspace's.
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("EDGEHILL_DATC_DIR names a folder")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    let mut tally = Tally::default();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let file: Value = match serde_json::from_str(&text) {
            Ok(file) => file,
            Err(error) => {
                tally.fault(&path.display().to_string(), &error.to_string());
                continue;
            }
        };
        let Some(cases) = file["cases"].as_array() else {
            say(format_args!("file {} ignored: it has no cases", path.display()));
            continue;
        };
        let map = MapData::deserialize(&file["map"]).unwrap_or_else(|_| standard_map());
        for case in cases {
            tally.run(case, &map);
        }
    }
    let (ok, skipped) = tally.finish();
    say(format_args!("{ok} cases ok, {skipped} skipped"));
}

/// The checks are worth something only if they fail: every single thing that a case expects is changed in turn.
#[test]
fn datc_runner_notices_every_changed_expectation() {
    let map = standard_map();
    let mut changes = 0;
    for case in cases() {
        for expectation in ["expect", "expect_retreat", "expect_removed"] {
            let pointer = format!("/{expectation}");
            for changed in case.pointer(&pointer).map(changes_of).unwrap_or_default() {
                let mut wrong = case.clone();
                wrong[expectation] = changed.clone();
                let noticed = match Case::deserialize(&wrong) {
                    Ok(wrong) => wrong.check(&map).is_err(),
                    Err(_) => true,
                };
                assert!(noticed, "case {}: {expectation} may as well be {changed}", case["id"]);
                changes += 1;
            }
        }
    }
    assert!(changes > 600, "only {changes} expectations were changed");
}

/// All values that differ from `value` in one text, or lack one element.
fn changes_of(value: &Value) -> Vec<Value> {
    match value {
        Value::String(_) => vec![Value::String("changed".into())],
        Value::Array(elements) => {
            let mut changes = Vec::new();
            for (index, element) in elements.iter().enumerate() {
                let mut shorter = elements.clone();
                shorter.remove(index);
                changes.push(Value::Array(shorter));
                for changed in changes_of(element) {
                    let mut other = elements.clone();
                    other[index] = changed;
                    changes.push(Value::Array(other));
                }
            }
            changes
        }
        Value::Object(fields) => {
            let mut changes = Vec::new();
            // Unit types are not kept on an army board; the retreats of swapped fleets are not carried over.
            for (name, field) in
                fields.iter().filter(|(name, _)| !["type", "retreats"].contains(&name.as_str()))
            {
                for changed in changes_of(field) {
                    let mut other = fields.clone();
                    other[name] = changed;
                    changes.push(Value::Object(other));
                }
            }
            changes
        }
        _ => Vec::new(),
    }
}
