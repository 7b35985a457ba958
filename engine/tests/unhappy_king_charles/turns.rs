//! Turns, the first play, passing and the store (5.0 to 5.9, T1 to T24), by number.

use edgehill_engine::game::Game;
use serde_json::{Value, json};

use crate::play::{Match, P, R, at, game, phase, position};

/// Parliament's Waller before Royalist Oxford, and the Royalist's Hopton before Parliament's Bristol.
fn two_sieges(marker: &str) -> Value {
    json!({
        "control": { "royalist": ["oxford"], "parliament": ["bristol"] },
        "generals": { "waller": "oxford", "hopton": "bristol" },
        "brigades": {
            "waller": ["western-association", "western-association", "southern-association"],
            "hopton": ["stawells", "hertfords", "berkeleys"],
        },
        "sieges": { "oxford": { "marker": marker, "value": 4 }, "bristol": { "marker": marker } },
    })
}

/// A marker of Parliament's at Truro, cut off by a Royalist one.
fn cut_off() -> Value {
    json!({ "control": { "royalist": ["oxford", "st-austell"], "parliament": ["london", "truro"] } })
}

/// Both seats place the first Housekeeping marker that they may.
fn place_markers(table: &mut Match) {
    while table.frame() == "placement" {
        let area = table.options("at")[0].clone();
        table.act(&format!("at {area}"));
    }
}

rules! {
    #[test]
    fn rule_5_0_the_political_control_phase_follows_housekeeping() {
        let mut table = at(phase("early-1643", "housekeeping", &cut_off()), "");
        assert_eq!(table.control("truro"), "parliament");
        place_markers(&mut table);
        assert_eq!((table.frame().as_str(), table.control("truro")), ("recruitment", ""));
    }

    #[test]
    fn rule_5_1_generals_of_the_box_and_of_the_turn_gather() {
        let table = at(phase("early-1643", "housekeeping", &json!({ "generals": { "hopton": "unemployed" } })), "");
        assert_eq!(table.whereabouts("hopton"), "reinforcements-royalist");
        assert_eq!(table.whereabouts("goring"), "reinforcements-royalist", "his Turn is the third");
        assert_eq!(table.whereabouts("manchester"), "reinforcements-parliament");
        assert_eq!(table.whereabouts("langdale"), "turns", "his Turn is the fifth");
        assert_eq!(table.whereabouts("cromwell"), "away");
    }

    #[test]
    fn rule_5_3_parliament_finishes_its_recruitment_first() {
        let mut table = at(phase("early-1643", "recruitment", &json!({})), "");
        assert_eq!((table.frame().as_str(), table.to_act()), ("recruitment", P));
        table.act_as(P, "done");
        assert_eq!((table.frame().as_str(), table.to_act()), ("recruitment", R));
    }

    #[test]
    fn rule_5_4_four_cards_each_the_royalist_first() {
        let seen: Vec<String> = (1..=10).map(|number| format!("E{number:02}")).collect();
        let table = at(
            phase("early-1643", "draw", &json!({ "discard": seen })),
            "E11,E12,E13,E14,E15,E16,E17,E18",
        );
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02", "E11", "E13", "E15", "E17"]);
        assert_eq!(table.cards("parliament-hand"), ["C03", "C04", "E12", "E14", "E16", "E18"]);
    }

    #[test]
    fn rule_5_5_plays_alternate_and_go_on_alone_after_a_pass() {
        let six = json!({ "plays": { "royalist": 5, "parliament": 5 } });
        let mut table = at(position("early-1643", "royalist", &six), "");
        table.act_as(R, "card C01; use discard").act_as(P, "card C03; use discard").act_as(R, "pass");
        assert_eq!(table.to_act(), P);
        table.act_as(P, "card C04; use discard");
        assert!(table.result().is_some(), "the phase is over, and nobody has a Power Base");
    }

    #[test]
    fn rule_5_6_armies_with_a_blockade_marker_bombard_for_nothing() {
        let mut table = at(phase("early-1643", "blockade", &two_sieges("blockade")), "2,1");
        assert_eq!(table.offered(), ["bombard waller", "done"]);
        table.refuses("bombard essex", "5.6").act_as(P, "bombard waller");
        assert_eq!(table.mark("oxford", "bombardment-value"), 6);
        table.act_as(R, "bombard hopton");
        assert_eq!(table.mark("bristol", "bombardment-value"), 1);
        let plain = at(phase("early-1643", "blockade", &two_sieges("siege")), "");
        assert!(plain.result().is_some(), "nobody is asked, and the Power Base is short");
    }

    #[test]
    fn rule_t6_the_first_turn_has_no_political_control_and_no_draw() {
        let mut table = at(phase("late-1642", "housekeeping", &cut_off()), "1");
        place_markers(&mut table);
        assert_eq!((table.frame().as_str(), table.control("truro")), ("recruitment", "parliament"));
        table.act_as(P, "done").act_as(R, "done");
        assert_eq!(table.frame(), "first-play");
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02"]);
    }

    #[test]
    fn rule_t7_the_royalist_names_the_first_player_until_the_new_model_army() {
        let mut table = at(phase("early-1644", "first-play", &json!({})), "");
        assert_eq!((table.to_act(), table.options("first")), (R, vec!["parliament".to_owned(), "royalist".to_owned()]));
        table.act("first parliament");
        let after = json!({ "happened": ["standard", "new-model"] });
        assert_eq!(at(phase("early-1644", "first-play", &after), "").to_act(), P);
    }

    #[test]
    fn rule_t8_a_campaign_card_claims_the_first_play() {
        let essex = json!({
            "hands": { "parliament": ["E01", "E10"] },
            "generals": { "essex": "london" }, "brigades": { "essex": ["fiennes"] },
        });
        let mut table = at(phase("early-1643", "first-play", &essex), "");
        table.act_as(R, "first royalist");
        assert_eq!((table.to_act(), table.options("card")), (P, vec!["E10".to_owned()]));
        table.refuses("card E01", "T8").act_as(P, "card E10");
        assert_eq!(table.to_act(), P);
        table.refuses("use discard", "T8").refuses("use recruit", "T8");
        table.act_as(P, "use campaign; activate essex; done");
        assert_eq!((table.to_act(), table.number_of("plays", Some(P))), (R, 1));
    }

    #[test]
    fn rule_t8_a_claim_without_an_activation_is_discarded() {
        let hands = json!({ "hands": { "parliament": ["E10"] } });
        let mut table = at(phase("early-1643", "first-play", &hands), "");
        table.act_as(R, "first royalist").act_as(P, "card E10");
        table.refuses("use recruit", "T8").act_as(P, "use discard");
        assert_eq!(table.to_act(), R);
    }

    #[test]
    fn rule_t8_from_the_store_but_in_the_last_turn() {
        let stores = json!({ "stores": { "parliament": ["E10"] } });
        let asked = |turn: &str| {
            let mut table = at(phase(turn, "first-play", &stores), "");
            table.act("first royalist").offered()
        };
        assert_eq!(asked("late-1645"), ["card E10", "pass"]);
        assert_eq!(asked("winter-1645"), ["pass"]);
    }

    #[test]
    fn rule_t9_the_second_seat_is_asked_even_if_it_can_only_decline() {
        let mut table = at(phase("early-1643", "first-play", &json!({})), "");
        table.act_as(R, "first royalist");
        assert_eq!((table.to_act(), table.frame(), table.offered()), (P, "claim".to_owned(), vec!["pass".to_owned()]));
    }

    #[test]
    fn rule_t10_a_discard_counts_and_a_bonus_card_does_not() {
        let mut table = at(position("early-1643", "royalist", &json!({})), "");
        table.act_as(R, "card C01; use discard");
        assert_eq!((table.number_of("plays", Some(R)), table.number_of("plays", Some(P))), (1, 0));
        let set = json!({ "sets": [{ "seat": "royalist", "cards": ["E01"] }] });
        let mut table = at(position("early-1643", "royalist", &set), "");
        assert_eq!(table.options("card"), ["E01"]);
        table.act_as(R, "card E01; use discard");
        assert_eq!(table.number_of("plays", Some(R)), 0);
    }

    #[test]
    fn rule_t11_a_pass_needs_six_plays_and_no_combat_card() {
        let combat = json!({ "hands": { "royalist": ["E14"] }, "plays": { "royalist": 6, "parliament": 5 } });
        let mut table = at(position("early-1643", "royalist", &combat), "");
        table.refuses("pass", "T11").act_as(R, "card E14; use discard");
        table.refuses("pass", "T11").act_as(P, "card C03; use discard");
        table.act_as(R, "pass");
        assert_eq!(table.number_of("passed", Some(R)), 1);
        let few = json!({ "hands": { "royalist": ["E01"] }, "plays": { "royalist": 5, "parliament": 5 } });
        at(position("early-1643", "royalist", &few), "").refuses("pass", "T11");
        let mandatory = json!({ "hands": { "royalist": ["X02"] }, "plays": { "royalist": 6, "parliament": 6 } });
        at(position("early-1644", "royalist", &mandatory), "").refuses("pass", "6.5");
    }

    #[test]
    fn rule_t13_a_stored_card_is_one_that_they_have() {
        let stored = json!({ "aside": ["C03", "C04"], "stores": { "parliament": ["E01"] } });
        let mut table = at(position("late-1645", "parliament", &stored), "");
        assert_eq!((table.to_act(), table.options("card")), (P, vec!["E01".to_owned()]));
        table.refuses("pass", "T11");
        let last = at(position("winter-1645", "parliament", &stored), "");
        assert_eq!((last.to_act(), last.number_of("passed", Some(P))), (R, 1));
    }

    #[test]
    fn rule_t14_who_has_no_card_passes_without_being_asked() {
        let bare = json!({ "aside": ["C03", "C04"] });
        let table = at(position("early-1643", "parliament", &bare), "");
        assert_eq!((table.to_act(), table.number_of("passed", Some(P))), (R, 1));
    }

    #[test]
    fn rule_t15_who_has_passed_plays_no_more() {
        let passed = json!({ "passed": ["parliament"], "hands": { "parliament": ["E01"] } });
        let mut table = at(position("early-1643", "royalist", &passed), "");
        table.act_as(R, "card C01; use discard");
        assert_eq!(table.to_act(), R);
    }

    #[test]
    fn rule_t17_what_is_left_is_stored_but_no_core_card() {
        let hands = json!({
            "hands": { "royalist": ["E01"] }, "plays": { "royalist": 6, "parliament": 6 },
        });
        let mut table = at(position("early-1643", "royalist", &hands), "");
        table.act_as(R, "pass").act_as(P, "pass");
        assert_eq!(table.cards("royalist-store"), ["E01"]);
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02"]);
        let stored = json!({ "stores": { "royalist": ["E01"] } });
        assert!(at(position("late-1645", "royalist", &stored), "").offers("card E01"));
        assert!(!at(position("winter-1645", "royalist", &stored), "").offers("card E01"));
    }

    #[test]
    fn rule_t24_an_absent_seat_discards_and_names_itself() {
        let absent = |table: &Match, seat| {
            let actions = game().default_action(table.0.state(), seat, &[]).actions;
            actions.into_iter().map(|action| game().catalogue().actions.notation(action)).collect::<Vec<_>>()
        };
        let hands = json!({ "hands": { "royalist": ["X01", "E01"] }, "aside": ["C01", "C02"], "happened": [] });
        let table = at(position("early-1643", "royalist", &hands), "");
        assert_eq!(absent(&table, R), ["card E01", "use discard"]);
        let passes = at(position("early-1643", "royalist", &json!({ "plays": { "royalist": 6 } })), "");
        assert_eq!(absent(&passes, R), ["pass"]);
        let after = json!({ "happened": ["standard", "new-model"] });
        assert_eq!(absent(&at(phase("early-1644", "first-play", &after), ""), P), ["first parliament"]);
    }
}
