//! Retreats, occupation, captures, months towards a centre.

use serde_json::{Value, json};

use super::Item;
use crate::play::{Match, P, Played, R, month, play};

pub(super) const ITEMS: &[Item] = &[
    ("retreat", "one way", || {
        month([&["A NLD"], &["2A DUR"]], ["", "2A DUR-NLD"]).published("may_retreat royalist NLD CUM");
    }),
    ("retreat", "several", || {
        month([&["2A OXF"], &["A BUC", "A CAM"]], ["2A OXF-BUC", ""])
            .published("may_retreat parliament BUC NHP HRT BED BRK SRY LON");
    }),
    ("retreat", "none", || {
        month([&["A CON"], &["2A DEV"]], ["", "2A DEV-CON"])
            .published("may_retreat royalist CON")
            .gave(&[("A CON D", "disbanded")]);
    }),
    ("retreat", "divided", || {
        month([&["4A OXF"], &["2A BUC", "A CAM"]], ["4A OXF-BUC", ""])
            .then(["", "A BUC R HRT; A BUC R LON"])
            .stand(&["4A BUC"], &["A CAM", "A HRT", "A LON"]);
    }),
    ("retreat", "joined", || {
        month([&["3A OXF", "2A NHP"], &["A BUC", "A BED"]], ["3A OXF-BUC; 2A NHP-BED", ""])
            .then(["", "A BUC R HRT; A BED R HRT"])
            .stand(&["2A BED", "3A BUC"], &["2A HRT"]);
    }),
    ("retreat", "clash", || {
        clash().gave(&[("A+Rupert OXF R BRK", "clash"), ("A GLO R BRK", "clash")]);
    }),
    ("retreat", "the origins of a merge are closed", || {
        month([&["A OXF", "A BRK"], &["A BUC", "A CAM"]], ["A OXF MERGE BUC; A BRK MERGE BUC", ""])
            .published("may_retreat parliament BUC NHP HRT BED SRY LON");
    }),
    ("retreat", "the space of a stand-off is closed", || {
        month([&["3A OXF", "A BED"], &["A BUC", "A LON"]], ["3A OXF-BUC; A BED-HRT", "A LON-HRT"])
            .published("standoff HRT")
            .published("may_retreat parliament BUC NHP BRK SRY");
    }),
    ("retreat", "a leader alone, and one with an army", || {
        let dislodged = || month([&["A+Rupert OXF"], &["3A WAR"]], ["", "3A WAR-OXF"]);
        let mut alone = dislodged().game;
        alone.write(R, "alone Rupert");
        assert_eq!(alone.refusal(R, "retreat BUC"), [("LEADER_NEEDS_ARMY", "L9")]);
        dislodged().then(["A+Rupert OXF R BUC", ""]).gave(&[("A+Rupert OXF R BUC", "retreated")]);
    }),
    ("retreat", "captured", || {
        month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"])
            .then(["", ""])
            .gave(&[("L Rupert BRK D", "captured")]);
    }),
    ("retreat", "to a space that was left this month", || {
        month([&["3A OXF"], &["A BUC", "A LON"]], ["3A OXF-BUC", "A LON-ESX"])
            .then(["", "A BUC R LON"])
            .gave(&[("A BUC R LON", "retreated")]);
    }),
    ("occupation", "not on arrival", || {
        month([&["A NOT"], &["A LON"]], ["A NOT-LIN", ""]).rated("LIN", -1);
    }),
    ("occupation", "in the second month", || {
        month([&["2A NOT"], &["2A LON"]], ["2A NOT-LIN", ""]).then(["", ""]).rated("LIN", 0);
    }),
    ("occupation", "towards 0", || {
        month([&["A BUC"], &["A LON"]], ["", ""]).published("occupied BUC royalist -2 -1");
    }),
    ("occupation", "not at 0", || {
        month([&["A BRK"], &["A LON"]], ["", ""]).silent("occupied").rated("BRK", 0);
    }),
    ("occupation", "after a move that failed", || {
        month([&["A LIN"], &["2A CAM"]], ["A LIN-CAM", ""]).rated("LIN", 0);
    }),
    ("occupation", "a part stayed", || {
        month([&["2A LIN"], &["A LON"]], ["A LIN-LEI", ""]).rated("LIN", 0);
    }),
    ("occupation", "all have changed", || {
        month([&["A LIN", "A NOT"], &["A LON"]], ["A LIN-LEI; A NOT-LIN", ""]).rated("LIN", -1);
    }),
    ("occupation", "dislodged", || {
        month([&["A LIN", "A CON"], &["2A CAM"]], ["", "2A CAM-LIN"])
            .then(["A LIN R LEI", ""])
            .silent("occupied")
            .rated("LIN", -1);
    }),
    ("occupation", "by both sides in one month", || {
        month([&["A LIN"], &["A NOT"]], ["", ""])
            .published("occupied LIN royalist -1 0")
            .published("occupied NOT parliament 1 0");
    }),
    ("occupation", "not by a leader alone", || {
        month([&["A+Rupert LIN"], &["A LON"]], ["A LIN-NOT", ""]).silent("occupied").rated("LIN", -1);
    }),
    ("capture", "by being left", || {
        month([&["A+Rupert LIN"], &["A LON"]], ["A LIN-NOT", ""]).published("captured.alone Rupert LIN");
    }),
    ("capture", "by entering", || {
        month([&["A+Rupert OXF"], &["A LON"]], ["L Rupert OXF-BUC", ""])
            .published("captured.alone Rupert BUC");
    }),
    ("capture", "by influence", || {
        let units = json!({ "R": ["A OXF", "L Rupert LEI"], "P": ["A LON"] });
        play(Match::at(&json!({ "season": 2, "month": 0, "units": units })), ["", "I LEI 1"])
            .published("captured.influence Rupert LEI");
    }),
    ("capture", "by a removal", || {
        play(surplus(), ["", ""]).then(["", "X CHE"]).published("captured.removal Waller CHE");
    }),
    ("capture", "in a retreat", || {
        month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"])
            .then(["", ""])
            .published("captured.no_retreat Rupert BRK");
    }),
    ("capture", "in a clash", || {
        clash().published("captured.clash Rupert OXF");
    }),
    ("capture", "not with an army", || {
        month([&["A+Rupert OXF"], &["A LON"]], ["A+Rupert OXF-BUC", ""]).silent("captured");
    }),
    ("capture", "not in neutral ground", || {
        month([&["A+Rupert OXF"], &["A LON"]], ["L Rupert OXF-BRK", ""]).silent("captured");
    }),
    ("clock", "three months", || {
        let played = play(stood("L Cromwell HUN", 0), ["", ""]).published("clock Cromwell 1");
        played
            .then(["", ""])
            .published("clock Cromwell 2")
            .then(["", ""])
            .published("founded HUN parliament");
    }),
    ("clock", "across a points/build season", || {
        let mut position = standing("L Cromwell HUN", 2);
        (position["month"], position["season"]) = (json!(0), json!(2));
        play(Match::at(&position), ["", ""])
            .then(["", ""])
            .then(["", ""])
            .published("founded HUN parliament");
    }),
    ("clock", "moved", || {
        play(stood("L Cromwell HUN", 2), ["", "L Cromwell HUN-BED"])
            .published("clock Cromwell 0")
            .silent("founded");
    }),
    ("clock", "bounced", || {
        play(stood("L Cromwell HUN; A CAM", 1), ["", "L Cromwell HUN-BED; A CAM-BED"])
            .gave(&[("L Cromwell HUN-BED", "bounced.standoff")])
            .published("clock Cromwell 2");
    }),
    ("clock", "dislodged", || {
        let mut position = standing("L Cromwell HUN", 2);
        position["units"]["R"] = json!(["3A BED", "L Charles CON"]);
        play(Match::at(&position), ["3A BED-HUN", ""])
            .then(["", "L Cromwell HUN R CAM"])
            .published("clock Cromwell 0")
            .silent("founded");
    }),
    ("clock", "control lost and regained", || {
        let mut position = standing("L Cromwell HUN", 2);
        (position["month"], position["season"]) = (json!(0), json!(2));
        let lost = play(Match::at(&position), ["I HUN 1", ""]).published("clock Cromwell 0").then(["", ""]);
        let months = lost.then(["", ""]).then(["", ""]).then(["", ""]).silent("founded");
        months.then(["", "I HUN 1"]).then(["", ""]).then(["", ""]).published("clock Cromwell 1");
    }),
    ("clock", "with an army", || {
        play(stood("A+Cromwell HUN", 2), ["", ""]).published("founded HUN parliament");
    }),
    ("clock", "without an army", || {
        play(stood("L Cromwell HUN", 2), ["", ""]).published("founded HUN parliament");
    }),
    ("clock", "two leaders", || {
        let mut position = standing("L Cromwell+Fairfax HUN", 2);
        position["clocks"]["Fairfax"] = json!(["HUN", 1]);
        play(Match::at(&position), ["", ""])
            .published("founded HUN parliament")
            .published("clock Cromwell 0")
            .published("clock Fairfax 0");
    }),
    ("clock", "not on a centre", || {
        let units = json!({ "R": ["2A OXF"], "P": ["2A LON", "L Waller CAM"] });
        play(Match::at(&json!({ "units": units })), ["", ""]).silent("clock");
    }),
    ("clock", "not in nobody's ground", || {
        let units = json!({ "R": ["2A OXF"], "P": ["2A LON", "L Waller LEI"] });
        play(Match::at(&json!({ "units": units })), ["", ""]).silent("clock");
    }),
    ("clock", "on a Welsh block", || {
        let units = json!({ "R": ["2A OXF", "L Rupert NWA"], "P": ["2A LON"] });
        let position = json!({ "units": units, "clocks": { "Rupert": ["NWA", 2] } });
        play(Match::at(&position), ["", ""]).published("founded NWA royalist");
    }),
];

/// Retreats of both sides to Berkshire.
fn clash() -> Played {
    month([&["A+Rupert OXF", "2A WOR"], &["3A BUC", "A GLO"]], ["2A WOR-GLO", "3A BUC-OXF"])
        .then(["A+Rupert OXF R BRK", "A GLO R BRK"])
}

/// A season in which Parliament has one centre left, and two armies.
fn surplus() -> Match {
    let lost = ["WRY", "LIN", "WAR", "CAM", "NFK", "ESX", "GLO", "HAM", "DEV", "PEM", "LON"];
    let bias: serde_json::Map<String, Value> = lost.iter().map(|&id| (id.to_owned(), json!(1))).collect();
    let game = Match::at(&json!({
        "season": 2, "month": 0, "bias": bias, "regular": { "LON": "R", "GLO": "R" },
        "units": { "R": ["A CON"], "P": ["A KEN", "A+Waller CHE"] },
    }));
    assert!(game.owes(P));
    game
}

/// Parliament's units in and about Huntingdonshire, where Cromwell has stood for some months.
fn standing(units: &str, months: u8) -> Value {
    let parliament: Vec<&str> = ["2A LON"].into_iter().chain(units.split("; ")).collect();
    let clocks = if months > 0 { json!({ "Cromwell": ["HUN", months] }) } else { json!({}) };
    json!({ "units": { "R": ["3A OXF", "L Charles CON"], "P": parliament }, "clocks": clocks })
}

fn stood(units: &str, months: u8) -> Match {
    Match::at(&standing(units, months))
}
