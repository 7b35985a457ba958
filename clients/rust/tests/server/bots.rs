use std::thread;

use crate::{TestServer, Workspace, has};

#[test]
fn a_bot_plays_a_seat_of_a_file_and_another_takes_the_open_one() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let out =
        workspace.ok_on(&server, &["new", "--game", "skirmish", "--seat", "south=open", "--out", "m.json"]);
    let id = out.lines().find_map(|line| line.strip_prefix("Match: ")).expect("the match's id");
    thread::scope(|scope| {
        let taker =
            scope.spawn(|| workspace.ok_on(&server, &["bot", "--match", id, "--seat", "south", "random"]));
        let own = workspace.ok_on(&server, &["bot", "--match", "m.json", "--seed", "5", "random"]);
        has(&own, "random: ");
        has(&own, "\nOver: ");
        let ending = |out: &str| out.lines().find(|line| line.starts_with("Over: ")).map(str::to_owned);
        assert_eq!(ending(&taker.join().expect("it ends")), ending(&own));
    });
    has(&workspace.ok_on(&server, &["matches", "--finished"]), "finished: somebody, random\n");
    workspace.ok_on(&server, &["export", id, "--out", "r.edg"]);
    has(&workspace.ok_on(&server, &["verify", "r.edg"]), "nothing is wrong");
}

#[test]
fn a_bot_plays_by_a_token_against_a_house_bot() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    workspace.ok_on(&server, &["new", "--game", "skirmish", "--seat", "north=bot:random", "--out", "m.json"]);
    let file = workspace.read("m.json");
    let token = file.split("\"token\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a token");
    let id = file.split("\"match_id\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id");
    has(&workspace.ok_on(&server, &["bot", "--match", id, "--token", token, "random"]), "\nOver: ");
    let answer = workspace.on(&server, &["bot", "--match", id, "--token", "nonsense", "random"]);
    assert_eq!(answer.code, 1, "{}", answer.err);
    has(&answer.err, "BAD_TOKEN");
    let answer = workspace.on(&server, &["bot", "--match", "m.json", "deep"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "bot `deep`: this game has random");
}
