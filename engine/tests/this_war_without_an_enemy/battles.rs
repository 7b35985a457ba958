//! Sections 7.1 to 7.5: Battles, by number and by worked example.

use serde_json::json;

use crate::play::{P, R, battle};

rules! {
    #[test]
    fn rule_7_41_artillery_declares_and_hits_beyond_the_class_are_lost() {
        let by = "staffordshire-warwickshire";
        let blocks = json!({ "p-essex": { "at": "gloucestershire" }, "p-gloucester-s-foot": { "at": "gloucestershire" },
            "p-cannon-1": { "at": "gloucestershire" }, "r-charles": { "at": "gloucestershire", "by": by },
            "r-rupert": { "at": "gloucestershire", "strength": 2, "by": by },
            "r-cannon-1": { "at": "gloucestershire", "by": by } });
        let dice = "1,2,2, 3,4,1, 2,6,6,1,5, 1,2, 5,6,6, 5,6, 1,3,3, 2";
        let mut one = battle("royalist", blocks, dice);
        one.drive(&["horse p-cannon-1"], &["p-gloucester-s-foot", "p-essex"]);
        one.has(&[
            ("p-essex", 1),
            ("p-gloucester-s-foot", 1),
            ("p-cannon-1", 3),
            ("r-charles", 1),
            ("r-rupert", 0),
        ]);
        assert_eq!(one.choices("retreat"), ["r-charles", "r-cannon-1"], "the Cannon retreats at full strength");
        assert_eq!(one.strength("r-cannon-1"), 3);
    }

    #[test]
    fn rule_7_42_cavalry_hits_do_not_spill_over() {
        let by = "staffordshire-warwickshire";
        let blocks = json!({ "p-gloucester-m-horse": { "at": "worcestershire", "strength": 1 },
            "p-derbyshire-foot": { "at": "worcestershire" }, "r-cheshire-m-horse": { "at": "worcestershire", "by": by },
            "r-northampton": { "at": "worcestershire", "by": by } });
        let dice = "2, 1,3, 1,4,4, 2,6, 4,5, 1, 3, 4,4";
        let mut one = battle("royalist", blocks, dice);
        one.drive(&[], &[]);
        one.has(&[("p-derbyshire-foot", 0), ("r-cheshire-m-horse", 2), ("r-northampton", 1)]);
        assert_eq!(one.marker("worcestershire", "control"), Some(1));
    }

    #[test]
    fn rule_7_44_infantry_hits_spill_over_onto_cavalry() {
        let blocks = json!({ "r-northumb-foot": { "at": "durham", "strength": 1 }, "r-northumb-horse": { "at": "durham" },
            "p-fairfax": { "at": "durham", "by": "north-riding" } });
        let mut one = battle("parliament", blocks, "4,5,6, 2, 1,2, 4,4");
        one.drive(&[], &[]);
        one.has(&[("r-northumb-foot", 0), ("r-northumb-horse", 2), ("p-fairfax", 0)]);
    }

    #[test]
    fn rule_7_1_reserves_are_silent_in_round_1() {
        let (near, far) = ("oxfordshire", "gloucestershire");
        let at = "staffordshire-warwickshire";
        let blocks = json!({ "r-northampton": { "at": at }, "r-cheshire-m-foot": { "at": at, "strength": 2 },
            "p-brooke": { "at": at, "by": near }, "p-cannon-1": { "at": at, "by": near },
            "p-essex": { "at": at, "by": far }, "p-cannon-2": { "at": at, "by": far },
            "p-gloucester-m-horse": { "at": at, "by": far } });
        let dice = "1,2,6, 2,3,1, 2, 3,3,6";
        let mut one = battle("parliament", blocks, dice);
        one.drive(&["main oxfordshire"], &["r-northampton", "r-northampton"]);
        one.has(&[
            ("r-northampton", 0),
            ("r-cheshire-m-foot", 0),
            ("p-brooke", 1),
            ("p-essex", 4),
            ("p-cannon-2", 3),
        ]);
    }

    #[test]
    fn rule_t20_the_roles_swap_when_the_defence_dies_in_round_1() {
        let at = "berkshire-hampshire";
        let blocks = json!({ "p-gloucester-s-foot": { "at": at, "strength": 1 },
            "p-waller": { "at": at, "strength": 2, "by": "surrey-sussex" },
            "r-hopton": { "at": at, "strength": 2, "by": "wiltshire-dorset" } });
        let mut one = battle("royalist", blocks, "6, 1,2, 1,6, 2, 5, 6");
        one.drive(&[], &[]);
        one.has(&[("p-gloucester-s-foot", 0), ("p-waller", 1), ("r-hopton", 1)]);
        one.play("retreat p-waller");
        let goals = one.choices("to");
        assert!(
            goals.contains(&"surrey-sussex".to_owned()) && !goals.contains(&"wiltshire-dorset".to_owned()),
            "{goals:?}"
        );
    }

    #[test]
    fn rule_3_12_a_die_hits_up_to_the_effectiveness() {
        let blocks = json!({ "p-brooke": { "at": "worcestershire" },
            "r-charles": { "at": "worcestershire", "by": "staffordshire-warwickshire" } });
        let mut one = battle("royalist", blocks, "1,2,3, 3,4, 3,4,5, 3,3, 3,3,3, 3,3");
        one.drive(&[], &[]);
        one.has(&[("p-brooke", 3), ("r-charles", 2)]);
    }

    #[test]
    fn rule_7_02_player_1_names_the_next_battle() {
        let blocks = json!({ "p-brooke": { "at": "worcestershire" }, "p-fairfax": { "at": "lancashire" },
            "r-charles": { "at": "worcestershire", "by": "staffordshire-warwickshire" },
            "r-rupert": { "at": "lancashire", "by": "cheshire" }, "p-essex": { "at": "kent" } });
        let mut one = battle("royalist", blocks, "");
        assert_eq!((one.to_act(), one.choices("battle")), (Some(R), vec!["lancashire".to_owned(), "worcestershire".to_owned()]));
        assert_eq!(one.refused("battle kent"), ["NOT_CONTESTED 7.02"]);
        one.play("battle worcestershire");
        assert_eq!((one.to_act(), one.asked()), (Some(P), "withdraw"));
    }

    #[test]
    fn rule_t6_who_comes_to_a_battle_later_enters_in_round_2() {
        let at = "worcestershire";
        let blocks = json!({ "p-brooke": { "at": at }, "p-essex": { "at": at, "by": "gloucestershire" },
            "r-charles": { "at": at, "by": "staffordshire-warwickshire" } });
        let mut one = battle("royalist", blocks.clone(), "6,6,6");
        one.play("fight");
        assert_eq!((one.is_up("p-brooke"), one.is_up("p-essex")), (true, false), "Reserves stand upright");
        let dice = "6,6,6, 6,6,6,6, 6,6,6,6,6,6,6, 6,6,6,6, 6,6,6,6,6,6,6, 6,6,6,6";
        let mut all = battle("royalist", blocks, dice);
        all.drive(&[], &[]);
        assert_eq!(all.choices("retreat"), ["r-charles"], "one block against two");
    }

    #[test]
    fn rule_7_3_three_rounds_the_defender_first() {
        let blocks = json!({ "p-brooke": { "at": "worcestershire", "strength": 1 },
            "r-charles": { "at": "worcestershire", "strength": 1, "by": "staffordshire-warwickshire" } });
        let mut long = battle("royalist", blocks.clone(), "6, 6, 6, 6, 6, 6");
        long.drive(&[], &[]);
        assert_eq!(long.choices("retreat"), ["r-charles"], "after the third Round");
        let mut short = battle("royalist", blocks, "1");
        short.drive(&[], &[]);
        short.has(&[("r-charles", 0), ("p-brooke", 1)]);
        assert_eq!(short.marker("worcestershire", "control"), Some(2), "the dead don't strike back");
    }

    #[test]
    fn rule_7_4_hits_fall_on_the_strongest_at_that_moment() {
        let by = "staffordshire-warwickshire";
        let blocks = json!({ "p-brooke": { "at": "worcestershire" },
            "r-charles": { "at": "worcestershire", "by": by }, "r-northampton": { "at": "worcestershire", "by": by } });
        let mut one = battle("royalist", blocks, "1,1,6, 6,6,6,6,6");
        one.play("fight");
        assert_eq!(one.strength("r-charles"), 3, "the first hit is nobody's choice");
        assert_eq!(one.choices("hit"), ["r-charles", "r-northampton"], "the second is its owner's");
        assert_eq!(one.to_act(), Some(R));
        one.play("hit r-northampton");
        one.has(&[("r-charles", 3), ("r-northampton", 2)]);
    }

    #[test]
    fn rule_t13_guns_at_cavalry_have_one_less() {
        let by = "staffordshire-warwickshire";
        let blocks = |horse: bool| {
            let mut blocks = json!({ "p-cannon-1": { "at": "worcestershire" }, "p-brooke": { "at": "worcestershire" },
                "r-cheshire-m-horse": { "at": "worcestershire", "by": by } });
            if !horse {
                blocks["r-charles"] = json!({ "at": "worcestershire", "by": by });
            }
            blocks
        };
        // A class alone needs no words.
        let mut alone = battle("royalist", blocks(true), "3,3,2");
        alone.play("fight");
        assert_eq!(alone.strength("r-cheshire-m-horse"), 2);
        let mut both = battle("royalist", blocks(false), "3,3,2");
        both.play("fight");
        assert_eq!(both.legal(), ["horse p-cannon-1", "foot p-cannon-1"]);
        both.play("foot p-cannon-1");
        both.has(&[("r-charles", 1), ("r-cheshire-m-horse", 3)]);
        let mut aimed = battle("royalist", blocks(false), "3,3,2");
        aimed.play("fight; horse p-cannon-1");
        aimed.has(&[("r-charles", 4), ("r-cheshire-m-horse", 2)]);
    }

    #[test]
    fn rule_t15_hits_of_infantry_go_on_to_cavalry() {
        let blocks = json!({ "r-northumb-foot": { "at": "durham", "strength": 1 }, "r-northumb-horse": { "at": "durham" },
            "p-fairfax": { "at": "durham", "by": "north-riding" } });
        // The horse and the foot miss; Fairfax hits three times.
        let mut one = battle("parliament", blocks, "6,6,6, 6, 1,1,1,6");
        one.play("fight");
        one.has(&[("r-northumb-foot", 0), ("r-northumb-horse", 1)]);
    }

    #[test]
    fn rule_7_5_fewer_blocks_lose_and_of_equals_the_attacker() {
        let at = "wiltshire-dorset";
        let blocks = json!({ "r-hopton": { "at": at }, "p-waller": { "at": at, "by": "berkshire-hampshire" } });
        let mut equal = battle("parliament", blocks, "1,2,5,6, 2,3, 3,4,1, 1, 5,6, 4");
        equal.drive(&[], &[]);
        equal.has(&[("r-hopton", 2), ("p-waller", 1)]);
        assert_eq!(equal.choices("retreat"), ["p-waller"]);
        equal.play("retreat p-waller");
        assert!(equal.choices("to").contains(&"berkshire-hampshire".to_owned()), "the way he came is open: V5");
        let blocks = json!({ "r-hopton": { "at": at, "strength": 1 }, "r-cannon-1": { "at": at },
            "p-waller": { "at": at, "strength": 1, "by": "berkshire-hampshire" },
            "p-devon-foot": { "at": at, "strength": 1, "by": "berkshire-hampshire" } });
        let dice = "6,6,6, 6, 6,6, 6, 6,6, 6, 6,6";
        let mut fewer = battle("parliament", blocks, dice);
        fewer.drive(&[], &[]);
        assert_eq!(fewer.choices("retreat"), ["r-cannon-1", "r-hopton"], "Artillery doesn't count");
    }

    #[test]
    fn rule_t29_the_losers_artillery_dies_without_infantry_or_cavalry() {
        let (at, by) = ("worcestershire", "staffordshire-warwickshire");
        let blocks = |strength: u8| {
            json!({ "p-brooke": { "at": at, "strength": 1 }, "p-essex": { "at": at, "strength": 1 },
            "r-charles": { "at": at, "strength": strength, "by": by }, "r-cannon-1": { "at": at, "by": by } })
        };
        // The Cannon misses, then Brooke and Essex hit.
        let mut lost = battle("royalist", blocks(1), "6,6,6, 1,1");
        lost.drive(&[], &[]);
        lost.has(&[("r-charles", 0), ("r-cannon-1", 0)]);
        let dice = "6,6,6, 6,6, 6,6, 6,6, 6,6, 6,6, 6,6";
        let mut saved = battle("royalist", blocks(2), dice);
        saved.drive(&[], &[]);
        assert_eq!(saved.choices("retreat"), ["r-charles", "r-cannon-1"]);
        saved.play("retreat r-cannon-1; to staffordshire-warwickshire");
        assert_eq!(saved.strength("r-cannon-1"), 3, "at full strength");
    }
}
