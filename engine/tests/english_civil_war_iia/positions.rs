//! Described positions: what they accept, and how they refuse.

use edgehill_engine::game::Game;
use serde_json::json;

use crate::play::{Match, R, game, marker, setup, units};

#[test]
fn a_position_is_taken_as_described() {
    let play = Match::at(&json!({
        "season": 3, "month": 2,
        "units": { "R": ["2A+Rupert OXF", "L Charles CON"], "P": ["A LON", "A+Cromwell HUN"] },
        "lost": ["Hopton", "Newcastle", "Fairfax", "Essex", "Waller"],
        "bias": { "LIN": 2 }, "regular": { "GLO": "R" }, "founded": { "DUR": "R" },
        "clocks": { "Cromwell": ["HUN", 1] }, "points": { "R": 3 },
    }));
    let view = play.view();
    assert_eq!(units(&view, R), ["2A+Rupert OXF", "L Charles CON"]);
    let shown = [
        ("LIN", "bias", 2),
        ("GLO", "owner", 1),
        ("DUR", "centre", 1),
        ("Cromwell", "clock", 1),
        ("royalist", "points", 3),
        ("calendar", "calendar", 10),
    ];
    for (at, kind, number) in shown {
        assert_eq!(marker(&view, at, kind), Some(number), "{at}: {kind}");
    }
}

#[test]
fn a_faulty_position_is_refused_by_its_field() {
    let wrong = [
        (json!([]), "", "an object"),
        (json!({ "unit": {} }), "unit", "unknown field `unit`, expected one of `season`, `month`, `units`"),
        (json!({ "season": 0 }), "season", "a whole number from 1 to 12"),
        (json!({ "month": 4 }), "month", "a whole number from 0 to 3"),
        (json!({ "month": "1" }), "month", "invalid type: string \"1\", expected a whole number"),
        (
            json!({ "units": 3 }),
            "units",
            "integer `3`, expected `start`, or an object with the lists R and P",
        ),
        (json!({ "units": "end" }), "units", "`start`, or an object with the lists R and P"),
        (json!({ "units": { "R": "A OXF" } }), "units.R", "expected a list"),
        (json!({ "units": { "R": ["A OXF", 2] } }), "units.R[1]", "expected text"),
        (json!({ "units": { "Q": [] } }), "units.Q", "R or P"),
        (json!({ "units": { "R": ["A XXX"] } }), "units.R[0]", "the id of a space"),
        (json!({ "units": { "R": ["A OXF-BUC"] } }), "units.R[0]", "units and their space only"),
        (json!({ "units": { "R": ["A OXF", "A OXF"] } }), "units.R[1]", "no other entry"),
        (json!({ "units": { "R": ["A+Cromwell OXF"] } }), "units.R[0]", "on the other"),
        (json!({ "units": { "R": ["A+Rupert OXF", "L Rupert CON"] } }), "units.R[1]", "each leader once"),
        (json!({ "units": { "R": ["A+Charles+Rupert+Hopton OXF"] } }), "units.R[0]", "at most two leaders"),
        (json!({ "units": { "R": ["51A OXF"] } }), "units.R[0]", "at most 50 armies"),
        (json!({ "units": { "R": ["L Rupert KEN"] } }), "units", "would be captured"),
        (json!({ "units": { "R": ["A+Rupert OXF"] }, "lost": ["Rupert"] }), "lost[0]", "not on the board"),
        (json!({ "units": { "R": ["A+Rupert OXF"] }, "lost": ["Charles"] }), "lost", "Hopton is missing"),
        (json!({ "bias": { "XXX": 1 } }), "bias.XXX", "not the id of a space"),
        (json!({ "bias": { "KEN": "x" } }), "bias.KEN", "a whole number"),
        (json!({ "regular": { "KEN": "R" } }), "regular.KEN", "a regular centre"),
        (json!({ "founded": { "OXF": "P" } }), "founded.OXF", "no centre from the start"),
        (
            json!({ "clocks": { "Rupert": ["OXF", 1] }, "units": { "R": ["A OXF"] } }),
            "clocks.Rupert[0]",
            "where the leader stands",
        ),
        (json!({ "clocks": { "Rupert": 3 } }), "clocks.Rupert", "a space and a number of months, such as"),
        (json!({ "clocks": { "Rupert": ["OXF"] } }), "clocks.Rupert", "a space and a number of months"),
        (json!({ "clocks": { "Rupert": ["OXF", "2"] } }), "clocks.Rupert[1]", "expected a whole number"),
        (json!({ "regular": { "GLO": "Q" } }), "regular.GLO", "R or P"),
        (json!({ "lost": "Rupert" }), "lost", "expected a list"),
        (json!({ "points": { "R": -1 } }), "points.R", "a whole number from 0"),
    ];
    for (position, field, expected) in wrong {
        let error = game().position(&setup(&[]), &position).expect_err("it is faulty");
        assert_eq!(error.field, field, "{position}: {error}");
        assert!(error.expected.contains(expected), "{position}: {error}");
    }
}

#[test]
fn the_start_can_be_described_too() {
    let play = Match::at(&json!({ "season": 1, "month": 0 }));
    assert_eq!(*play.table.state(), *Match::start().table.state());
}

#[test]
fn a_position_that_names_no_leader_has_those_of_the_set_up() {
    let setup = setup(&[]);
    for position in
        [json!({ "month": 2 }), json!({ "season": 2, "units": { "R": ["A OXF"], "P": ["A LON"] } })]
    {
        let state = game().position(&setup, &position).expect("a position");
        let view = game().view(&state, edgehill_engine::seat::Observer::Spectator);
        let led: Vec<String> = [R, crate::play::P].into_iter().flat_map(|seat| units(&view, seat)).collect();
        for leader in &game().realm().leaders {
            assert!(led.iter().any(|unit| unit.contains(&leader.id)), "{} in {led:?}", leader.id);
        }
    }
    let lost =
        Match::at(&json!({ "units": { "R": ["A OXF"], "P": ["A LON"] }, "lost": crate::play::leaders() }));
    assert_eq!(units(&lost.view(), R), ["A OXF"]);
}

bodies! {
    a_position_that_names_no_leader_has_those_of_the_set_up,
    a_position_is_taken_as_described,
    a_faulty_position_is_refused_by_its_field,
    the_start_can_be_described_too,
}
