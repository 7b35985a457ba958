//! Sections 7.6 to 7.8: Retreat, Regroup, stranded blocks.

use serde_json::json;

use crate::play::{Match, P, R, battle};

/// A Battle in which one side withdraws at once: Cavalry against none.
fn withdrawn(first: &str, blocks: serde_json::Value) -> Match {
    let mut one = battle(first, blocks, "");
    one.play("retire");
    assert_eq!(one.asked(), "retreat");
    one
}

rules! {
    #[test]
    fn rule_7_6_the_loser_goes_if_he_can() {
        let blocks = json!({ "p-gloucester-m-horse": { "at": "worcestershire" }, "p-brooke": { "at": "worcestershire" },
            "r-charles": { "at": "worcestershire", "by": "gloucestershire" }, "r-hopton": { "at": "shropshire-herefordshire" } });
        let mut one = withdrawn("royalist", blocks);
        assert_eq!(one.refused("done"), ["MUST_RETREAT 7.6"]);
        one.play("retreat p-brooke");
        assert_eq!(one.choices("to"), ["staffordshire-warwickshire"], "neither where the enemy is nor where he came from");
        one.play("to staffordshire-warwickshire; retreat p-gloucester-m-horse; to staffordshire-warwickshire");
        assert_eq!((one.to_act(), one.legal()), (Some(P), vec!["done".to_owned()]), "his own Done closes it");
        one.play("done");
        assert_eq!((one.to_act(), one.asked()), (Some(R), "regroup"));
    }

    #[test]
    fn rule_7_6_who_cannot_retreat_is_lost() {
        let blocks = json!({ "r-pool-s-horse": { "at": "cornwall" }, "r-hopton": { "at": "cornwall" },
            "p-waller": { "at": "cornwall", "by": "devon" } });
        let mut one = withdrawn("parliament", blocks);
        assert_eq!(one.refused("retreat r-hopton"), ["NO_WAY_OUT 7.6"]);
        one.play("done");
        one.has(&[("r-hopton", 0), ("r-pool-s-horse", 0)]);
    }

    #[test]
    fn rule_v2_the_defender_shelters_in_his_city() {
        let blocks = json!({ "p-pool-s-horse": { "at": "somerset" }, "p-waller": { "at": "somerset" },
            "p-gloucester-s-foot": { "at": "somerset" }, "p-cannon-1": { "at": "somerset" },
            "r-charles": { "at": "somerset", "by": "devon" }, "r-hopton": { "at": "somerset", "by": "devon" } });
        let mut one = withdrawn("royalist", blocks);
        one.play("retreat p-waller");
        assert!(one.choices("to").contains(&"bristol".to_owned()));
        one.play("to bristol; retreat p-cannon-1; to bristol; retreat p-pool-s-horse; to bristol; retreat p-gloucester-s-foot");
        assert!(!one.choices("to").contains(&"bristol".to_owned()), "Bristol holds two and Artillery");
        one.play("to wiltshire-dorset; done").play("pass");
        assert_eq!((one.marker("bristol", "besieged"), one.marker("bristol", "siege")), (Some(1), Some(0)), "rule 8.0");
    }

    #[test]
    fn rule_v3_no_more_cross_a_border_than_its_limit() {
        let at = "central-wales";
        let blocks = json!({ "r-charles": { "at": at }, "r-sewales-foot-1": { "at": at }, "r-sewales-foot-2": { "at": at },
            "r-pool-w-horse-1": { "at": at }, "p-essex": { "at": at, "by": "sw-wales" }, "p-brooke": { "at": "se-wales" },
            "p-waller": { "at": "nw-wales" }, "p-fairfax": { "at": "shropshire-herefordshire" } });
        let mut one = withdrawn("parliament", blocks);
        one.play("retreat r-charles");
        assert_eq!(one.choices("to"), ["ne-wales"]);
        one.play("to ne-wales; retreat r-sewales-foot-1; to ne-wales");
        assert_eq!(one.legal(), ["done"], "two cross mountains");
        one.play("done");
        one.has(&[("r-charles", 4), ("r-sewales-foot-2", 0), ("r-pool-w-horse-1", 0)]);
    }

    #[test]
    fn rule_v4_no_way_out_where_the_enemy_came_in_last() {
        let blocks = json!({ "p-gloucester-m-horse": { "at": "worcestershire" }, "p-brooke": { "at": "worcestershire" },
            "r-charles": { "at": "worcestershire", "by": "gloucestershire" } });
        let mut one = withdrawn("royalist", blocks);
        one.play("retreat p-brooke");
        assert_eq!(one.choices("to"), ["staffordshire-warwickshire", "shropshire-herefordshire"]);
    }

    #[test]
    fn rule_7_62_regional_blocks_retreat_home_or_to_a_chaperone() {
        let blocks = json!({ "p-pool-n-foot": { "at": "derbyshire-nottinghamshire" },
            "p-westriding-horse": { "at": "derbyshire-nottinghamshire" }, "p-fairfax": { "at": "derbyshire-nottinghamshire" },
            "r-charles": { "at": "derbyshire-nottinghamshire", "by": "staffordshire-warwickshire" } });
        let mut one = withdrawn("royalist", blocks);
        one.play("retreat p-pool-n-foot");
        assert_eq!(one.choices("to"), ["west-riding"], "home");
        one.play("to west-riding; retreat p-fairfax; to lincolnshire; retreat p-westriding-horse");
        assert_eq!(one.choices("to"), ["west-riding", "lincolnshire"], "or where their Leader stands by then");
    }

    #[test]
    fn rule_7_7_the_victor_regroups_to_one_area() {
        let blocks = json!({ "p-gloucester-m-horse": { "at": "worcestershire" },
            "r-charles": { "at": "worcestershire", "by": "gloucestershire" }, "r-cannon-1": { "at": "worcestershire", "by": "gloucestershire" } });
        let mut one = withdrawn("royalist", blocks);
        one.play("retreat p-gloucester-m-horse; to staffordshire-warwickshire; done");
        assert_eq!(one.choices("regroup"), ["gloucestershire", "shropshire-herefordshire"]);
        assert_eq!(one.refused("regroup staffordshire-warwickshire"), ["NOT_OPEN 7.7"]);
        one.play("regroup gloucestershire; take r-charles; done");
        assert_eq!((one.place("r-charles"), one.place("r-cannon-1")), ("gloucestershire".into(), "worcestershire".into()));
    }

    #[test]
    fn rule_7_71_regional_blocks_regroup_abroad_with_a_chaperone() {
        let by = "staffordshire-warwickshire";
        let blocks = json!({ "p-gloucester-m-horse": { "at": "worcestershire" }, "r-charles": { "at": "worcestershire", "by": by },
            "r-cheshire-m-foot": { "at": "worcestershire", "by": by }, "r-northampton": { "at": "gloucestershire" } });
        let mut one = withdrawn("royalist", blocks);
        one.play("done");
        one.has(&[("p-gloucester-m-horse", 0)]);
        one.play("regroup gloucestershire");
        assert_eq!(one.refused("take r-cheshire-m-foot"), ["NO_CHAPERONE 7.71"], "who stands there already is no help");
        one.play("take r-charles; take r-cheshire-m-foot; done");
        assert_eq!(one.place("r-cheshire-m-foot"), "gloucestershire");
    }

    #[test]
    fn rule_7_82_regional_blocks_without_a_chaperone_are_stranded() {
        let (at, by) = ("gloucestershire", "worcestershire");
        let blocks = json!({ "r-charles": { "at": at, "strength": 1, "by": by }, "r-cheshire-m-foot": { "at": at, "by": by },
            "p-waller": { "at": at, "strength": 1 }, "r-sewales-foot-1": { "at": "oxfordshire" } });
        // Waller hits the strongest, the foot; then Charles dies in Round 2, and Waller with him.
        let mut one = battle("royalist", blocks, "1, 6,6,6, 1, 6,6, 1, 1");
        one.drive(&[], &["r-charles"]);
        one.has(&[("r-charles", 0)]);
        one.play("pass");
        one.has(&[("p-waller", 0), ("r-cheshire-m-foot", 0), ("r-sewales-foot-1", 3)]);
    }

    #[test]
    fn rule_7_82_the_end_of_a_battle_is_told_for_good() {
        let blocks = json!({ "p-gloucester-m-horse": { "at": "worcestershire" },
            "r-charles": { "at": "worcestershire", "by": "gloucestershire" } });
        let mut one = withdrawn("royalist", blocks);
        one.play("retreat p-gloucester-m-horse; to staffordshire-warwickshire; done");
        one.play("regroup gloucestershire; take r-charles");
        assert_eq!(one.0.draft(R).len(), 2, "a choice of one's own");
        one.play("done");
        assert!(one.0.draft(R).is_empty(), "whoever was stranded was seen to be lost");
    }
}
