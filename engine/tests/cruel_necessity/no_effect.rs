//! Facts that something comes to nothing, with their rule: of items of cards, income, Battle Event cards.

use serde_json::{Value, json};

use crate::battle::PLAIN;
use crate::facts::rules_of;
use crate::play::{Match, acting, item};

/// The one fact of a code: the things that it is about, and its rule.
#[track_caller]
fn told(played: &Match, code: &str) -> (String, &'static str) {
    let (facts, rules) = (played.facts(code), rules_of(played, code));
    assert_eq!((facts.len(), rules.len()), (1, 1), "`{code}` is told once");
    (facts[0].clone(), rules[0])
}

fn about(what: &str, rule: &'static str) -> (String, &'static str) {
    (what.to_owned(), rule)
}

fn london(owner: &str, click: u8) -> Value {
    json!({ "london": [owner, click] })
}

rules! {
    #[test]
    fn rule_r1_a_revolt_that_is_out_already_is_told_and_takes_no_die() {
        let out = item(43, 2, json!({ "revolts": { "revolt": ["west", 2] } }), "");
        assert_eq!((told(&out, "none_in_the_pool"), out.place("revolt")), (about("revolt-marker", "R1"), "sussex".into()));
    }

    #[test]
    fn rule_6_3_a_fortress_at_its_greatest_strength_is_told() {
        for card in [32, 52] {
            let full = item(card, 1, json!({ "fortresses": { "edinburgh": ["royalist", 5] } }), "");
            assert_eq!((told(&full, "full_already"), full.fort("edinburgh")), (about("edinburgh", "6.3"), "royalist 5".into()));
        }
    }

    #[test]
    fn rule_10_2_income_beyond_9_is_told() {
        let income = |zeal: u8| {
            let position = json!({ "at": "end-times", "current": "2", "seen": ["1"], "zeal": zeal });
            Match::at("whole-war", &[], position, "7")
        };
        let (full, part) = (income(9), income(7));
        assert_eq!((told(&full, "zeal_full"), full.facts("zeal_gained")), (about("5", "10.2"), vec![]));
        assert_eq!((told(&part, "zeal_full"), told(&part, "zeal_gained")), (about("3", "10.2"), about("2 9", "10.2")));
        assert_eq!(income(4).facts("zeal_full").len(), 0);
    }

    #[test]
    fn rule_a17_unrest_in_a_london_that_is_lost_is_told_and_takes_no_die() {
        let lost = item(40, 2, json!({ "fortresses": london("royalist", 3) }), "");
        assert_eq!((told(&lost, "no_unrest"), lost.fort("london")), (about("london", "A17"), "royalist 3".into()));
        assert!(lost.facts("unrest").is_empty());
    }

    #[test]
    fn rule_6_4_the_last_click_of_london_without_zeal_to_lose_is_told() {
        let poor = item(40, 2, json!({ "zeal": 0, "fortresses": london("parliament", 1) }), "6 6");
        assert_eq!((poor.facts("zeal_empty"), rules_of(&poor, "zeal_empty")), (vec!["1".to_owned(); 2], vec!["6.4"; 2]));
        assert_eq!((poor.fort("london"), poor.facts("zeal_lost").len()), ("parliament 1".into(), 0));
        let last = item(40, 2, json!({ "zeal": 1, "fortresses": london("parliament", 1) }), "6 6");
        assert_eq!((told(&last, "zeal_lost"), told(&last, "zeal_empty")), (about("1 0", "6.4"), about("1", "6.4")));
    }

    #[test]
    fn rule_6_10_3_a_fortress_that_can_not_be_fortified_is_told() {
        let full = item(10, 2, json!({ "fortresses": { "hull": ["parliament", 5] } }), "");
        assert_eq!(told(&full, "full_already"), about("hull", "6.10.3"));
        let theirs = item(10, 2, json!({ "fortresses": { "hull": ["royalist", 2] } }), "");
        assert_eq!(told(&theirs, "not_fortified"), about("hull", "6.10.3"));
        let nadir = item(13, 4, json!({ "tracks": { "parliament": 5 } }), "");
        assert_eq!((told(&nadir, "not_fortified"), nadir.fort("london")), (about("london", "T13"), "parliament 2".into()));
    }

    #[test]
    fn rule_6_10_2_a_permission_that_was_given_before_is_told() {
        let again = item(26, 3, json!({ "flags": ["oxford-permitted"] }), "");
        assert_eq!((told(&again, "permitted_already"), again.facts("oxford_permitted").len()), (about("", "6.10.2"), 0));
        assert_eq!(told(&item(26, 3, json!({}), ""), "oxford_permitted"), about("", "6.10.2"));
    }

    #[test]
    fn rule_a18_an_army_that_can_be_driven_no_further_is_told() {
        let disordered = json!({ "seen": ["1"], "rewards": { "next-turn-north": "waiting" }, "armies": { "north": { "disordered": true } } });
        let mut reward = acting(disordered, "7");
        reward.play("pass");
        assert_eq!(told(&reward, "no_further"), about("north", "A18"));
        let position = json!({ "at": "action", "current": "2", "armies": { "north": { "disordered": true } } });
        let mut strike = Match::at("whole-war", &[("hot-iron", "true")], position, "5");
        strike.play("strike north");
        assert_eq!(told(&strike, "no_further"), about("north", "8.3"));
    }

    #[test]
    fn rule_6_5_a_reaction_that_moves_neither_marker_is_told() {
        let still = item(7, 3, json!({ "tracks": { "parliament": 3, "monarchy": 3 } }), "");
        assert_eq!(told(&still, "no_reaction"), about("parliament monarchy", "6.5"));
    }

    #[test]
    fn rule_s9_an_army_that_left_its_area_is_told() {
        let mut away = item(49, 1, json!({ "armies": { "ireland": { "area": 4 } }, "seen": ["46"] }), "50");
        away.play("pass");
        assert_eq!(told(&away, "not_there"), about("ireland 5", "S9"));
    }

    #[test]
    fn rule_p9_a_free_campaign_that_can_not_be_made_is_told() {
        let position = json!({ "zeal": 9, "available": ["23"], "tracks": { "scotland": 1, "parliament": 3 },
            "armies": { "north": { "disordered": true } } });
        let mut lost = acting(position, "");
        lost.play("purchase 23");
        assert_eq!(told(&lost, "no_campaign"), about("north", "P9"));
    }

    #[test]
    fn rule_8_2_formations_that_are_gone_are_told() {
        let position = json!({ "zeal": 3, "available": ["17"], "tracks": { "parliament": 0, "puritanism": 1, "monarchy": 4 },
            "flags": ["battle-won-before"], "removed": ["p-foot-1", "p-foot-1"] });
        let mut gone = acting(position, "");
        gone.play("purchase 17");
        assert_eq!((told(&gone, "units_gone"), gone.facts("out_of_play").len()), (about("p-foot-1", "8.2"), 0));
    }

    #[test]
    fn rule_b15_a_battle_card_that_is_out_already_is_told() {
        let position = json!({ "war": 2, "current": "29", "zeal": 9, "available": ["38"], "battle_out": ["leveller-mutinies"],
            "tracks": { "parliament": 1, "puritanism": 2 } });
        let mut gone = acting(position, "");
        gone.play("purchase 38");
        assert_eq!(told(&gone, "card_gone"), about("leveller-mutinies", "B15"));
    }

    #[test]
    fn rule_g5_zeal_that_a_card_gives_beyond_9_is_told() {
        let mut useless = item(37, 2, json!({ "zeal": 9 }), "");
        useless.play("choose keep-christmas");
        assert_eq!(told(&useless, "zeal_full"), about("1", "6.10.1"));
    }

    #[test]
    fn rule_7_0_a_battle_event_card_about_nobody_in_the_lines_is_told() {
        let line = PLAIN.replacen("p-foot-3", "p-foot-2", 1);
        let mut battle = item(20, 0, json!({ "zeal": 0 }), &format!("{line} boye 1 1 1 1 1 1 1 1"));
        battle.play("army north");
        assert_eq!(told(&battle, "nobody_meant"), about("boye", "7.0"));
    }

    #[test]
    fn rule_b8_a_draw_from_no_pile_at_all_is_told() {
        let line = PLAIN.replacen("p-foot-3", "p-foot-2", 1);
        let none = json!({ "zeal": 0, "battle_out": ALL_BATTLE_CARDS });
        let mut battle = item(20, 0, none, &format!("{line} 1 1 1 1 1 1 1 1"));
        battle.play("army north");
        assert_eq!(told(&battle, "no_battle_card"), about("1", "B8"));
    }

    #[test]
    fn rule_b13_a_pool_without_another_formation_is_told() {
        let line = PLAIN.replacen("p-foot-3", "p-foot-2", 1);
        let removed = ["p-foot-5", "p-foot-4", "p-foot-4", "p-foot-3", "p-foot-2", "p-foot-2", "p-foot-1", "p-foot-1"];
        let mut battle = item(20, 0, json!({ "zeal": 0, "removed": removed }), &format!("{line} levies-desert 1 1 1 1 1 1 1 1"));
        battle.play("army north");
        assert_eq!((told(&battle, "nobody_to_draw"), battle.facts("replaced").len()), (about("p-right-outer", "B13"), 0));
    }

    #[test]
    fn rule_o9_settlers_without_a_track_to_help_are_told() {
        let none = json!({ "at": "action", "current": "2", "seen": ["1"], "zeal": 0, "armies": { "scotland": { "area": 4 } },
            "tracks": { "scotland": 0, "ireland": 0, "parliament": 0, "puritanism": 0 } });
        let mut turn = Match::at("whole-war", &[("english-settlers", "true")], none, "7");
        turn.play("pass; settle ireland");
        assert_eq!(told(&turn, "no_settlers_track"), about("", "O9"));
    }

    #[test]
    fn rule_12_4_settlers_that_stay_at_home_are_told_by_that_rule() {
        let position = json!({ "at": "action", "current": "2", "seen": ["1"], "zeal": 0 });
        let mut turn = Match::at("whole-war", &[("english-settlers", "true")], position, "7");
        turn.play("pass; pass");
        assert_eq!(told(&turn, "declines"), about("", "12.4"));
    }
}

const ALL_BATTLE_CARDS: [&str; 15] = [
    "boye",
    "forlorn-file",
    "stubble",
    "trust-in-god",
    "leveller-mutinies",
    "royal-horse-charge",
    "plunder",
    "swedish-brigade",
    "powder-explosion",
    "levies-desert",
    "psalms",
    "dragoons",
    "clubbed-muskets",
    "reserve",
    "second-charge",
];
