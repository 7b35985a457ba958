//! The bots of clients/examples/line-protocol: each plays every game.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use edgehill_engine::registry::Registry;
use serde_json::Value;

use super::Hall;

/// The most lines of an example.
const LINES_MAX: usize = 30;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/line-protocol").join(name)
}

/// True if a tool of this name is there. One that is missing is named; with CI set, that is a failure.
fn has_tool(name: &str) -> bool {
    let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        // Past the test harness, which shows what is printed of failures only.
        let _ = writeln!(std::io::stderr(), "line-protocol: skipped, {name} is missing");
        assert!(std::env::var_os("CI").is_none(), "{name} is missing");
    }
    found
}

/// Has a bot play a match of every game, each at another of its seats, against the house.
fn plays_every_game(command: &[&str]) {
    let (hall, registry) = (Hall::open(), Registry::built_in().expect("the games load"));
    for (index, game) in registry.games().enumerate() {
        let catalogue = game.catalogue();
        let seats = &catalogue.seats[..catalogue.scenarios[0].seats];
        let player = |at: usize| if at == index % seats.len() { "account:ada" } else { "bot:random" };
        let players: Vec<String> =
            seats.iter().enumerate().map(|(at, seat)| format!("{}={}", seat.id, player(at))).collect();
        hall.new_match(catalogue.id, &players.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let mut games: Vec<&str> = registry.ids();
    let count = games.len().to_string();
    let args = ["--key", &hall.ada, "run-bot", "--json", "--games", &count, "--seed", "1642", "--"];
    let out = hall.workspace.ok_on(&hall.server, &[&args, command].concat());
    let mut played: Vec<String> = Vec::new();
    for line in out.lines() {
        let outcome: Value = serde_json::from_str(line).expect("it is JSON");
        assert_eq!(outcome["status"], "FINISHED", "{outcome}");
        let troubles = ["restarts", "refusals", "faults"].map(|field| outcome[field].as_u64());
        assert_eq!(troubles, [Some(0); 3], "{outcome}");
        played.push(outcome["game"].as_str().expect("a game").to_owned());
    }
    played.sort();
    games.sort_unstable();
    assert_eq!(played, games);
}

#[test]
fn the_example_in_python_plays_every_game() {
    if has_tool("python3") {
        let file = example("random_bot.py");
        plays_every_game(&["python3", file.to_str().expect("a path that is text")]);
    }
}

#[test]
fn the_example_in_c_plays_every_game() {
    if has_tool("cc") {
        let folder = tempfile::tempdir().expect("a folder for the binary");
        let (source, binary) = (example("random_bot.c"), folder.path().join("random_bot"));
        let mut compiler = Command::new("cc");
        compiler
            .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o"])
            .args([&binary, &source]);
        assert!(compiler.status().expect("`cc` runs").success());
        plays_every_game(&[binary.to_str().expect("a path that is text")]);
    }
}

#[test]
fn the_examples_are_short() {
    for name in ["random_bot.py", "random_bot.c"] {
        let lines = fs::read_to_string(example(name)).expect("it is there").lines().count();
        assert!(lines <= LINES_MAX, "{name} has {lines} lines");
    }
}
