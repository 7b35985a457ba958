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

/// The texts that a source has outside of comments, with each white space in them made one blank. (There are no raw ones.)
fn texts(source: &str) -> Vec<String> {
    let (mut texts, mut rest) = (Vec::new(), source);
    while let Some(at) = rest.find(['/', '\'', '"']) {
        let found = &rest[at..];
        rest = &found[1..];
        if found.starts_with("//") {
            rest = found.split_once('\n').map_or("", |(_, behind)| behind);
        } else if found.starts_with("'\"'") || found.starts_with("'\\'") {
            rest = &found[3..];
        } else if found.starts_with('"') {
            let mut is_escaped = false;
            let end = rest.find(|letter: char| {
                let ends = letter == '"' && !is_escaped;
                is_escaped = letter == '\\' && !is_escaped;
                ends
            });
            let end = end.expect("a text has an end");
            // A line that ends with a backslash goes on with the first word of the next one.
            let text: String = rest[..end].split("\\\n").map(str::trim_start).collect();
            texts.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            rest = &rest[end + 1..];
        }
    }
    texts
}

/// Words of a statement.
fn words(statement: &str) -> impl Iterator<Item = &str> {
    statement.split(|letter: char| letter != '_' && !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Words that no statement to the database has: numbers of the whole store, which each append would wait for; messages and locks
/// beside the tables, programs in the database, and columns of its own, which others of its kind have not. Nor has one `pg_...`.
const NOT_PORTABLE: [&str; 27] = [
    "SEQUENCE",
    "SERIAL",
    "SMALLSERIAL",
    "BIGSERIAL",
    "SERIAL4",
    "SERIAL8",
    "IDENTITY",
    "NEXTVAL",
    "CURRVAL",
    "SETVAL",
    "LISTEN",
    "UNLISTEN",
    "NOTIFY",
    "ADVISORY",
    "LOCK",
    "LANGUAGE",
    "PLPGSQL",
    "FUNCTION",
    "PROCEDURE",
    "CALL",
    "TRIGGER",
    "RULE",
    "EXTENSION",
    "COPY",
    "CTID",
    "XMIN",
    "OID",
];

/// The functions that statements call, all of the standard.
const SQL_FUNCTIONS: [&str; 4] = ["array_agg", "coalesce", "count", "max"];

/// PostgreSQL's own that statements have all the same (or one of several, parted by `|`), with the modules that have it and the reason.
const SQL_EXCEPTIONS: [(&str, &[&str], &str); 10] = [
    (
        "AS (UPDATE|AS (INSERT|AS (DELETE",
        &["appends.rs"],
        "a batch of appends with all its conditions is one statement: to the database and back once",
    ),
    (
        "unnest(",
        &["appends.rs", "fence.rs", "lease.rs", "schema.rs", "tables.rs"],
        "several arrays side by side are rows: the statement is the same for every number of them, and prepared once",
    ),
    ("generate_series(", &["schema.rs"], "a row for each shard, where a server makes the tables"),
    (
        "clock_timestamp(",
        &["lease.rs"],
        "a lease begins at the moment of its statement: CURRENT_TIMESTAMP is that of the transaction's begin, which may have waited",
    ),
    ("EXTRACT(EPOCH", &["lease.rs"], "the seconds since a lease has run out, as a number"),
    ("INTERVAL '1 second'", &["lease.rs"], "how long a lease holds is the server's to say, in seconds"),
    (
        "SHOW ",
        &["session.rs"],
        "how commits wait is asked first, so that who waits for more than the disk goes on with that",
    ),
    (
        "SET synchronous_commit",
        &["session.rs"],
        "a commit is answered once the disk has it, whatever the role is set to",
    ),
    (
        "idle_in_transaction_session_timeout",
        &["session.rs"],
        "a server that stands still within a transaction would keep all others from its shards",
    ),
    ("VACUUM FULL", &["medium.rs"], "what an erasure has replaced is to be in no byte of the tables"),
];

/// The database may be another one of PostgreSQL's kind: statements keep to what these share.
#[test]
fn statements_to_the_database_are_portable() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/postgres");
    let mut statements = Vec::new();
    for path in sources(&folder) {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("the file is there");
        let code = text.split("mod tests {").next().expect("a text has a beginning");
        assert!(!["r#\"", " r\"", "(r\""].iter().any(|raw| code.contains(raw)), "{name} has a raw text");
        let is_keyword =
            |word: &str| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_uppercase());
        let said = texts(code).into_iter().filter(|text| words(text).any(is_keyword));
        statements.extend(said.map(|statement| (name.clone(), statement)));
    }
    assert!(statements.len() > 70, "{} statements were found", statements.len());
    for (module, statement) in &statements {
        for word in words(statement).map(str::to_uppercase) {
            let is_portable = !NOT_PORTABLE.contains(&&*word) && !word.starts_with("PG_");
            assert!(is_portable, "{module} says {word}: {statement}");
        }
        let calls = statement.match_indices('(').map(|(at, _)| &statement[..at]);
        for name in calls.filter_map(|before| words(before).last().filter(|name| before.ends_with(name))) {
            let is_keyword = !name.contains(|letter: char| letter.is_ascii_lowercase());
            let is_exception = SQL_EXCEPTIONS.iter().any(|(said, ..)| said.strip_suffix('(') == Some(name));
            let is_known = is_keyword || is_exception || SQL_FUNCTIONS.contains(&name);
            assert!(is_known, "{module} calls {name}, which is on no list: {statement}");
        }
    }
    for (exception, places, reason) in SQL_EXCEPTIONS {
        let says = |statement: &str| exception.split('|').any(|said| statement.contains(said));
        let mut met: Vec<_> =
            statements.iter().filter(|(_, statement)| says(statement)).map(|(module, _)| &**module).collect();
        met.dedup();
        assert_eq!(met, places, "the modules that say `{exception}` ({reason})");
    }
}
