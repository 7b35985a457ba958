use std::fs;

use crate::course::Course;
use crate::{TestServer, Workspace, has};

fn arena<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["arena", "--game", "skirmish"].iter().chain(more).copied().collect()
}

/// The names of the files in a folder, sorted.
fn files(workspace: &Workspace, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(workspace.path(folder)).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("a file").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

#[test]
fn a_series_on_a_server_is_the_series_of_this_process() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let series = ["--bots", "random,random", "--games", "4", "--seed", "1642"];
    let local = workspace.ok(&arena(&[&["--local", "--records", "own"], &series[..]].concat()));
    let far = workspace.ok_on(&server, &arena(&[&["--records", "far"], &series[..]].concat()));
    has(&far, "Skirmish: 4 games, seed 1642\n");
    assert_eq!(far, local);
    assert_eq!(files(&workspace, "far"), files(&workspace, "own"));
    for name in files(&workspace, "far") {
        let (own, far) = (workspace.read(&format!("own/{name}")), workspace.read(&format!("far/{name}")));
        assert!(Course::of(&far).len() > 10, "{far}");
        assert_eq!(Course::of(&own), Course::of(&far), "{name}");
        has(&workspace.ok_on(&server, &["verify", &format!("far/{name}")]), "nothing is wrong");
        has(&far, "\"random\"");
    }
}

/// More games are under way than it takes: those that end after the verdict do not count.
#[test]
fn a_test_on_a_server_ends_as_in_this_process() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let series = ["--bots", "random,random", "--games", "400", "--seed", "1642", "--sprt", "-200,200"];
    let local = workspace.ok(&arena(&[&["--local", "--records", "own"], &series[..]].concat()));
    let far =
        workspace.ok_on(&server, &arena(&[&["--records", "far", "--at-once", "16"], &series[..]].concat()));
    assert_eq!(far, local);
    has(&far, " is accepted, nElo ");
    assert_eq!(files(&workspace, "far"), files(&workspace, "own"));
    assert!(files(&workspace, "far").len() < 400);
    let json = |more: &[&str]| workspace.ok(&arena(&[more, &series[..], &["--json"]].concat()));
    let far = workspace.ok_on(&server, &arena(&[&series[..], &["--json"]].concat()));
    assert_eq!(far, json(&["--local"]));
    // A house bot of the server's against the command's own.
    let told = workspace.ok_on(&server, &["game", "this-war-without-an-enemy"]);
    has(&told, "captain: ");
    let args = ["arena", "--game", "this-war-without-an-enemy", "--bots", "captain,random", "--games", "100"];
    let args = [&args[..], &["--seed", "3", "--sprt", "0,150"]].concat();
    has(&workspace.ok_on(&server, &args), "H1 is accepted, nElo +150 rather than +0\n");
}

#[test]
fn a_test_that_could_not_be_meant_is_refused() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let args = ["--bots", "random,random", "--games", "2", "--seed", "1", "--sprt", "5,0"];
    let answer = workspace.on(&server, &arena(&args));
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    has(&answer.err, "the first is below the second");
    assert_eq!(workspace.ok_on(&server, &["matches"]), "", "no match was made");
}

#[test]
fn every_game_of_the_server_is_played() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    for game in workspace.ok(&["games", "--ids"]).lines() {
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
        workspace.ok_on(&server, &args);
        for name in files(&workspace, game) {
            has(&workspace.ok_on(&server, &["verify", &format!("{game}/{name}")]), "nothing is wrong");
        }
        assert_eq!(files(&workspace, game).len(), 2);
    }
}

#[test]
fn a_game_for_one_takes_the_first_bot() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let series = ["--scenario", "drill", "--bots", "random,nobody", "--games", "3", "--seed", "1"];
    let local = workspace.ok(&arena(&[&["--local"], &series[..]].concat()));
    assert_eq!(workspace.ok_on(&server, &arena(&series)), local);
    has(&local, "random: points ");
}

#[test]
fn house_bots_of_the_server_take_part() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let told = workspace.ok_on(&server, &["game", "skirmish"]);
    let bots = told.split("House bots\n").nth(1).expect("bots");
    let names: Vec<&str> = bots.lines().filter_map(|line| line.trim().split(':').next()).collect();
    let strongest = names.last().expect("a bot");
    for pair in [format!("{strongest},random"), format!("{strongest},{strongest}")] {
        let out = workspace
            .ok_on(&server, &arena(&["--bots", &pair, "--games", "2", "--seed", "3", "--records", &pair]));
        has(&out, "Skirmish: 2 games, seed 3\n");
        for name in files(&workspace, &pair) {
            has(&workspace.ok_on(&server, &["verify", &format!("{pair}/{name}")]), "nothing is wrong");
        }
    }
}

#[test]
fn wrong_bots_are_refused() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    for (bots, why) in [("random", "2 seats"), ("random,deep", "bot `deep`: this game has random")] {
        let answer = workspace.on(&server, &arena(&["--bots", bots, "--games", "2", "--seed", "1"]));
        assert_eq!((answer.code, answer.out.as_str()), (2, ""));
        has(&answer.err, why);
    }
    assert_eq!(workspace.ok_on(&server, &["matches"]), "", "no match was made");
}
