//! Section 8.3: Storming.

use serde_json::json;

use crate::play::{R, siege, siege_with};

rules! {
    #[test]
    fn rule_8_3_the_defender_strikes_first_and_hits_fall_on_any_class() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire", "strength": 2 }, "r-rupert": { "at": "oxfordshire", "strength": 3 },
            "p-gloucester-m-horse": { "at": "oxford" }, "p-brooke": { "at": "oxford" }, "p-cannon-1": { "at": "oxford", "strength": 1 } });
        // The Cannon hits with a 3, whichever block is strongest, and the foot with another; the horse misses
        // with it.
        let mut one = siege(json!({ "oxford": 1 }), blocks, "3, 3,6,6,6,6,3, 6,6,6");
        one.play("done; done").play("pass; storm r-charles; storm r-rupert; done").play("hit r-charles");
        one.has(&[("r-charles", 1), ("r-rupert", 2)]);
        assert_eq!((one.left_over(), one.asked()), (0, "go_on"), "the Cannon does not fire again, nor theirs at all");
    }

    #[test]
    fn rule_8_3_bombardment_breach_and_the_city_falls() {
        let blocks = json!({ "r-charles": { "at": "somerset" }, "r-cheshire-m-foot": { "at": "somerset" },
            "r-cannon-1": { "at": "somerset" }, "r-cannon-2": { "at": "somerset" },
            "p-gloucester-s-foot": { "at": "bristol", "strength": 2 }, "p-pool-s-horse": { "at": "bristol", "strength": 2 },
            "p-cannon-1": { "at": "bristol", "strength": 1 } });
        // In the order of the blocks: Charles before the Cheshire foot, the foot in the City before the horse.
        let mut one = siege(json!({ "bristol": 1 }), blocks, "5, 4, 3,6,2,3, 1,2,5,2,6, 2, 1,1,6,6");
        let before = one.points();
        one.play("done; done").play("bombard").play("storm r-charles; storm r-cheshire-m-foot; done");
        let again = ["on", "storm r-charles", "storm r-cheshire-m-foot"];
        one.drive(&again, &["r-cheshire-m-foot", "p-pool-s-horse", "p-gloucester-s-foot"]);
        one.has(&[("p-gloucester-s-foot", 0), ("p-pool-s-horse", 0), ("p-cannon-1", 0), ("r-charles", 2)]);
        assert_eq!(one.points(), before + 1, "rule 4.51");
        assert_eq!(one.marker("bristol", "control"), Some(1));
    }

    #[test]
    fn rule_g17_how_many_blocks_storm() {
        let blocks = json!({ "r-newcastle": { "at": "east-riding" }, "r-northumb-foot": { "at": "east-riding" },
            "p-pool-n-foot": { "at": "hull", "strength": 1 } });
        let mut hull = siege(json!({ "hull": 1 }), blocks, "3, 2,5, 1, 4,2,6");
        hull.play("done; done").play("pass; storm r-northumb-foot");
        assert_eq!(hull.refused("storm r-newcastle"), ["TOO_MANY_STORMERS G17"], "one at Hull");
        hull.play("done").play("on; storm r-newcastle; done");
        hull.has(&[("p-pool-n-foot", 0), ("r-newcastle", 3), ("r-northumb-foot", 2)]);
        let blocks = json!({ "r-hopton": { "at": "devon" }, "r-charles": { "at": "devon" }, "r-rupert": { "at": "devon" },
            "r-cannon-1": { "at": "devon" }, "p-devon-foot": { "at": "plymouth" } });
        let mut plymouth = siege(json!({ "plymouth": 1 }), blocks, "");
        plymouth.play("done; done").play("pass; storm r-charles; storm r-hopton");
        assert_eq!(plymouth.refused("storm r-rupert"), ["TOO_MANY_STORMERS G17"], "twice the Size");
        assert_eq!(plymouth.refused("storm r-cannon-1"), ["NOT_HERE 8.3"], "Artillery does not storm");
    }

    #[test]
    fn rule_g17a_others_take_their_place_in_the_next_round() {
        let blocks = json!({ "r-hopton": { "at": "devon" }, "r-charles": { "at": "devon" }, "r-pool-s-foot": { "at": "devon" },
            "p-devon-foot": { "at": "plymouth" } });
        let mut one = siege(json!({ "plymouth": 1 }), blocks, "6,6,6, 6,6,6,6");
        one.play("done; done").play("pass; storm r-hopton; done");
        one.play("on");
        assert_eq!((one.asked(), one.choices("storm").len()), ("storm_pick", 3));
        assert_eq!(one.refused("done"), ["NOBODY_TAKEN G17a"]);
        one.play("storm r-charles; storm r-pool-s-foot; done");
        assert_eq!((one.is_up("r-charles"), one.is_up("r-pool-s-foot")), (true, true));
    }

    #[test]
    fn rule_g18_infantry_defends_with_one_more() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-rupert": { "at": "oxfordshire" },
            "p-brooke": { "at": "oxford", "strength": 1 }, "p-gloucester-m-horse": { "at": "oxford", "strength": 1 } });
        let mut one = siege(json!({ "oxford": 1 }), blocks, "3,3, 6,6,6");
        one.play("done; done").play("pass; storm r-charles; done");
        assert_eq!((one.strength("r-charles"), one.left_over()), (3, 0), "the horse misses with a 3");
    }

    #[test]
    fn rule_g16_artillery_breaches_the_walls() {
        let besieger = |guns: &[(&str, u8)], die: &str| {
            let mut blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-rupert": { "at": "oxfordshire" }, "p-brooke": { "at": "oxford" } });
            for (gun, strength) in guns {
                blocks[*gun] = json!({ "at": "oxfordshire", "strength": strength });
            }
            siege(json!({ "oxford": 1 }), blocks, &format!("{die}, 6,6,6, 1,1,6,6"))
        };
        // After a breach two hits take two strength, else one.
        let stormed = |guns: &[(&str, u8)], die: &str| {
            let mut one = besieger(guns, die);
            one.play("done; done").play("bombard").play("storm r-charles; done");
            (one.left_over(), one.strength("p-brooke"))
        };
        let (weak, strong) = ([("r-cannon-1", 2)], [("r-cannon-1", 3), ("r-cannon-2", 2)]);
        assert_eq!((stormed(&weak, "5"), stormed(&weak, "6")), ((0, 2), (0, 1)), "2 to 4");
        assert_eq!((stormed(&strong, "4"), stormed(&strong, "5")), ((0, 2), (0, 1)), "5 to 7");
        let mut little = besieger(&[("r-cannon-1", 1)], "");
        little.play("done; done");
        assert_eq!(little.refused("bombard"), ["TOO_LITTLE_ARTILLERY G16"]);
    }

    #[test]
    fn rule_g16a_london_is_open_until_it_is_fortified() {
        let area = "buckinghamshire-hertfordshire";
        let blocks = json!({ "r-charles": { "at": area }, "r-rupert": { "at": area }, "r-hopton": { "at": area }, "r-newcastle": { "at": area },
            "p-london-foot-1": { "at": "london" } });
        let dice = "6,6,6,6, 1,1,6,6";
        let mut open = siege_with(&json!({}), blocks.clone(), dice);
        open.play("done; done");
        assert_eq!((open.to_act(), open.asked()), (Some(R), "storm_pick"), "no bombardment is needed");
        open.play("storm r-charles; done");
        assert_eq!((open.left_over(), open.strength("p-london-foot-1")), (0, 2));
        let mut walled = siege_with(&json!({ "walls": true }), blocks, dice);
        walled.play("done; done").play("pass; storm r-charles; done");
        assert_eq!((walled.left_over(), walled.strength("p-london-foot-1")), (0, 3), "two half-hits");
    }

    #[test]
    fn rule_g22_the_city_falls_with_its_last_infantry_or_cavalry() {
        let blocks = json!({ "r-charles": { "at": "somerset" }, "r-hopton": { "at": "somerset" }, "p-cannon-1": { "at": "bristol" } });
        let mut guns = siege(json!({ "bristol": 1 }), blocks, "6,6,6");
        guns.play("done; done").play("pass; storm r-charles; done");
        assert_eq!((guns.strength("p-cannon-1"), guns.marker("bristol", "control")), (0, Some(1)), "Artillery alone falls with Round 1");
        assert_eq!(guns.marker("bristol", "besieged"), None);
        assert_eq!(guns.place("r-charles"), "somerset", "nobody moves in");
    }

    #[test]
    fn rule_8_31_a_storming_without_a_breach() {
        let blocks = json!({ "r-hopton": { "at": "devon" }, "r-pool-s-foot": { "at": "devon" }, "r-pool-s-horse": { "at": "devon" },
            "p-devon-foot": { "at": "plymouth" }, "p-cannon-1": { "at": "plymouth" } });
        let mut one = siege(json!({ "plymouth": 2 }), blocks, "1,3,6, 3,3,4, 1,2,2, 3,5, 3,4,5,6");
        one.play("done; done").play("pass; storm r-hopton; storm r-pool-s-foot");
        one.play("done").play("hit r-pool-s-foot").play("hit r-hopton");
        one.play("on; storm r-pool-s-horse; storm r-pool-s-foot; done").play("halt");
        let expected = [("p-devon-foot", 1), ("p-cannon-1", 3), ("r-hopton", 1), ("r-pool-s-foot", 2), ("r-pool-s-horse", 2)];
        one.has(&expected);
    }

    #[test]
    fn rule_8_31_half_hits_are_recovered_at_the_end() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-rupert": { "at": "oxfordshire" }, "p-brooke": { "at": "oxford", "strength": 2 } });
        let mut one = siege(json!({ "oxford": 1 }), blocks, "6,6, 1,6,6,6, 6,6, 6,6,6,6");
        one.play("done; done").play("pass; storm r-charles; done");
        one.play("on; storm r-charles; done; halt");
        assert_eq!((one.left_over(), one.strength("p-brooke")), (0, 2), "a half rolls as a whole, and is one afterwards");
    }
}
