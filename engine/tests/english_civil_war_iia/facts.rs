//! Facts that players are told: every one, in words, by the right rule.

use edgehill_engine::game::Game;
use edgehill_engine::reference::Ref;
use edgehill_engine::render;
use edgehill_engine::seat::Observer;
use edgehill_engine::view::View;

use serde_json::json;

use crate::play::{Match, P, R, game, month};
use crate::seasons::season;

/// The results of arrows that a seat sees, with ordinals.
fn arrows(view: &View) -> Vec<(String, u8)> {
    let arrows = view.board.arrows.iter();
    arrows.map(|(key, arrow)| (arrow.result.unwrap_or("").to_owned(), key.ordinal)).collect()
}

/// Warnings of a seat in words.
fn warned(played: &Match, seat: edgehill_engine::seat::Seat) -> Vec<String> {
    let view = played.table.view(Observer::Seat(seat));
    let say =
        |phrase: &edgehill_engine::view::Phrase| render::say(game().catalogue(), phrase.code, &phrase.refs);
    view.turn_state.warnings.iter().map(say).collect()
}

#[test]
fn rule_m13_a_dislodged_hold_has_no_other_result() {
    let played = month([&["2A OXF"], &["A BUC"]], ["2A OXF-BUC", ""]);
    let view = played.game.view();
    let codes: Vec<String> = arrows(&view).into_iter().map(|(code, _)| code).collect();
    assert!(codes.contains(&"dislodged".to_owned()) && !codes.contains(&"held".to_owned()), "{codes:?}");
    played.published_by("dislodged parliament BUC 1 OXF", "M13").silent("held");
}

#[test]
fn rule_l9_a_leader_alone_is_offered_no_enemy_ground() {
    // Of what touches Berkshire the Royalists control Oxford alone.
    let played = month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"]);
    played.published_by("may_retreat royalist BRK OXF WIL", "L9");
}

#[test]
fn rule_m27_units_that_could_retreat_are_not_lost_unwarned() {
    let played = month([&["3A+Charles OXF"], &["A BUC"]], ["3A OXF-BUC", ""]);
    let mut game = played.game;
    assert_eq!(
        warned(&game, P),
        ["1 army of Buckinghamshire will disband, though a retreat is open: `Done` makes it final"]
    );
    let open = game.legal(P).into_iter().find(|action| action.starts_with("retreat")).expect("a retreat");
    game.write(P, &open);
    assert_eq!(warned(&game, P), [""; 0]);
}

#[test]
fn rule_b1_armies_stand_against_capacity_all_the_time() {
    let played = month([&["3A OXF"], &["A BUC"]], ["3A OXF-BUC", ""]);
    for _ in 0..2 {
        let view = played.game.view();
        let season = &view.turn_state.procedures[0];
        assert_eq!(season.role("royalist_armies"), Some(Ref::Number(3)));
        assert_eq!(season.role("royalist_capacity"), Some(Ref::Number(15)));
        assert!(season.role("parliament_armies").is_some() && season.role("parliament_capacity").is_some());
    }
}

#[test]
fn rule_s4_results_stay_until_the_next_orders_are_shown() {
    let mut game = month([&["A OXF"], &["A LON"]], ["A OXF-BRK", ""]).game;
    let moved = ("moved".to_owned(), 0);
    assert!(arrows(&game.view()).contains(&moved), "the next month is open");
    game.write(R, "A BRK-OXF");
    let own = arrows(&game.table.view(Observer::Seat(R)));
    assert!(own.contains(&moved) && own.contains(&("draft".to_owned(), 1)), "{own:?}");
    game.write(R, "Done");
    game.write(P, "Done");
    let results = arrows(&game.view()).into_iter().filter(|(code, _)| code == "moved").count();
    assert_eq!(results, 1, "those of this month alone");
}

#[test]
fn rule_i2_points_go_anywhere() {
    let mut game = season(&["A OXF"], &["A LON"], &json!({}));
    let legal = game.legal(R);
    assert_eq!(legal.len(), 45);
    assert_eq!(legal[44], "done");
    // In any order, in one line or in several.
    game.write(R, "I OXF 1");
    game.write(R, "I NLD 1");
    assert_eq!(game.legal(R), legal);
    game.both("I OXF 1; I CON 1", "");
    let told = game.facts();
    for fact in ["funded NLD 1 0 3 4", "funded OXF 2 0 3 5", "funded CON 1 0 3 4"] {
        assert!(told.contains(&fact.to_owned()), "{fact} in {told:?}");
    }
}

bodies! {
    rule_i2_points_go_anywhere,
    rule_m13_a_dislodged_hold_has_no_other_result,
    rule_l9_a_leader_alone_is_offered_no_enemy_ground,
    rule_m27_units_that_could_retreat_are_not_lost_unwarned,
    rule_b1_armies_stand_against_capacity_all_the_time,
    rule_s4_results_stay_until_the_next_orders_are_shown,
}
