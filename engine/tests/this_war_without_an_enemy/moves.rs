//! Section 6.1: moves by number.

use serde_json::json;

use crate::play::{Match, P, acting, place};

rules! {
    #[test]
    fn rule_4_11_only_to_neighbours() {
        let mut one = acting("royalist", json!({ "r-charles": { "at": "lincolnshire" } }));
        one.play("group lincolnshire; take r-charles");
        for far in ["east-riding", "cornwall", "oxfordshire"] {
            assert_eq!(one.refused(&format!("go {far}")), ["NOT_ADJACENT 4.11"], "{far}");
        }
        assert!(one.allows("go norfolk"));
        let mut west = acting("royalist", json!({ "r-hopton": { "at": "somerset" } }));
        west.play("group somerset; take r-hopton");
        for over_sea in ["se-wales", "shropshire-herefordshire"] {
            assert_eq!(west.refused(&format!("go {over_sea}")), ["NOT_ADJACENT 4.11"], "{over_sea}");
        }
    }

    #[test]
    fn rule_c4_a_block_moves_once_a_turn() {
        let blocks = json!({ "r-charles": { "at": "worcestershire", "strength": 3 },
            "r-northampton": { "at": "staffordshire-warwickshire" } });
        let mut one = acting("royalist", blocks);
        one.play("raise r-charles; group worcestershire; take r-charles; go staffordshire-warwickshire; stop; done");
        one.play("group staffordshire-warwickshire");
        assert_eq!(one.refused("take r-charles"), ["HAS_MOVED C4"]);
        one.play("take r-northampton; go worcestershire; stop; done");
        assert_eq!(one.refused("muster cheshire"), ["NOT_FRIENDLY 6.12"]);
        assert_eq!(one.strength("r-charles"), 4, "strength may be added before the move");
    }

    #[test]
    fn rule_6_11_parties_go_where_they_like_up_to_two_areas() {
        let from = "staffordshire-warwickshire";
        let blocks = json!({ "r-charles": { "at": from }, "r-rupert": { "at": from }, "r-hopton": { "at": from },
            "p-brooke": { "at": "oxfordshire" } });
        let mut one = acting("royalist", blocks);
        one.play("group staffordshire-warwickshire; take r-charles; take r-rupert; go worcestershire");
        assert_eq!(one.refused("done"), ["PARTY_OPEN 6.11"]);
        one.play("take r-rupert; go shropshire-herefordshire; stop");
        assert_eq!((one.place("r-charles"), one.place("r-rupert")), ("worcestershire".into(), "shropshire-herefordshire".into()));
        one.play("take r-hopton; go oxfordshire").play("done");
        assert_eq!(one.legal(), ["done"], "who enters an Area with enemies stops there");
    }

    #[test]
    fn rule_k1_blocks_that_all_come_together_again_are_told_apart_as_little_as_before() {
        let from = "staffordshire-warwickshire";
        let blocks = json!({ "r-charles": { "at": from }, "r-rupert": { "at": from }, "r-hopton": { "at": from } });
        let played = |lines: &str| {
            let mut one = acting("royalist", blocks.clone());
            one.play("group staffordshire-warwickshire").play(lines);
            one
        };
        let parted = "take r-charles; take r-rupert; go worcestershire";
        let together = played("take r-charles; take r-rupert; take r-hopton; go worcestershire; stop; done; done");
        let one_by_one = played(&format!("{parted}; stop; take r-hopton; go worcestershire; stop; done; done"));
        assert!(together.0.state() == one_by_one.0.state(), "nobody could tell the two ways from each other by now");
        let still_parted = played(&format!("{parted}; stop; done; done"));
        assert!(still_parted.0.state() != together.0.state());
    }

    #[test]
    fn rule_6_12_a_muster_goes_through_a_siege_but_not_through_a_battle() {
        let blocks = json!({ "p-essex": { "at": "oxfordshire" }, "p-brooke": { "at": "leicestershire-northamptonshire" },
            "p-waller": { "at": "worcestershire" }, "r-pool-m-foot": { "at": "oxford" },
            "r-charles": { "at": "gloucestershire" }, "p-fairfax": { "at": "cheshire" } });
        let mut one = acting("parliament", blocks);
        assert_eq!(one.refused("muster gloucestershire"), ["NOT_FRIENDLY 6.12"]);
        one.play("muster oxfordshire");
        assert_eq!(one.choices("take"), ["p-fairfax", "p-brooke", "p-waller"]);
        one.play("take p-waller");
        assert_eq!(one.place("p-waller"), "oxfordshire", "by Staffordshire & Warwickshire, the one way that is open");
        let mut far = acting("parliament", json!({ "p-waller": { "at": "worcestershire" } }));
        assert_eq!(far.refused("muster norfolk"), ["NOBODY_TO_MUSTER 6.12"]);
    }

    #[test]
    fn rule_6_13_rivers_and_mountains_limit_who_crosses_into_an_attack() {
        let from = "shropshire-herefordshire";
        let blocks = json!({ "r-charles": { "at": from }, "r-rupert": { "at": from }, "r-northampton": { "at": from },
            "r-cannon-1": { "at": from }, "r-hopton": { "at": from }, "p-essex": { "at": "gloucestershire" },
            "p-brooke": { "at": "central-wales" } });
        let mut one = acting("royalist", blocks.clone());
        one.play("group shropshire-herefordshire; take r-charles; take r-rupert; take r-cannon-1; take r-northampton");
        assert!(one.allows("go gloucestershire"), "four cross a river, Artillery counted");
        assert_eq!(one.refused("go central-wales"), ["BORDER_FULL 6.13"], "two cross mountains");
        one.play("take r-hopton");
        assert_eq!(one.refused("go gloucestershire"), ["BORDER_FULL 6.13"]);
        assert!(one.allows("go cheshire"), "the limit is for attacks alone");
        let mut two = acting("royalist", blocks);
        two.play("group shropshire-herefordshire; take r-charles; take r-rupert; go gloucestershire");
        two.play("take r-cannon-1; take r-northampton; go gloucestershire; take r-hopton");
        assert_eq!(two.refused("go gloucestershire"), ["BORDER_FULL 6.13"], "parties add up");
    }

    #[test]
    fn rule_6_14_as_many_blocks_are_pinned_as_attack() {
        let (at, from) = ("gloucestershire", "worcestershire");
        let blocks = json!({ "r-charles": { "at": from }, "r-rupert": { "at": from }, "r-northampton": { "at": from },
            "p-essex": { "at": at }, "p-gloucester-m-horse": { "at": at }, "p-gloucester-s-horse": { "at": at },
            "p-gloucester-s-foot": { "at": at }, "p-gloucester-e-foot": { "at": at } });
        let mut one = acting("royalist", blocks);
        one.play("group worcestershire; take r-charles; take r-rupert; take r-northampton; go gloucestershire; done; done");
        one.play("group gloucestershire; take p-gloucester-s-horse; take p-gloucester-s-foot");
        assert_eq!(one.refused("take p-gloucester-e-foot"), ["ALL_PINNED 6.14"]);
        let few = json!({ "r-charles": { "at": from }, "r-rupert": { "at": from }, "p-essex": { "at": at },
            "p-cannon-1": { "at": at } });
        let mut all = acting("royalist", few);
        all.play("group worcestershire; take r-charles; take r-rupert; go gloucestershire; done; done");
        assert_eq!(all.refused("group gloucestershire"), ["ALL_PINNED 6.14"]);
    }

    #[test]
    fn rule_6_15_a_garrison_withdraws_and_comes_out_again() {
        let from = "staffordshire-warwickshire";
        let blocks = json!({ "p-brooke": { "at": "oxfordshire" }, "r-charles": { "at": from }, "r-northampton": { "at": from } });
        let mut one = acting("royalist", blocks);
        let before = one.points();
        one.play("group staffordshire-warwickshire; take r-charles; take r-northampton; go oxfordshire");
        one.play("withdraw p-brooke; done");
        assert_eq!(one.place("p-brooke"), "oxford");
        one.play("take r-charles; take r-northampton; go berkshire-hampshire; done; done");
        assert_eq!((one.place("p-brooke"), one.marker("oxford", "siege")), ("oxfordshire".to_owned(), None));
        assert_eq!(one.points(), before);
        assert_eq!(one.refused("group oxfordshire"), ["NOBODY_TO_MOVE 6.11"], "who has withdrawn does not move");
    }

    #[test]
    fn rule_8_01_whether_a_siege_has_a_marker_is_told_for_good() {
        let from = "staffordshire-warwickshire";
        for (second, marker) in [("r-northampton", Some(0)), ("r-cannon-1", None)] {
            let blocks = json!({ "p-brooke": { "at": "oxfordshire" }, "r-charles": { "at": from }, second: { "at": from } });
            let mut one = acting("royalist", blocks);
            one.play(&format!("group {from}; take r-charles; take {second}; go oxfordshire")).play("withdraw p-brooke");
            assert_eq!((one.to_act(), one.marker("oxford", "siege")), (Some(P), marker), "{second}");
            assert!(one.0.undo(P, 0).is_err() && one.0.draft(P).is_empty(), "{second}");
        }
    }

    #[test]
    fn rule_6_15_the_city_holds_its_size_and_artillery_besides() {
        let at = "devon";
        let blocks = json!({ "p-devon-foot": { "at": at }, "p-waller": { "at": at }, "p-cannon-1": { "at": at },
            "r-hopton": { "at": "cornwall" }, "r-pool-s-foot": { "at": "cornwall" } });
        let mut one = acting("royalist", blocks.clone());
        one.play("group cornwall; take r-hopton; take r-pool-s-foot; go devon").play("withdraw p-waller");
        assert_eq!(one.refused("withdraw p-devon-foot"), ["CITY_FULL 6.15"]);
        one.play("withdraw p-cannon-1; done");
        assert_eq!((one.legal(), one.marker("devon", "control")), (vec!["done".to_owned()], Some(3)), "some stayed outside");
        let mut declined = acting("royalist", blocks);
        declined.play("group cornwall; take r-hopton; go devon").play("done");
        declined.play("take r-pool-s-foot; go devon");
        assert_eq!(declined.to_act(), Some(crate::play::R), "an Area that is Contested already offers nothing");
    }

    #[test]
    fn rule_6_16_a_chaperone_brings_a_block_next_to_its_home() {
        let from = "leicestershire-northamptonshire";
        let blocks = json!({ "r-charles": { "at": from }, "r-cheshire-w-foot": { "at": from } });
        let mut alone = acting("royalist", blocks.clone());
        alone.play("group leicestershire-northamptonshire");
        assert_eq!(alone.refused("take r-cheshire-w-foot"), ["NO_CHAPERONE 6.16"]);
        let mut led = acting("royalist", blocks);
        led.play("group leicestershire-northamptonshire; take r-charles; take r-cheshire-w-foot; go staffordshire-warwickshire");
        led.play("take r-cheshire-w-foot; go shropshire-herefordshire; stop; done");
        assert_eq!(led.place("r-cheshire-w-foot"), "shropshire-herefordshire");
    }

    #[test]
    fn rule_6_16_a_chaperone_takes_his_blocks_on_together() {
        let from = "lincolnshire";
        let blocks = json!({ "r-charles": { "at": from }, "r-cheshire-w-foot": { "at": from } });
        let mut one = acting("royalist", blocks);
        one.play("group lincolnshire; take r-charles; take r-cheshire-w-foot; go leicestershire-northamptonshire");
        one.play("take r-charles");
        assert_eq!(one.refused("go oxfordshire"), ["LEAVES_BEHIND 6.16"]);
        one.play("take r-cheshire-w-foot; go oxfordshire; done");
        assert_eq!(one.place("r-cheshire-w-foot"), "oxfordshire", "he began and ended with Charles");
    }

    #[test]
    fn rule_6_16_no_border_is_promised_to_more_than_may_cross_it() {
        // Charles and five Welsh blocks come to Gloucestershire; four of them can go on home, across a river into an attack.
        let from = "wiltshire-dorset";
        let blocks = json!({ "r-charles": { "at": from }, "r-cheshire-w-foot": { "at": from }, "r-sewales-foot-1": { "at": from },
            "r-sewales-foot-2": { "at": from }, "r-pool-w-horse-1": { "at": from }, "r-pool-w-horse-2": { "at": from },
            "p-essex": { "at": "shropshire-herefordshire" } });
        let mut one = acting("royalist", blocks);
        one.play("group wiltshire-dorset; take r-charles; take r-cheshire-w-foot; take r-sewales-foot-1");
        one.play("take r-sewales-foot-2; take r-pool-w-horse-1; take r-pool-w-horse-2; go gloucestershire; take r-charles");
        assert_eq!(one.refused("go oxfordshire"), ["LEAVES_BEHIND 6.16"]);
        one.play("take r-sewales-foot-1; go oxfordshire");
        assert_eq!(one.refused("stop"), ["NO_CHAPERONE 6.16"]);
        one.play("take r-cheshire-w-foot; take r-sewales-foot-2; go shropshire-herefordshire");
        one.play("take r-pool-w-horse-1; take r-pool-w-horse-2; go shropshire-herefordshire; done");
        assert_eq!(one.place("r-pool-w-horse-2"), "shropshire-herefordshire");
    }

    #[test]
    fn rule_6_16_in_a_muster_the_chaperone_goes_first() {
        let from = "leicestershire-northamptonshire";
        let blocks = json!({ "p-essex": { "at": from }, "p-london-foot-1": { "at": from }, "p-brooke": { "at": "gloucestershire" },
            "p-pool-l-foot": { "at": "berkshire-hampshire" } });
        let mut one = acting("parliament", blocks);
        one.play("muster gloucestershire");
        assert_eq!(one.refused("take p-london-foot-1"), ["NO_CHAPERONE 6.16"]);
        one.play("take p-essex; via oxfordshire; take p-london-foot-1; via oxfordshire; done");
        assert_eq!(one.place("p-london-foot-1"), "gloucestershire", "a Leader leads London's blocks, too");
        one.play("group berkshire-hampshire; take p-pool-l-foot");
        let home = ["oxfordshire", "buckinghamshire-hertfordshire", "surrey-sussex"];
        assert_eq!(one.choices("go"), home, "London's Area and its neighbours are home, Wiltshire is not");
    }

    #[test]
    fn rule_6_17_nobody_attacks_in_winter() {
        let blocks = json!({ "r-charles": { "at": "worcestershire" }, "p-essex": { "at": "gloucestershire" },
            "p-brooke": { "at": "oxfordshire" } });
        let mut one = Match::at(place("operations", "royalist", &blocks, &json!({ "turn": "1643-winter" })), "");
        one.play("group worcestershire; take r-charles");
        assert_eq!(one.refused("go gloucestershire"), ["WINTER 6.17"]);
        one.play("go staffordshire-warwickshire; take r-charles");
        assert_eq!(one.refused("go oxfordshire"), ["WINTER 6.17"], "also where they might withdraw");
    }

    #[test]
    fn rule_6_18_yorkshire_is_neutral_in_the_first_turn() {
        let blocks = json!({ "p-fairfax": { "at": "west-riding" }, "r-newcastle": { "at": "durham" },
            "p-derbyshire-foot": { "at": "derbyshire-nottinghamshire" } });
        let mut one = Match::at(place("operations", "royalist", &blocks, &json!({ "turn": "1642-v" })), "");
        one.play("group durham; take r-newcastle");
        assert_eq!(one.refused("go north-riding"), ["NEUTRAL_YORKSHIRE 6.18"]);
        one.play("go northumberland; stop; done; done");
        one.play("group west-riding; take p-fairfax; go north-riding; stop; done");
        assert_eq!(one.place("p-fairfax"), "north-riding", "who is there may move");
        let later = Match::at(place("operations", "royalist", &blocks, &json!({ "turn": "1642-vi" })), "").play("group durham; take r-newcastle").choices("go");
        assert!(later.contains(&"north-riding".to_owned()));
    }
}
