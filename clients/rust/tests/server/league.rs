//! `edgehill league`: a competition from its file to its page.

use edgehill_competition::rating::{RatedResult, RatingPool, RatingSystem};
use edgehill_competition::{MatchOutcome, PairScore};
use serde_json::Value;

use crate::{TestServer, Workspace, has};

const CUP: &str = r#"
name = "Spring cup"
tie_breaks = ["sonneborn_berger", "wins"]
ratings = "glicko2"

[terms]
game = "skirmish"
clock = "bank=10m,increment=5s"

[format.round_robin]
cycles = 1

[encounter]
length = { all = 2 }
mirrored = true

[points]
basis = "matches"
win = "1"
draw = "0.5"
loss = "0"
forfeit = "0"
bye = "1"

[policy]
absence_s = 60
illegal_actions = { forfeit_after = 3 }
timeouts = { forfeit_after = 1 }
"#;

fn by<'a>(key: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    ["--key", key].iter().chain(args).copied().collect()
}

/// An account with a role on a server, and its key.
fn account(workspace: &Workspace, server: &TestServer, chief: &str, id: &str, role: &str) -> String {
    workspace.ok_on(server, &by(chief, &["admin", "add", id, "--role", role]));
    let made = workspace.ok_on(server, &by(chief, &["admin", "key", id]));
    made.lines().next().expect("a key").to_owned()
}

/// The ratings of a competition by Glicko-2 whose matches are mirrored pairs, from nothing but the results in the records of its matches.
fn pool_of_records(lines: &str) -> RatingPool {
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut pool = RatingPool::new(RatingSystem::Glicko2);
    for pair in lines.chunks(2) {
        let of = |seat: usize| pair[0]["seats"][seat]["entrant"].as_str().expect("an entrant");
        let (first, second) = (of(0), of(1));
        let outcome = |line: &Value| {
            let place = usize::from(line["seats"][0]["entrant"] != first);
            let returned = |seat: usize| line["result"]["returns"][seat].as_i64().expect("a return") as i32;
            MatchOutcome::of_returns(returned(place), returned(1 - place))
        };
        let outcome = PairScore::of(outcome(&pair[0]), outcome(&pair[1])).outcome();
        let round = pair[0]["match"].as_str().and_then(|slot| slot.split('.').next()).expect("a place");
        let result = RatedResult { first, second, outcome, period: round.parse().expect("a round") };
        pool.add(&result).expect("in the order of rounds");
    }
    assert_eq!(pool.ratings().len(), 3);
    pool
}

#[test]
fn a_competition_of_house_bots_is_made_from_a_file_followed_and_exported() {
    let (workspace, (server, chief)) = (Workspace::new(), TestServer::start_with_operator("chief"));
    let umpire = account(&workspace, &server, &chief, "umpire", "referee");
    let ada = account(&workspace, &server, &chief, "ada", "player");
    workspace.write("cup.toml", CUP);
    let ok = |key: &str, args: &[&str]| workspace.ok_on(&server, &by(key, args));
    let id = ok(&umpire, &["league", "create", "cup.toml"]).trim().to_owned();
    for (bot, name) in [("random", "Rupert"), ("random", "Essex"), ("random", "Hopton")] {
        let entrant = ok(&umpire, &["league", "enrol", &id, "--bot", bot, "--name", name]);
        has(&entrant, &format!(" {name} (house bot random)"));
    }
    has(&ok(&ada, &["league", "enrol", &id, "--name", "Countess"]), "#4 Countess (account ada)");
    has(&ok(&ada, &["league", "withdraw", &id, "4"]), "#4 Countess (account ada), has left");
    has(
        &ok(&ada, &["league", "list", "--phase", "enrolling"]),
        &format!("{id}  skirmish  Spring cup  round robin"),
    );
    has(&ok(&umpire, &["league", "start", &id]), "(running");
    let watched = ok(&ada, &["league", "watch", &id]);
    for words in ["created", "#1 Rupert enrolled", "started", "round 3 is paired", "finished", "score 0."] {
        has(&watched, words);
    }
    let shown = ok(&ada, &["league", "show", &id]);
    has(&shown, "encounters: 2 matches, mirrored");
    has(&shown, "#1 Rupert (house bot random), seed 1");
    has(&ok(&ada, &["league", "encounters", &id, "--round", "1"]), "1.1  ");
    has(&ok(&ada, &["league", "standings", &id, "--against", "1"]), "Rupert against:");
    ok(&ada, &["league", "export", &id, "--form", "html", "--out", "cup.html"]);
    has(&workspace.read("cup.html"), "Spring cup");
    assert_eq!(ok(&ada, &["league", "export", &id, "--form", "lines"]).lines().count(), 6);
    let lines = ok(&ada, &["league", "export", &id, "--form", "lines", "--with-records"]);
    let document = ok(&ada, &["league", "export", &id]);
    for (_, rating) in pool_of_records(&lines).ratings() {
        let value = serde_json::to_string(&rating.rating.value).expect("a number");
        has(&document, &format!("\"value\": {value},"));
    }

    let refused = workspace.on(&server, &by(&ada, &["league", "create", "cup.toml"]));
    assert_eq!(refused.code, 1);
    has(&refused.err, "NOT_ALLOWED");
    workspace.write("wrong.toml", &CUP.replace("cycles = 1", "cycles = 0"));
    let refused = workspace.on(&server, &by(&umpire, &["league", "create", "wrong.toml"]));
    assert_eq!(refused.code, 2);
    has(&refused.err, "format.cycles is 0; accepted: 1 to 20");
    let alone = workspace.run(&["league", "list"]);
    assert_eq!(alone.code, 2);
    has(&alone.err, "--server");
}

#[test]
fn the_file_of_the_manual_is_one_that_is_read() {
    let manual = include_str!("../../../../docs/competitions.md");
    let from = manual.find("```toml\n").expect("a file") + "```toml\n".len();
    let file = &manual[from..from + manual[from..].find("```").expect("its end")];
    let settings: edgehill_competition::CompetitionSettings = toml::from_str(file).expect("it is read");
    settings.check().expect("it is accepted");
}
