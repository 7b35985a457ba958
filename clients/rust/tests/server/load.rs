//! `edgehill load`: what it plays, what it counts, and what it calls a fault.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use edgehill_client::v1::MatchStatus;
use edgehill_client::{Client, MatchFilter};
use serde_json::Value;

use crate::flaky::Flaky;
use crate::{TestServer, Workspace, has};

/// The figures of a load of the server at `url` in which enough was done. A machine that has much else to do may do little in a few seconds, so
/// it is made again for longer until it has. `{}` in `args` stands for a quarter of its seconds.
fn figures_of(workspace: &Workspace, url: &str, args: &[&str], is_enough: impl Fn(&Value) -> bool) -> Value {
    let mut figures = Value::Null;
    for quarter in [1, 2, 4, 8, 16] {
        let (seconds, quarter) = ((4 * quarter).to_string(), quarter.to_string());
        let load = ["--server", url, "load", "--game", "skirmish", "--warm-up", "0", "--connections", "1"];
        let args = args.iter().map(|arg| if *arg == "{}" { &*quarter } else { *arg });
        let args: Vec<&str> = load.into_iter().chain(["--seconds", &seconds, "--json"]).chain(args).collect();
        let answer = workspace.run(&args);
        assert_eq!(answer.err, "", "{args:?}");
        figures = serde_json::from_str(&answer.out).expect("JSON");
        assert_eq!(number(&figures["events_out_of_order"]), 0, "{figures}");
        assert_eq!(figures["refusals"], serde_json::json!({}), "{figures}");
        if is_enough(&figures) {
            assert_eq!(answer.code, 0, "{figures}");
            return figures;
        }
    }
    panic!("too little was done: {figures}");
}

/// The number of answers to calls of a kind.
fn calls(figures: &Value, kind: &str) -> u64 {
    figures["kinds"][kind]["calls"].as_u64().unwrap_or(0)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a whole number: {value}"))
}

#[test]
fn load_plays_and_watches_matches_in_a_closed_loop() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let pid = server.pid().to_string();
    let args = [
        "--matches",
        "4",
        "--watchers",
        "7",
        "--watched",
        "2",
        "--report",
        "load.html",
        "--server-pid",
        &pid,
    ];
    let figures = figures_of(&workspace, server.url(), &args, |figures| {
        calls(figures, "apply") > 0 && calls(figures, "create") >= 4 && calls(figures, "watch") >= 7
    });
    assert!(number(&figures["events"]) > 0, "{figures}");
    assert_eq!(figures["spectators_by_match"], serde_json::json!([4, 3]), "spread evenly over two of four");
    let percentiles =
        ["p50", "p90", "p99", "max"].map(|name| figures["all"][name].as_f64().expect("a number"));
    assert!(percentiles.is_sorted() && percentiles[0] > 0.0, "{percentiles:?}");
    assert!(figures["server_processor_seconds"].is_f64() || cfg!(not(target_os = "linux")), "{figures}");
    let bytes = figures["server_memory_bytes_by_second"].as_array().expect("a list");
    assert!(bytes.iter().all(|bytes| number(bytes) > 1 << 20), "{figures}");
    assert_eq!(bytes.is_empty(), cfg!(not(target_os = "linux")));
    let page = workspace.read("load.html");
    has(&page, "skirmish: 4 matches, 7 spectators, closed loop");
    has(&page, "Times of apply");
    assert_eq!(page.contains("Bytes of the server"), cfg!(target_os = "linux"));
}

#[test]
fn load_calls_at_a_rate_of_its_own_in_an_open_loop() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let played = |figures: &Value| -> u64 {
        ["apply", "list", "create", "resign"].iter().map(|kind| calls(figures, kind)).sum()
    };
    let args = ["--matches", "16", "--rate", "100"];
    let figures = figures_of(&workspace, server.url(), &args, |figures| played(figures) > 0);
    assert_eq!(number(&figures["rate"]), 100);
    // Not more than are due, whatever the machine does: 100 a second, and some by chance.
    let due = figures["seconds"].as_f64().expect("a number") * 100.0;
    assert!((played(&figures) as f64) < 2.0 * due, "{figures}");
}

#[tokio::test(flavor = "multi_thread")]
async fn load_goes_on_over_new_connections_after_each_storm() {
    const CLIENTS: u64 = 2 + 6;
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let wire = Flaky::before(Arc::new(Mutex::new(server.address())), usize::MAX).await;
    let url = format!("http://{}", wire.address);
    let args = ["--matches", "2", "--watchers", "6", "--reconnect-every", "{}"];
    let figures = figures_of(&workspace, &url, &args, |figures| {
        calls(figures, "resume") >= 6 && number(&figures["reconnections"]) >= CLIENTS
    });
    let again = number(&figures["reconnections"]);
    assert!(again <= 3 * CLIENTS, "there are three storms: {figures}");
    // Those of after a storm are not those that each client had before.
    let made = wire.connections.load(Ordering::Relaxed) as u64;
    assert!(made >= CLIENTS + again, "{made} connections: {figures}");
}

/// The actions in a record.
fn actions(record: &str) -> usize {
    // A line that begins with two blanks goes on with the one before.
    let text = record.replace("\n  \\", "").replace("\n  ", " ");
    let entries = text.lines().filter(|line| line.starts_with("north: ") || line.starts_with("south: "));
    entries.map(|entry| entry.split("; ").count()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn load_doubles_no_action_in_a_storm_and_gives_matches_up() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let args = ["--matches", "8", "--reconnect-every", "{}", "--actions-per-match", "3"];
    let figures = figures_of(&workspace, server.url(), &args, |figures| {
        number(&figures["reconnections"]) >= 8 && calls(figures, "resign") > 0
    });
    assert!(number(&figures["ended"]) > 0, "{figures}");
    let client = Client::connect(server.url()).await.expect("it is there");
    let filter = MatchFilter { statuses: vec![MatchStatus::Finished], ..MatchFilter::default() };
    let (mut pages, mut played) = (client.matches().list(filter), 0);
    while let Some(one) = pages.next().await.expect("a list") {
        let id = one.config.expect("a config").match_id;
        let record = client.matches().record(&id).await.expect("a record").text;
        assert!(actions(&record) <= 3, "{record}");
        played += actions(&record);
    }
    assert!(played > 0, "nothing is in the records");
}

#[test]
fn load_has_slow_spectators_who_read_one_message_a_second_and_fall_behind() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let args = ["--matches", "1", "--watchers", "2", "--slow", "1"];
    let due = |figures: &Value| figures["seconds"].as_f64().expect("a number").ceil() as u64 + 1;
    // Nobody falls behind where there is less to read than that.
    let figures = figures_of(&workspace, server.url(), &args, |figures| {
        number(&figures["slow_messages"]) > 0 && number(&figures["messages"]) > 4 * due(figures)
    });
    let slow_messages = number(&figures["slow_messages"]);
    assert!(slow_messages <= due(&figures), "{figures}");
    let [events, slow_events] = ["events", "slow_events"].map(|events| number(&figures[events]));
    assert!(events - slow_events > slow_events, "the other one reads what comes: {figures}");
}

#[test]
fn load_tells_of_a_game_that_can_not_be_had_and_of_a_process_that_is_none() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let refused = workspace.on(&server, &["load", "--server-pid", "0"]);
    assert_eq!(refused.code, 2);
    has(&refused.err, "--server-pid 0");
    let refused = workspace.on(&server, &["load", "--game", "chess"]);
    assert_ne!(refused.code, 0);
    has(&refused.err, "chess");
}
