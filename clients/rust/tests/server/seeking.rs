//! `edgehill seek`: two who want the same meet.

use std::thread;

use crate::{TestServer, Workspace, has};

#[test]
fn two_who_seek_the_same_play_each_other() {
    let (ada, bob, server) = (Workspace::new(), Workspace::new(), TestServer::start());
    let seek = ["seek", "skirmish", "--clock", "bank=10m", "--wait", "60s", "--out", "m.json"];
    let at_south = [&seek[..], &["--side", "south", "--player", "Ada"]].concat();
    let (south, any) = thread::scope(|scope| {
        let south = scope.spawn(|| ada.ok_on(&server, &at_south));
        let any = scope.spawn(|| bob.ok_on(&server, &seek));
        (south.join().expect("it ends"), any.join().expect("it ends"))
    });
    has(&south, "Seeking: ");
    has(&south, "You play South: m.json\n");
    has(&any, "You play North: m.json\n");
    let id = |out: &str| out.lines().find_map(|line| line.strip_prefix("Match: ")).map(str::to_owned);
    assert_eq!(id(&south).expect("an id"), id(&any).expect("an id"));
    has(&ada.ok_on(&server, &["legal", "m.json"]), "South\ncard: ");
    has(&bob.ok_on(&server, &["legal", "m.json"]), "North\ncard: ");
    has(&bob.ok_on(&server, &["show", "m.json"]), "Clocks: North ");
    has(&bob.ok_on(&server, &["matches"]), "running: somebody, Ada\n");
    let again = bob.on(&server, &seek);
    assert_eq!(again.code, 3, "{}", again.err);
    has(&again.err, "m.json is there already");
}

#[test]
fn who_finds_nobody_is_told_so() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let nobody =
        workspace.on(&server, &["seek", "skirmish", "--side", "north", "--wait", "50ms", "--out", "m.json"]);
    assert_eq!(nobody.code, 1, "{}", nobody.err);
    has(&nobody.out, "Seeking: 1 with the same terms, 1 of the game, you among them\n");
    has(&nobody.err, "SEEK_EXPIRED");
    assert!(!workspace.path("m.json").exists());
    let alone = workspace.on(&server, &["seek", "cruel-necessity", "--out", "m.json"]);
    assert_eq!(alone.code, 1, "{}", alone.err);
    has(&alone.err, "NO_OPPONENT");
    let side = workspace.on(&server, &["seek", "skirmish", "--side", "east", "--out", "m.json"]);
    assert_eq!(side.code, 2, "{}", side.err);
}
