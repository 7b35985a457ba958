//! Sections 2 and 10: cards, Turns, victory.

use edgehill_engine::game::Node;
use edgehill_engine::table::ApplyMode;
use serde_json::json;

use crate::play::{Match, P, R, events, place, resolution};

/// The deal of a match: six cards of each side.
const DEAL: &str = "r-ap4-1 r-ap4-2 r-ap4-3 r-ap4-4 r-camp-fever r-desertion \
                    p-ap4-1 p-ap4-2 p-ap4-3 p-ap4-4 p-camp-fever p-desertion";

rules! {
    #[test]
    fn rule_2_1_six_cards_each_the_royalists_first() {
        let one = Match::start(DEAL);
        assert_eq!(one.left_over(), 0);
        assert_eq!((one.pile(R, "royalist-hand").1, one.pile(R, "parliament-hand").1), (6, 6));
        assert_eq!((one.pile(R, "royalist-deck").1, one.pile(R, "parliament-deck").1), (11, 10), "of 17 and 16");
        assert!(one.pile(R, "parliament-hand").0.is_empty(), "their faces are hidden");
        assert_eq!(one.pile(P, "parliament-hand").0.len(), 6);
    }

    #[test]
    fn rule_a3_four_cards_are_laid_aside_in_1642() {
        let mut one = Match::start(DEAL);
        let discards = ["discard p-camp-fever", "discard p-desertion", "discard p-ap4-1", "discard p-ap4-2"];
        for action in &discards[..3] {
            assert!(one.0.apply_line(P, action, ApplyMode::Atomic).is_ok());
        }
        assert!(one.0.apply_line(P, "done", ApplyMode::Atomic).is_err(), "four, no fewer");
        assert!(one.0.apply_line(P, &format!("{}; done", discards[3]), ApplyMode::Atomic).is_ok());
        let royalist = "discard r-ap4-1; discard r-ap4-2; discard r-ap4-3; discard r-desertion; done";
        assert!(one.0.apply_line(R, royalist, ApplyMode::Atomic).is_ok());
        assert_eq!((one.pile(R, "royalist-hand").1, one.pile(P, "parliament-hand").1), (2, 2));
        assert_eq!(one.pile(P, "parliament-discards").0.len(), 4);
        assert_eq!(one.pile(R, "parliament-discards"), (Vec::new(), 4), "face down");
    }

    #[test]
    fn rule_a4_the_last_card_is_chosen_in_secret_too() {
        let hands = json!({ "royalist": ["r-ap4-1"], "parliament": ["p-ap4-1"] });
        let position = place("initiative", "royalist", &json!({}), &json!({ "hands": hands, "cards": {} }));
        let mut one = Match::at(position, "");
        assert!(matches!(one.0.node(), Node::Sealed(_)));
        assert!(one.0.apply_line(R, "play r-ap4-1; done", ApplyMode::Atomic).is_ok());
        assert!(matches!(one.0.node(), Node::Sealed(to_act) if to_act.contains(P)));
        assert_eq!(one.pile(P, "royalist-card-played").1, 0, "nothing is turned up before both have chosen");
        assert!(one.0.apply_line(P, "play p-ap4-1; done", ApplyMode::Atomic).is_ok());
        assert_eq!(one.pile(P, "royalist-card-played").0, ["r-ap4-1"]);
    }

    #[test]
    fn rule_2_31_the_higher_number_is_player_1() {
        let hands = json!({ "royalist": ["r-quartermaster"], "parliament": ["p-ap4-1"] });
        let blocks = json!({ "r-charles": { "at": "cheshire" }, "p-essex": { "at": "oxfordshire" } });
        let position = place("initiative", "royalist", &blocks, &json!({ "hands": hands, "cards": {} }));
        let mut one = Match::at(position, "");
        one.choose("r-quartermaster", "p-ap4-1");
        assert_eq!((one.to_act(), one.asked(), one.number()), (Some(P), "act", 4));
        one.play("done");
        assert_eq!((one.to_act(), one.number()), (Some(R), 3));
    }

    #[test]
    fn rule_a5_the_royalist_names_player_1_of_equals() {
        let hands = json!({ "royalist": ["r-ap4-1"], "parliament": ["p-ap4-1"] });
        for (first, then) in [("royalist", R), ("parliament", P)] {
            let more = json!({ "setup": true, "hands": hands, "cards": {} });
            let mut one = Match::at(place("initiative", "royalist", &json!({}), &more), "");
            one.choose("r-ap4-1", "p-ap4-1");
            assert_eq!(one.to_act(), Some(R));
            assert_eq!(one.legal(), ["first royalist", "first parliament"]);
            one.play(&format!("first {first}"));
            assert_eq!(one.to_act(), Some(then));
        }
    }

    #[test]
    fn rule_6_01_player_1_has_his_event_first_and_nobody_must() {
        let blocks = json!({ "r-charles": { "at": "cheshire" }, "r-rupert": { "at": "cheshire" },
            "p-essex": { "at": "oxfordshire" }, "p-brooke": { "at": "oxfordshire" } });
        let mut one = events("parliament", "r-camp-fever", "p-camp-fever", blocks);
        assert_eq!((one.to_act(), one.legal()), (Some(P), vec!["event".to_owned(), "decline".to_owned()]));
        one.play("decline");
        assert_eq!((one.to_act(), one.asked()), (Some(R), "event_offer"));
        one.play("decline");
        assert_eq!((one.to_act(), one.asked(), one.number()), (Some(P), "act", 2), "the points are had in any case");
        let mut none = events("royalist", "r-camp-fever", "p-ap4-1", json!({ "p-essex": { "at": "oxfordshire" } }));
        assert_eq!(none.play("done").to_act(), Some(P), "without two blocks in one Area nothing is offered");
    }

    #[test]
    fn rule_6_02_points_are_spent_one_by_one_and_the_rest_is_lost() {
        let cards = json!({ "cards": { "royalist": "r-camp-fever", "parliament": "p-ap4-1" } });
        let blocks = json!({ "r-charles": { "at": "cheshire", "strength": 1 } });
        let mut one = Match::at(place("operations", "royalist", &blocks, &cards), "");
        one.play("raise r-charles");
        assert_eq!(one.number(), 1);
        one.play("raise r-charles");
        assert_eq!((one.number(), one.strength("r-charles")), (0, 3));
        for action in ["raise r-charles", "deploy r-hopton", "group cheshire", "muster cheshire"] {
            assert_eq!(one.refused(action), ["NO_POINTS_LEFT 6.02"], "{action}");
        }
        one.play("done");
        assert_eq!((one.to_act(), one.number()), (Some(P), 4));
        one.play("done");
        assert_ne!(one.asked(), "act", "Parliament's four points are lost");
    }

    #[test]
    fn rule_a9_fortification_of_london_leaves_the_game_even_if_declined() {
        let blocks = json!({ "p-essex": { "at": "oxfordshire" }, "r-charles": { "at": "cheshire" } });
        let mut one = events("royalist", "r-ap4-1", "p-fortification-london", blocks);
        one.play("decline").play("done").play("done");
        assert_eq!(one.asked(), "choose", "the next Turn");
        assert_eq!(one.pile(P, "parliament-removed").0, ["p-fortification-london"]);
        assert_eq!(one.pile(P, "royalist-played").0, ["r-ap4-1"]);
    }

    #[test]
    fn rule_a13_the_year_ends_after_turn_vi() {
        let blocks = json!({ "r-charles": { "at": "cheshire" }, "p-essex": { "at": "oxfordshire" } });
        let after = |turn: &str| {
            let position = place("resolution", "royalist", &blocks, &json!({ "turn": turn }));
            Match::at(position, "").asked()
        };
        assert_eq!(after("1642-v"), "choose");
        assert_eq!(after("1642-vi"), "recruit");
        for turn in ["1643-i", "1643-ii", "1643-iii", "1643-iv", "1643-v"] {
            assert_eq!(after(turn), "choose", "{turn}");
        }
        assert_eq!(after("1643-winter"), "over");
    }

    #[test]
    fn rule_10_0_three_points_win_and_after_winter_less_does() {
        let end = |turn: &str, royal: &[&str]| {
            let blocks = ["r-charles", "r-rupert", "r-hopton"].into_iter().zip(royal);
            let mut blocks: serde_json::Value = blocks.map(|(block, at)| (block, json!({ "at": at }))).collect();
            blocks["p-essex"] = json!({ "at": "worcestershire" });
            let one = Match::at(place("resolution", "royalist", &blocks, &json!({ "turn": turn })), "");
            one.0.result().map(|result| (result.returns[0], result.grade))
        };
        let (london, bristol, plymouth, cambridge) =
            ("buckinghamshire-hertfordshire", "somerset", "devon", "bedfordshire-cambridgeshire");
        // Oxford, held by nobody's blocks, is the Royalists' point from the start of these positions.
        assert_eq!(end("1643-i", &[london]), None, "two points");
        assert_eq!(end("1643-i", &[london, bristol]), Some((1, "major")));
        assert_eq!(end("1643-winter", &[london, bristol]), Some((1, "major")), "A11");
        assert_eq!(end("1643-winter", &[bristol]), Some((1, "minor")), "one point");
        assert_eq!(end("1643-winter", &["oxfordshire"]), Some((-1, "minor")), "none");
        assert_eq!(end("1643-v", &[bristol, plymouth, cambridge]), Some((1, "major")));
        let blocks = json!({ "p-essex": { "at": "oxfordshire" }, "p-brooke": { "at": "cheshire" },
            "p-fairfax": { "at": "north-riding" } });
        let one = resolution(json!({}), blocks, "");
        assert_eq!(one.0.result().map(|result| result.returns[1]), Some(1), "three for Parliament");
    }

    #[test]
    fn rule_a10_nobody_wins_in_1642() {
        let blocks = json!({ "r-charles": { "at": "buckinghamshire-hertfordshire" }, "r-hopton": { "at": "somerset" },
            "r-rupert": { "at": "devon" } });
        for turn in ["1642-v", "1642-vi"] {
            let one = Match::at(place("resolution", "royalist", &blocks, &json!({ "turn": turn })), "");
            assert_eq!((one.points() >= 3, one.0.result().is_none()), (true, true), "{turn}");
        }
    }
}
