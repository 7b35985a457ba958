use std::fs;

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
