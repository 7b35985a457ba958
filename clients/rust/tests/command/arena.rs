use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Workspace, has};

fn arena<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["arena", "--local", "--game", "skirmish"];
    args.extend_from_slice(more);
    args
}

fn line<'a>(out: &'a str, start: &str) -> Vec<&'a str> {
    let line = out.lines().find(|line| line.starts_with(start)).expect("the line is there");
    line[start.len()..].split_whitespace().collect()
}

#[test]
fn a_series_is_reported_and_recorded() {
    let workspace = Workspace::new();
    let out =
        workspace.ok(&arena(&["--bots", "random,random", "--games", "6", "--seed", "3", "--records", "rec"]));
    has(&out, "Skirmish: 6 games, seed 3\n");
    has(&out, "distinct games: 6 of 6");
    assert!(!out.contains("WARNING"), "{out}");
    let (first, second) = (line(&out, "random (1)"), line(&out, "random (2)"));
    // points, won, drawn, lost, pairs won, drawn, lost: what one wins the other loses
    let number = |words: &[&str], index: usize| words[index].parse::<i32>().expect("a number");
    assert_eq!(number(&first, 0), -number(&second, 0));
    assert_eq!(first[1], second[3]);
    assert_eq!(first[4], second[6]);
    assert_eq!((1..4).map(|index| number(&first, index)).sum::<i32>(), 6);
    assert_eq!((4..7).map(|index| number(&first, index)).sum::<i32>(), 3);

    let mut records: Vec<_> =
        fs::read_dir(workspace.path("rec")).unwrap().map(|e| e.unwrap().path()).collect();
    records.sort();
    assert_eq!(records.len(), 6);
    let paths: Vec<&str> = records.iter().map(|path| path.to_str().unwrap()).collect();
    assert_eq!(workspace.consistent(&paths).matches("consistent, but unchecked: ").count(), 6);
    let seeds = |path: &str| {
        let text = fs::read_to_string(path).unwrap();
        text.lines().find(|line| line.starts_with("seed ")).map(str::to_owned).expect("the seed is in it")
    };
    assert_eq!(seeds(paths[0]), seeds(paths[1]), "a pair shares its dice");
    assert_ne!(seeds(paths[1]), seeds(paths[2]), "pairs have dice of their own");
}

#[test]
fn the_same_seed_gives_the_same_series() {
    let workspace = Workspace::new();
    let series = |seed| workspace.ok(&arena(&["--bots", "random,random", "--games", "8", "--seed", seed]));
    assert_eq!(series("5"), series("5"));
}

#[test]
fn a_game_for_one_takes_the_first_bot() {
    let workspace = Workspace::new();
    let args = ["--scenario", "drill", "--bots", "random,nobody", "--games", "3", "--seed", "1"];
    let out = workspace.ok(&arena(&args));
    has(&out, "Skirmish: 3 games, seed 1\n");
    has(&out, "random: points ");
}

#[test]
fn games_are_rounded_up_to_whole_pairs() {
    let workspace = Workspace::new();
    let out = workspace.ok(&arena(&["--bots", "random,random", "--games", "3", "--seed", "1"]));
    has(&out, "4 games in place of 3");
}

#[test]
fn wrong_bots_are_refused() {
    let workspace = Workspace::new();
    for (bots, why) in [("random", "2 seats"), ("random,deep", "bot `deep`: this game has ")] {
        let answer = workspace.run(&arena(&["--bots", bots, "--games", "2", "--seed", "1"]));
        assert_eq!(answer.code, 2);
        has(&answer.err, why);
    }
    let answer = workspace.run(&[
        "arena",
        "--game",
        "skirmish",
        "--bots",
        "random,random",
        "--games",
        "2",
        "--seed",
        "1",
    ]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "--local");
}

/// Holds a report to the one that is kept in `series/`; `EDGEHILL_BLESS=1` writes it anew.
fn is_kept(name: &str, report: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/series").join(name);
    if std::env::var("EDGEHILL_BLESS").is_ok_and(|bless| bless == "1") {
        return fs::write(&path, report).expect("the report can be written");
    }
    assert_eq!(report, fs::read_to_string(&path).expect("it is kept"), "EDGEHILL_BLESS=1 writes it anew");
}

/// A series of This War between bots of different strength, with a test.
fn tested<'a>(bots: &'a str, bounds: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["arena", "--local", "--game", "this-war-without-an-enemy", "--seed", "1"];
    args.extend(["--bots", bots, "--games", "200", "--sprt", bounds]);
    args.extend_from_slice(more);
    args
}

#[test]
fn a_series_with_a_test_ends_when_it_is_decided() {
    let workspace = Workspace::new();
    let out = workspace.ok(&tested("captain,random", "0,20", &["--records", "rec"]));
    is_kept("sprt.txt", &out);
    has(&out, "H1 is accepted, nElo +20 rather than +0\n");
    let told: Value =
        serde_json::from_str(&workspace.ok(&tested("captain,random", "0,20", &["--json"]))).expect("JSON");
    let (pairs, sprt) = (&told["pairs"], &told["sprt"]);
    assert_eq!((&told["game"], &told["seed"]), (&"this-war-without-an-enemy".into(), &1.into()));
    assert_eq!(sprt["verdict"], "h1");
    assert!(sprt["llr"].as_f64() >= sprt["upper"].as_f64());
    let played = pairs["played"].as_u64().expect("a number");
    assert!((2..100).contains(&played), "it ends early: {played}");
    assert_eq!(told["games"], played * 2);
    let each = pairs["by_points"].as_array().expect("counts").iter().filter_map(Value::as_u64);
    assert_eq!(each.sum::<u64>(), played);
    // All that was played before it was decided, and nothing else.
    assert_eq!(fs::read_dir(workspace.path("rec")).expect("records").count() as u64, played * 2);
    has(&out, &format!(": {} games, seed 1\n", played * 2));
    has(&out, &format!("score {:.4} [", pairs["score"]["value"].as_f64().expect("a number")));
}

#[test]
fn a_series_of_the_weaker_is_decided_the_other_way() {
    let workspace = Workspace::new();
    let out = workspace.ok(&tested("random,captain", "-100,0", &["--alpha", "0.01", "--beta", "0.1"]));
    has(&out, "SPRT of nElo -100 (H0) and +0 (H1), alpha 0.01, beta 0.1: LLR -");
    has(&out, ", bounds -2.2925 and +4.4998\n");
    has(&out, "H0 is accepted, nElo -100 rather than +0\n");
    has(&out, "pairs of random by points: 0: ");
}

#[test]
fn a_series_may_end_undecided() {
    let workspace = Workspace::new();
    let series = ["--bots", "random,random", "--games", "3", "--seed", "1", "--sprt", "-5,5"];
    let out = workspace.ok(&arena(&series));
    is_kept("undecided.txt", &out);
    has(&out, "after 2 pairs: undecided\n");
    let told = workspace.ok(&arena(&[&series[..], &["--json"]].concat()));
    let told: Value = serde_json::from_str(&told).expect("JSON alone");
    assert_eq!((&told["sprt"]["verdict"], &told["games"]), (&"undecided".into(), &4.into()));
    assert_eq!(told["bots"][1]["name"], "random (2)");
}

#[test]
fn what_has_no_end_is_null_for_a_program() {
    let workspace = Workspace::new();
    let out = workspace.ok(&arena(&["--bots", "random,random", "--games", "2", "--seed", "1", "--json"]));
    let told: Value = serde_json::from_str(&out).expect("JSON");
    let pairs = &told["pairs"];
    assert_eq!(
        (&pairs["played"], &pairs["variance"], &pairs["standard_error"]),
        (&1.into(), &Value::Null, &Value::Null)
    );
    assert_eq!((&pairs["nelo"]["low"], &pairs["nelo"]["high"]), (&Value::Null, &Value::Null));
    assert!(pairs["score"]["low"].is_f64() && pairs["score"]["high"].is_f64(), "{pairs}");
    assert_eq!(told.get("sprt"), None);
}

#[test]
fn a_series_for_one_has_a_mean_with_its_interval() {
    let workspace = Workspace::new();
    let series = ["--scenario", "drill", "--bots", "random", "--games", "40", "--seed", "1642"];
    let out = workspace.ok(&arena(&series));
    is_kept("alone.txt", &out);
    let told: Value =
        serde_json::from_str(&workspace.ok(&arena(&[&series[..], &["--json"]].concat()))).expect("JSON");
    let mean = &told["mean"];
    let points = told["bots"][0]["points"].as_f64().expect("a number");
    assert_eq!(mean["value"].as_f64(), Some(points / 40.0));
    assert!(mean["low"].as_f64() < mean["value"].as_f64() && mean["value"].as_f64() < mean["high"].as_f64());
    assert_eq!(told.get("pairs"), None);
}

#[test]
fn a_test_that_could_not_be_meant_is_refused() {
    let workspace = Workspace::new();
    for (more, why) in [
        (&["--sprt", "0"][..], "separated by a comma"),
        (&["--sprt", "0,x"], "two numbers of normalized Elo from -200 to 200"),
        (&["--sprt", "5,5"], "the first is below the second"),
        (&["--sprt", "0,200.5"], "bounds are from -200 to 200"),
        (&["--sprt", "nan,5"], "bounds are from -200 to 200"),
        (&["--sprt", "0,5", "--alpha", "0"], "alpha is above 0 and below 1"),
        (&["--sprt", "0,5", "--beta", "1"], "beta is above 0 and below 1"),
        (&["--sprt", "0,5", "--alpha", "0.6", "--beta", "0.4"], "together they are below 1"),
        (&["--alpha", "0.1"], "--sprt"),
        (&["--sprt", "0,5", "--scenario", "drill"], "this scenario has 1 seats"),
    ] {
        let series = ["--bots", "random,random", "--games", "2", "--seed", "1", "--records", "rec"];
        let answer = workspace.run(&arena(&[&series[..], more].concat()));
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{more:?}: {}", answer.err);
        has(&answer.err, why);
        assert!(!workspace.path("rec").exists(), "{more:?}");
    }
}
