//! Points/build seasons, and how games end.

use edgehill_engine::game::Game;
use serde_json::{Value, json};

use super::Item;
use crate::play::{Match, P, R, game, marker, month, play, units};

pub(super) const ITEMS: &[Item] = &[
    ("season", "income by weight", || assert_eq!(saved(&season(&json!({})), "royalist"), 8)),
    ("season", "income rounded up", || assert_eq!(saved(&season(&json!({ "DUR": 0 })), "royalist"), 7)),
    ("season", "income without London", || {
        let four = json!({ "NFK": 0, "SFK": 0, "ESX": 0, "CAM": 0 });
        assert_eq!(saved(&season(&four), "parliament"), 6);
    }),
    ("season", "saving", || {
        let mut game = season(&json!({}));
        game.both("I OXF 3", "");
        assert_eq!((saved(&game, "royalist"), saved(&game, "parliament")), (5, 8));
    }),
    ("season", "all in one space, past 0", || rates("I PEM 8", "", 5)),
    ("season", "both in one space", || rates("I PEM 4", "I PEM 2", -1)),
    ("season", "to 0", || rates("I PEM 3", "", 0)),
    ("season", "a centre lost", || {
        let mut game = season(&json!({}));
        game.both("I HAM 1", "");
        assert_eq!(game.number("parliament_room"), Some(13));
    }),
    ("season", "a centre won back", || {
        let mut game = season(&json!({ "HAM": 0 }));
        game.both("", "I HAM 1");
        assert_eq!(game.number("parliament_room"), Some(14));
    }),
    ("season", "a regular centre taken", || assert_eq!(owner("A GLO", "A KEN", "P"), Some(1))),
    ("season", "a regular centre left", || assert_eq!(owner("A OXF", "A KEN", "R"), Some(1))),
    ("season", "a regular centre taken back", || assert_eq!(owner("A OXF", "A GLO", "R"), Some(-1))),
    ("season", "capacity above the armies", || {
        let mut game = season(&json!({}));
        game.both("", "");
        assert_eq!(game.number("royalist_room"), Some(14));
    }),
    ("season", "capacity below the armies: removals owed", || {
        let mut game = season_of("17A OXF", "A KEN", &json!({}));
        game.both("", "");
        assert_eq!(game.number("royalist_owed"), Some(2));
        game.both("X OXF 2", "");
        assert_eq!(units(&game.view(), R), ["15A OXF"]);
    }),
    ("season", "builds waived", || {
        play(season(&json!({})), ["", ""]).then(["B NLD", ""]).published("waived royalist 13");
    }),
    ("season", "one build a site", || {
        let mut game = season(&json!({}));
        game.both("", "");
        game.write(P, "B LON");
        assert!(!game.legal(P).contains(&"build LON".to_owned()));
    }),
    ("season", "a lone leader on the site", || {
        let units = json!({ "R": ["A OXF", "L Rupert CHE"], "P": ["A KEN"] });
        let mut game = Match::at(&json!({ "season": 2, "month": 0, "units": units }));
        game.both("", "");
        game.both("B CHE", "");
        assert_eq!(crate::play::units(&game.view(), R), ["A+Rupert CHE", "A OXF"]);
    }),
    ("season", "removals by default, with ties", || {
        let lost = ["WRY", "LIN", "WAR", "CAM", "ESX", "GLO", "HAM", "DEV", "PEM", "LON"];
        let bias: serde_json::Map<String, Value> = lost.iter().map(|&id| (id.to_owned(), json!(0))).collect();
        let mut war = Match::at(&json!({
            "season": 2, "month": 0, "bias": bias, "regular": { "GLO": "R", "LON": "R" },
            "units": { "R": [], "P": ["A CUM", "A DUR", "A KEN"] },
        }));
        war.both("", "");
        let default_action = game().default_action(war.table.released(), P, &[]);
        let removal = game().catalogue().actions.parse("remove CUM");
        assert_eq!(Some(default_action.actions[0]), removal, "as far as Durham, and first by name");
    }),
    ("season", "December 1642: two leaders in one space", || {
        let mut game = Match::start();
        game.both("", "");
        game.both(DEPLOY[0], DEPLOY[1]);
        assert!(units(&game.view(), R).contains(&"2A+Charles+Rupert OXF".to_owned()));
    }),
    ("season", "December 1642: with removals owed", || {
        play(Match::start(), ["", "I LAN 1; I CHE 1"])
            .then(["X LAN; X CHE; P Charles OXF; P Rupert OXF; P Hopton MWA; P Newcastle MWA", DEPLOY[1]])
            .published("removed royalist LAN 1")
            .published("placed Charles OXF");
    }),
    ("victory", "twice, exactly", || {
        ends(&["3A OXF", "L Charles CON"], &["A LON", "L Cromwell ESX"], Some("twice_units"));
    }),
    ("victory", "twice an odd number", || {
        ends(&["4A OXF", "L Charles CON"], &["2A LON", "L Cromwell ESX"], None);
        ends(&["5A OXF", "L Charles CON"], &["2A LON", "L Cromwell ESX"], Some("twice_units"));
    }),
    ("victory", "the enemy at 0", || ends(&["A OXF"], &[], Some("twice_units"))),
    ("victory", "nobody left", || {
        let played = month([&["L Rupert OXF"], &[]], ["L Rupert OXF-BUC", ""]);
        assert_eq!(played.game.result(), Some(("drawn", None)));
    }),
    ("victory", "the leader clause at the capture", || {
        month([&["4A OXF", "L Charles CON"], &["3A LON", "A+Cromwell LIN"]], ["", "L Cromwell LIN-NOT"])
            .published("captured.alone Cromwell NOT")
            .published("leader_lost royalist");
    }),
    ("victory", "the leader clause later", || {
        ends(&["3A OXF", "L Charles CON"], &["3A LON"], Some("leader_lost"));
    }),
    ("victory", "both clauses: twice is named", || {
        ends(&["4A OXF", "L Charles CON"], &["2A LON"], Some("twice_units"));
    }),
    ("victory", "last season: on units", || last("5A OXF", &json!({}), "on_units")),
    ("victory", "last season: on weight", || last("4A OXF", &json!({ "DUR": 0 }), "on_weight")),
    ("victory", "last season: drawn", || last("4A OXF", &json!({}), "drawn")),
    ("victory", "agreed", || {
        let mut game = Match::start();
        game.table.offer_draw(R).expect("the match is open");
        game.table.accept_draw(P).expect("a draw is offered");
        assert_eq!(game.result(), Some(("agreed", None)));
    }),
    ("victory", "an offer lapses with the next commit", || {
        let mut game = Match::start();
        game.table.offer_draw(R).expect("the match is open");
        game.commit(R, "");
        assert!(game.table.accept_draw(P).is_err());
    }),
    ("victory", "not in December 1642", || {
        let mut game = Match::start();
        game.both("", "I LAN 1; I CHE 1; I NOT 1; I CUM 2; I NRY 2");
        game.both(
            "X LAN; X CHE; X NOT; X CUM; X NRY; P Charles OXF; P Rupert OXF; P Hopton MWA; P Newcastle MWA",
            DEPLOY[1],
        );
        assert_eq!((game.result(), game.frame()), (None, "Orders"));
    }),
    ("victory", "max_seasons 1", || {
        let mut game = Match::with(&[("max_seasons", "1")]);
        game.both("", "");
        game.both(DEPLOY[0], DEPLOY[1]);
        assert_eq!(game.result(), Some(("on_units", Some(R))));
    }),
];

const DEPLOY: [&str; 2] = [
    "P Charles OXF; P Rupert OXF; P Hopton MWA; P Newcastle MWA",
    "P Cromwell LON; P Fairfax LON; P Essex PEM; P Waller PEM",
];

fn season_of(royalist: &str, parliament: &str, bias: &Value) -> Match {
    let units = json!({ "R": [royalist], "P": [parliament] });
    Match::at(&json!({ "season": 2, "month": 0, "units": units, "bias": bias }))
}

fn season(bias: &Value) -> Match {
    season_of("A OXF", "A KEN", bias)
}

fn saved(game: &Match, name: &str) -> i32 {
    marker(&game.view(), name, "points").expect("points are always shown")
}

/// Asserts the rating of Pembrokeshire, from -3, after both sides have spent.
fn rates(royalist: &str, parliament: &str, rating: i32) {
    play(season(&json!({})), [royalist, parliament]).rated("PEM", rating);
}

/// Returns the owner of Gloucester when a season opens: 1 the King's, -1 Parliament's.
fn owner(royalist: &str, parliament: &str, before: &str) -> Option<i32> {
    let units = json!({ "R": [royalist], "P": [parliament] });
    let position = json!({ "season": 2, "month": 0, "units": units, "regular": { "GLO": before } });
    marker(&Match::at(&position).view(), "GLO", "owner")
}

/// Asserts the end of a game with these units after a month in which nothing happens.
fn ends(royalist: &[&str], parliament: &[&str], code: Option<&str>) {
    let result = month([royalist, parliament], ["", ""]).game.result();
    assert_eq!(result.map(|(code, _)| code), code);
}

/// Asserts the end of the last season against four armies.
fn last(royalist: &str, bias: &Value, code: &str) {
    let units = json!({ "R": [royalist, "L Charles CON"], "P": ["4A LON", "L Cromwell ESX"] });
    let position = json!({ "season": 2, "month": 0, "units": units, "bias": bias });
    let played = play(Match::at_with(&position, &[("max_seasons", "2")]), ["", ""]).then(["", ""]);
    assert_eq!(played.game.result().map(|(code, _)| code), Some(code));
}
