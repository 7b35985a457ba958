//! `edgehill new-matches`: a plan of matches that are made together.

use serde_json::Value;

use crate::{TestServer, Workspace, has};

const PLAN: &str = r#"{
  "matches": [
    {"game": "skirmish", "group": "pair", "entrants": [0, 1], "seats": {"north": "invited", "south": "invited"}},
    {"game": "english-civil-war-iia", "options": {"max_seasons": 3}, "clock": "limit=3d"},
    {"game": "skirmish", "group": "pair", "entrants": [1, 0], "seats": {"south": "invited"}},
    {"game": "skirmish", "seed": "1642", "seats": {"south": "bot:random"}}
  ],
  "groups": {"pair": 2}
}"#;

#[test]
fn the_matches_of_a_plan_are_made_in_its_order() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    workspace.write("plan.json", PLAN);
    let out = workspace.ok_on(&server, &["new-matches", "plan.json", "--out", "made.json"]);
    has(&out, "Made: 4, with invitations and creator tokens in made.json\n");
    let made: Value = serde_json::from_str(&workspace.read("made.json")).expect("it is JSON");
    let text = |index: usize, field: &str| made["matches"][index][field].as_str().expect(field).to_owned();
    let games: Vec<String> = (0..4).map(|index| text(index, "game")).collect();
    assert_eq!(games, ["skirmish", "english-civil-war-iia", "skirmish", "skirmish"]);
    for (index, line) in out.lines().take(4).enumerate() {
        assert_eq!(line, format!("{}  {}", text(index, "match_id"), games[index]));
    }
    // The pair has its dice in common.
    assert_eq!(text(0, "commitment"), text(2, "commitment"));
    assert_eq!((text(0, "group_id"), text(3, "commitment")), (text(2, "group_id"), String::new()));
    let invited = |index: usize| made["matches"][index]["invitations"].as_object().expect("seats").len();
    assert_eq!([0, 1, 2, 3].map(invited), [2, 0, 1, 0]);
    let invitation = made["matches"][0]["invitations"]["south"].as_str().expect("an invitation");
    let id = text(0, "match_id");
    let taken = workspace.ok_on(&server, &["join", &id, "--invitation", invitation, "--out", "s.json"]);
    has(&taken, "You play South: s.json\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(workspace.path("made.json")).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o077, 0, "its secrets are its owner's");
    }
    let again = workspace.on(&server, &["new-matches", "plan.json", "--out", "made.json"]);
    assert_eq!(again.code, 3, "{}", again.err);
}

#[test]
fn a_plan_that_can_not_be_made_makes_nothing_and_names_the_match() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    for (plan, code, said) in [
        (r#"{"matches": [{"game": "skirmish"}, {"game": "chess"}]}"#, 2, "UNKNOWN_GAME"),
        (
            r#"{"matches": [{"game": "skirmish", "seats": {"south": "me"}}]}"#,
            2,
            "matches[0].seats.south: expected open",
        ),
        (r#"{"matches": [{"game": "skirmish", "seats": {"east": "open"}}]}"#, 2, "matches[0].seats"),
        (r#"{"matches": [{"game": "skirmish", "options": {"no": 1}}]}"#, 2, "matches[0].options"),
        (r#"{"matches": [{"game": "skirmish", "group": "g"}]}"#, 2, "matches[0].group"),
        (r#"{"matches": [{"game": "skirmish", "entrants": [0]}]}"#, 2, "matches[0].entrants"),
        (r#"{"matches": [{"game": "skirmish", "seats": {"south": "bot:clever"}}]}"#, 2, "UNKNOWN_BOT"),
        (r#"{"matches": [{"game": "skirmish", "seats": {"south": "account:bob"}}]}"#, 2, "no accounts"),
        (r#"{"matches": [{"name": "skirmish"}]}"#, 2, "is not a plan: unknown field `name`"),
    ] {
        workspace.write("plan.json", plan);
        let answer = workspace.on(&server, &["new-matches", "plan.json", "--out", "made.json"]);
        assert_eq!(answer.code, code, "{plan}: {}", answer.err);
        has(&answer.err, said);
        assert!(!workspace.path("made.json").exists());
    }
    assert_eq!(workspace.ok_on(&server, &["matches"]), "");
}
