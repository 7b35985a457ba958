//! `edgehill load`: what it plays, what it counts, and what it calls a fault.

use serde_json::Value;

use crate::{TestServer, Workspace, has};

/// The figures of a short load of a new server.
fn figures(workspace: &Workspace, args: &[&str]) -> Value {
    let server = TestServer::start();
    let short =
        ["load", "--game", "skirmish", "--seconds", "2", "--warm-up", "0", "--connections", "1", "--json"];
    serde_json::from_str(&workspace.ok_on(&server, &[&short, args].concat())).expect("JSON")
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a whole number: {value}"))
}

#[test]
fn matches_are_played_and_watched_in_a_closed_loop() {
    let workspace = Workspace::new();
    let pid = std::process::id().to_string();
    let figures = figures(
        &workspace,
        &[
            "--matches",
            "4",
            "--watchers",
            "8",
            "--watched",
            "2",
            "--report",
            "load.html",
            "--server-pid",
            &pid,
        ],
    );
    assert!(number(&figures["kinds"]["apply"]["calls"]) > 0, "{figures}");
    assert!(number(&figures["kinds"]["create"]["calls"]) >= 4, "{figures}");
    assert!(number(&figures["events"]) > 0, "{figures}");
    assert_eq!(number(&figures["events_out_of_order"]), 0);
    assert_eq!(figures["refusals"], serde_json::json!({}), "{figures}");
    let percentiles =
        ["p50", "p90", "p99", "max"].map(|name| figures["all"][name].as_f64().expect("a number"));
    assert!(percentiles.is_sorted() && percentiles[0] > 0.0, "{percentiles:?}");
    assert!(figures["server_processor_seconds"].is_f64() || cfg!(not(target_os = "linux")), "{figures}");
    let bytes = figures["server_memory_bytes_by_second"].as_array().expect("a list");
    assert!(bytes.iter().all(|bytes| number(bytes) > 1 << 20), "{figures}");
    assert_eq!(bytes.is_empty(), cfg!(not(target_os = "linux")));
    let page = workspace.read("load.html");
    has(&page, "skirmish: 4 matches, 8 spectators, closed loop");
    has(&page, "Times of apply");
    assert_eq!(page.contains("Bytes of the server"), cfg!(target_os = "linux"));
}

#[test]
fn calls_come_at_a_rate_of_their_own_in_an_open_loop() {
    let figures = figures(&Workspace::new(), &["--matches", "16", "--rate", "100"]);
    assert_eq!(number(&figures["rate"]), 100);
    // Not more than are due, whatever the machine does: 200, and some by chance.
    let played: u64 = ["apply", "list", "create", "resign"]
        .iter()
        .filter_map(|kind| figures["kinds"][kind]["calls"].as_u64())
        .sum();
    assert!((1..400).contains(&played), "{figures}");
}

#[test]
fn spectators_come_back_where_they_were_and_matches_are_given_up() {
    let figures = figures(
        &Workspace::new(),
        &[
            "--matches",
            "2",
            "--watchers",
            "6",
            "--slow",
            "1",
            "--reconnect-every",
            "1",
            "--actions-per-match",
            "3",
        ],
    );
    assert!(number(&figures["kinds"]["resign"]["calls"]) > 0, "{figures}");
    assert!(number(&figures["ended"]) > 0, "{figures}");
    assert_eq!(number(&figures["events_out_of_order"]), 0, "{figures}");
}

#[test]
fn a_server_that_can_not_be_had_or_a_process_that_is_none_is_told() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let refused = workspace.on(&server, &["load", "--server-pid", "0"]);
    assert_eq!(refused.code, 2);
    has(&refused.err, "--server-pid 0");
    let refused = workspace.on(&server, &["load", "--game", "chess"]);
    assert_ne!(refused.code, 0);
    has(&refused.err, "chess");
}
