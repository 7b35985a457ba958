//! 5.0, 9.0 to 11.2: the score, End Times, Housekeeping, defeat and victory.

use edgehill_engine::catalogue::AttributeValue;
use edgehill_engine::game::Game;
use serde_json::{Value, json};

use crate::play::{Match, acting, game, merge};

/// End Times of a card of a war in a scenario.
fn result(scenario: &str, war: u8, card: u8, changes: Value, script: &str) -> Match {
    let mut position = json!({ "at": "end-times", "current": card.to_string(), "war": war });
    merge(&mut position, changes);
    Match::at(scenario, &[], position, script)
}

fn middle(score_of: Value) -> i32 {
    acting(score_of, "").score()
}

rules! {
    #[test]
    fn rule_5_0_the_score_is_there_at_any_time_with_what_gives_how_much() {
        let turn = acting(json!({ "deviltry": ["24"], "achieved": ["17"] }), "");
        assert_eq!((turn.score(), turn.on_track("monarchy", "points"), turn.on_piece("hull", "points")), (3, -2, 1));
        assert_eq!((turn.on_piece("dublin", "points"), turn.on_piece("north", "points"), turn.on_piece("deviltry-24", "points")), (-1, 1, -1));
    }

    #[test]
    fn rule_v5_what_counts_and_how_much() {
        let plain = middle(json!({}));
        assert_eq!(plain, 1);
        for (changes, difference) in [
            (json!({ "armies": { "north": { "area": 4 } } }), 0),
            (json!({ "armies": { "north": { "area": 3 } } }), -1),
            (json!({ "armies": { "north": { "area": 3, "disordered": true } } }), 0),
            (json!({ "armies": { "north": { "disordered": true } } }), 1),
            (json!({ "armies": { "scotland": { "counter": "scotland-charles-i" } } }), -3),
            (json!({ "fortresses": { "london": ["royalist", 1] } }), 0),
            (json!({ "fortresses": { "hull": ["royalist", 1] } }), -2),
            (json!({ "revolts": { "revolt": ["west", 5] } }), -1),
            (json!({ "achieved": ["17", "21"] }), 5),
            (json!({ "rewards": { "triangle": "used" } }), 1),
            (json!({ "tracks": { "parliament": 1 } }), 2),
            (json!({ "tracks": { "ireland": 4 } }), -1),
        ] {
            assert_eq!(middle(changes.clone()) - plain, difference, "{changes}");
        }
    }

    #[test]
    fn rule_9_0_without_london_or_with_four_f_the_match_is_lost() {
        let london = result("whole-war", 1, 2, json!({ "fortresses": { "london": ["royalist", 1] } }), "");
        assert_eq!(london.result().code, "london_lost");
        let f = json!({ "tracks": { "ireland": 5, "scotland": 5, "catholicism": 5, "puritanism": 5 } });
        assert_eq!(result("whole-war", 1, 2, f, "").result().code, "four_f");
        let three = json!({ "seen": ["1"], "tracks": { "ireland": 5, "scotland": 5, "catholicism": 5 } });
        assert!(!result("whole-war", 1, 2, three, "7").is_over());
    }

    #[test]
    fn rule_v1_defeat_comes_before_the_end() {
        let f = json!({ "tracks": { "ireland": 5, "scotland": 5, "catholicism": 5, "puritanism": 5 } });
        assert_eq!(result("first", 1, 27, f, "").result().code, "four_f");
    }

    #[test]
    fn rule_10_1_markers_and_modifiers_go_morale_stays() {
        let position = json!({ "seen": ["1"], "zeal_marker": "north", "drm": { "ireland": 1 },
            "armies": { "west": { "markers": 2 } }, "tracks": { "ireland": 5 } });
        let next = result("whole-war", 1, 2, position, "7");
        assert_eq!((next.on_track("ireland", "drm"), next.on_piece("north", "zeal-marker")), (0, 0));
        assert_eq!((next.strength("west"), next.strength("ireland")), (3, 4));
    }

    #[test]
    fn rule_10_2_zeal_for_london_and_the_english_fortresses() {
        let income = |changes: Value| {
            let mut position = json!({ "seen": ["1"], "zeal": 0 });
            merge(&mut position, changes);
            result("whole-war", 1, 2, position, "7").zeal()
        };
        assert_eq!(income(json!({})), 5);
        assert_eq!(income(json!({ "zeal": 6 })), 9, "nine at most");
        assert_eq!(income(json!({ "fortresses": { "hull": ["royalist", 1], "edinburgh": ["royalist", 1] } })), 4);
    }

    #[test]
    fn rule_h2_from_two_to_seven() {
        let income = |fortresses: Value, tracks: Value| {
            let position = json!({ "seen": ["1"], "zeal": 0, "fortresses": fortresses, "tracks": tracks });
            result("whole-war", 1, 2, position, "19").zeal()
        };
        assert_eq!(income(json!({ "oxford": ["parliament", 1] }), json!({ "catholicism": 0 })), 7);
        assert_eq!(income(json!({ "hull": ["royalist", 1], "bristol": ["royalist", 1] }), json!({ "puritanism": 5 })), 2);
    }

    #[test]
    fn rule_10_3_after_its_last_card_a_war_gives_way_to_the_next() {
        let next = result("whole-war", 1, 27, json!({}), "");
        assert_eq!(next.on_track("turn", "war"), 2);
        assert!(next.pile("discard").contains(&"28".to_owned()), "its first card comes by itself");
        assert_eq!((next.place("new-model-1"), next.army("north")), ("holding".into(), "4".into()));
    }

    #[test]
    fn rule_s12_the_interim_check_tells_score_and_band() {
        let mut turn = acting(json!({ "current": "27" }), "");
        turn.play("pass");
        assert_eq!(turn.facts("interim_substantive_defeat"), ["1 1"]);
    }

    #[test]
    fn rule_11_1_the_earlier_the_worse() {
        let lost = |war: u8, card: u8| {
            result("whole-war", war, card, json!({ "fortresses": { "london": ["royalist", 1] } }), "").result().grade
        };
        assert_eq!((lost(1, 2), lost(2, 30), lost(3, 50)), ("Crushing Defeat", "Decisive Defeat", "Substantive Defeat"));
    }

    #[test]
    fn rule_v2_by_the_war_that_is_on_its_last_card_included() {
        let lost = |war: u8, card: u8| {
            result("whole-war", war, card, json!({ "fortresses": { "london": ["royalist", 1] } }), "").result().grade
        };
        assert_eq!((lost(1, 27), lost(2, 45), lost(3, 60)), ("Crushing Defeat", "Decisive Defeat", "Substantive Defeat"));
    }

    #[test]
    fn rule_11_2_after_the_last_card_the_score_decides() {
        let over = result("whole-war", 3, 60, json!({ "achieved": ["3", "9", "17", "21", "23", "36"] }), "").result();
        assert_eq!((over.code, over.grade, over.returns), ("finished", "Moderate Victory", vec![18]));
    }

    #[test]
    fn rule_v4_bands_go_by_the_last_war_and_have_no_holes() {
        // One point at the start; achieved cards give the rest.
        let grade = |scenario: &str, war: u8, card: u8, achieved: &[&str], armies: Value| {
            result(scenario, war, card, json!({ "achieved": achieved, "armies": armies, "zeal": 0 }), "").result()
        };
        let none = || json!({});
        let points = |result: edgehill_engine::game::MatchResult| (result.returns[0], result.grade);
        assert_eq!(points(grade("first", 1, 27, &[], none())), (1, "Substantive Defeat"));
        assert_eq!(points(grade("first", 1, 27, &["5"], none())), (3, "Minor Victory"));
        assert_eq!(points(grade("whole-war", 3, 60, &[], none())), (1, "Marginal Defeat"));
        assert_eq!(points(grade("whole-war", 3, 60, &["5"], none())), (3, "Minor Victory"));
        assert_eq!(points(grade("whole-war", 3, 60, &["3", "9", "17", "23"], none())), (13, "Minor Victory"));
        assert_eq!(points(grade("whole-war", 3, 60, &["3", "9", "17", "23", "36", "59", "5", "21", "38"], none())).1, "Substantive Victory");
    }
}

/// Scores at both ends of each band, by scenario; the third table has the two holes of 11.2 (V4).
pub(crate) const BANDS: [(&str, i32, &str); 35] = [
    ("first", -7, "Crushing Defeat"),
    ("first", -6, "Decisive Defeat"),
    ("first", -3, "Decisive Defeat"),
    ("first", -2, "Substantive Defeat"),
    ("first", 2, "Substantive Defeat"),
    ("first", 3, "Minor Victory"),
    ("first", 7, "Minor Victory"),
    ("first", 8, "Moderate Victory"),
    ("first", 12, "Moderate Victory"),
    ("first", 13, "Substantive Victory"),
    ("first", 17, "Substantive Victory"),
    ("first", 18, "Decisive Victory"),
    ("first-second", -7, "Decisive Defeat"),
    ("first-second", -3, "Decisive Defeat"),
    ("first-second", -2, "Substantive Defeat"),
    ("first-second", 2, "Substantive Defeat"),
    ("first-second", 3, "Minor Victory"),
    ("first-second", 7, "Minor Victory"),
    ("first-second", 8, "Moderate Victory"),
    ("first-second", 12, "Moderate Victory"),
    ("first-second", 13, "Substantive Victory"),
    ("first-second", 17, "Substantive Victory"),
    ("first-second", 18, "Decisive Victory"),
    ("whole-war", -7, "Marginal Defeat"),
    ("whole-war", 1, "Marginal Defeat"),
    ("whole-war", 2, "Minor Victory"),
    ("whole-war", 12, "Minor Victory"),
    ("whole-war", 13, "Minor Victory"),
    ("whole-war", 17, "Minor Victory"),
    ("whole-war", 18, "Moderate Victory"),
    ("whole-war", 23, "Moderate Victory"),
    ("whole-war", 24, "Moderate Victory"),
    ("whole-war", 25, "Substantive Victory"),
    ("whole-war", 29, "Substantive Victory"),
    ("whole-war", 30, "Decisive Victory"),
];

/// The grade of a match that ends after its last card with this score.
pub(crate) fn band(scenario: &str, score: i32) -> &'static str {
    let (war, card) = match scenario {
        "first" => (1, 27),
        "first-second" => (2, 45),
        _ => (3, 60),
    };
    // Achievements of 3 and 2, Deviltry and a revolt of -1 make any score from the 1 of the set-up.
    let (mut achieved, mut left) = (Vec::new(), score - 1);
    let of_3 = ["3", "9", "17", "23", "36", "59"].map(|card| (card, 3));
    let of_2 = ["5", "21", "38", "44", "53", "58"].map(|card| (card, 2));
    for (card, vp) in of_3.into_iter().chain(of_2) {
        if left >= vp {
            achieved.push(card);
            left -= vp;
        }
    }
    let rewards = if left > 0 { json!({ "triangle": "used" }) } else { json!({}) };
    let markers = ["24", "29", "34", "39", "43", "46", "50", "56"];
    let deviltry = &markers[..usize::try_from(-left.min(0)).expect("not negative").min(8)];
    let revolts = if left < -8 { json!({ "revolt": ["west", 5] }) } else { json!({}) };
    let position =
        json!({ "achieved": achieved, "rewards": rewards, "deviltry": deviltry, "revolts": revolts });
    let over = result(scenario, war, card, position, "").result();
    assert_eq!(over.returns, [score], "{achieved:?}");
    over.grade
}

#[test]
fn every_band_of_the_three_tables() {
    for (scenario, score, grade) in BANDS {
        assert_eq!(band(scenario, score), grade, "{scenario}, {score}");
    }
}

/// The chart of the catalogue: its bands have no holes, and matches that end at a bound have its grade.
#[test]
fn the_chart_of_victory_agrees_with_the_ends_of_matches_at_each_bound() {
    let game = game();
    let chart = game.catalogue().charts.iter().find(|chart| chart.entry.id == "victory").expect("a chart");
    let mut asked = 0;
    let mut below: Option<(i32, i32)> = None;
    for row in &chart.rows {
        let [AttributeValue::Number(war), least, most, AttributeValue::Text(grade)] = &row.cells[..] else {
            panic!("a row of the chart: {row:?}")
        };
        let scenario = ["first", "first-second", "whole-war"][*war as usize - 1];
        for bound in [least, most] {
            if let AttributeValue::Number(points) = bound {
                assert_eq!(band(scenario, *points), grade, "{scenario}, {points} points");
                asked += 1;
            }
        }
        match least {
            AttributeValue::Number(least) => assert_eq!(below, Some((*war, least - 1)), "{row:?}"),
            _ => assert_eq!(below, None, "the lowest band of a war comes first: {row:?}"),
        }
        below = if let AttributeValue::Number(most) = most { Some((*war, *most)) } else { None };
    }
    assert_eq!(asked, 2 * (chart.rows.len() - 3), "each war has one open end on either side");
}

#[test]
fn london_may_be_lost_and_regained_within_a_turn() {
    let mut turn = acting(
        json!({ "seen": ["1"], "fortresses": { "london": ["royalist", 1] }, "tracks": { "monarchy": 3 } }),
        "3 7",
    );
    turn.play("besiege london; pass");
    assert!(!turn.is_over());
}
