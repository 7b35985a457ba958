//! `edgehill admin`: accounts and keys of a server, by an operator's key.

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
