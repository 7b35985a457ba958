use std::fs;
use std::path::Path;

use crate::{Workspace, has};

/// A workspace with content in which a card's id has the character that separates actions: what is printed can't be read.
fn misspelt() -> Workspace {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/content/skirmish/cards.toml");
    let cards = fs::read_to_string(path).expect("the specimen game has cards");
    let workspace = Workspace::new();
    workspace.write("own/skirmish/cards.toml", &cards.replace("id = \"fife\"", "id = \"fi;fe\""));
    workspace
}

const RUN: &str = "\
scenario skirmish
enter card fi;fe
enter card drum
enter card matchlock
enter card trumpet
north: card matchlock; done
south: card trumpet
south undo 0
south: card trumpet; done
";

#[test]
fn a_failing_run_gets_shorter_and_still_fails() {
    let workspace = misspelt();
    workspace.write("long.run", RUN);
    let shrink = |file: &str| {
        workspace.ok(&[
            "shrink",
            file,
            "--game",
            "skirmish",
            "--content",
            "own",
            "--law",
            "lines",
            "--out",
            "short.run",
        ])
    };
    let report = shrink("long.run");
    has(&report, "law `lines` is broken after 4 calls (seed ");
    has(&report, "`card fi;fe; done` is printed");
    let short = workspace.read("short.run");
    assert!(RUN.starts_with(&short) && short.len() < RUN.len(), "{short}");
    shrink("short.run");
    assert_eq!(workspace.read("short.run"), short, "it can't get shorter");
}

#[test]
fn the_report_of_a_failure_says_which_law_and_which_seed() {
    let workspace = misspelt();
    let report = format!("law `lines` is broken after 8 calls (seed 3)\nas was found\n--- run\n{RUN}");
    workspace.write("report.txt", &report);
    let out = workspace.ok(&["shrink", "report.txt", "--game", "skirmish", "--content", "own"]);
    has(&out, "law `lines` is broken after 4 calls (seed 3)\n");
    workspace.write("report.txt", &format!("{report}north jumps\n"));
    let answer = workspace.run(&["shrink", "report.txt", "--game", "skirmish", "--content", "own"]);
    assert_eq!(answer.code, 3);
    has(&answer.err, "line 13: a call expected");
}

#[test]
fn a_run_that_breaks_no_law_is_said_to() {
    let workspace = Workspace::new();
    workspace.ok(&["new", "--game", "skirmish", "--seed", "7", "--out", "m.json"]);
    workspace.ok(&["apply", "m.json", "north", "card partisan"]);
    workspace.ok(&["record", "m.json", "--out", "m.edg"]);
    // The file of the match has a draft, which its record has not.
    for (file, calls) in [("m.json", 5), ("m.edg", 4)] {
        let answer = workspace.run(&["shrink", file]);
        assert_eq!(answer.code, 1, "{}{}", answer.out, answer.err);
        has(&answer.err, &format!("no law is broken by these {calls} calls"));
    }
}

#[test]
fn what_is_missing_is_named() {
    let workspace = misspelt();
    workspace.write("long.run", RUN);
    let answer = workspace.run(&["shrink", "long.run"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "--game");
    let answer =
        workspace.run(&["shrink", "long.run", "--game", "skirmish", "--content", "own", "--law", "gravity"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "law `gravity`: there are listed, ");
}
