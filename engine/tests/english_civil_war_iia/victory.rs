//! Rulings on victory and the end (V), one test each.

use serde_json::json;

use crate::play::{Match, P, R, month, play};

fn after_a_month(
    royalist: &[&str],
    parliament: &[&str],
) -> Option<(&'static str, Option<edgehill_engine::seat::Seat>)> {
    month([royalist, parliament], ["", ""]).game.result()
}

#[test]
fn rule_11_twice_the_units_wins() {
    assert_eq!(after_a_month(&["A OXF"], &["2A LON"]), Some(("twice_units", Some(P))));
}

#[test]
fn rule_v1_exactly_twice_is_enough_and_so_is_an_empty_board() {
    assert_eq!(after_a_month(&["4A OXF", "L Charles CON"], &["2A LON", "L Cromwell ESX"]), None);
    assert_eq!(
        after_a_month(&["5A OXF", "L Charles CON"], &["2A LON", "L Cromwell ESX"]),
        Some(("twice_units", Some(R)))
    );
    assert_eq!(after_a_month(&[], &["A LON"]), Some(("twice_units", Some(P))));
}

#[test]
fn rule_v2_victory_is_looked_at_after_seasons_too() {
    let position = json!({
        "season": 2, "month": 0,
        "units": { "R": ["6A OXF", "L Charles CON"], "P": ["4A KEN", "L Cromwell ESX"] },
    });
    let mut game = Match::at(&position);
    game.both("", "");
    game.both("B NLD; B CUM; B NRY", "");
    assert_eq!(game.result(), Some(("twice_units", Some(R))));
}

#[test]
fn rule_v3_more_units_and_the_great_leader_lost() {
    assert_eq!(after_a_month(&["3A OXF", "L Charles CON"], &["3A LON"]), Some(("leader_lost", Some(R))));
    assert_eq!(after_a_month(&["3A OXF", "L Charles CON"], &["4A LON"]), None, "no more units");
}

#[test]
fn rule_v4_nobody_left_is_a_draw() {
    let ended = month([&["L Rupert OXF"], &[]], ["L Rupert OXF-BUC", ""]);
    assert_eq!(ended.game.result(), Some(("drawn", None)));
}

#[test]
fn rule_v5_twice_the_units_is_named_first() {
    assert_eq!(after_a_month(&["4A OXF", "L Charles CON"], &["2A LON"]), Some(("twice_units", Some(R))));
}

/// The end of the last season with these armies; Royalist weight 22 unless `bias` changes it.
fn last_season(
    royalist: &str,
    parliament: &str,
    bias: &serde_json::Value,
) -> Option<(&'static str, Option<edgehill_engine::seat::Seat>)> {
    let units = json!({ "R": [royalist, "L Charles CON"], "P": [parliament, "L Cromwell ESX"] });
    let position = json!({ "season": 2, "month": 0, "units": units, "bias": bias });
    let mut game = Match::at_with(&position, &[("max_seasons", "2")]);
    game.both("", "");
    game.both("", "");
    game.result()
}

#[test]
fn rule_v9_the_last_season_is_decided_by_units_then_weight() {
    assert_eq!(last_season("5A OXF", "4A LON", &json!({})), Some(("on_units", Some(R))));
    assert_eq!(last_season("4A OXF", "4A LON", &json!({ "DUR": 0 })), Some(("on_weight", Some(P))));
    assert_eq!(last_season("4A OXF", "4A LON", &json!({})), Some(("drawn", None)));
    let mut game = Match::with(&[("max_seasons", "1")]);
    game.both("", "");
    game.both(
        "P Charles OXF; P Rupert OXF; P Hopton MWA; P Newcastle MWA",
        "P Cromwell LON; P Fairfax LON; P Essex PEM; P Waller PEM",
    );
    assert_eq!(game.result(), Some(("on_units", Some(R))));
}

#[test]
fn rule_v11_with_both_great_leaders_lost_the_larger_side_wins() {
    assert_eq!(after_a_month(&["3A OXF"], &["3A LON"]), None);
    assert_eq!(after_a_month(&["4A OXF"], &["3A LON"]), Some(("leader_lost", Some(R))));
}

#[test]
fn rule_v12_units_count_after_retreats_and_captures() {
    // Two against two, until the dislodged army disbands.
    let units = json!({ "R": ["2A DEV"], "P": ["A CON", "A LON"] });
    play(Match::at(&json!({ "units": units })), ["2A DEV-CON", ""])
        .published("disbanded parliament CON CON 1")
        .published("twice_units royalist");
}

#[test]
fn rule_v13_twice_is_counted_in_whole_units() {
    assert_eq!(
        after_a_month(&["6A OXF", "L Charles CON"], &["3A LON", "L Cromwell ESX"]),
        None,
        "seven is not twice four"
    );
    assert_eq!(
        after_a_month(&["7A OXF", "L Charles CON"], &["3A LON", "L Cromwell ESX"]),
        Some(("twice_units", Some(R)))
    );
}

bodies! {
    rule_11_twice_the_units_wins,
    rule_v1_exactly_twice_is_enough_and_so_is_an_empty_board,
    rule_v2_victory_is_looked_at_after_seasons_too,
    rule_v3_more_units_and_the_great_leader_lost,
    rule_v4_nobody_left_is_a_draw,
    rule_v5_twice_the_units_is_named_first,
    rule_v9_the_last_season_is_decided_by_units_then_weight,
    rule_v11_with_both_great_leaders_lost_the_larger_side_wins,
    rule_v12_units_count_after_retreats_and_captures,
    rule_v13_twice_is_counted_in_whole_units,
}
