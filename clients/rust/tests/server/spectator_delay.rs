//! Matches whose spectators are behind them.

use crate::{TestServer, Workspace, has};

#[test]
fn a_seat_sees_its_match_and_a_spectator_what_was() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let new = ["new", "--game", "skirmish", "--seed", "7", "--clock", "bank=10m", "--out", "m.json"];
    let refused = workspace.on(&server, &[&new[..], &["--spectator-delay", "events=0"]].concat());
    has(&refused.err, "spectator_delay: expected `events` or a `hold_back`, found neither");
    let refused = workspace.on(&server, &[&new[..], &["--spectator-delay", "10m"]].concat());
    assert_eq!(refused.code, 2);
    has(&refused.err, "--spectator-delay: expected events=N, time=T, or both");
    workspace.ok_on(&server, &[&new[..], &["--spectator-delay", "events=1000,time=1h"]].concat());
    let id = workspace.ok_on(&server, &["matches"]).split_whitespace().next().expect("an id").to_owned();
    has(&workspace.ok_on(&server, &["show", "m.json", "--as", "north"]), "Clocks: North 10m");
    let shown = workspace.ok_on(&server, &["show", &id]);
    assert!(!shown.contains("Clocks"), "{shown}");
    workspace.ok_on(&server, &["resign", "m.json", "south"]);
    has(&workspace.ok_on(&server, &["show", &id]), "Clocks: North 10m");
}
