//! Sections 8.0 to 8.2: Sieges, relief, sallies.

use serde_json::{Value, json};

use crate::play::{Match, P, R, acting, place, siege};

/// A relief of Oxford, which a Regional block of the Royalists holds.
fn relief(marker: u8, besiegers: &Value, dice: &str) -> Match {
    let mut blocks = json!({ "r-pool-m-foot": { "at": "oxford" },
        "r-rupert": { "at": "oxfordshire", "strength": 3, "by": "staffordshire-warwickshire" } });
    for (block, fields) in besiegers.as_object().into_iter().flatten() {
        blocks[block] = fields.clone();
        blocks[block]["at"] = "oxfordshire".into();
    }
    Match::at(place("battles", "royalist", &blocks, &json!({ "sieges": { "oxford": marker } })), dice)
}

rules! {
    #[test]
    fn rule_8_0_a_siege_begins_when_all_have_withdrawn_and_ends_when_nobody_besieges() {
        let from = "staffordshire-warwickshire";
        let blocks = json!({ "p-brooke": { "at": "oxfordshire" }, "r-charles": { "at": from }, "r-northampton": { "at": from } });
        let mut one = acting("royalist", blocks);
        one.play("group staffordshire-warwickshire; take r-charles; go oxfordshire").play("withdraw p-brooke; done");
        assert_eq!((one.marker("oxford", "besieged"), one.marker("oxford", "siege")), (Some(1), None));
        assert_eq!((one.marker("oxford", "control"), one.marker("oxfordshire", "control")), (Some(2), Some(1)));
        one.play("take r-charles; go gloucestershire; done; done");
        assert_eq!((one.marker("oxford", "besieged"), one.place("p-brooke")), (None, "oxfordshire".into()));
    }

    #[test]
    fn rule_8_01_the_marker_follows_the_number_of_besiegers() {
        let blocks = json!({ "p-brooke": { "at": "oxford" }, "r-charles": { "at": "oxfordshire" },
            "r-northampton": { "at": "oxfordshire" }, "r-cannon-1": { "at": "oxfordshire" }, "r-hopton": { "at": "worcestershire" } });
        let more = json!({ "sieges": { "oxford": 3 } });
        let mut one = Match::at(place("operations", "royalist", &blocks, &more), "");
        one.play("group oxfordshire; take r-northampton; go gloucestershire; stop; done");
        assert_eq!((one.marker("oxford", "besieged"), one.marker("oxford", "siege")), (Some(1), None), "the Cannon doesn't count");
        one.play("muster oxfordshire; take r-hopton; via staffordshire-warwickshire; done");
        assert_eq!(one.marker("oxford", "siege"), Some(0), "its value is lost");
    }

    #[test]
    fn rule_8_1_a_siege_is_maintained_with_as_many_as_the_size() {
        let besiegers = json!({ "p-essex": {}, "p-brooke": {}, "p-london-foot-1": { "strength": 2 }, "p-cannon-1": {} });
        let mut one = relief(2, &besiegers, "6,6, 6,6,6, 6,6, 6,6,6, 6,6, 6,6,6");
        assert_eq!((one.to_act(), one.legal()), (Some(P), vec!["break".to_owned(), "maintain".to_owned()]));
        one.play("maintain; hold p-essex");
        assert_eq!(one.refused("done"), ["TOO_FEW_BESIEGERS 8.1"]);
        one.play("hold p-brooke; hold p-cannon-1");
        assert_eq!(one.refused("hold p-london-foot-1"), ["ONE_MUST_FIGHT 8.1"]);
        one.play("done").play("fight");
        // The Besieged may not join; one block against one: the relief loses.
        assert_eq!((one.to_act(), one.asked(), one.left_over()), (Some(R), "retreat", 0));
        assert_eq!((one.marker("oxford", "siege"), one.place("r-pool-m-foot")), (Some(2), "oxford".into()));
    }

    #[test]
    fn rule_8_1_a_relief_that_wins_ends_the_siege() {
        let besiegers = json!({ "p-essex": {}, "p-brooke": {}, "p-london-foot-1": { "strength": 1 } });
        // Rupert's horse, Infantry alone before it, rides the foot down; it dies before it strikes.
        let mut one = relief(1, &besiegers, "1,6,6");
        one.play("maintain; hold p-essex; hold p-brooke; done").play("fight");
        one.has(&[("p-london-foot-1", 0)]);
        assert_eq!((one.to_act(), one.choices("retreat")), (Some(P), vec!["p-brooke".to_owned(), "p-essex".to_owned()]), "those held back, too");
        one.play("retreat p-brooke; to gloucestershire; retreat p-essex; to gloucestershire; done").play("pass");
        assert_eq!((one.marker("oxford", "besieged"), one.place("r-pool-m-foot")), (None, "oxfordshire".into()));
    }

    #[test]
    fn rule_8_1_too_few_besiegers_are_not_asked() {
        let besiegers = json!({ "p-essex": {}, "p-brooke": {} });
        let one = relief(2, &besiegers, "");
        assert_eq!((one.to_act(), one.asked(), one.marker("oxford", "siege")), (Some(P), "withdraw", Some(1)));
        let guns = json!({ "p-essex": {}, "p-brooke": {}, "p-cannon-1": {} });
        let mut asked = relief(2, &guns, "");
        assert_eq!(asked.refused("maintain"), ["TOO_FEW_BESIEGERS 8.1"], "his enemy can't know what the third is");
    }

    #[test]
    fn rule_g6_breaking_off_lowers_the_marker_for_now() {
        let besiegers = json!({ "p-essex": { "strength": 3 }, "p-brooke": { "strength": 2 }, "p-london-foot-1": { "strength": 2 } });
        let dice = "4,4,5, 2,2,6,1,6, 6,6,5,3,4, 1,1,2, 2,6, 1,4";
        let mut one = relief(2, &besiegers, dice);
        one.play("break");
        assert_eq!(one.marker("oxford", "siege"), Some(1));
        one.drive(&["join r-pool-m-foot"], &["p-essex", "p-brooke", "p-london-foot-1", "p-brooke"]);
        one.has(&[("p-essex", 1), ("p-brooke", 0), ("p-london-foot-1", 0), ("r-rupert", 0), ("r-pool-m-foot", 2)]);
        one.play("retreat r-pool-m-foot; to oxford; done").play("pass");
        assert_eq!((one.marker("oxford", "besieged"), one.marker("oxford", "siege")), (Some(1), None), "rule 8.01");
        let strong = json!({ "p-essex": {}, "p-brooke": {}, "p-london-foot-1": {} });
        let mut zero = relief(0, &strong, "");
        zero.play("break");
        assert_eq!(zero.marker("oxford", "siege"), None);
    }

    #[test]
    fn rule_g8_the_besieged_join_as_reserves() {
        let besiegers = json!({ "p-essex": { "strength": 1 }, "p-brooke": { "strength": 1 }, "p-london-foot-1": { "strength": 1 } });
        let mut one = relief(1, &besiegers, "6,6,6, 6,6,6");
        one.play("break").play("fight");
        assert_eq!((one.to_act(), one.choices("join")), (Some(R), vec!["r-pool-m-foot".to_owned()]));
        one.play("join r-pool-m-foot; done");
        assert!(one.is_up("r-pool-m-foot"), "Round 2");
        let mut alone = relief(1, &besiegers, "6,6,6, 6,6,6");
        alone.play("break").play("fight").play("done");
        assert!(!alone.is_up("r-pool-m-foot"));
    }

    #[test]
    fn rule_7_03_each_besieged_city_once_the_sally_first() {
        let blocks = json!({ "p-brooke": { "at": "oxford" }, "r-charles": { "at": "oxfordshire" }, "r-northampton": { "at": "oxfordshire" },
            "p-fairfax": { "at": "hull" }, "r-newcastle": { "at": "east-riding" }, "p-essex": { "at": "kent" } });
        let mut one = siege(json!({}), blocks, "");
        assert_eq!((one.to_act(), one.choices("siege")), (Some(R), vec!["oxford".to_owned(), "hull".to_owned()]));
        assert_eq!(one.refused("siege bristol"), ["NO_SIEGE 7.03"]);
        one.play("siege hull");
        assert_eq!((one.to_act(), one.asked()), (Some(P), "city_guns"));
        one.play("done; done");
        assert_eq!((one.to_act(), one.asked()), (Some(R), "bombard"));
        one.play("pass; done");
        assert_eq!((one.to_act(), one.asked()), (Some(P), "city_guns"), "Oxford alone is left");
    }

    #[test]
    fn rule_8_2_a_sally_against_a_marker() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-northampton": { "at": "oxfordshire" }, "r-rupert": { "at": "oxfordshire" },
            "p-brooke": { "at": "oxford" }, "p-essex": { "at": "oxford" } });
        let mut one = siege(json!({ "oxford": 1 }), blocks, "3 1, 6,6,6,6,6,6,6, 1,6,6,6,6,6,6");
        one.play("done; sally p-brooke; sally p-essex; done");
        assert_eq!((one.is_up("r-charles"), one.is_up("r-rupert")), (true, false), "as many are drawn as sally");
        assert_eq!((one.to_act(), one.asked()), (Some(P), "go_on"));
        one.play("halt");
        assert_eq!((one.place("p-essex"), one.place("r-charles"), one.strength("r-charles")), ("oxford".into(), "oxfordshire".into(), 3));
        assert_eq!((one.to_act(), one.asked(), one.marker("oxford", "siege")), (Some(R), "bombard", Some(1)));
    }

    #[test]
    fn rule_8_2_without_a_marker_a_sally_is_a_battle() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire", "strength": 1 }, "p-brooke": { "at": "oxford" }, "p-essex": { "at": "oxford" } });
        let mut one = siege(json!({}), blocks, "6, 1,6,6,6,6,6,6");
        one.play("sally p-brooke; sally p-essex; done");
        assert_eq!((one.to_act(), one.asked()), (Some(R), "withdraw"));
        one.play("fight");
        assert_eq!((one.place("p-brooke"), one.marker("oxford", "besieged")), ("oxfordshire".into(), None));
        let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "p-brooke": { "at": "oxford", "strength": 1 } });
        let mut lost = siege(json!({}), blocks, "6,6,6,6, 6, 6,6,6,6, 6, 6,6,6,6, 6");
        lost.play("sally p-brooke; done").play("fight");
        lost.play("retreat p-brooke");
        assert!(lost.choices("to").contains(&"oxford".to_owned()));
    }

    #[test]
    fn rule_g12_guns_of_the_city_fire_at_backs() {
        let blocks = json!({ "p-fairfax": { "at": "north-riding" }, "p-westriding-horse": { "at": "north-riding", "strength": 2 },
            "r-northumb-foot": { "at": "york" }, "r-cannon-1": { "at": "york", "strength": 3 } });
        // One less than three, for any block: a 3 misses.
        let mut one = siege(json!({ "york": 1 }), blocks, "1, 2,1,3");
        one.play("fire r-cannon-1");
        one.has(&[("p-fairfax", 2)]);
        assert!(!one.is_up("p-fairfax"), "its face stays hidden");
        assert!(one.is_up("r-cannon-1"));
        assert_eq!(one.refused("fire r-cannon-1"), ["NOT_IN_THE_CITY G12"], "each gun once");
    }

    #[test]
    fn rule_g13_the_besiegers_guns_have_one_less() {
        let blocks = json!({ "r-cannon-1": { "at": "oxfordshire" }, "r-charles": { "at": "oxfordshire" },
            "r-northampton": { "at": "oxfordshire" }, "p-essex": { "at": "oxford" } });
        let mut one = siege(json!({ "oxford": 1 }), blocks, "2, 3,3,2");
        one.play("done; sally p-essex; done");
        assert_eq!((one.strength("p-essex"), one.left_over()), (3, 0), "a 3 misses, Infantry or not");
    }

    #[test]
    fn rule_g13a_guns_are_overrun_where_nobody_guards_them() {
        let blocks = json!({ "r-cannon-1": { "at": "oxfordshire" }, "r-charles": { "at": "oxfordshire" }, "r-northampton": { "at": "oxfordshire" },
            "p-brooke": { "at": "oxford" } });
        let mut one = siege(json!({ "oxford": 1 }), blocks, "2, 6,6,6");
        one.play("done; sally p-brooke; done");
        one.has(&[("r-cannon-1", 2), ("p-brooke", 3)]);
        assert_eq!((one.to_act(), one.asked()), (Some(R), "bombard"), "the Sally is over");
    }

    #[test]
    fn rule_g24_the_attacker_goes_on_or_stops_after_each_round() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire", "strength": 1 }, "r-rupert": { "at": "oxfordshire" },
            "p-brooke": { "at": "oxford", "strength": 1 } });
        let mut one = siege(json!({ "oxford": 0 }), blocks, "6, 6, 6, 6, 6, 6");
        one.play("done; done").play("pass; storm r-charles; done");
        assert_eq!((one.to_act(), one.legal()), (Some(R), vec!["on".to_owned(), "halt".to_owned()]));
        one.play("on; storm r-charles; done; on; storm r-charles; done");
        assert_eq!((one.left_over(), one.asked()), (0, "choose"), "not after the third");
    }
}
