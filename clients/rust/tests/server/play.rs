use std::thread;

use crate::{TestServer, Workspace, has, with};

#[test]
fn a_person_plays_against_a_house_bot_to_the_end() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let args = with(&server, &["play", "skirmish", "--bot", "random", "--seed", "7", "--record", "r.edg"]);
    let answer = workspace.run_with(&args, &"1\n".repeat(300));
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    has(&answer.out, "Skirmish: you play North. `help` tells what you can type.\n");
    has(&answer.out, "South is played by the house bot `random`.\n");
    has(&answer.out, "- North is dealt ");
    has(&answer.out, "card: Choose a card\n");
    has(&answer.out, "Over: ");
    has(&answer.out, "Record: r.edg\n");
    assert!(!answer.out.contains("No more input"), "{}", answer.out);
    has(&workspace.ok_on(&server, &["verify", "r.edg"]), "nothing is wrong");
}

#[test]
fn everything_can_be_asked_for_on_the_way() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let args = with(&server, &["play", "skirmish", "--seat", "south", "--bot", "random", "--out", "m.json"]);
    let input = "99\nmarch moon\nundo\n1\nundo\nwhy done\nwhy 1\nrule 2.3\nrule 99\nshow\nfull\nlegal\nevents\nhelp\nquit\n";
    let answer = workspace.run_with(&args, input);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    for part in [
        "you play South",
        "The menu has no action 99: it goes from 1 to 2.",
        "march moon",
        "NOTHING_TO_UNDO",
        "- Taken back",
        "Both seats choose a card in secret",
        " is legal now. ",
        "There is no rule `99`; there are 1.1, ",
        "Skirmish | South | sealed choices",
        "Skirmish, as seen by South\n",
        "\n  3            take action 3 of the menu\n",
        "You leave; the match is not over.\n",
    ] {
        has(&answer.out, part);
    }
    let again = workspace.run_with(&with(&server, &["play", "--match", "m.json"]), "resign\n");
    assert_eq!((again.code, again.err.as_str()), (0, ""));
    has(&again.out, "Over: ");
    let left = workspace.run_with(&with(&server, &["play", "skirmish", "--bot", "random"]), "1\n");
    has(&left.out, "No more input: the match is not over.\n");
}

#[test]
fn two_people_play_each_other() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let out =
        workspace.ok_on(&server, &["new", "--game", "skirmish", "--seat", "south=open", "--out", "n.json"]);
    let id = out.lines().find_map(|line| line.strip_prefix("Match: ")).expect("the match's id");
    thread::scope(|scope| {
        // North waits for South to sit down.
        let north = scope.spawn(|| {
            workspace.run_with(&with(&server, &["play", "--match", "n.json"]), &"1\n".repeat(300)).out
        });
        workspace.ok_on(&server, &["join", id, "--out", "s.json"]);
        let south =
            workspace.run_with(&with(&server, &["play", "--match", "s.json"]), &"1\n".repeat(300)).out;
        let ending = |out: &str| out.lines().find(|line| line.starts_with("Over: ")).map(str::to_owned);
        assert!(ending(&south).is_some(), "{south}");
        assert_eq!(ending(&north.join().expect("it ends")), ending(&south));
    });
}

#[test]
fn a_draw_is_offered_declined_and_accepted() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    workspace.ok_on(&server, &["new", "--game", "skirmish", "--out", "m.json"]);
    let play = |seat: &str, input: &str| {
        workspace.run_with(&with(&server, &["play", "--match", "m.json", "--seat", seat]), input).out
    };
    has(&play("south", "accept-draw\n"), "NO_OFFER");
    has(&play("north", "offer-draw\n"), "- North offers a draw\n");
    has(&play("south", "decline-draw\n"), "- South declines the draw\n");
    has(&play("north", "offer-draw\n"), "- North offers a draw\n");
    let out = play("south", "accept-draw\n");
    has(&out, "\nHow: the seats agreed on a draw\nPoints: North +0, South +0\n");
}

/// The same lines have the same answers, wherever the match is.
#[test]
fn a_session_reads_as_a_local_one_does() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let input = "about\nabout oxf\nabout points\nnear oxf\nmap\nscore\nrules influence\nfund LON; fund OXF x2\nfund NLD\nlegal\n\
                 undo\nundo\nundo\nwhy fund LON\nfund LON x9\nmarch moon\n99\naccept-draw\nhelp\nboard\nquit\n";
    let args = ["play", "english-civil-war-iia", "--seed", "7", "--columns", "90", "--bot", "random"];
    let local = workspace.run_with(&args, input);
    let remote = workspace.run_with(&with(&server, &args), input);
    assert_eq!((remote.code, remote.err.as_str()), (0, ""), "{}", remote.out);
    let answers = |out: &str| {
        let from = out.find("royalist> about\n").expect("the first line");
        // A house bot of a server commits when it has thought.
        let own = out[from..].lines().filter(|line| !line.contains("committed: "));
        own.map(|line| format!("{line}\n")).collect::<String>()
    };
    let (local, remote) = (answers(&local.out), answers(&remote.out));
    for (one, other) in local.lines().zip(remote.lines()) {
        assert_eq!(one, other, "locally, and on a server");
    }
    assert_eq!(local.lines().count(), remote.lines().count());
}
