//! Rules of points/build seasons, occupation and centres (2 to 10, C, S, I, B), one test each.

use edgehill_engine::game::Game;
use edgehill_engine::seat::Observer;
use edgehill_engine::view::NodeView;
use serde_json::{Value, json};

use crate::play::{Match, P, R, SIDES, game, marker, month, play, units};

/// Leaders where they do no harm, for December 1642.
const DEPLOY: [&str; 2] = [
    "P Charles OXF; P Rupert OXF; P Hopton MWA; P Newcastle MWA",
    "P Cromwell LON; P Fairfax LON; P Essex PEM; P Waller PEM",
];

/// A season, later than the first, with these units and ratings.
pub(crate) fn season(royalist: &[&str], parliament: &[&str], bias: &serde_json::Value) -> Match {
    Match::at(&json!({
        "season": 2, "month": 0, "units": { "R": royalist, "P": parliament }, "bias": bias,
    }))
}

fn saved(game: &Match, name: &str) -> i32 {
    marker(&game.view(), name, "points").expect("points are always shown")
}

#[test]
fn rule_2_a_season_then_three_months() {
    let mut game = Match::start();
    game.news();
    game.both("", "");
    game.both(DEPLOY[0], DEPLOY[1]);
    for _ in 0..3 {
        game.both("", "");
    }
    let facts = game.facts();
    let dates: Vec<&String> = facts.iter().filter(|fact| fact.contains("_opened")).collect();
    let expected =
        ["month_opened 1643 1", "month_opened 1643 2", "month_opened 1643 3", "season_opened 1643 4"];
    assert_eq!(dates, expected);
}

#[test]
fn rule_4_income_is_a_third_of_the_counties_rounded_up() {
    let mut game = season(&["A OXF"], &["A LON"], &json!({ "DUR": 0 }));
    // 21 counties are as good as 22 are not.
    assert_eq!(saved(&game, "royalist"), 7);
    assert_eq!(saved(&game, "parliament"), 8);
    game.both("I PEM 4", "I PEM 2");
    assert!(game.facts().contains(&"funded PEM 4 2 -3 -1".to_owned()));
}

#[test]
fn rule_5_occupation_turns_a_county_by_one() {
    month([&["A LIN"], &["A LON"]], ["", ""]).published_by("occupied LIN royalist -1 0", "5").rated("LIN", 0);
}

#[test]
fn rule_6_centres_serve_their_own_side_alone() {
    // Gloucester and London serve the side that holds them, besides their home side.
    let mut game = season(&["A GLO"], &["A KEN"], &json!({}));
    game.both("", "");
    assert_eq!(game.number("royalist_room"), Some(15));
    assert_eq!(game.number("parliament_room"), Some(12));
}

#[test]
fn rule_7_armies_are_adjusted_to_centres() {
    let mut game = season(&["14A NRY"], &["A OXF"], &json!({}));
    game.both("", "");
    assert_eq!(game.number("royalist_owed"), Some(1));
    assert_eq!(game.legal(R), ["remove NRY"]);
    assert_eq!(game.refusal(P, "remove OXF"), [("NOTHING_OWED", "7")]);
    game.news();
    game.both("X NRY", "B LON");
    let facts = game.facts();
    assert!(
        facts.contains(&"removed royalist NRY 1".to_owned())
            && facts.contains(&"built parliament LON".to_owned())
    );
}

#[test]
fn rule_10_fifteen_armies_against_fourteen() {
    let mut game = Match::start();
    let view = game.view();
    let armies = |seat| -> u16 {
        view.board.groups.iter().filter(|(key, _)| key.owner == Some(seat)).map(|(_, &count)| count).sum()
    };
    assert_eq!(SIDES.map(armies), [15, 14]);
    assert_eq!(units(&view, R).iter().filter(|unit| unit.starts_with("2A")).count(), 3);
    game.both("", "");
    assert_eq!(game.refusal(R, "place KEN"), [("NOT_A_HOME", "10")]);
    game.news();
    game.both(DEPLOY[0], DEPLOY[1]);
    assert!(game.facts().contains(&"placed Charles OXF".to_owned()));
}

#[test]
fn rule_c6_armies_take_regular_centres_and_keep_them() {
    let mut game = season(&["A GLO"], &["A KEN"], &json!({}));
    assert_eq!(marker(&game.view(), "GLO", "owner"), Some(1));
    game.both("", "");
    game.both("", "");
    for orders in ["A GLO-BRK", "", ""] {
        game.both(orders, "");
    }
    assert_eq!(marker(&game.view(), "GLO", "owner"), Some(1), "left, and still held");
    // A leader alone takes none.
    let game = season(&["L Rupert GLO"], &["A KEN"], &json!({ "GLO": 1 }));
    assert_eq!(marker(&game.view(), "GLO", "owner"), Some(-1));
}

#[test]
fn rule_c9_leaders_alone_do_not_occupy() {
    let position = json!({ "units": { "R": ["L Rupert LIN"], "P": ["A LON"] }, "bias": { "LIN": 0 } });
    play(Match::at(&position), ["", ""]).silent("occupied");
    month([&["3A+Rupert LIN"], &["A LON"]], ["", ""]).published("occupied LIN royalist -1 0");
    // The army that he came with leaves: he has been there all month, and is taken.
    month([&["A+Rupert LIN"], &["A LON"]], ["A LIN-NOT", ""])
        .silent("occupied")
        .rated("LIN", -1)
        .published("captured.alone Rupert LIN");
}

#[test]
fn rule_c10_a_home_centre_counts_only_in_hand() {
    let mut game = season(&["A LAN"], &["A KEN"], &json!({ "HAM": 0 }));
    game.both("", "");
    assert_eq!(game.number("parliament_room"), Some(13), "neutral is not enough");
    let mut game = season(&["A LAN"], &["A OXF"], &json!({}));
    game.both("", "");
    assert_eq!(game.number("royalist_room"), Some(12), "an enemy in it is too much");
}

#[test]
fn rule_c11_a_block_counts_by_its_weight() {
    // 14 counties, and 3 + 3 + 2.
    assert_eq!(saved(&season(&["A OXF"], &["A LON"], &json!({})), "royalist"), 8);
    let game = season(&["A OXF"], &["A LON"], &json!({ "SWA": 0, "MWA": 0, "NWA": 0 }));
    // 22 - 3 - 3 - 2 = 14 counties.
    assert_eq!(saved(&game, "royalist"), 5);
}

#[test]
fn rule_c12_london_brings_no_income() {
    let bias = json!({ "NFK": 0, "SFK": 0, "ESX": 0 });
    let game = season(&["A OXF"], &["A LON"], &bias);
    // 22 - 3 = 19 without London: 7 either way; with two less the difference shows.
    assert_eq!(saved(&game, "parliament"), 7);
    let game = season(&["A OXF"], &["A LON"], &json!({ "NFK": 0, "SFK": 0, "ESX": 0, "CAM": 0 }));
    assert_eq!(saved(&game, "parliament"), 6, "18 counties, not 19");
}

#[test]
fn rule_s1_the_actions_of_a_season_in_their_order() {
    let mut game = season(&["A GLO", "L Charles CON"], &["A KEN", "A OXF", "L Cromwell ESX"], &json!({}));
    game.news();
    game.both("I KEN 1", "");
    game.both("B NLD", "B LON");
    let facts = game.facts();
    let place = |prefix: &str| {
        facts
            .iter()
            .position(|fact| fact.starts_with(prefix))
            .unwrap_or_else(|| panic!("{prefix}: {facts:?}"))
    };
    let order = [
        "influence_shown",
        "funded",
        "points",
        "adjustment_due",
        "adjustments_shown",
        "built",
        "month_opened",
    ];
    let places: Vec<usize> = order.into_iter().map(place).collect();
    assert!(places.is_sorted(), "{facts:?}");
    // Gloucester was the King's before his room was counted.
    let mut game = season(&["A GLO"], &["A KEN"], &json!({}));
    game.both("", "");
    assert_eq!(game.number("royalist_room"), Some(15));
}

#[test]
fn rule_s2_influence_takes_centres_before_builds() {
    let mut game = season(&["A OXF"], &["A KEN"], &json!({}));
    game.both("I LIN 1", "");
    assert!(!game.legal(P).contains(&"build LIN".to_owned()), "it is nobody's");
    assert!(game.legal(P).contains(&"build WRY".to_owned()));
    let mut game = Match::start();
    game.news();
    game.both("I LIN 1", "");
    assert_eq!(game.number("parliament_room"), Some(0), "14 armies, and room for 14");
    assert!(game.news().iter().any(|seen| seen.code == "adjustment_due" && seen.rule.id() == "S2"));
}

#[test]
fn rule_s3_leaders_are_placed_after_the_removals() {
    let mut game = Match::start();
    game.both("", "I LAN 1; I CHE 1; I NOT 1");
    assert_eq!(game.number("royalist_owed"), Some(3));
    assert_eq!(game.refusal(R, "place OXF"), [("REMOVALS_OWED", "S3")]);
    game.write(R, "X OXF 2; X CON");
    assert!(game.legal(R).contains(&"place OXF".to_owned()), "his own ground, though no army is left");
    assert_eq!(game.refusal(R, "done"), [("LEADERS_TO_PLACE", "S3")]);
}

#[test]
fn rule_s4_the_actions_of_a_month_in_their_order() {
    let position = json!({ "units": { "R": ["3A OXF", "A LIN", "L Rupert DUR"], "P": ["A BUC"] }, "clocks": { "Rupert": ["DUR", 2] } });
    let mut game = Match::at(&position);
    game.news();
    game.both("3A OXF-BUC", "");
    game.both("", "A BUC R LON");
    let facts = game.news();
    let rules: Vec<&str> = facts.iter().map(|seen| seen.code).collect();
    let place = |code: &str| {
        rules.iter().position(|other| *other == code).unwrap_or_else(|| panic!("{code}: {rules:?}"))
    };
    let order = [
        "orders_shown",
        "moved",
        "dislodged",
        "retreats_shown",
        "retreated",
        "occupied",
        "founded",
        "twice_units",
    ];
    let places: Vec<usize> = order.into_iter().map(place).collect();
    assert!(places.is_sorted(), "{rules:?}");
    assert!(facts.iter().all(|seen| seen.code != "month_opened" || seen.rule.id() == "S4"));
    // Four units against three, until Waller is taken: the captures come before victory is looked at.
    month([&["4A CON"], &["A+Waller BUC", "A LON"]], ["", "L Waller BUC-OXF"])
        .published("captured.alone Waller OXF")
        .published("twice_units royalist");
}

#[test]
fn rule_s5_occupations_are_judged_together() {
    month([&["A LIN"], &["A NOT", "A LON"]], ["", ""])
        .published("occupied LIN royalist -1 0")
        .published("occupied NOT parliament 1 0")
        .rated("LIN", 0)
        .rated("NOT", 0);
}

#[test]
fn rule_s6_nothing_is_shown_but_that_a_side_has_committed() {
    let mut game = Match::month(&["A OXF"], &["A LON"]);
    game.news();
    let before = game.view();
    game.commit(R, "A OXF-BUC");
    assert_eq!(game.facts(), ["committed royalist"]);
    let after = game.view();
    assert_eq!(before.board, after.board);
    let NodeView::Sealed { to_act, committed } = after.turn_state.node else { panic!("a sealed node") };
    assert!(to_act.contains(P) && committed.contains(R));
    let other = game.table.view(Observer::Seat(P));
    assert_eq!(other.board, before.board);
}

#[test]
fn rule_s7_what_is_missing_holds_disbands_or_is_kept() {
    let rules = game();
    let mut table = Match::month(&["2A OXF", "A CON"], &["A LON"]);
    table.write(R, "part 1; move BUC");
    let draft = table.table.draft(R).to_vec();
    let default_action = rules.default_action(table.table.released(), R, &draft);
    assert_eq!(default_action.keep, 0, "Oxford was not finished");
    let words: Vec<String> =
        default_action.actions.iter().map(|&action| rules.catalogue().actions.notation(action)).collect();
    assert_eq!(words, ["hold", "hold", "done"]);
    month([&["3A OXF"], &["A BUC"]], ["3A OXF-BUC", ""])
        .then(["", ""])
        .published_by("disbanded parliament BUC BUC 1", "S7");
    let start = Match::start();
    let default_action = rules.default_action(start.table.released(), P, &[]);
    assert_eq!(default_action.actions.len(), 1, "points are kept");
}

#[test]
fn rule_s8_the_farthest_armies_go_first() {
    assert_eq!(default_removals(&["A CUM", "A SSX", "A KEN"]), ["remove CUM"]);
    assert_eq!(default_removals(&["A NOT", "A CON", "A KEN"]), ["remove CON"]);
}

#[test]
fn rule_s8_a_regular_centre_is_as_near_as_a_dedicated_one() {
    let removed = |owners: &Value| default_removals_with(&["A CUM", "A CON", "A KEN", "A NFK"], owners);
    assert_eq!(removed(&json!({ "GLO": "R", "LON": "R" })), ["remove CUM", "remove CON"]);
    // Gloucester counts by its owner, though nobody controls it: Cornwall is near it.
    assert_eq!(removed(&json!({ "LON": "R" })), ["remove CUM"]);
}

#[test]
fn rule_s11_of_equally_far_armies_the_first_by_name_goes() {
    assert_eq!(default_removals(&["A CUM", "A DUR", "A KEN"]), ["remove CUM"]);
}

/// Returns the armies that Parliament loses by default with two centres, Norfolk and Kent.
fn default_removals(armies: &[&str]) -> Vec<String> {
    default_removals_with(armies, &json!({ "GLO": "R", "LON": "R" }))
}

/// The same with these owners of regular centres.
fn default_removals_with(armies: &[&str], owners: &Value) -> Vec<String> {
    let bias = json!({
        "WRY": 0, "LIN": 0, "WAR": 0, "CAM": 0, "ESX": 0, "GLO": 0, "HAM": 0, "DEV": 0, "PEM": 0, "LON": 0,
    });
    let mut play = Match::at(&json!({
        "season": 2, "month": 0, "bias": bias, "units": { "R": [], "P": armies },
        "regular": owners,
    }));
    play.both("", "");
    let default_action = game().default_action(play.table.released(), P, &[]);
    let words = default_action.actions.iter().map(|&action| game().catalogue().actions.notation(action));
    words.filter(|action| action.starts_with("remove")).collect()
}

#[test]
fn rule_s10_a_side_with_nothing_to_choose_is_not_asked() {
    let played = month([&["3A OXF"], &["A BUC"]], ["3A OXF-BUC", ""]);
    assert_eq!(played.game.frame(), "Retreats");
    assert!(!played.game.owes(R) && played.game.owes(P));
    assert_eq!(played.game.refusal(R, "done"), [("NOT_YOUR_TURN", "contract")]);
    // Nobody dislodged: the node is skipped.
    assert_eq!(month([&["A OXF"], &["A LON"]], ["", ""]).game.frame(), "Orders");
}

#[test]
fn rule_i1_the_sign_of_the_rating_is_control() {
    let mut game = season(&["A OXF"], &["A LON"], &json!({}));
    game.news();
    game.both("I LIN 1; I ERY 1", "I STF 2");
    let told = game.facts();
    for fact in ["control_lost LIN", "control ERY royalist", "control STF parliament"] {
        assert!(told.contains(&fact.to_owned()), "{fact}: {told:?}");
    }
}

#[test]
fn rule_i3_points_are_kept() {
    let mut game = season(&["A OXF"], &["A LON"], &json!({}));
    game.both("I OXF 3", "");
    assert_eq!((saved(&game, "royalist"), saved(&game, "parliament")), (5, 8));
    for _ in 0..4 {
        game.both("", "");
    }
    assert_eq!((saved(&game, "royalist"), saved(&game, "parliament")), (13, 16));
    game.write(R, "I OXF 13");
    assert_eq!(game.refusal(R, "fund OXF"), [("NO_POINTS", "I3")]);
}

#[test]
fn rule_i5_only_a_whole_month_counts() {
    month([&["A NOT"], &["A LON"]], ["A NOT-LIN", ""]).silent("occupied").then(["", ""]).rated("LIN", 0);
    // A move that fails is a month spent.
    month([&["A LIN"], &["2A CAM"]], ["A LIN-CAM", ""]).rated("LIN", 0);
}

#[test]
fn rule_i6_occupation_stops_at_neutral() {
    month([&["A LIN"], &["A LON"]], ["", ""]).then(["", ""]).rated("LIN", 0);
}

#[test]
fn rule_i9_points_pull_to_their_own_side() {
    let mut game = season(&["A OXF"], &["A LON"], &json!({}));
    game.both("I KEN 1", "I NLD 1");
    assert_eq!(marker(&game.view(), "KEN", "bias"), Some(-1));
    assert_eq!(marker(&game.view(), "NLD", "bias"), Some(2));
}

#[test]
fn rule_i10_points_of_both_sides_add_up() {
    let mut game = season(&["A OXF"], &["A LON"], &json!({}));
    game.news();
    game.both("I PEM 4", "I PEM 2");
    let seen = game.news().into_iter().find(|seen| seen.code == "funded").expect("it is published");
    assert_eq!((crate::play::say(&seen).as_str(), seen.rule.id()), ("funded PEM 4 2 -3 -1", "I10"));
}

#[test]
fn rule_i11_savings_are_shown_when_influence_is() {
    let mut game = season(&["A OXF"], &["A LON"], &json!({}));
    game.news();
    game.commit(R, "I OXF 3");
    assert_eq!(saved(&game, "royalist"), 8, "still what he could spend");
    game.commit(P, "");
    let facts = crate::play::grounds(&game.news());
    assert!(facts.contains(&("points royalist 5".to_owned(), "I11")));
}

#[test]
fn rule_i12_relieved_armies_do_not_occupy() {
    month([&["A LIN", "A NOT"], &["A LON"]], ["A LIN-LEI; A NOT-LIN", ""])
        .silent("occupied")
        .rated("LIN", -1);
    month([&["2A LIN", "A NOT"], &["A LON"]], ["A LIN-LEI; A NOT MERGE LIN", ""]).rated("LIN", 0);
}

#[test]
fn rule_i13_own_and_neutral_ground_stays_as_it_is() {
    month([&["A NOT", "A ERY"], &["A LON"]], ["", ""]).rated("NOT", 1).rated("ERY", 0).silent("occupied");
}

#[test]
fn rule_b1_capacity_is_centres_and_regular_centres() {
    let mut game = season(&["A OXF"], &["A KEN"], &json!({}));
    game.both("", "");
    assert_eq!((game.number("royalist_room"), game.number("parliament_room")), (Some(14), Some(14)));
}

#[test]
fn rule_b2_room_may_stay_empty() {
    let mut game = season(&["A OXF"], &["A KEN"], &json!({}));
    game.both("", "");
    game.news();
    game.both("", "");
    assert!(game.facts().contains(&"waived royalist 14".to_owned()));
}

#[test]
fn rule_b3_builds_need_a_vacant_own_centre() {
    let mut game = season(&["A LAN", "L Rupert CHE"], &["A CAM"], &json!({ "NOT": 0 }));
    game.both("", "");
    assert!(game.legal(R).contains(&"build CHE".to_owned()), "an own leader is no hindrance");
    for space in ["LAN", "NOT"] {
        assert_eq!(game.refusal(R, &format!("build {space}")), [("NOT_VACANT", "B3")]);
    }
}

#[test]
fn rule_b4_one_build_a_centre_in_london_too() {
    let mut game = season(&["A OXF"], &["A KEN"], &json!({}));
    game.both("", "");
    game.write(P, "B LON");
    let refused = game.refusal(P, "build LON");
    assert!(refused.contains(&("BUILT_ALREADY", "B4")), "{refused:?}");
}

#[test]
fn rule_b5_no_builds_in_captured_centres() {
    let mut game = season(&["A OXF"], &["A KEN"], &json!({ "GLO": 2 }));
    game.both("", "");
    let refused = game.refusal(R, "build GLO");
    assert_eq!(refused, [("NOT_OWN_CENTRE", "7")]);
    let position = json!({ "season": 2, "month": 0, "regular": { "GLO": "R" }, "bias": { "GLO": 2 }, "units": { "R": ["A OXF"], "P": ["A KEN"] } });
    let mut game = Match::at(&position);
    game.both("", "");
    assert!(!game.legal(R).contains(&"build GLO".to_owned()));
}

fn standing(leader: &str, space: &str, months: i64) -> serde_json::Value {
    let side = if ["Cromwell", "Fairfax", "Essex", "Waller"].contains(&leader) { "P" } else { "R" };
    let mut units = json!({ "R": ["2A OXF", "L Charles CON"], "P": ["2A LON"] });
    units[side].as_array_mut().expect("a list").push(json!(format!("L {leader} {space}")));
    json!({ "units": units, "clocks": { leader: [space, months] } })
}

#[test]
fn rule_b6_a_leader_makes_a_centre_of_his_own_side() {
    play(Match::at(&standing("Cromwell", "HUN", 2)), ["", ""]).published_by("founded HUN parliament", "B6");
}

#[test]
fn rule_b7_three_whole_months_in_one_place() {
    play(Match::at(&standing("Cromwell", "HUN", 1)), ["", ""])
        .published_by("clock Cromwell 2", "B7")
        .silent("founded");
    play(Match::at(&standing("Cromwell", "HUN", 2)), ["", "L Cromwell HUN-BED"])
        .published_by("clock Cromwell 0", "B7");
    // Across a points/build season.
    let mut position = standing("Cromwell", "HUN", 1);
    position["month"] = json!(3);
    let played = play(Match::at(&position), ["", ""]);
    played.then(["", ""]).then(["", ""]).then(["", ""]).published("founded HUN parliament");
}

#[test]
fn rule_b8_two_leaders_make_one_centre() {
    let units = json!({ "R": ["2A OXF"], "P": ["2A LON", "L Cromwell+Fairfax HUN"] });
    let position = json!({ "units": units, "clocks": { "Cromwell": ["HUN", 2], "Fairfax": ["HUN", 1] } });
    play(Match::at(&position), ["", ""])
        .published("founded HUN parliament")
        .published_by("clock Fairfax 0", "B8");
}

#[test]
fn rule_b9_exactly_what_is_owed_is_removed() {
    let mut game = season(&["14A NRY"], &["A OXF"], &json!({}));
    game.both("", "");
    assert_eq!(game.refusal(R, "done"), [("REMOVALS_OWED", "B9")]);
    game.write(R, "X NRY");
    assert_eq!(game.legal(R), ["done"]);
}

#[test]
fn rule_b10_no_more_builds_than_room() {
    // Twelve centres and three regular ones: room for one more.
    let mut game = season(&["14A OXF"], &["A KEN"], &json!({}));
    game.both("", "");
    assert_eq!(game.number("royalist_room"), Some(1));
    game.write(R, "B NLD");
    assert_eq!(game.legal(R), ["done"]);
    assert!(game.refusal(R, "build CUM").contains(&("NO_ROOM", "B10")));
}

#[test]
fn rule_b11_leaders_start_in_safe_homes() {
    let mut game = Match::start();
    game.both("", "I LAN 2; I CHE 2");
    game.write(R, "X LAN; X CHE");
    assert_eq!(game.refusal(R, "place LAN"), [("NOT_A_SAFE_HOME", "B11")]);
    let mut game = Match::start();
    game.both("", "I LAN 2; I CHE 2");
    game.write(R, "X CUM; X CHE");
    assert!(game.legal(R).contains(&"place LAN".to_owned()), "an army keeps him safe");
}

#[test]
fn rule_b12_influence_stops_a_clock() {
    let mut position = standing("Cromwell", "HUN", 2);
    position["month"] = json!(0);
    position["season"] = json!(2);
    let mut game = Match::at(&position);
    game.news();
    game.both("I HUN 1", "");
    let facts = crate::play::grounds(&game.news());
    assert!(facts.contains(&("clock Cromwell 0".to_owned(), "B12")), "{facts:?}");
}

#[test]
fn rule_b13_no_centre_is_made_where_one_is() {
    let units = json!({ "R": ["2A OXF"], "P": ["2A LON", "L Waller SAL"] });
    let position = json!({ "units": units, "bias": { "SAL": -1 } });
    play(Match::at(&position), ["", ""]).then(["", ""]).then(["", ""]).silent("founded").silent("clock");
}

#[test]
fn rule_b14_a_new_centre_counts_as_any_other() {
    let position = json!({
        "season": 2, "month": 0, "founded": { "HUN": "P" }, "units": { "R": ["A OXF"], "P": ["A KEN"] },
    });
    let mut game = Match::at(&position);
    game.both("", "");
    assert_eq!(game.number("parliament_room"), Some(15));
    assert!(game.legal(P).contains(&"build HUN".to_owned()));
}

bodies! {
    rule_2_a_season_then_three_months,
    rule_4_income_is_a_third_of_the_counties_rounded_up,
    rule_5_occupation_turns_a_county_by_one,
    rule_6_centres_serve_their_own_side_alone,
    rule_7_armies_are_adjusted_to_centres,
    rule_10_fifteen_armies_against_fourteen,
    rule_c6_armies_take_regular_centres_and_keep_them,
    rule_c9_leaders_alone_do_not_occupy,
    rule_c10_a_home_centre_counts_only_in_hand,
    rule_c11_a_block_counts_by_its_weight,
    rule_c12_london_brings_no_income,
    rule_s1_the_actions_of_a_season_in_their_order,
    rule_s2_influence_takes_centres_before_builds,
    rule_s3_leaders_are_placed_after_the_removals,
    rule_s4_the_actions_of_a_month_in_their_order,
    rule_s5_occupations_are_judged_together,
    rule_s6_nothing_is_shown_but_that_a_side_has_committed,
    rule_s7_what_is_missing_holds_disbands_or_is_kept,
    rule_s8_the_farthest_armies_go_first,
    rule_s8_a_regular_centre_is_as_near_as_a_dedicated_one,
    rule_s11_of_equally_far_armies_the_first_by_name_goes,
    rule_s10_a_side_with_nothing_to_choose_is_not_asked,
    rule_i1_the_sign_of_the_rating_is_control,
    rule_i3_points_are_kept,
    rule_i5_only_a_whole_month_counts,
    rule_i6_occupation_stops_at_neutral,
    rule_i9_points_pull_to_their_own_side,
    rule_i10_points_of_both_sides_add_up,
    rule_i11_savings_are_shown_when_influence_is,
    rule_i12_relieved_armies_do_not_occupy,
    rule_i13_own_and_neutral_ground_stays_as_it_is,
    rule_b1_capacity_is_centres_and_regular_centres,
    rule_b2_room_may_stay_empty,
    rule_b3_builds_need_a_vacant_own_centre,
    rule_b4_one_build_a_centre_in_london_too,
    rule_b5_no_builds_in_captured_centres,
    rule_b6_a_leader_makes_a_centre_of_his_own_side,
    rule_b7_three_whole_months_in_one_place,
    rule_b8_two_leaders_make_one_centre,
    rule_b9_exactly_what_is_owed_is_removed,
    rule_b10_no_more_builds_than_room,
    rule_b11_leaders_start_in_safe_homes,
    rule_b12_influence_stops_a_clock,
    rule_b13_no_centre_is_made_where_one_is,
    rule_b14_a_new_centre_counts_as_any_other,
}
