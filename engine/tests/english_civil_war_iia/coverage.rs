//! The reach of the suites: every event and result code at least once, and every result of a part on its
//! arrow, counted over random and directed games.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::bot;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::games::english_civil_war_iia::{EnglishCivilWar, bots};
use edgehill_engine::seat::Observer;
use edgehill_engine::table::{ApplyMode, Table};
use serde_json::json;

use crate::play::{Match, Played, SIDES, game, month, play, setup};

/// Codes that only imported orders can come to.
const IMPORTS_ONLY: [&str; 1] = ["void.illegal"];
/// Every code of an event that the rules tell; `agreed` is a call on the match.
const CODES: [&str; 66] = [
    "season_opened",
    "month_opened",
    "income",
    "owner",
    "funded",
    "points",
    "control",
    "control_lost",
    "removed",
    "built",
    "waived",
    "placed",
    "influence_shown",
    "adjustment_due",
    "adjustments_shown",
    "orders_shown",
    "retreats_shown",
    "ordered.hold",
    "ordered.move",
    "ordered.merge",
    "ordered.support",
    "ordered.support_move",
    "standoff",
    "dislodged",
    "may_retreat",
    "occupied",
    "clock",
    "founded",
    "held",
    "moved",
    "joined",
    "merged",
    "bounced.own_unit",
    "bounced.limit",
    "bounced.contested",
    "bounced.head_to_head",
    "bounced.strength",
    "bounced.standoff",
    "bounced.knot",
    "given",
    "cut_to",
    "cut",
    "void.merge_of_one",
    "void.three_leaders",
    "void.unmatched",
    "void.illegal",
    "retreated",
    "disbanded",
    "clash",
    "captured",
    "captured.alone",
    "captured.influence",
    "captured.removal",
    "captured.no_retreat",
    "captured.clash",
    "captured.third",
    "twice_units",
    "leader_lost",
    "on_units",
    "on_weight",
    "drawn",
    "drafted",
    "committed",
    "all",
    "army",
    "draft",
];

/// Returns the codes of the results of parts, in [`CODES`].
fn of_parts() -> &'static [&'static str] {
    let place = |wanted| CODES.iter().position(|code| *code == wanted).expect("a code of the table");
    &CODES[place("held")..=place("captured")]
}

/// The number of times that each code was published, and that it was on an arrow.
#[derive(Clone, Default)]
struct Counts {
    published: BTreeMap<&'static str, u32>,
    arrows: BTreeMap<&'static str, u32>,
}

fn count(counts: &mut Counts, table: &Table<EnglishCivilWar>) {
    for seat in SIDES {
        for seen in table.published(Observer::Seat(seat), 0) {
            *counts.published.entry(seen.code).or_default() += 1;
            for change in &seen.form.changes {
                if let edgehill_engine::view::Change::Arrow(_, Some(arrow)) = change
                    && let Some(code) = arrow.result
                {
                    *counts.arrows.entry(code).or_default() += 1;
                }
            }
        }
    }
}

/// A game between random play and the marshal.
fn random_game(seed: u64) -> Table<EnglishCivilWar> {
    let mut players = SIDES.map(|seat| {
        let kind = if seed % 4 == seat.index() as u64 { bots::marshal() } else { bot::random() };
        (kind.make)(game(), seat, seed)
    });
    let mut table = Table::open(Arc::clone(game()), setup(&[("max_seasons", "4")]), ChanceSource::Manual);
    while table.result().is_none() {
        let seat = table.node().to_act().iter().next().expect("somebody owes");
        let action = players[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
        table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action");
    }
    table
}

/// Games for what random play hardly ever comes to.
fn directed() -> Vec<Match> {
    let months: [([&[&str]; 2], [&str; 2]); 7] = [
        ([&["2A+Charles+Hopton OXF", "L Rupert BRK"], &["A LON"]], ["L Rupert BRK-OXF", ""]),
        (
            [&["3A OXF"], &["A BRK", "A BUC", "2A WAR"]],
            ["A OXF-BRK; 2A OXF S OXF-BRK", "A BUC-OXF; 2A WAR S BUC-OXF"],
        ),
        (
            [&["A+Charles+Rupert OXF", "A+Hopton WAR"], &["A LON"]],
            ["A+Charles+Rupert OXF MERGE GLO; A+Hopton WAR MERGE GLO", ""],
        ),
        ([&["2A OXF", "A BRK"], &["A BUC", "A WAR"]], ["2A OXF S BRK-BUC; A BRK-BUC", "A WAR-OXF"]),
        ([&["2A+Charles OXF", "L Rupert BRK"], &["A LON"]], ["L Rupert BRK-OXF", ""]),
        ([&["L Rupert OXF"], &[]], ["L Rupert OXF-BUC", ""]),
        ([&["3A OXF", "L Charles CON"], &["3A LON"]], ["", ""]),
    ];
    let mut games: Vec<Match> = months.into_iter().map(|(units, orders)| month(units, orders).game).collect();
    let clash: Played =
        month([&["A+Rupert OXF", "2A WOR"], &["3A BUC", "A GLO"]], ["2A WOR-GLO", "3A BUC-OXF"]);
    games.push(clash.then(["A+Rupert OXF R BRK", "A GLO R BRK"]).game);
    let third = month(
        [&["A+Charles+Rupert OXF", "A+Hopton GLO"], &["4A BUC", "4A WIL"]],
        ["", "4A BUC-OXF; 4A WIL-GLO"],
    );
    games.push(third.then(["A+Charles+Rupert OXF R WAR; A+Hopton GLO R WAR", ""]).game);
    games.push(month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"]).then(["", ""]).game);
    let units = json!({ "R": ["2A OXF", "L Charles CON"], "P": ["2A LON", "L Cromwell HUN"] });
    games.push(
        play(Match::at(&json!({ "units": units, "clocks": { "Cromwell": ["HUN", 2] } })), ["", ""]).game,
    );
    let bias = json!({ "WRY": 1, "LIN": 1, "WAR": 1, "CAM": 1, "NFK": 1, "ESX": 1, "GLO": 1, "HAM": 1, "DEV": 1, "PEM": 1, "LON": 1 });
    let units = json!({ "R": ["A CON"], "P": ["A KEN", "A+Waller CHE"] });
    let removal = json!({ "season": 2, "month": 0, "bias": bias, "regular": { "LON": "R", "GLO": "R" }, "units": units });
    games.push(play(Match::at(&removal), ["", ""]).then(["", "X CHE"]).game);
    let units = json!({ "R": ["A GLO", "L Rupert LEI"], "P": ["A LON"] });
    let season = json!({ "season": 2, "month": 0, "units": units });
    games.push(play(Match::at(&season), ["", "I LEI 1"]).then(["", ""]).game);
    for (royalist, bias) in [("5A OXF", json!({})), ("4A OXF", json!({ "DUR": 0 })), ("4A OXF", json!({}))] {
        let units = json!({ "R": [royalist, "L Charles CON"], "P": ["4A LON", "L Cromwell ESX"] });
        let last = json!({ "season": 2, "month": 0, "units": units, "bias": bias });
        games.push(play(Match::at_with(&last, &[("max_seasons", "2")]), ["", ""]).then(["", ""]).game);
    }
    // An army on a regular centre when a season opens.
    let units = json!({ "R": ["3A GLO", "L Charles CON"], "P": ["3A LON", "L Cromwell ESX"] });
    games.push(play(Match::at(&json!({ "month": 3, "units": units })), ["", ""]).game);
    games
}

#[test]
fn every_code_is_reached() {
    let mut counts = Counts::default();
    (0..16).for_each(|seed| count(&mut counts, &random_game(seed)));
    let random = counts.clone();
    directed().iter().for_each(|game| count(&mut counts, &game.table));
    println!("{:<24}{:>8}{:>8}{:>8}", "code", "random", "all", "arrows");
    let number = |counts: &BTreeMap<&str, u32>, code| counts.get(code).copied().unwrap_or(0);
    for code in CODES {
        let [random, all, arrows] =
            [&random.published, &counts.published, &counts.arrows].map(|by| number(by, code));
        println!("{code:<24}{random:>8}{all:>8}{arrows:>8}");
    }
    let only_arrows = ["all", "army", "draft"];
    let reached = |code: &&str| {
        let published = counts.published.contains_key(code) || only_arrows.contains(code);
        let drawn = counts.arrows.contains_key(code);
        published && (drawn || !(of_parts().contains(code) || only_arrows.contains(code)))
    };
    let missing: Vec<&str> =
        CODES.into_iter().filter(|code| !reached(code) && !IMPORTS_ONLY.contains(code)).collect();
    assert!(missing.is_empty(), "never published, or never on an arrow: {missing:?}");
    let unknown: Vec<&&str> =
        counts.published.keys().filter(|code| !CODES.contains(code) && **code != "prompt").collect();
    assert!(unknown.is_empty(), "not in the table: {unknown:?}");
}
