//! Sections 7.01, 7.9: the events of the Tactical Phase.

use serde_json::json;

use crate::play::{Match, P, R, battle_with, place, siege, siege_with};

const AT: &str = "worcestershire";
const BY: &str = "staffordshire-warwickshire";

rules! {
    #[test]
    fn rule_7_91_advantageous_terrain_rounds_halves_down() {
        let (at, by) = ("worcestershire", "gloucestershire");
        let position = json!({ "turn": "1643-i", "phase": "battles", "player_1": "parliament",
            "cards": { "royalist": "r-advantageous-terrain", "parliament": "p-ap4-1" }, "tactics": { "royalist": at },
            "blocks": { "r-charles": { "at": at }, "r-cheshire-m-foot": { "at": at, "strength": 2 },
                "r-northampton": { "at": at, "by": "staffordshire-warwickshire" },
                "p-essex": { "at": at, "by": by }, "p-brooke": { "at": at, "by": by } } });
        let dice = "1,3,3,3,6,6, 4,5,6,1,2,2, 6,6,1,5,2,4,4, 2,5,1,6, 3,3,3,3,3,3, 4,4,1,4";
        let mut one = Match::at(position, dice);
        one.drive(&[], &["p-brooke", "r-cheshire-m-foot"]);
        one.has(&[
            ("r-charles", 2),
            ("r-cheshire-m-foot", 1),
            ("r-northampton", 2),
            ("p-essex", 2),
            ("p-brooke", 2),
        ]);
    }

    #[test]
    fn rule_7_01_player_1_then_player_2_name_an_area() {
        let blocks = json!({ "p-brooke": { "at": AT }, "r-charles": { "at": AT, "by": BY }, "p-essex": { "at": "oxfordshire" },
            "r-pool-m-foot": { "at": "oxford" }, "p-fairfax": { "at": "west-riding" } });
        let cards = json!({ "royalist": "r-terrain-cavalry", "parliament": "p-advantageous-terrain" });
        let mut one = Match::at(place("tactics", "royalist", &blocks, &json!({ "cards": cards })), "");
        assert_eq!((one.to_act(), one.choices("tactic")), (Some(R), vec![AT.to_owned(), "oxfordshire".to_owned()]));
        assert_eq!(one.refused("tactic west-riding"), ["NO_FIGHT_THERE 7.01"]);
        one.play("decline");
        assert_eq!((one.to_act(), one.choices("tactic")), (Some(P), vec![AT.to_owned(), "oxfordshire".to_owned()]));
        one.play("tactic worcestershire");
        assert_eq!(one.marker(AT, "parliament-event"), None, "it is in force in the Battle that begins");
        let blocks = json!({ "p-brooke": { "at": AT }, "r-charles": { "at": AT, "by": BY } });
        let cards = json!({ "royalist": "r-advantageous-terrain", "parliament": "p-ap4-1" });
        let none = Match::at(place("tactics", "royalist", &blocks, &json!({ "cards": cards })), "");
        assert_eq!(none.asked(), "withdraw", "an Attacker has no terrain to choose");
    }

    #[test]
    fn rule_t24_reserves_have_no_part_in_the_terrain() {
        let blocks = json!({ "p-brooke": { "at": AT, "strength": 1 }, "p-essex": { "at": AT, "by": "gloucestershire" },
            "r-charles": { "at": AT, "by": BY } });
        let card = ("parliament", "p-advantageous-terrain", AT);
        // Round 1: a half-hit on Brooke, who rolls no die then. Round 2: Essex takes a whole hit, and Brooke the other half.
        let mut one = battle_with("royalist", card, blocks, "6, 1,6,6,6, 6,6,6,6, 1,1,6,6");
        one.play("fight");
        one.has(&[("p-brooke", 0), ("p-essex", 3)]);
    }

    #[test]
    fn rule_7_92_a_determined_last_stand_takes_two_hits_a_strength() {
        let blocks = json!({ "p-brooke": { "at": AT }, "p-cannon-1": { "at": AT }, "r-charles": { "at": AT, "by": BY } });
        let card = ("parliament", "p-determined-last-stand", AT);
        let mut one = battle_with("royalist", card, blocks, "6,6,6, 6,6,6, 1,1,1,6, 6,6, 6,6,6,6, 6,6, 6,6,6,6");
        one.play("fight");
        assert_eq!((one.to_act(), one.legal()), (Some(P), vec!["stand p-brooke".to_owned(), "pass".to_owned()]));
        one.play("stand p-brooke");
        assert_eq!(one.strength("p-brooke"), 2, "three half-hits: one and a half, rounded up");
        assert_eq!(one.left_over(), 0, "two dice for one and a half");
        let blocks = json!({ "p-brooke": { "at": AT }, "r-charles": { "at": AT, "by": BY } });
        let mut declined = battle_with("royalist", card, blocks, "6,6,6, 1,1,1,6");
        declined.play("fight").play("pass");
        assert_eq!(declined.strength("p-brooke"), 0, "nobody has to name one");
    }

    #[test]
    fn rule_7_93_a_mine_makes_a_breach_with_four_or_more() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-rupert": { "at": "oxfordshire" },
            "p-brooke": { "at": "oxford" } });
        let card = json!({ "cards": { "royalist": "r-mining", "parliament": "p-ap4-1" } });
        // A breach: each hit takes a whole strength.
        let mut breach = siege_with(&card, blocks.clone(), "4, 6,6,6, 1,1,6,6");
        breach.play("done; done").play("mine").play("storm r-charles; done");
        assert_eq!((breach.left_over(), breach.strength("p-brooke")), (0, 1), "and no bombardment is offered");
        let mut none = siege_with(&card, blocks.clone(), "3, 6,6,6, 1,1,6,6");
        none.play("done; done").play("mine").play("pass; storm r-charles; done");
        assert_eq!((none.left_over(), none.strength("p-brooke")), (0, 2));
        let mut kept = siege_with(&card, blocks, "");
        kept.play("done; done").play("pass");
        assert_eq!(kept.asked(), "bombard");
    }

    #[test]
    fn rule_7_95_all_cavalry_has_one_less() {
        let blocks = json!({ "p-gloucester-m-horse": { "at": AT }, "r-rupert": { "at": AT, "by": BY } });
        let card = ("parliament", "p-terrain-cavalry", AT);
        // Effectiveness 2 and 3 become 1 and 2.
        let mut one = battle_with("royalist", card, blocks, "2,2,1, 3,3,2");
        one.play("fight");
        one.has(&[("r-rupert", 3), ("p-gloucester-m-horse", 2)]);
    }

    #[test]
    fn rule_7_97_one_gun_fires_on_in_rounds_2_and_3() {
        let blocks = json!({ "p-brooke": { "at": AT, "strength": 1 }, "p-cannon-1": { "at": AT }, "p-cannon-2": { "at": AT },
            "r-charles": { "at": AT, "strength": 1, "by": BY } });
        let card = ("parliament", "p-well-positioned-artillery", AT);
        let mut one = battle_with("royalist", card, blocks, "6,6,6,6,6,6, 6, 6, 6,6,6, 6, 6, 6,6,6, 6, 6");
        one.play("fight");
        assert_eq!((one.to_act(), one.legal().len()), (Some(P), 3), "either gun, or none: as Round 2 begins");
        one.play("gun p-cannon-2");
        assert_eq!((one.left_over(), one.asked()), (0, "retreat"));
    }

    #[test]
    fn rule_t26_the_other_half_falls_on_the_same_block() {
        let blocks = json!({ "p-essex": { "at": AT }, "p-brooke": { "at": AT }, "r-charles": { "at": AT, "by": BY } });
        let card = ("parliament", "p-advantageous-terrain", AT);
        let mut one = battle_with("royalist", card, blocks, "6,6,6,6,6,6,6, 1,1,1,6");
        one.play("fight");
        // Two half-hits take a strength from Essex; the third is a choice between equals.
        assert_eq!(one.strength("p-essex"), 3);
        assert_eq!(one.choices("hit"), ["p-brooke", "p-essex"]);
        let halves = siege(json!({ "oxford": 1 }), json!({ "r-charles": { "at": "oxfordshire" },
            "r-rupert": { "at": "oxfordshire" }, "p-brooke": { "at": "oxford" }, "p-pool-m-horse": { "at": "oxford" } }),
            "6,6,6,6,6,6, 1,1,6,6").play("done; done").play("pass; storm r-charles; done").play("hit p-pool-m-horse").strength("p-pool-m-horse");
        assert_eq!(halves, 2, "the second hit was nobody's choice");
    }
}
