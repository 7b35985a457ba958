//! Sections 2, 4, 10 and 11: turns, control, victory, Year End.

use serde_json::json;

use crate::play::{Match, P, R};

#[test]
fn rule_12_23_the_start() {
    let position = json!({ "setup": true, "turn": "1642-v", "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" } });
    let one = Match::at(position, "");
    assert_eq!(one.points(), -1);
    for city in ["chester", "york", "newcastle"] {
        assert_eq!(one.marker(city, "control"), Some(1), "{city}");
    }
    for city in ["plymouth", "bristol", "london", "cambridge", "hull", "oxford"] {
        assert_eq!(one.marker(city, "control"), Some(2), "{city}");
    }
}

#[test]
fn rule_4_51_london_is_worth_two_points() {
    let at = |area: &str| {
        let blocks = json!({ "r-charles": { "at": area }, "p-essex": { "at": "oxfordshire" } });
        let cards = json!({ "royalist": "r-ap4-1", "parliament": "p-ap4-1" });
        Match::at(json!({ "turn": "1643-i", "cards": cards, "blocks": blocks }), "").points()
    };
    assert_eq!((at("worcestershire"), at("buckinghamshire-hertfordshire"), at("somerset")), (-1, 1, 0));
}

#[test]
fn rule_a5_the_royalist_names_player_1_of_equals() {
    let hands = json!({ "royalist": ["r-ap4-1"], "parliament": ["p-ap4-1"] });
    let position = json!({ "setup": true, "turn": "1643-i", "phase": "initiative", "hands": hands });
    let mut one = Match::at(position, "");
    for (seat, card) in [(P, "play p-ap4-1"), (R, "play r-ap4-1")] {
        let taken = one.0.apply_line(seat, &format!("{card}; done"), edgehill_engine::table::ListMode::Whole);
        assert!(taken.is_ok(), "{taken:?}");
    }
    assert_eq!(
        (one.owing(), one.legal()),
        (Some(R), vec!["first royalist".to_owned(), "first parliament".to_owned()])
    );
    one.play("first parliament");
    assert_eq!(one.owing(), Some(P));
}

#[test]
fn rule_10_0_at_the_end_of_winter_no_points_are_parliaments() {
    let blocks = json!({ "r-charles": { "at": "somerset" }, "p-essex": { "at": "oxfordshire" } });
    let position = json!({ "turn": "1643-winter", "phase": "resolution", "blocks": blocks,
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" } });
    let one = Match::at(position, "");
    let ending = one.0.ending().expect("the match is over");
    assert_eq!((ending.returns, ending.grade), (vec![-1, 1], "minor"));
}

#[test]
fn rule_11_2_points_by_region() {
    let blocks = json!({ "r-hopton": { "at": "somerset" } });
    let mut one = Match::at(json!({ "turn": "1642-vi", "phase": "year-end", "blocks": blocks }), "");
    assert!(one.choices("region").contains(&"south".to_owned()));
    // Somerset, Bristol, Cornwall: three points.
    one.play("region south; deploy r-pool-s-foot").play("at somerset");
    one.play("region south; raise r-pool-s-foot").play("region south; raise r-pool-s-foot");
    assert!(!one.choices("region").contains(&"south".to_owned()));
    assert_eq!(one.strength("r-pool-s-foot"), 3);
}
