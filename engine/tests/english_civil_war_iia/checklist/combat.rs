//! Merges, cut supports, head-to-head meetings, leaders.

use serde_json::json;

use super::Item;
use crate::play::{Match, R, month, play};

const BOTH: &str = "A OXF MERGE BUC; A BRK MERGE BUC";

pub(super) const ITEMS: &[Item] = &[
    ("merge", "two origins, onto empty", || {
        month([&["A OXF", "A BRK"], &["A LON"]], [BOTH, ""]).stand(&["2A BUC"], &["A LON"]);
    }),
    ("merge", "three origins", || {
        let orders = "A OXF MERGE BUC; A BRK MERGE BUC; A NHP MERGE BUC";
        month([&["A OXF", "A BRK", "A NHP"], &["A LON"]], [orders, ""]).stand(&["3A BUC"], &["A LON"]);
    }),
    ("merge", "onto own units that hold", || {
        month([&["A OXF", "A BRK"], &["A LON"]], ["A OXF MERGE BRK", ""])
            .gave(&[("A OXF MERGE BRK", "merged"), ("A BRK H", "held")]);
    }),
    ("merge", "onto own units that support", || {
        month([&["A OXF", "A BRK", "A GLO"], &["A LON"]], ["A BRK MERGE OXF; A OXF S GLO", ""])
            .gave(&[("A BRK MERGE OXF", "merged"), ("A OXF S GLO", "given")]);
    }),
    ("merge", "onto own units that leave", || {
        let orders = "A BRK MERGE OXF; A GLO MERGE OXF; A OXF-WAR";
        month([&["A OXF", "A BRK", "A GLO"], &["A LON"]], [orders, ""])
            .gave(&[("A BRK MERGE OXF", "merged"), ("A OXF-WAR", "moved")])
            .stand(&["A WAR", "2A OXF"], &["A LON"]);
    }),
    ("merge", "onto own units that are stuck", || {
        let orders = "A BRK MERGE OXF; A GLO MERGE OXF; A OXF-BUC";
        month([&["A OXF", "A BRK", "A GLO"], &["2A BUC"]], [orders, ""])
            .gave(&[("A BRK MERGE OXF", "merged"), ("A OXF-BUC", "bounced.strength")])
            .stand(&["3A OXF"], &["2A BUC"]);
    }),
    ("merge", "onto the enemy", || {
        month([&["A OXF", "A BRK"], &["A BUC"]], [BOTH, ""])
            .gave(&[("A OXF MERGE BUC", "merged"), ("A BUC H", "dislodged")]);
    }),
    ("merge", "with support", || {
        let orders = "A OXF MERGE BUC; A BRK MERGE BUC; A NHP S BRK-BUC";
        month([&["A OXF", "A BRK", "A NHP"], &["2A BUC"]], [orders, ""])
            .gave(&[("A BRK MERGE BUC", "merged"), ("2A BUC H", "dislodged")]);
    }),
    ("merge", "attacked head-to-head", || {
        month([&["A OXF", "A BRK"], &["A BUC"]], [BOTH, "A BUC-OXF"])
            .gave(&[("A OXF MERGE BUC", "merged"), ("A BUC-OXF", "bounced.head_to_head, dislodged")]);
    }),
    ("merge", "of one", || {
        month([&["A OXF", "A BRK"], &["A LON"]], ["A OXF MERGE BUC", ""])
            .gave(&[("A OXF MERGE BUC", "void.merge_of_one")]);
    }),
    ("merge", "with three leaders", || {
        let orders = "A+Charles+Rupert OXF MERGE GLO; A+Hopton WAR MERGE GLO";
        month([&["A+Charles+Rupert OXF", "A+Hopton WAR"], &["A LON"]], [orders, ""])
            .gave(&[("A+Charles+Rupert OXF MERGE GLO", "void.three_leaders")]);
    }),
    ("merge", "with a leader of strength 0", || {
        month(
            [&["A OXF", "L Rupert BRK", "A WAR"], &["A BUC"]],
            ["L Rupert BRK MERGE OXF; A WAR MERGE OXF", ""],
        )
        .gave(&[("L Rupert BRK MERGE OXF", "merged"), ("A WAR MERGE OXF", "merged")]);
    }),
    ("merge", "two to two spaces, and one beside a move to its own", || {
        let orders = "A OXF MERGE BUC; A BRK MERGE BUC; A NHP-BUC; A WOR MERGE GLO; A HEF MERGE GLO";
        month([&["A OXF", "A BRK", "A NHP", "A WOR", "A HEF"], &["A LON"]], [orders, ""]).gave(&[
            ("A OXF MERGE BUC", "merged"),
            ("A NHP-BUC", "bounced.standoff"),
            ("A WOR MERGE GLO", "merged"),
        ]);
    }),
    ("cut", "none", || supported("2A", "", "given")),
    ("cut", "partial, by a move that fails", || supported("2A", "A WAR-OXF", "cut to 1 of 2")),
    ("cut", "full", || supported("A", "A WAR-OXF", "cut")),
    ("cut", "several attackers", || supported("3A", "A WAR-OXF; A NHP-OXF", "cut to 1 of 3")),
    ("cut", "from the space aimed at only", || supported("A", "A BUC-OXF", "given")),
    ("cut", "from it and another", || supported("2A", "A BUC-OXF; A WAR-OXF", "cut to 1 of 2")),
    ("cut", "by a merge", || supported("3A", "A WAR MERGE OXF; A NHP MERGE OXF", "cut to 1 of 3")),
    ("cut", "not by a void move", || supported("2A", "A WAR MERGE OXF", "given")),
    ("cut", "by dislodgement", || {
        month([&["A OXF", "A BRK"], &["2A WAR", "A BUC"]], ["A OXF S BRK-BUC; A BRK-BUC", "2A WAR-OXF"])
            .gave(&[("A OXF S BRK-BUC", "cut, dislodged"), ("A BRK-BUC", "bounced.strength")]);
    }),
    ("cut", "divided support, the strongest part first", || {
        let orders = "2A OXF S BRK-BUC; A OXF S GLO-WAR; A BRK-BUC; A GLO-WAR";
        month([&["3A OXF", "A BRK", "A GLO"], &["2A NHP", "A BUC", "A WAR"]], [orders, "2A NHP-OXF"])
            .gave(&[("2A OXF S BRK-BUC", "cut"), ("A OXF S GLO-WAR", "given")]);
    }),
    ("cut", "option cut_all off", || cut_all("false", "cut to 1 of 2")),
    ("cut", "option cut_all on", || cut_all("true", "cut")),
    ("head-to-head", "equal stacks", || {
        month([&["2A OXF"], &["2A BUC"]], ["2A OXF-BUC", "2A BUC-OXF"])
            .gave(&[("2A OXF-BUC", "bounced.head_to_head"), ("2A BUC-OXF", "bounced.head_to_head")]);
    }),
    ("head-to-head", "a stack of which part stays", || {
        month([&["2A OXF"], &["2A BUC"]], ["2A OXF-BUC", "A BUC-OXF"])
            .gave(&[("2A OXF-BUC", "bounced.head_to_head"), ("A BUC-OXF", "bounced.head_to_head")]);
    }),
    ("head-to-head", "support on both sides", || {
        let orders = ["2A OXF-BUC; A BRK S OXF-BUC", "2A BUC-OXF; A NHP S BUC-OXF"];
        month([&["2A OXF", "A BRK"], &["2A BUC", "A NHP"]], orders)
            .gave(&[("2A OXF-BUC", "bounced.head_to_head"), ("2A BUC-OXF", "bounced.head_to_head")]);
    }),
    ("head-to-head", "exchange of own armies", || {
        month([&["A OXF", "A BRK"], &["A LON"]], ["A OXF-BRK; A BRK-OXF", ""])
            .gave(&[("A OXF-BRK", "bounced.own_unit"), ("A BRK-OXF", "bounced.own_unit")]);
    }),
    ("head-to-head", "exchange of own leaders", || {
        month([&["L Charles OXF", "L Rupert BRK"], &["A LON"]], ["L Charles OXF-BRK; L Rupert BRK-OXF", ""])
            .gave(&[("L Charles OXF-BRK", "moved"), ("L Rupert BRK-OXF", "moved")]);
    }),
    ("head-to-head", "ring of three", || {
        month([&["A OXF", "A BRK", "A BUC"], &["A LON"]], ["A OXF-BRK; A BRK-BUC; A BUC-OXF", ""]).gave(&[
            ("A OXF-BRK", "moved"),
            ("A BRK-BUC", "moved"),
            ("A BUC-OXF", "moved"),
        ]);
    }),
    ("head-to-head", "ring with one part left behind", || {
        month([&["2A OXF", "A BRK", "A BUC"], &["A LON"]], ["A OXF-BRK; A BRK-BUC; A BUC-OXF", ""]).gave(&[
            ("A OXF-BRK", "bounced.own_unit"),
            ("A BRK-BUC", "bounced.own_unit"),
            ("A BUC-OXF", "bounced.own_unit"),
        ]);
    }),
    ("leader", "splits to hold, in own ground", || {
        month([&["A+Rupert OXF"], &["A LON"]], ["A OXF-BRK", ""]).gave(&[("L Rupert OXF H", "held")]);
    }),
    ("leader", "splits to hold, in neutral ground", || {
        month([&["A+Rupert BRK"], &["A LON"]], ["A BRK-OXF", ""]).gave(&[("L Rupert BRK H", "held")]);
    }),
    ("leader", "splits to hold, in enemy ground", || {
        month([&["A+Rupert BUC"], &["A LON"]], ["A BUC-OXF", ""])
            .gave(&[("L Rupert BUC H", "held")])
            .published("captured.alone Rupert BUC");
    }),
    ("leader", "splits to move", || {
        month([&["A+Rupert OXF"], &["A LON"]], ["L Rupert OXF-BRK", ""])
            .gave(&[("L Rupert OXF-BRK", "moved"), ("A OXF H", "held")]);
    }),
    ("leader", "splits to support", || {
        month([&["A+Rupert OXF"], &["A BUC"]], ["A OXF-BUC; L Rupert OXF S OXF-BUC", ""])
            .gave(&[("A OXF-BUC", "moved"), ("L Rupert OXF S OXF-BUC", "given")]);
    }),
    ("leader", "strength 0, uncontested", || {
        month([&["L Rupert BRK"], &["A LON"]], ["L Rupert BRK-WIL", ""])
            .gave(&[("L Rupert BRK-WIL", "moved")]);
    }),
    ("leader", "strength 0, contested", || {
        month([&["L Rupert BRK"], &["A DOR"]], ["L Rupert BRK-WIL", "A DOR-WIL"])
            .gave(&[("L Rupert BRK-WIL", "bounced.contested")]);
    }),
    ("leader", "strength 0, supported", || {
        month([&["L Rupert BRK", "2A OXF"], &["A BUC"]], ["L Rupert BRK-BUC; 2A OXF S BRK-BUC", ""])
            .gave(&[("L Rupert BRK-BUC", "bounced.contested"), ("2A OXF S BRK-BUC", "given")]);
    }),
    ("leader", "joins", || {
        month([&["2A OXF", "L Rupert BRK"], &["A LON"]], ["L Rupert BRK-OXF", ""])
            .gave(&[("L Rupert BRK-OXF", "joined")]);
    }),
    ("leader", "limit by order", || {
        let orders = "A+Hopton BRK MERGE OXF";
        month([&["2A+Charles+Rupert OXF", "A+Hopton BRK"], &["A LON"]], [orders, ""])
            .gave(&[(orders, "void.three_leaders")]);
    }),
    ("leader", "limit by outcome", || {
        let orders = "A+Charles+Rupert OXF-BUC; A OXF H; A+Hopton BRK MERGE OXF";
        month([&["2A+Charles+Rupert OXF", "A+Hopton BRK"], &["5A BUC"]], [orders, ""])
            .gave(&[("A+Hopton BRK MERGE OXF", "bounced.limit")]);
    }),
    ("leader", "limit in a retreat", || {
        let units: [&[&str]; 2] = [&["A+Charles+Rupert OXF", "A+Hopton GLO"], &["4A BUC", "4A WIL"]];
        month(units, ["", "4A BUC-OXF; 4A WIL-GLO"])
            .then(["A+Charles+Rupert OXF R WAR; A+Hopton GLO R WAR", ""])
            .published("captured.third Hopton GLO");
    }),
    ("leader", "moved onto by own armies", || {
        month([&["A OXF", "L Charles BRK"], &["A LON"]], ["A OXF-BRK", ""]).gave(&[("A OXF-BRK", "joined")]);
    }),
    ("leader", "alone, dislodged by the enemy", || {
        month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"]).gave(&[("L Rupert BRK H", "dislodged")]);
    }),
];

/// Asserts the result of a support by `armies` in Oxford for a move to Buckinghamshire.
fn supported(armies: &str, parliament: &str, code: &str) {
    let (stack, line) = (format!("{armies} OXF"), format!("{armies} OXF S BRK-BUC"));
    let orders = format!("{line}; A BRK-BUC");
    month([&[&stack, "A BRK"], &["A WAR", "A NHP", "A BUC"]], [&orders, parliament]).gave(&[(&line, code)]);
}

fn cut_all(option: &str, code: &str) {
    let units = json!({ "units": { "R": ["2A OXF", "A BRK"], "P": ["A BUC", "A WAR"] } });
    let game = Match::at_with(&units, &[("cut_all", option)]);
    assert!(game.owes(R));
    play(game, ["2A OXF S BRK-BUC; A BRK-BUC", "A WAR-OXF"]).gave(&[("2A OXF S BRK-BUC", code)]);
}
