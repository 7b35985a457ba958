//! `edgehill admin`: accounts and keys of a server, by an operator's key.

use serde_json::{Value, json};

use crate::{TestServer, Workspace, has};

fn by<'a>(key: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    ["--key", key].iter().chain(args).copied().collect()
}

#[test]
fn an_operator_makes_accounts_and_keys_and_takes_them() {
    let (workspace, (server, chief)) = (Workspace::new(), TestServer::start_with_operator("chief"));
    let ok = |args: &[&str]| workspace.ok_on(&server, &by(&chief, args));
    assert_eq!(ok(&["admin", "accounts"]), "chief: operator, in the accounts file\n");
    assert_eq!(
        ok(&["admin", "add", "ada", "--role", "player", "--role", "referee"]),
        "ada: player, referee\n"
    );
    let made = ok(&["admin", "key", "ada", "--label", "laptop", "--scope", "player", "--days", "90"]);
    let (key, known) = made.split_once('\n').unwrap();
    assert!(key.starts_with("ehk_"), "{made}");
    has(known, "key 1 (laptop): player, ends 20");
    workspace.ok_on(&server, &by(key, &["new", "--game", "skirmish", "--out", "m.json"]));
    let answer = workspace.on(&server, &by(key, &["admin", "accounts"]));
    assert_eq!(answer.code, 1);
    has(&answer.err, "NOT_ALLOWED");

    let rotated = ok(&["admin", "rotate", "ada", "1", "--overlap", "0"]);
    has(&rotated, "key 2 (laptop): player\n");
    let answer = workspace.on(&server, &by(key, &["matches"]));
    has(&answer.err, "BAD_TOKEN");
    has(&ok(&["admin", "revoke", "ada", "2"]), "key 2 (laptop): player, revoked 20");
    has(&ok(&["admin", "set", "ada", "--suspend"]), "ada: player, referee, suspended\n  key 1 (laptop)");
    has(&ok(&["admin", "set", "ada", "--role", "player", "--restore"]), "ada: player\n");
    has(&ok(&["admin", "account", "ada"]), "  key 2 (laptop): player, revoked 20");
    has(
        &ok(&["admin", "quota", "ada", "--streams", "3", "--calls-per-second", "0"]),
        "ada: player\n  quota: streams 3, calls a second 0\n  key 1",
    );
    assert!(!ok(&["admin", "quota", "ada"]).contains("quota"));
    has(&ok(&["admin", "key", "ada"]), "\nkey 3: all roles\n");
    assert_eq!(ok(&["admin", "remove", "ada"]), "ada is removed.\n");
    let acts = ok(&["admin", "acts", "ada"]);
    assert_eq!(acts.lines().count(), 10, "{acts}");
    has(&acts, " chief made the account ada: player, referee\n");
    has(&acts, " chief gave ada the key 2 in the place of 1\n");
    has(&acts, " chief changed the account ada, roles: player, not suspended\n");
    let answer = workspace.on(&server, &by(&chief, &["admin", "account", "ada"]));
    has(&answer.err, "UNKNOWN_ACCOUNT");
}

#[test]
fn an_operator_exports_what_is_kept_about_an_account() {
    let (workspace, (server, chief)) = (Workspace::new(), TestServer::start_with_operator("chief"));
    let ok = |args: &[&str]| workspace.ok_on(&server, &by(&chief, args));
    ok(&["admin", "add", "ada", "--role", "player"]);
    let made = ok(&["admin", "key", "ada", "--label", "laptop"]);
    let key = made.lines().next().unwrap();
    let as_ada = |args: &[&str]| workspace.ok_on(&server, &by(key, args));
    as_ada(&["new", "--game", "skirmish", "--player", "Countess", "--out", "m.json"]);
    as_ada(&["resign", "m.json", "south"]);
    as_ada(&["record", "m.json", "--out", "m.edg"]);
    as_ada(&["new", "--game", "skirmish", "--seat", "north=open", "--seat", "south=open", "--out", "n.json"]);
    assert_eq!(
        ok(&["admin", "export-account-data", "ada"]),
        "ada-data: acts 3, matches 2, records 1, competitions 0\n"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::fs::metadata(workspace.path("ada-data")).unwrap();
        assert_eq!(folder.permissions().mode() & 0o777, 0o700, "its owner's alone");
    }
    let read = |name: &str| workspace.read(&format!("ada-data/{name}"));
    let account: Value = serde_json::from_str(&read("account.json")).unwrap();
    assert_eq!((&account["id"], &account["keys"][0]["label"]), (&json!("ada"), &json!("laptop")));
    let lines = |name: &str| -> Vec<Value> {
        read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    assert_eq!(lines("acts.jsonl")[1]["kind"], "ACT_KIND_KEY_CREATED");
    let [open, finished] = &lines("matches.jsonl")[..] else { panic!("two matches") };
    assert_eq!((&open["is_creator"], &open["record"]), (&json!(true), &Value::Null));
    assert_eq!(finished["seats"][0]["player"], "Countess");
    assert_eq!(finished["result"]["termination"], "TERMINATION_RESIGNATION");
    assert_eq!(read(finished["record"].as_str().unwrap()), workspace.read("m.edg"));
    // A folder that is there stays as it is.
    let again = workspace.on(&server, &by(&chief, &["admin", "export-account-data", "ada"]));
    assert_eq!(again.code, 3);
    let unknown = workspace.on(&server, &by(&chief, &["admin", "export-account-data", "bob", "--out", "b"]));
    has(&unknown.err, "UNKNOWN_ACCOUNT");
    let left = std::fs::read_dir(workspace.path("")).unwrap();
    assert!(left.into_iter().all(|file| file.unwrap().file_name() != "b"), "nothing is left of it");
}

#[test]
fn an_operator_has_the_data_of_a_removed_account_erased() {
    let (workspace, (server, chief)) = (Workspace::new(), TestServer::start_with_operator("chief"));
    let ok = |args: &[&str]| workspace.ok_on(&server, &by(&chief, args));
    ok(&["admin", "add", "ada", "--role", "player"]);
    let key = ok(&["admin", "key", "ada"]).lines().next().unwrap().to_owned();
    let as_ada = |args: &[&str]| workspace.ok_on(&server, &by(&key, args));
    as_ada(&["new", "--game", "skirmish", "--player", "Countess", "--out", "m.json"]);
    as_ada(&["resign", "m.json", "south"]);
    as_ada(&["new", "--game", "skirmish", "--player", "Countess", "--out", "n.json"]);
    let early = workspace.on(&server, &by(&chief, &["admin", "erase-account-data", "ada"]));
    assert_eq!(early.code, 1);
    has(&early.err, "ACCOUNT_NOT_DELETED");
    ok(&["admin", "remove", "ada"]);
    let erased = ok(&["admin", "erase-account-data", "ada"]);
    let (first, rest) = erased.split_once('\n').unwrap();
    let pseudonym = first.strip_prefix("ada is erased, and goes by ").unwrap().trim_end_matches('.');
    assert_eq!(rest, "Matches that are not finished, in which it is done when they are: 1\n");
    assert_eq!(ok(&["admin", "acts", "ada"]), "");
    has(&ok(&["admin", "acts", pseudonym]), &format!(" chief had the data of {pseudonym} erased\n"));
    assert_eq!(
        ok(&["admin", "export-account-data", pseudonym, "--out", "p"]),
        "p: acts 5, matches 1, records 1, competitions 0\n"
    );
}
