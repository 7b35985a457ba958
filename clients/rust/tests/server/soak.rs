//! A server at half of what it can do, for an hour in full: it answers all, and its memory does not grow.

use serde_json::Value;

use crate::{TestServer, Workspace};

/// Seconds of the soak in full, and in CI.
const SECONDS: (u32, u32) = (3_600, 20);

/// Memory that is flat has grown by so little from the second quarter to the last: a share, and bytes that no share says anything of.
const GROWTH_MAX: f64 = 1.15;
const GROWTH_BYTES: f64 = 32.0 * 1024.0 * 1024.0;

fn load(workspace: &Workspace, server: &TestServer, args: &[&str]) -> Value {
    let common = ["load", "--matches", "64", "--actions-per-match", "60", "--json"];
    serde_json::from_str(&workspace.ok_on(server, &[&common, args].concat())).expect("JSON")
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
#[cfg(target_os = "linux")]
fn soak_at_half_load_leaves_memory_flat() {
    let is_full = std::env::var("EDGEHILL_VOLUME").is_ok_and(|volume| volume == "full");
    let seconds = if is_full { SECONDS.0 } else { SECONDS.1 };
    // Matches that are over leave, and so do those that nobody touches, often enough for the quarters to be alike.
    let after = (seconds / 20).max(1).to_string();
    let env =
        [("EDGEHILL_CAPACITY__ARCHIVE_SECONDS", after.clone()), ("EDGEHILL_CAPACITY__REST_SECONDS", after)];
    let (workspace, server) = (Workspace::new(), TestServer::start_with(&env));
    let all = load(&workspace, &server, &["--warm-up", "1", "--seconds", if is_full { "20" } else { "3" }]);
    let rate = (all["calls_per_second"].as_f64().expect("a number") / 2.0).max(1.0) as u32;
    let (rate, seconds, pid) = (rate.to_string(), seconds.to_string(), server.pid().to_string());
    let figures = load(
        &workspace,
        &server,
        &["--rate", &rate, "--watchers", "64", "--slow", "4", "--seconds", &seconds, "--server-pid", &pid],
    );
    let bytes = figures["server_memory_bytes_by_second"].as_array().expect("a list");
    let bytes: Vec<f64> = bytes.iter().map(|bytes| bytes.as_f64().expect("a number")).collect();
    let quarters: Vec<f64> = bytes.chunks(bytes.len().div_ceil(4)).map(mean).collect();
    let mib: Vec<String> = quarters.iter().map(|bytes| format!("{:.0}", bytes / (1024.0 * 1024.0))).collect();
    eprintln!(
        "{seconds} s at {rate} calls a second: {} matches ended, p99 {} ms, memory by quarters {} MiB, refused or not made: {}",
        figures["ended"],
        figures["all"]["p99"],
        mib.join(", "),
        figures["refusals"],
    );
    // The server refuses nothing. On a machine that is busy with something else the command may be late itself.
    let refusals = figures["refusals"].as_object().expect("an object");
    let (late, refused): (Vec<_>, Vec<_>) = refusals.iter().partition(|(why, _)| why.starts_with("not made"));
    assert_eq!(refused, [], "{refusals:?}");
    let late: u64 = late.iter().filter_map(|(_, count)| count.as_u64()).sum();
    let made = figures["all"]["calls"].as_u64().expect("a number");
    assert!(made > late, "{late} calls were not made, {made} were");
    assert_eq!(figures["events_out_of_order"], 0);
    assert!(quarters[3] <= quarters[1] * GROWTH_MAX + GROWTH_BYTES, "{quarters:?}");
}
