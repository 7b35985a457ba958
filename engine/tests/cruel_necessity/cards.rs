//! 3.0, 4.0, 6.0, 6.1, 6.10: decks, the order of a turn, Achievements that come, blue text.

use serde_json::json;

use crate::play::{Match, acting, item};

/// A card is due in the first war, with cards 1 and 2 out.
fn drawing(changes: serde_json::Value, script: &str) -> Match {
    let mut position = json!({ "at": "reveal", "seen": ["1", "2"] });
    crate::play::merge(&mut position, changes);
    Match::at("whole-war", &[], position, script)
}

rules! {
    #[test]
    fn rule_3_0_the_first_card_comes_first_and_the_set_up_is_as_printed() {
        let start = Match::start("whole-war", &[], "");
        assert_eq!((start.facts("event"), start.pile("discard")), (vec!["1".to_owned()], vec!["1".to_owned()]));
        assert_eq!((start.zeal(), start.army("north"), start.army("scotland")), (5, "5".into(), "4".into()));
        assert_eq!((start.fort("london"), start.fort("oxford")), ("parliament 2".into(), "royalist 5".into()));
        assert_eq!((start.track("ireland"), start.track("catholicism"), start.track("puritanism")), (2, 2, 4));
    }

    #[test]
    fn rule_4_0_after_the_event_phase_comes_the_action_phase() {
        assert_eq!(Match::start("whole-war", &[], "").asked(), "act");
    }

    #[test]
    fn rule_s1_any_card_between_the_first_and_the_last_may_come() {
        assert_eq!(drawing(json!({}), "7").pile("discard"), ["1", "2", "7"]);
        let middle: Vec<String> = (1..=26).map(|card: u8| card.to_string()).collect();
        let last = drawing(json!({ "seen": middle }), "");
        assert!(last.pile("discard").contains(&"27".to_owned()), "the last card comes by itself");
    }

    #[test]
    fn rule_s2_in_numerical_order_every_card_comes_by_itself() {
        let options = [("numerical-order", "true")];
        let mut start = Match::start("whole-war", &options, "1 1");
        start.play("pass");
        assert_eq!(start.pile("discard"), ["1", "2"]);
        start.play("pass");
        assert_eq!((start.pile("discard"), start.pile("available")), (vec!["1".to_owned(), "2".into(), "4".into()], vec!["3".to_owned()]));
    }

    #[test]
    fn rule_6_0_an_achievement_takes_an_empty_box_or_displaces_one() {
        let room = drawing(json!({}), "5 7");
        assert_eq!((room.pile("available"), room.asked()), (vec!["5".to_owned()], "act"));
        let mut full = drawing(json!({ "available": ["3", "9", "17"] }), "5 7");
        assert_eq!((full.asked(), full.choices("drop")), ("drop_which", vec!["3".into(), "9".into(), "17".into()]));
        full.play("drop 9");
        assert_eq!((full.pile("available"), full.asked()), (vec!["3".to_owned(), "5".into(), "17".into()], "act"));
        assert!(full.pile("discard").contains(&"9".to_owned()));
    }

    #[test]
    fn rule_s3_several_achievements_come_one_after_the_other() {
        let three = drawing(json!({}), "5 9 3 7");
        assert_eq!(three.pile("available"), ["3", "5", "9"]);
        let mut fourth = drawing(json!({ "available": ["3", "9"] }), "5 17 7");
        fourth.play("drop 5");
        assert_eq!(fourth.pile("available"), ["3", "9", "17"], "a box that was filled a moment ago may be emptied");
    }

    #[test]
    fn rule_s4_the_new_achievement_itself_does_not_go() {
        let mut full = drawing(json!({ "available": ["3", "9", "17"] }), "5 7");
        assert_eq!(full.refused("drop 5"), ["NOT_AVAILABLE S4"]);
        full.play("drop 3");
    }

    #[test]
    fn rule_s7_items_come_in_the_order_of_the_card() {
        // Before the Battle the units come; the Army activates before the tracks move.
        let marston = item(25, 0, json!({ "holding": [] }), "");
        assert_eq!(marston.asked(), "name_army");
        let left: Vec<&str> = marston.view().turn_state.entitlements.iter().map(|owed| owed.what.code).collect();
        assert_eq!(left, ["item_activate_times", "item_activate", "item_drm", "item_down", "item_down"]);
        assert_eq!(marston.place("cromwell"), "holding");
    }

    #[test]
    fn rule_6_1_a_battle_comes_before_the_rest_of_its_card() {
        let event = item(20, 0, json!({}), "");
        assert_eq!((event.asked(), event.army("west").as_str()), ("name_army", "5"));
    }

    #[test]
    fn rule_s13_named_units_come_with_their_card() {
        assert_eq!(item(13, 0, json!({}), "").place("london-trained-bands"), "holding");
        let new_model = item(28, 0, json!({}), "");
        assert_eq!((new_model.place("new-model-1"), new_model.place("new-model-2")), ("holding".into(), "holding".into()));
    }

    #[test]
    fn rule_6_10_1_blue_text_offers_its_options() {
        let mut may = item(22, 2, json!({}), "");
        assert_eq!(may.legal(), ["choose impose-presbyterianism", "pass"]);
        may.play("pass");
        assert_eq!((may.track("puritanism"), may.track("scotland")), (4, 4));
        let must = item(37, 2, json!({}), "");
        assert_eq!(must.legal(), ["choose cancel-christmas", "choose keep-christmas"]);
    }

    #[test]
    fn rule_s8_all_lines_of_the_option_are_carried_out() {
        let mut event = item(22, 2, json!({ "tracks": { "puritanism": 2, "scotland": 4 } }), "");
        event.play("choose impose-presbyterianism");
        assert_eq!((event.track("puritanism"), event.track("scotland")), (3, 2));
        let mut useless = item(37, 2, json!({ "zeal": 9 }), "");
        useless.play("choose keep-christmas");
        assert_eq!(useless.track("puritanism"), 5, "also where a line can't help");
    }

    #[test]
    fn rule_6_10_2_oxford_needs_the_permission_of_a_card() {
        let mut turn = acting(json!({}), "");
        assert_eq!(turn.refused("besiege oxford"), ["NO_PERMISSION 6.10.2"]);
        assert!(item(13, 3, json!({}), "").may("besiege oxford"));
        assert!(item(26, 3, json!({}), "").may("besiege oxford"));
    }

    #[test]
    fn rule_6_10_3_a_card_fortifies_for_nothing() {
        let event = item(13, 4, json!({}), "");
        assert_eq!((event.fort("london"), event.zeal()), ("parliament 3".into(), 5));
    }

    #[test]
    fn rule_a19_whatever_the_front_line_but_only_parliaments() {
        let behind = item(10, 2, json!({ "armies": { "north": { "area": 1 } } }), "");
        assert_eq!(behind.fort("hull"), "parliament 3");
        assert_eq!(item(10, 2, json!({ "fortresses": { "hull": ["royalist", 2] } }), "").fort("hull"), "royalist 2");
        assert_eq!(item(10, 2, json!({ "fortresses": { "hull": ["parliament", 5] } }), "").fort("hull"), "parliament 5");
    }

    #[test]
    fn rule_s9_the_irish_army_is_looked_at_first_of_all_in_housekeeping() {
        let watched = |area: u8| {
            let mut turn = item(49, 1, json!({ "armies": { "ireland": { "area": area } }, "seen": ["46"] }), "50");
            turn.play("pass");
            turn.army("ireland")
        };
        assert_eq!((watched(5), watched(4)), ("5 disordered".into(), "4".into()));
    }

    #[test]
    fn rule_s14_the_kings_counter_takes_over_what_lies_on_the_old() {
        let mut event = item(45, 2, json!({ "armies": { "scotland": { "area": 2, "disordered": true, "markers": 1 } } }), "");
        event.play("choose spare-the-king");
        assert_eq!((event.army("scotland"), event.strength("scotland")), ("2 disordered".into(), 5));
        let mut other = item(45, 2, json!({}), "");
        other.play("choose execute-the-king");
        assert_eq!((other.on_piece("scotland", "points"), other.track("monarchy")), (-3 + 1, 1));
    }
}
