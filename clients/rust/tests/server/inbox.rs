//! `edgehill inbox`: the matches of an account.

use crate::{TestServer, Workspace, has};

fn by<'a>(key: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    ["--key", key].iter().chain(args).copied().collect()
}

/// A player's account of this id on a server, and its key.
fn player(workspace: &Workspace, server: &TestServer, chief: &str, id: &str) -> String {
    workspace.ok_on(server, &by(chief, &["admin", "add", id, "--role", "player"]));
    let made = workspace.ok_on(server, &by(chief, &["admin", "key", id]));
    made.lines().next().expect("a key").to_owned()
}

#[test]
fn matches_are_told_with_turns_and_offers_and_results_since_the_cursor() {
    let (workspace, (server, chief)) = (Workspace::new(), TestServer::start_with_operator("chief"));
    let [ada, bob] = ["ada", "bob"].map(|id| player(&workspace, &server, &chief, id));
    let ok = |key: &str, args: &[&str]| workspace.ok_on(&server, &by(key, args));
    let inbox = |key: &str| ok(key, &["inbox", "--once", "--cursor", "read.txt"]);
    assert_eq!(inbox(&bob), "");
    ok(
        &ada,
        &["new", "--game", "skirmish", "--seat", "north=own", "--seat", "south=open", "--out", "ada.json"],
    );
    has(&ok(&ada, &["inbox", "--once"]), "skirmish: North\n  Waiting for players: south\n");
    let id = ok(&ada, &["matches"]).split_whitespace().next().expect("an id").to_owned();
    ok(&bob, &["join", &id, "--out", "bob.json"]);
    assert_eq!(inbox(&bob), format!("{id}  skirmish: South, to act\n  Running\n"));
    ok(&ada, &["resign", "ada.json", "north"]);
    let over = inbox(&bob);
    has(&over, &format!("{id}  skirmish: South\n  Over: "));
    assert_eq!(inbox(&bob), over, "within a minute it comes again");
    assert_eq!(ok(&bob, &["inbox", "--once"]), "", "no result of before without a cursor");

    workspace.write("read.txt", "yesterday\n");
    let refused = workspace.on(&server, &by(&bob, &["inbox", "--once", "--cursor", "read.txt"]));
    assert_eq!(refused.code, 2);
    has(&refused.err, "cursor");
}

#[test]
fn a_server_without_accounts_says_so() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let refused = workspace.on(&server, &["inbox", "--once"]);
    assert_eq!(refused.code, 1);
    has(&refused.err, "NO_ACCOUNTS");
}
