//! `edgehill league run`: a competition of programs, on a server of its own.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use edgehill_engine::registry::Registry;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::Workspace;
use crate::run_bot::{READY, is_running, shell_bot};
use crate::test_server;

/// Two programs of the line protocol, one that connects by itself, and a house bot: six mirrored pairs.
const PLAN: &str = r#"
[competition]
name = "Programs"
format = { round_robin = { cycles = 1 } }
encounter = { length = { all = 2 }, mirrored = true }
points = { basis = "matches", win = "1", draw = "0.5", loss = "0", forfeit = "0", bye = "0" }
terms = { game = "skirmish" }

[[bots]]
name = "one"
command = ["sh", "one.sh"]
at_once = 2

[[bots]]
name = "two"
command = ["sh", "two.sh"]
restarts = 0

[[bots]]
name = "three"
client = ["sh", "-c", "exec 'EDGEHILL' --server $EDGEHILL_SERVER run-bot --at-once 2 --seats three -- sh one.sh"]

[[bots]]
name = "four"
house_bot = "random"
"#;

fn workspace(two: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace
        .write("cup.toml", &PLAN.replace("'EDGEHILL'", concat!("'", env!("CARGO_BIN_EXE_edgehill"), "'")));
    workspace.write("one.sh", &shell_bot(READY, "answer", ""));
    workspace.write("two.sh", two);
    workspace
}

/// Starts a run.
fn start(workspace: &Workspace) -> Child {
    Command::new(env!("CARGO_BIN_EXE_edgehill"))
        .args(["league", "run", "cup.toml", "--server-program"])
        .arg(test_server::binary())
        .current_dir(workspace.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// The words of a run that ends with this code.
fn said(run: Child, code: i32) -> String {
    let ended = run.wait_with_output().expect("it ends");
    let out = String::from_utf8(ended.stdout).expect("text");
    assert_eq!(ended.status.code(), Some(code), "{out}{}", String::from_utf8_lossy(&ended.stderr));
    out
}

fn kept(workspace: &Workspace, name: &str) -> String {
    fs::read_to_string(workspace.path("cup.league").join(name)).expect("the run keeps it")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn programs_of_each_kind_play_to_the_end_and_a_broken_one_gives_up() {
    // It dies when it is first asked.
    let workspace = workspace(&shell_bot(READY, "echo 'no idea' >&2; exit 3", ""));
    let out = said(start(&workspace), 0);
    assert!(out.contains("index.html"), "{out}");
    let matches = lines(&kept(&workspace, "matches.jsonl"));
    assert_eq!(matches.len(), 12);
    // All that was played is in it, and who gave up.
    for one in &matches {
        let entries = one["entries"].as_array().expect("entries");
        let is_seat = |name: &Value| ["north", "south"].iter().any(|seat| name == seat);
        let acted =
            |entry: &&Value| entry["kind"] == "actions" && is_seat(&entry["seat"]) && entry["line"] != "";
        let resigned = entries.iter().any(|entry| entry["kind"] == "resigned" && is_seat(&entry["seat"]));
        let is_broken = one["seats"].as_array().expect("seats").iter().any(|seat| seat["name"] == "two");
        assert_eq!(resigned, is_broken, "{one}");
        assert!(is_broken || entries.iter().any(|entry| acted(&entry)), "{one}");
        assert_eq!((&one["terms"]["game"], &one["scenario"]), (&"skirmish".into(), &"skirmish".into()));
        assert_eq!(one["result"]["returns"].as_array().map(Vec::len), Some(2), "{one}");
    }
    let document: Value = serde_json::from_str(&kept(&workspace, "competition.json")).expect("JSON");
    let rows = document["standings"].as_array().expect("rows");
    assert_eq!((rows.len(), rows[3]["name"].as_str()), (4, Some("two")), "{rows:?}");
    assert_eq!(rows[3]["points"], 0.0, "{rows:?}");
    // The runner reports on its bots: each match of those that speak the protocol.
    let reports = lines(&kept(&workspace, "bots.jsonl"));
    let of = |name: &str| reports.iter().filter(|line| line["bot"] == name).collect::<Vec<_>>();
    assert_eq!((of("one").len(), of("two").len(), of("three").len()), (6, 6, 0));
    assert!(of("two").iter().all(|line| line["report"]["outcome"] == "broken"), "{reports:?}");
    assert!(of("one").iter().all(|line| line["report"]["outcome"] == "over"), "{reports:?}");
    let logs = fs::read_dir(workspace.path("cup.league/logs/bot-2")).expect("logs");
    let logged = logs.map(|log| fs::read_to_string(log.expect("a log").path()).expect("text"));
    assert!(logged.collect::<String>().contains("no idea"));
    for name in ["index.html", "standings.csv", "cross-table.csv", "matches.csv"] {
        assert!(!kept(&workspace, name).is_empty(), "{name}");
    }
    // It is over: the same command tells so again.
    let again = said(start(&workspace), 0);
    assert_eq!(again.lines().next(), out.lines().next());
    assert_eq!(lines(&kept(&workspace, "matches.jsonl")), matches);
}

#[test]
fn a_run_that_is_stopped_leaves_nothing_behind_and_is_gone_on_with() {
    let hang = "echo \"$$\" > fifo; sleep 600";
    let workspace = workspace(&shell_bot(READY, hang, ""));
    let fifo = workspace.path("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("`mkfifo` runs").success());
    let run = start(&workspace);
    let number = fs::read_to_string(&fifo).expect("the bot says its number");
    let number = number.split_whitespace().next().expect("a number").to_owned();
    assert!(is_running(&number));
    kill_process(Pid::from_child(&run), Signal::INT).expect("it runs");
    let stopped = said(run, 1);
    assert!(stopped.ends_with("the same command goes on with it\n"), "{stopped}");
    // It was killed; the system takes a moment to end what is not the runner's own child.
    assert!((0..1_000).any(|_| !is_running(&number)));

    workspace.write("two.sh", &shell_bot(READY, "answer", ""));
    let out = said(start(&workspace), 0);
    assert_eq!(out.lines().next(), stopped.lines().next(), "the same competition");
    let matches = lines(&kept(&workspace, "matches.jsonl"));
    assert_eq!(matches.len(), 12);
    let forfeited = |one: &Value| one["verdict"].as_str().is_none_or(|verdict| verdict.contains("forfeit"));
    assert!(!matches.iter().any(forfeited), "{matches:?}");
}

const OF_HOUSE_BOTS: &str = r#"
[competition]
name = "NAME"
terms = { game = "skirmish" }
format = { round_robin = { cycles = 1 } }
encounter = { length = { all = 1 }, mirrored = false }
points = { basis = "matches", win = "1", draw = "0.5", loss = "0", forfeit = "0", bye = "1" }

[[bots]]
name = "one"
house_bot = "random"

[[bots]]
name = "two"
house_bot = "random"
"#;

#[test]
fn several_plans_are_played_and_have_a_page_of_all() {
    let workspace = Workspace::new();
    for (file, name) in [("a b.toml", "The <first>"), ("c.toml", "The second")] {
        workspace.write(file, &OF_HOUSE_BOTS.replace("NAME", name));
    }
    let program = test_server::binary();
    let server = program.to_str().expect("a path in Unicode");
    let run = |plans: &[&str]| {
        workspace.run(&[&["league", "run", "--folder", "all", "--server-program", server], plans].concat())
    };
    let done = run(&["a b.toml", "c.toml"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let page = fs::read_to_string(workspace.path("all/index.html")).expect("the page of all");
    for words in [
        "<a href=\"a%20b/index.html\">The &lt;first&gt;</a>",
        "<a href=\"c/index.html\">The second</a>",
        "<td>skirmish</td><td>round robin, cycles: 1</td><td class=\"n\">2</td>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(workspace.path("all/a b/index.html").exists() && workspace.path("all/c/index.html").exists());
    // Two that would be in one folder are refused before one is played.
    workspace.write("other/c.toml", OF_HOUSE_BOTS);
    let refused = run(&["c.toml", "other/c.toml"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("two plans have one folder"), "{}", refused.err);
}

/// The plans of the house bots: each is read, and none forgets a game.
#[test]
fn there_is_a_league_of_house_bots_for_every_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../leagues/house");
    let mut played = Vec::new();
    for file in fs::read_dir(&folder).expect("the plans") {
        let path = file.expect("a plan").path();
        let text = fs::read_to_string(&path).expect("text");
        let plan: toml::Table = toml::from_str(&text).expect("TOML");
        let settings: edgehill_competition::CompetitionSettings =
            plan["competition"].clone().try_into().expect("settings");
        settings.check().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let games = Registry::built_in().expect("the games load");
        let game = games.game(&settings.terms.game).expect("a game of ours");
        for bot in plan["bots"].as_array().expect("bots") {
            let bot = bot["house_bot"].as_str().expect("a house bot");
            assert!(game.bots().iter().any(|known| known.name == bot), "{}: {bot}", path.display());
        }
        played.push(settings.terms.game);
    }
    played.sort_unstable();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/games");
    let mut games: Vec<_> = fs::read_dir(docs)
        .expect("the games' pages")
        .map(|page| page.expect("a page").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    games.sort_unstable();
    assert_eq!(played, games);
}

#[test]
fn a_plan_is_checked_before_anything_is_started() {
    for (from, to, expected) in [
        ("name = \"two\"", "name = \"one\"", "bots[1]"),
        ("house_bot = \"random\"", "rating = 1", "bots[3]: expected one of"),
        ("cycles = 1", "cycles = 0", "competition."),
        ("at_once = 2", "at_once = 0", "bots[0]: at_once"),
        ("restarts = 0", "restart = 0", "unknown field `restart`"),
    ] {
        let workspace = workspace("");
        let plan = PLAN.replace(from, to);
        assert_ne!(plan, PLAN);
        workspace.write("cup.toml", &plan);
        let answer = workspace.run(&["league", "run", "cup.toml"]);
        assert_eq!(answer.code, 2, "{}", answer.err);
        assert!(answer.err.contains(expected), "{}", answer.err);
        assert!(!workspace.path("cup.league").exists());
    }
}
