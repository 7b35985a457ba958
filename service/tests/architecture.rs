//! The invariants of ARCHITECTURE.md that are about the code of the server.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust file below `folder`, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A match is a machine without I/O, and without messages: what it publishes it has encoded.
#[test]
fn a_match_knows_no_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/matches");
    let sources = sources(&folder);
    assert!(sources.len() > 20, "the domain was not found");
    for path in sources {
        let text = fs::read_to_string(&path).expect("the file is there");
        for word in ["edgehill_proto", "prost", "tonic", "crate::wire", "crate::api", "crate::host"] {
            assert!(!text.contains(word), "{} knows {word}", path.display());
        }
    }
}

/// Words, or several of one line, that stand in few modules of the server, with these modules: what blocks a worker, or comes in from
/// outside. Below a line `mod tests` they may stand anywhere. (What nothing may say, tests included, is in clippy.toml.)
const KEPT_TO: [(&str, &[&str]); 5] = [
    // Files: before the server listens and at SIGHUP, on the threads of the store, on the thread that sends metrics, in commands that
    // serve nobody; those of TLS once a minute, off the workers; and those of pages, by tokio.
    (
        "fs::",
        &[
            "command/stored/export.rs",
            "config/load.rs",
            "identity/accounts_file.rs",
            "identity/key_file.rs",
            "server/certificates.rs",
            "server/cluster.rs",
            "server/content.rs",
            "server/folder.rs",
            "server/stores.rs",
            "store/sqlite/closed.rs",
            "store/sqlite/contents.rs",
            "store/sqlite/copying.rs",
            "store/sqlite/disk.rs",
            "store/sqlite/lock.rs",
            "store/sqlite/resealing.rs",
            "store/sqlite/schema.rs",
            "telemetry/process.rs",
        ],
    ),
    ("std::env", &["bin/edgehill-server.rs"]),
    ("std::time Instant", &["clock.rs"]),
    ("block_in_place", &[]),
    // Blocking threads: the store's writer and readers, its end, the house bots.
    ("thread::Builder", &["host/bot_pool.rs", "store/threads.rs"]),
];

#[test]
fn what_blocks_and_what_comes_from_outside_has_its_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (word, places) in KEPT_TO {
        let mut met = Vec::new();
        for path in sources(&folder) {
            let within =
                path.strip_prefix(&folder).expect("it was found there").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("the file is there");
            let code = text.split("mod tests {").next().expect("a text has a beginning");
            let said = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .any(|line| word.split(' ').all(|part| line.contains(part)));
            if said && !within.ends_with("tests.rs") {
                met.push(within);
            }
        }
        assert_eq!(met, places, "the modules that say `{word}`");
    }
}

/// Competitions are folds of their logs, and statistics functions of results: they know no runtime, no messages and no other crate of ours.
/// (Clocks, files and threads: competition/clippy.toml.)
#[test]
fn competitions_know_nothing_but_logs_and_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("competition");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("the crate is there");
    let dependencies = manifest.split("[dependencies]").nth(1).and_then(|rest| rest.split("\n[").next());
    let names: Vec<&str> =
        dependencies.expect("a section").lines().filter_map(|line| line.split(['.', ' ']).next()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let expected =
        ["humantime", "integer-blossom", "postcard", "serde", "serde_json", "skillratings", "thiserror"];
    assert_eq!(names, expected);
    for path in sources(&folder.join("src")) {
        let text = fs::read_to_string(&path).expect("the file is there");
        for word in ["async ", "std::fs", "std::time", "std::thread", "std::env", "println!"] {
            assert!(!text.contains(word), "{} knows {word}", path.display());
        }
    }
}

/// All that the server logs has the path of its module as its target, which begins with the crate's name: one word for a filter.
#[test]
fn what_the_server_logs_has_one_prefix() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&folder) {
        let text = fs::read_to_string(&path).expect("the file is there");
        assert!(!text.contains("target: \""), "{} gives a line a target of its own", path.display());
    }
}
