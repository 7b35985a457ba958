use std::fs;

use crate::course::Course;
use crate::{Desk, House, has};

fn arena<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["arena", "--game", "skirmish"].iter().chain(more).copied().collect()
}

/// The names of the files in a folder, sorted.
fn files(desk: &Desk, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(desk.path(folder)).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("a file").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

#[test]
fn a_series_on_a_server_is_the_series_of_this_process() {
    let (desk, house) = (Desk::new(), House::open());
    let series = ["--bots", "random,random", "--games", "4", "--seed", "1642"];
    let local = desk.ok(&arena(&[&["--local", "--records", "own"], &series[..]].concat()));
    let far = desk.ok_on(&house, &arena(&[&["--records", "far"], &series[..]].concat()));
    has(&far, "Skirmish: 4 games, seed 1642\n");
    assert_eq!(far, local);
    assert_eq!(files(&desk, "far"), files(&desk, "own"));
    for name in files(&desk, "far") {
        let (own, far) = (desk.read(&format!("own/{name}")), desk.read(&format!("far/{name}")));
        assert!(Course::of(&far).len() > 10, "{far}");
        assert_eq!(Course::of(&own), Course::of(&far), "{name}");
        has(&desk.ok(&["verify", &format!("far/{name}")]), "nothing is wrong");
        has(&far, "\"random\"");
    }
}

#[test]
fn every_game_of_the_server_is_played() {
    let (desk, house) = (Desk::new(), House::open());
    for game in desk.ok(&["games", "--ids"]).lines() {
        let args = [
            "arena",
            "--game",
            game,
            "--bots",
            "random,random",
            "--games",
            "2",
            "--seed",
            "1642",
            "--records",
            game,
        ];
        desk.ok_on(&house, &args);
        for name in files(&desk, game) {
            has(&desk.ok(&["verify", &format!("{game}/{name}")]), "nothing is wrong");
        }
        assert_eq!(files(&desk, game).len(), 2);
    }
}

#[test]
fn a_game_for_one_takes_the_first_bot() {
    let (desk, house) = (Desk::new(), House::open());
    let series = ["--scenario", "drill", "--bots", "random,nobody", "--games", "3", "--seed", "1"];
    let local = desk.ok(&arena(&[&["--local"], &series[..]].concat()));
    assert_eq!(desk.ok_on(&house, &arena(&series)), local);
    has(&local, "random: points ");
}

#[test]
fn house_bots_of_the_server_take_part() {
    let (desk, house) = (Desk::new(), House::open());
    let told = desk.ok_on(&house, &["game", "skirmish"]);
    let bots = told.split("House bots\n").nth(1).expect("bots");
    let names: Vec<&str> = bots.lines().filter_map(|line| line.trim().split(':').next()).collect();
    let strongest = names.last().expect("a bot");
    for pair in [format!("{strongest},random"), format!("{strongest},{strongest}")] {
        let out =
            desk.ok_on(&house, &arena(&["--bots", &pair, "--games", "2", "--seed", "3", "--records", &pair]));
        has(&out, "Skirmish: 2 games, seed 3\n");
        for name in files(&desk, &pair) {
            has(&desk.ok(&["verify", &format!("{pair}/{name}")]), "nothing is wrong");
        }
    }
}

#[test]
fn wrong_bots_are_refused() {
    let (desk, house) = (Desk::new(), House::open());
    for (bots, why) in [("random", "2 seats"), ("random,deep", "bot `deep`: this game has random")] {
        let answer = desk.on(&house, &arena(&["--bots", bots, "--games", "2", "--seed", "1"]));
        assert_eq!((answer.code, answer.out.as_str()), (2, ""));
        has(&answer.err, why);
    }
    assert_eq!(desk.ok_on(&house, &["matches"]), "", "no match was made");
}
