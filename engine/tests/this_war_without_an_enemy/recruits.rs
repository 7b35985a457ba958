//! Sections 6.3 and 6.4: Recruitment, and the events of the Operational Phase.

use serde_json::json;

use crate::play::{P, R, acting, events};

rules! {
    #[test]
    fn rule_6_3_strength_for_whom() {
        let blocks = json!({ "r-pool-m-foot": { "at": "oxford", "strength": 1 }, "p-essex": { "at": "oxfordshire" },
            "p-brooke": { "at": "oxfordshire" }, "r-pool-s-foot": { "at": "bristol", "strength": 1 },
            "p-waller": { "at": "somerset" }, "r-cannon-1": { "at": "durham", "strength": 1 },
            "r-cheshire-w-foot": { "at": "durham", "strength": 1 }, "r-hopton": { "at": "durham", "strength": 1 },
            "r-charles": { "at": "durham" }, "r-rupert": { "at": "lancashire", "strength": 1 } });
        let mut one = acting("royalist", blocks);
        assert_eq!(one.refused("raise r-pool-m-foot"), ["BESIEGED 6.3"], "Oxford has no Port");
        assert_eq!(one.refused("raise r-cannon-1"), ["NO_ARTILLERY 6.3"]);
        assert_eq!(one.refused("raise r-cheshire-w-foot"), ["NOT_AT_HOME 6.3"]);
        assert_eq!(one.refused("raise r-hopton"), ["NOT_AT_HOME 6.3"], "Regional Leaders neither");
        assert_eq!(one.refused("raise r-charles"), ["FULL_STRENGTH 6.3"]);
        assert_eq!(one.refused("raise r-northampton"), ["NOT_ON_THE_MAP 6.3"]);
        assert_eq!(one.refused("raise p-essex"), ["NOT_ON_THE_MAP 6.3"]);
        one.play("raise r-pool-s-foot; raise r-pool-s-foot; raise r-rupert");
        assert_eq!((one.strength("r-pool-s-foot"), one.strength("r-rupert")), (3, 2), "Besieged in a Port; a Leader anywhere");
    }

    #[test]
    fn rule_6_3_no_strength_in_a_contested_area() {
        let blocks = json!({ "r-charles": { "at": "staffordshire-warwickshire", "strength": 2 }, "p-essex": { "at": "worcestershire" } });
        let mut one = acting("royalist", blocks);
        one.play("group staffordshire-warwickshire; take r-charles; go worcestershire; done");
        assert_eq!(one.refused("raise r-charles"), ["CONTESTED 6.3"]);
    }

    #[test]
    fn rule_f3_where_blocks_are_deployed() {
        let blocks = json!({ "p-essex": { "at": "oxfordshire" }, "r-pool-m-foot": { "at": "oxford" },
            "p-london-foot-1": { "at": "buckinghamshire-hertfordshire" } });
        let mut one = acting("parliament", blocks);
        assert_eq!(one.refused("deploy p-cannon-1"), ["NO_ARTILLERY 6.3"]);
        assert_eq!(one.refused("deploy p-essex"), ["NOT_IN_THE_POOL F3"]);
        assert_eq!(one.refused("deploy p-swwales-foot"), ["NOWHERE_TO_DEPLOY F3"], "no Friendly Area in Wales");
        one.play("deploy p-pool-l-foot");
        assert_eq!(one.choices("at"), ["buckinghamshire-hertfordshire"]);
        assert_eq!(one.refused("at kent"), ["NOT_AT_HOME F3"]);
        assert_eq!(one.refused("at northumberland"), ["NOT_FRIENDLY F3", "NOT_AT_HOME F3"]);
        one.play("at buckinghamshire-hertfordshire");
        assert_eq!(one.strength("p-pool-l-foot"), 1);
        one.play("deploy p-pool-m-horse; at oxfordshire");
        assert_eq!(one.marker("oxford", "siege"), Some(0), "the second besieger: F6");
        assert_eq!(one.number(), 2);
    }

    #[test]
    fn rule_f3_no_more_than_the_area_supplies() {
        let at = "durham";
        let blocks = json!({ "r-newcastle": { "at": at }, "r-northumb-foot": { "at": at }, "r-northumb-horse": { "at": at },
            "r-charles": { "at": at }, "r-cannon-1": { "at": at } });
        let mut one = acting("royalist", blocks);
        one.play("deploy r-lancashire-foot");
        assert_eq!(one.refused("at durham"), ["NO_SUPPLY F3"]);
        one.play("at cumberland-westmorland");
    }

    #[test]
    fn rule_6_42_camp_fever_weakens_two_blocks() {
        let blocks = json!({ "p-brooke": { "at": "worcestershire" }, "p-essex": { "at": "worcestershire" },
            "p-waller": { "at": "worcestershire", "strength": 1 }, "p-fairfax": { "at": "west-riding" } });
        let mut one = events("royalist", "r-camp-fever", "p-ap4-1", blocks);
        one.play("event");
        assert_eq!(one.choices("fever"), ["worcestershire"]);
        assert_eq!(one.refused("fever west-riding"), ["TOO_FEW_BLOCKS 6.42"]);
        one.play("fever worcestershire");
        assert_eq!((one.to_act(), one.number()), (Some(P), 2), "the victim chooses");
        one.play("lose p-brooke");
        assert_eq!(one.refused("lose p-brooke"), ["SUFFERED_ALREADY 6.42"]);
        one.play("lose p-waller");
        one.has(&[("p-brooke", 2), ("p-waller", 0), ("p-essex", 4)]);
    }

    #[test]
    fn rule_6_42_camp_fever_spares_artillery() {
        let at = |guns: &[&str]| {
            let blocks = ["p-brooke", "p-cannon-1", "p-cannon-2"].into_iter().filter(|block| guns.contains(block));
            blocks.map(|block| (block, json!({ "at": "worcestershire" }))).collect::<serde_json::Value>()
        };
        let mut one = events("royalist", "r-camp-fever", "p-ap4-1", at(&["p-brooke", "p-cannon-1"]));
        one.play("event; fever worcestershire").play("lose p-brooke");
        one.has(&[("p-brooke", 2), ("p-cannon-1", 3)]);
        assert_eq!((one.to_act(), one.asked()), (Some(R), "act"));
        let mut none = events("royalist", "r-camp-fever", "p-ap4-1", at(&["p-cannon-1", "p-cannon-2"]));
        none.play("event; fever worcestershire");
        assert_eq!((none.to_act(), none.asked()), (Some(R), "act"), "Artillery alone: no effect");
    }

    #[test]
    fn rule_6_44_a_deserter_goes_home() {
        let blocks = json!({ "p-pool-e-foot": { "at": "worcestershire" }, "p-essex": { "at": "worcestershire" } });
        let mut one = events("royalist", "r-desertion", "p-ap4-1", blocks);
        one.play("event");
        assert_eq!(one.choices("lose"), ["p-pool-e-foot"]);
        one.play("lose p-pool-e-foot");
        assert_eq!(one.choices("at"), ["norfolk", "suffolk", "essex", "buckinghamshire-hertfordshire"]);
        one.play("at norfolk");
        assert_eq!((one.place("p-pool-e-foot"), one.strength("p-pool-e-foot")), ("norfolk".to_owned(), 2));
    }

    #[test]
    fn rule_6_44_to_neutral_areas_to_the_pool_or_any_block() {
        let blocks = json!({ "p-shropshire-foot": { "at": "cheshire" }, "p-essex": { "at": "cheshire" } });
        let mut neutral = events("royalist", "r-desertion", "p-ap4-1", blocks);
        neutral.play("event").play("lose p-shropshire-foot");
        assert_eq!(neutral.choices("at"), ["sw-wales", "shropshire-herefordshire"], "no Friendly Area in Wales");
        neutral.play("at sw-wales");
        let blocks = json!({ "p-shropshire-foot": { "at": "cheshire" }, "p-essex": { "at": "cheshire" },
            "r-charles": { "at": "sw-wales" }, "r-hopton": { "at": "shropshire-herefordshire" } });
        let mut pool = events("royalist", "r-desertion", "p-ap4-1", blocks);
        pool.play("event").play("lose p-shropshire-foot");
        assert_eq!(pool.legal(), ["pool"]);
        pool.play("pool");
        assert_eq!(pool.strength("p-shropshire-foot"), 0);
        let blocks = json!({ "p-brooke": { "at": "kent" }, "p-cannon-1": { "at": "kent" } });
        let mut any = events("royalist", "r-desertion", "p-ap4-1", blocks);
        any.play("event");
        assert_eq!(any.choices("lose"), ["p-brooke", "p-cannon-1"], "no Regional block abroad");
        any.play("lose p-cannon-1");
        assert_eq!((any.strength("p-cannon-1"), any.place("p-cannon-1")), (2, "kent".to_owned()));
        let weak = json!({ "p-pool-e-foot": { "at": "worcestershire", "strength": 1 } });
        let mut dies = events("royalist", "r-desertion", "p-ap4-1", weak);
        dies.play("event").play("lose p-pool-e-foot");
        assert_eq!((dies.strength("p-pool-e-foot"), dies.asked()), (0, "act"));
    }

    #[test]
    fn rule_6_45_londons_walls_are_complete_from_then_on() {
        let blocks = json!({ "p-essex": { "at": "oxfordshire" }, "r-charles": { "at": "cheshire" } });
        let mut one = events("parliament", "r-ap4-1", "p-fortification-london", blocks);
        assert_eq!(one.marker("london", "walls"), None);
        one.play("event");
        assert_eq!(one.marker("london", "walls"), Some(1));
    }

    #[test]
    fn rule_6_46_two_free_points_before_the_next_event() {
        let blocks = json!({ "r-charles": { "at": "cheshire", "strength": 1 }, "r-cannon-1": { "at": "cheshire", "strength": 1 } });
        let mut one = events("royalist", "r-ships-captured", "p-ap4-1", blocks);
        one.play("event");
        assert_eq!((one.asked(), one.choices("group").len()), ("recruit_free", 0), "Recruitment alone");
        assert_eq!(one.refused("raise r-cannon-1"), ["NO_ARTILLERY 6.3"]);
        one.play("raise r-charles; deploy r-rupert; at cheshire");
        assert_eq!(one.refused("raise r-charles"), ["NO_POINTS_LEFT 6.02"]);
        one.play("done");
        assert_eq!((one.asked(), one.number(), one.strength("r-charles")), ("act", 2, 2));
        let excise = json!({ "p-essex": { "at": "kent", "strength": 1 } });
        let mut other = events("royalist", "r-ap4-1", "p-excise", excise);
        other.play("event; raise p-essex; done");
        assert_eq!((other.strength("p-essex"), other.to_act()), (2, Some(R)), "the second point is dropped");
    }

    #[test]
    fn rule_6_47_supplies_from_the_continent_arm_artillery_too() {
        let blocks = json!({ "r-charles": { "at": "cheshire" }, "r-cannon-1": { "at": "cheshire", "strength": 1 } });
        let mut one = events("royalist", "r-supplies-continent", "p-ap4-1", blocks);
        one.play("event; raise r-cannon-1; deploy r-cannon-2; at cheshire; done");
        one.has(&[("r-cannon-1", 2), ("r-cannon-2", 1)]);
    }
}
