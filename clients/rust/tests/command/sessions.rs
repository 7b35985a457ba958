//! A match of each game as a person plays it in the terminal, kept whole: what is typed stands in `sessions/GAME.in`, what is read
//! in `sessions/GAME.txt`. `EDGEHILL_BLESS=1` writes the latter anew.

use std::fs;
use std::path::PathBuf;

use crate::Workspace;

/// A session that nobody would read to its end has proven nothing.
const SESSION_BYTES_MAX: usize = 60_000;

/// The folder of what is typed, what is read, and the positions that sessions begin at.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/command/sessions")
}

fn is_kept(game: &str, more: &[&str]) {
    let folder = folder();
    let typed = fs::read_to_string(folder.join(format!("{game}.in"))).expect("what is typed");
    let mut args = vec!["play", game, "--seed", "7", "--columns", "100"];
    args.extend(more);
    let answer = Workspace::new().run_with(&args, &typed);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{}", answer.out);
    assert!(answer.out.len() <= SESSION_BYTES_MAX, "{game}: {} bytes", answer.out.len());
    assert!(!answer.out.contains('\u{1b}'), "{game}: a colour where there is no terminal");
    let drawn = |line: &str| line.chars().count() <= 100;
    let wide = answer.out.lines().find(|line| !drawn(line));
    assert_eq!(wide, None, "{game}: a line that is wider than the terminal");
    assert!(answer.out.contains("\nOver: "), "{game}: the match is not over");
    let path = folder.join(format!("{game}.txt"));
    if std::env::var("EDGEHILL_BLESS").is_ok_and(|bless| bless == "1") {
        return fs::write(&path, &answer.out).expect("the session can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differ = kept.lines().zip(answer.out.lines()).position(|(one, other)| one != other);
    let differ = differ.unwrap_or_else(|| kept.lines().count().min(answer.out.lines().count()));
    assert!(
        kept == answer.out,
        "{game}: line {} reads `{}`, was `{}`; EDGEHILL_BLESS=1 writes the session anew",
        differ + 1,
        answer.out.lines().nth(differ).unwrap_or_default(),
        kept.lines().nth(differ).unwrap_or_default()
    );
}

#[test]
fn skirmish_reads_as_it_did() {
    is_kept("skirmish", &["--bot", "random"]);
}

#[test]
fn cruel_necessity_reads_as_it_did() {
    // The last turns of the last war, so that what is typed plays to the end that the rules make.
    let position = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command/sessions/cruel-necessity.json");
    is_kept("cruel-necessity", &["--scenario", "third", "--position", position]);
}

#[test]
fn this_war_without_an_enemy_reads_as_it_did() {
    // The last two Turns of the war, from a position: a match ends by the rules within a readable length.
    let position = folder().join("this-war-without-an-enemy.json");
    is_kept("this-war-without-an-enemy", &["--position", position.to_str().expect("a path in UTF-8")]);
}

#[test]
fn english_civil_war_iia_reads_as_it_did() {
    is_kept("english-civil-war-iia", &["--option", "max_seasons=2"]);
}

#[test]
fn unhappy_king_charles_reads_as_it_did() {
    // A few cards of the second year: a march and its Battle, an Evasion, markers. Whole wars are too long to be read.
    let position = folder().join("unhappy-king-charles.json");
    is_kept("unhappy-king-charles", &["--position", position.to_str().expect("a path in UTF-8")]);
}
