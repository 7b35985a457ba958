//! 7.0 step 4: Battle Event cards, each of the fifteen, and when they can be used.

use serde_json::{Value, json};

use crate::battle::{PLAIN, before, fought};
use crate::play::{Match, item};

/// A Battle in which one EVENT formation of Parliament calls for the first word of `after`; up to the Zeal marker.
fn drawn(line: &str, changes: Value, after: &str) -> Match {
    let line = line.replacen("p-foot-3", "p-foot-2", 1);
    let mut position = json!({ "zeal": 1 });
    crate::play::merge(&mut position, changes);
    let mut event = item(20, 0, position, &format!("{line} {after}"));
    event.play("army north");
    event
}

/// A card in hand, with the plain lines, at step 4.
fn held(card: &str, line: &str, after: &str) -> Match {
    let mut event = item(20, 0, json!({ "zeal": 1, "hand": [card] }), &format!("{line} {after}"));
    event.play("army north");
    event
}

rules! {
    #[test]
    fn rule_b7_an_immediate_card_acts_before_the_next_is_drawn_others_are_held() {
        let line = PLAIN.replacen("p-foot-3 p-foot-3", "p-foot-2 p-foot-2", 1);
        let mut event = item(20, 0, json!({ "zeal": 1 }), &format!("{line} plunder psalms"));
        event.play("army north");
        assert_eq!((event.at_slot("r-first", "strength"), event.pile("battle-discard")), (3, vec!["plunder".to_owned()]));
        assert_eq!((event.asked(), event.pile("battle-hand")), ("play_green", vec!["psalms".to_owned()]));
    }

    #[test]
    fn rule_b8_the_discards_become_the_pile_when_a_card_is_needed() {
        let all = ["forlorn-file", "stubble", "trust-in-god", "leveller-mutinies", "royal-horse-charge", "plunder", "swedish-brigade",
            "levies-desert", "psalms", "dragoons", "clubbed-muskets", "reserve", "second-charge"];
        let line = PLAIN.replacen("p-foot-3 p-foot-3", "p-foot-2 p-foot-2", 1);
        let position = json!({ "zeal": 1, "battle_out": all, "battle_discard": ["boye"] });
        // One card left: the second draw turns the discards over, the same card comes twice.
        let mut event = item(20, 0, position, &format!("{line} powder-explosion p-left-inner boye"));
        event.play("army north");
        assert_eq!(event.facts("reshuffled").len(), 1);
        let out = [&all[..], &["boye", "powder-explosion"]].concat();
        let none = json!({ "zeal": 1, "battle_out": out });
        let mut event = item(20, 0, none, &line);
        event.play("army north");
        assert_eq!(event.asked(), "inspire_whom", "no pile, no draw");
    }

    #[test]
    fn rule_b9_held_cards_are_played_at_their_time_and_once() {
        let mut green = held("psalms", PLAIN, "");
        assert_eq!((green.asked(), green.legal()), ("play_green", vec!["play psalms".into(), "done".into()]));
        green.play("play psalms; on p-left-flank");
        assert_eq!((green.at_slot("p-left-flank", "strength"), green.pile("battle-discard")), (4, vec!["psalms".to_owned()]));
        let horse = before(1, json!({}), json!({}), json!({ "hand": ["clubbed-muskets"] }), "3 3 3 3");
        assert_eq!(horse.view().turn_state.prompt.refs[..], [edgehill_engine::reference::Ref::Number(3)], "a card for foot waits for foot");
    }

    #[test]
    fn rule_b11_ties_go_to_the_lower_sector_and_place() {
        let event = drawn(PLAIN, json!({}), "royal-horse-charge");
        assert_eq!((event.at_slot("r-first", "markers"), event.at_slot("r-second", "markers")), (1, 0));
        let weakest = drawn(&PLAIN.replacen("r-horse-4 r-horse-4", "r-horse-4 r-horse-3", 1), json!({}), "plunder");
        assert_eq!(weakest.at_slot("r-second", "markers"), -1);
    }

    #[test]
    fn rule_b12_a_random_formation_is_drawn() {
        let royalist = drawn(PLAIN, json!({}), "swedish-brigade r-third-outer");
        assert_eq!(royalist.at_slot("r-third-outer", "strength"), 4);
        let own = drawn(PLAIN, json!({}), "powder-explosion p-left-inner");
        assert_eq!(own.at_slot("p-left-inner", "strength"), 2);
    }

    #[test]
    fn rule_b13_a_replaced_formation_goes_back_and_its_markers_leave() {
        let line = PLAIN.replacen("p-foot-3 p-foot-3 p-foot-3", "p-foot-2 p-foot-2 p-foot-5", 1);
        let event = item(20, 0, json!({ "zeal": 1 }), &format!("{line} powder-explosion p-left-inner levies-desert p-foot-1"));
        let mut event = event;
        event.play("army north");
        assert_eq!((event.line("p-left-inner"), event.at_slot("p-left-inner", "markers")), ("p-foot-1".into(), 0));
        assert_eq!((event.count("p-foot-5", "p-foot-pool"), event.count("p-foot-1", "p-foot-pool")), (1, 1));
    }

    #[test]
    fn rule_b15_leveller_mutinies() {
        let new_model = json!({ "zeal": 1, "holding": ["new-model-1", "new-model-2"] });
        let rest = "p-horse-3 p-horse-3 p-foot-2 p-foot-3 r-horse-4 r-horse-4 r-foot-3 r-foot-3 r-foot-3 r-foot-3 leveller-mutinies";
        let mut event = item(20, 0, new_model, rest);
        event.play("army north; commit new-model-1 right; commit new-model-2 right");
        assert_eq!((event.at_slot("p-right-inner", "strength"), event.at_slot("p-right-outer", "strength")), (3, 3));
        assert_eq!(event.pile("battle-out"), ["leveller-mutinies"]);
        let mut without = drawn(PLAIN, json!({}), "leveller-mutinies");
        assert_eq!((without.asked(), without.choices("on").len()), ("target_of_card", 4));
        without.play("on p-left-outer");
        assert_eq!(without.at_slot("p-left-outer", "strength"), 2);
    }

    #[test]
    fn rule_b16_psalms_and_the_zeal_marker_go_to_a_formation_without_a_marker() {
        let mut event = held("psalms", &PLAIN.replacen("p-foot-3", "p-foot-2", 1), "powder-explosion p-left-inner");
        event.play("play psalms");
        assert_eq!((event.choices("on").len(), event.refused("on p-left-inner")), (5, vec!["NOT_A_TARGET_OF_THE_CARD B16".to_owned()]));
        event.play("on p-left-outer");
        assert_eq!(event.refused("inspire p-left-outer"), ["HAS_A_MARKER B16"]);
        assert_eq!(event.choices("inspire").len(), 4);
    }

    #[test]
    fn rule_b23_trust_in_god_after_a_draw_and_after_a_victory() {
        let draw = ["draw", "draw", "draw", "draw", "victory", "defeat"];
        let mut drawn = fought(draw, json!({ "zeal": 3, "hand": ["trust-in-god"] }), "");
        drawn.play("play trust-in-god");
        assert_eq!(drawn.zeal(), 4);
        let beaten = ["victory", "victory", "draw", "defeat", "defeat", "defeat"];
        let mut saved = fought(beaten, json!({ "zeal": 3, "hand": ["trust-in-god"] }), "");
        saved.play("salvage; play trust-in-god");
        assert_eq!(saved.zeal(), 4, "nothing is lost for the salvage");
        let mut lost = fought(beaten, json!({ "zeal": 3, "hand": ["trust-in-god"] }), "");
        lost.play("pass");
        assert_eq!(lost.asked(), "act", "it can't be played after a Defeat");
        let full = fought(draw, json!({ "zeal": 9, "hand": ["trust-in-god"] }), "");
        assert_eq!((full.asked(), full.pile("battle-hand")), ("act", vec!["trust-in-god".to_owned()]), "it could change nothing");
    }

    #[test]
    fn rule_b25_cards_add_points_to_any_victory() {
        let narrow = ["victory", "victory", "victory", "draw", "draw", "defeat"];
        let mut won = fought(narrow, json!({ "zeal": 3, "hand": ["stubble", "trust-in-god"] }), "");
        won.play("play stubble; play trust-in-god; benefit zeal; benefit zeal; benefit zeal");
        assert_eq!(won.zeal(), 6);
    }
}

#[test]
fn boye_strengthens_rupert_and_does_nothing_without_him() {
    let rupert = PLAIN.replacen("r-horse-4 r-horse-4", "r-horse-4 rupert", 1);
    assert_eq!(drawn(&rupert, json!({}), "boye").at_slot("r-second", "strength"), 7);
    let without = drawn(PLAIN, json!({}), "boye");
    assert_eq!(
        (without.at_slot("r-second", "strength"), without.pile("battle-discard")),
        (4, vec!["boye".to_owned()])
    );
}

#[test]
fn dragoons_harass_horse_and_a_reserve_replaces() {
    let mut dragoons = held("dragoons", PLAIN, "");
    dragoons.play("play dragoons");
    assert_eq!(dragoons.choices("on"), ["r-first", "r-second"]);
    dragoons.play("on r-second");
    assert_eq!(dragoons.at_slot("r-second", "strength"), 3);
    let mut foot = held("reserve", PLAIN, "p-foot-5");
    foot.play("play reserve; on p-right-inner");
    assert_eq!(foot.line("p-right-inner"), "p-foot-5");
    let mut horse = held("reserve", PLAIN, "p-horse-4");
    horse.play("play reserve; on p-right-flank");
    assert_eq!(horse.line("p-right-flank"), "p-horse-4");
}

#[test]
pub(crate) fn clubbed_muskets_and_the_two_that_roll_again() {
    let mut muskets = before(
        3,
        json!({}),
        json!({ "p-right-flank": "draw", "p-left-flank": "draw" }),
        json!({ "hand": ["clubbed-muskets"], "zeal": 0 }),
        "3 2 3 2",
    );
    muskets.play("play clubbed-muskets");
    assert_eq!(muskets.facts("sector_won"), ["3"], "7 and 3 against 6 and 2");
    let mut file = before(
        3,
        json!({}),
        json!({ "p-right-flank": "draw", "p-left-flank": "draw" }),
        json!({ "hand": ["forlorn-file"], "zeal": 0 }),
        "1 6 6 1 1 1",
    );
    file.play("play forlorn-file");
    assert_eq!(file.facts("sector_won"), ["3"]);
    let mut charge =
        before(1, json!({}), json!({}), json!({ "hand": ["second-charge"], "zeal": 0 }), "1 4 6 3 3 3 3 3 3");
    charge.play("play second-charge");
    assert_eq!(charge.facts("sector_dice")[..2], ["1 1 4 4 8", "1 6 4 9 8"], "the Royalist die stays");
}

#[test]
pub(crate) fn the_same_card_may_come_twice_and_counts_twice() {
    let all = [
        "boye",
        "forlorn-file",
        "stubble",
        "trust-in-god",
        "leveller-mutinies",
        "royal-horse-charge",
        "swedish-brigade",
        "powder-explosion",
        "levies-desert",
        "psalms",
        "dragoons",
        "clubbed-muskets",
        "reserve",
        "second-charge",
    ];
    let line = PLAIN.replacen("p-foot-3 p-foot-3", "p-foot-2 p-foot-2", 1);
    let mut event = item(20, 0, json!({ "zeal": 1, "battle_out": all }), &format!("{line} plunder plunder"));
    event.play("army north");
    assert_eq!(
        (event.at_slot("r-first", "markers"), event.at_slot("r-second", "markers")),
        (-2, 0),
        "the weakest is weakest again"
    );
}
