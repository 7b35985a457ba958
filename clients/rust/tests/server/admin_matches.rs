//! `edgehill admin` on the matches of a server, and seats that are kept for accounts.

use crate::{TestServer, Workspace, has};

fn by<'a>(key: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    ["--key", key].iter().chain(args).copied().collect()
}

/// The word after `Match: `.
fn id_of(out: &str) -> String {
    out.lines().find_map(|line| line.strip_prefix("Match: ")).expect("an id").to_owned()
}

/// A server with an operator who is also a referee, and two players: its keys in this order.
fn league(workspace: &Workspace) -> (TestServer, [String; 3]) {
    let (server, chief) = TestServer::start_with_operator("chief");
    let made = |id: &str, roles: &[&str]| {
        let mut add = vec!["admin", "add", id];
        roles.iter().for_each(|role| add.extend(["--role", role]));
        workspace.ok_on(&server, &by(&chief, &add));
        let key = workspace.ok_on(&server, &by(&chief, &["admin", "key", id]));
        key.lines().next().expect("a key").to_owned()
    };
    let keys = [made("boss", &["operator", "referee"]), made("ada", &["player"]), made("bob", &["player"])];
    (server, keys)
}

#[test]
fn an_operator_lists_stops_and_exports_matches() {
    let workspace = Workspace::new();
    let (server, [boss, ada, _]) = league(&workspace);
    let as_ada = |args: &[&str]| workspace.ok_on(&server, &by(&ada, args));
    let as_boss = |args: &[&str]| workspace.ok_on(&server, &by(&boss, args));
    let waits = id_of(&as_ada(&["new", "--game", "skirmish", "--seat", "south=open", "--out", "w.json"]));
    let runs = id_of(&as_ada(&["new", "--game", "skirmish", "--out", "r.json"]));
    let done = id_of(&as_ada(&["new", "--game", "skirmish", "--out", "d.json"]));
    as_ada(&["resign", "d.json", "north"]);

    let all = as_boss(&["admin", "matches"]);
    assert_eq!(all.lines().count(), 3, "{all}");
    assert!(all.starts_with("20"), "each has its date: {all}");
    let waiting = as_boss(&["admin", "matches", "--status", "waiting", "--status", "running"]);
    has(&waiting, &format!("{waits}  skirmish  waiting: somebody, free\n"));
    has(&waiting, &format!("{runs}  skirmish  running: somebody, somebody\n"));
    assert!(!waiting.contains(&done), "{waiting}");
    assert_eq!(as_boss(&["admin", "matches", "--older", "1d"]), "");

    let folder = ["admin", "export", "records", "--game", "skirmish"];
    assert_eq!(as_boss(&folder), "Written: 1; there already: 0; not to be had: 0\n");
    assert_eq!(as_boss(&folder), "Written: 0; there already: 1; not to be had: 0\n");
    workspace.consistent(&[&format!("records/skirmish-{done}.edg")]);

    let player = workspace.on(&server, &by(&ada, &["admin", "stop", &runs, "--reason", "so"]));
    assert_eq!(player.code, 1, "{}", player.err);
    has(&player.err, "NOT_ALLOWED");
    let unsaid = workspace.on(&server, &by(&boss, &["admin", "stop", &runs]));
    assert_eq!(unsaid.code, 2, "{}", unsaid.err);
    has(&unsaid.err, "--reason");
    has(&as_boss(&["admin", "stop", &runs, "--reason", "a test"]), "it does not count");
    has(&as_boss(&["admin", "stop", &waits]), "Aborted");
    has(&as_boss(&["admin", "acts", "boss"]), &waits);
}

#[test]
fn an_operator_takes_back_what_has_waited_for_too_long() {
    let workspace = Workspace::new();
    let (server, [boss, ada, _]) = league(&workspace);
    let as_ada = |args: &[&str]| workspace.ok_on(&server, &by(&ada, args));
    let as_boss = |args: &[&str]| workspace.ok_on(&server, &by(&boss, args));
    let waits = id_of(&as_ada(&["new", "--game", "skirmish", "--seat", "south=open", "--out", "w.json"]));
    as_ada(&["new", "--game", "skirmish", "--out", "r.json"]);
    assert_eq!(as_boss(&["admin", "expire", "--older", "1d"]), "Taken back: 0; left: 0\n");
    let dry = as_boss(&["admin", "expire", "--older", "0s", "--dry-run"]);
    has(&dry, &waits);
    has(&dry, "\nTaken back: 0; left: 1\n");
    let taken = as_boss(&["admin", "expire", "--older", "0s", "--game", "skirmish"]);
    has(&taken, "\nTaken back: 1; left: 0\n");
    has(&as_ada(&["show", "w.json"]), "Aborted");
    has(&as_ada(&["show", "r.json"]), "To act");
}

#[test]
fn a_seat_is_kept_for_an_account() {
    let workspace = Workspace::new();
    let (server, [_, ada, bob]) = league(&workspace);
    let unknown = ["new", "--game", "skirmish", "--seat", "south=account:eve", "--out", "m.json"];
    let answer = workspace.on(&server, &by(&ada, &unknown));
    assert_eq!(answer.code, 2, "{}", answer.err);
    has(&answer.err, "UNKNOWN_ACCOUNT");
    let new = ["new", "--game", "skirmish", "--seat", "south=account:bob", "--out", "m.json"];
    let out = workspace.ok_on(&server, &by(&ada, &new));
    assert!(!out.contains("Invitation"), "{out}");
    let id = id_of(&out);
    has(&workspace.ok_on(&server, &by(&bob, &["matches", "--invited"])), &id);
    assert_eq!(workspace.ok_on(&server, &by(&ada, &["matches", "--invited"])), "");
    let taken = workspace.ok_on(&server, &by(&bob, &["join", &id, "--out", "b.json"]));
    has(&taken, "You play South: b.json\n");
    assert_eq!(workspace.ok_on(&server, &by(&bob, &["matches", "--invited"])), "");
}
