//! 12.1 to 12.5 and the options that settle what the rulebook leaves open.

use serde_json::{Value, json};

use crate::battle::PLAIN;
use crate::play::{Match, merge};

/// The Action Phase of card 2 with an option.
fn with(option: &str, changes: Value, script: &str) -> Match {
    let mut position = json!({ "at": "action", "current": "2", "seen": ["1"] });
    merge(&mut position, changes);
    Match::at(
        "whole-war",
        &[(option, if option == "licensing-cost" { "3" } else { "true" })],
        position,
        script,
    )
}

/// An item of a card with an option.
fn event(option: &str, card: u8, item: u8, changes: Value, script: &str) -> Match {
    let war = if card <= 27 {
        1
    } else if card <= 45 {
        2
    } else {
        3
    };
    let mut position = json!({ "at": "event", "current": card.to_string(), "item": item, "war": war });
    merge(&mut position, changes);
    Match::at("whole-war", &[(option, "true")], position, script)
}

rules! {
    #[test]
    fn rule_o1_the_licensing_order_costs_3_by_the_example() {
        let position = json!({ "zeal": 3, "available": ["21"], "tracks": { "puritanism": 1, "parliament": 1 }, "fortresses": { "london": ["parliament", 3] } });
        let mut turn = with("licensing-cost", position, "");
        turn.play("purchase 21");
        assert_eq!(turn.zeal(), 0);
    }

    #[test]
    fn rule_o2_two_paid_clicks_a_turn_for_each_fortress() {
        let mut turn = with("fortify-limit", json!({ "zeal": 9 }), "7");
        turn.play("fortify hull; fortify hull");
        assert_eq!(turn.refused("fortify hull"), ["FORTIFIED_TWICE O2"]);
        turn.play("fortify bristol; pass");
        assert!(turn.may("fortify hull"), "the next turn counts anew");
    }

    #[test]
    fn rule_12_1_an_army_has_to_be_found_first() {
        let mut turn = with("limited-reconnaissance", json!({ "zeal": 5 }), "1 2 6 2 3 6");
        turn.play("campaign north");
        assert_eq!((turn.zeal(), turn.facts("not_found")), (4, vec!["north 1".to_owned()]));
        turn.play("campaign north; campaign scotland; campaign scotland");
        assert_eq!((turn.army("north"), turn.army("scotland")), ("5 disordered".into(), "5 disordered".into()));
    }

    #[test]
    fn rule_o5_free_campaigns_search_too_and_the_marker_does_not_help() {
        let position = json!({ "zeal": 9, "available": ["23"], "tracks": { "scotland": 1, "parliament": 0 } });
        let mut turn = with("limited-reconnaissance", position, "1");
        turn.play("purchase 23");
        assert_eq!(turn.army("north"), "5", "not found, and lost");
        let weak = json!({ "ireland": { "markers": -2 } });
        let position = json!({ "at": "action", "current": "2", "seen": ["1"], "zeal": 5, "armies": weak });
        let options = [("limited-reconnaissance", "true"), ("hot-iron", "true")];
        let mut strike = Match::at("whole-war", &options, position, "2");
        strike.play("infuse ireland; strike ireland");
        assert_eq!((strike.zeal(), strike.army("ireland")), (5, "5".into()), "a failed search is a failed strike");
    }

    #[test]
    fn rule_12_2_the_league_sends_support() {
        for (die, strength) in [("4", 5), ("5", 6)] {
            let tracks = json!({ "ireland": 4, "catholicism": 5, "puritanism": 2 });
            let support = event("catholic-league", 25, 5, json!({ "tracks": tracks }), die);
            assert_eq!(support.strength("ireland"), strength, "4 or 5, and 1 of morale");
        }
    }

    #[test]
    fn rule_o6_after_the_item_that_completes_its_conditions_once_a_game() {
        let tracks = json!({ "ireland": 5, "catholicism": 4, "puritanism": 2 });
        // Catholicism falls by the card's last item; a Disordered Army gets nothing.
        let disordered = event("catholic-league", 25, 6, json!({ "tracks": tracks, "armies": { "ireland": { "disordered": true } } }), "");
        assert_eq!(disordered.strength("ireland"), 4);
        let ready = event("catholic-league", 25, 6, json!({ "tracks": tracks }), "1");
        assert_eq!(ready.strength("ireland"), 5);
        let again = event("catholic-league", 25, 6, json!({ "tracks": tracks, "armies": { "ireland": { "counter": "ireland-league-france" } } }), "");
        assert_eq!(again.strength("ireland"), 5, "no second die");
    }

    #[test]
    fn rule_12_3_a_battle_may_be_resolved_with_two_dice() {
        let mut battle = event("quick-combat", 20, 0, json!({}), "4 1");
        assert_eq!(battle.legal(), ["full", "quick"]);
        battle.play("quick; army west");
        assert_eq!((battle.facts("battle_won"), battle.army("west")), (vec!["west".to_owned()], "5".into()), "Disordered, then recovered");
    }

    #[test]
    fn rule_12_3_1_its_outcome_takes_effect_as_any() {
        let mut battle = event("quick-combat", 20, 0, json!({}), "1 3");
        battle.play("quick; army west");
        assert_eq!(battle.track("monarchy"), 5, "by the Defeat and by the card");
    }

    #[test]
    fn rule_12_3_2_no_points_no_cards_no_deadly_outcomes() {
        let mut battle = event("quick-combat", 20, 0, json!({ "hand": ["stubble"], "holding": ["cromwell"], "zeal": 3 }), "6 1");
        battle.play("quick; army north");
        assert_eq!((battle.asked(), battle.pile("battle-hand")), ("act", vec!["stubble".to_owned()]));
    }

    #[test]
    fn rule_o11_full_or_quick_is_asked_at_each_battle() {
        let mut battle = event("quick-combat", 20, 0, json!({ "zeal": 1 }), PLAIN);
        assert_eq!(battle.asked(), "full_or_quick");
        battle.play("full; army north");
        assert_eq!(battle.asked(), "inspire_whom");
    }

    #[test]
    fn rule_o12_thresholds_fall_with_the_cards_that_were_turned_up() {
        let outcome = |war: u8, card: u8, seen: Value, dice: &str| {
            let mut battle = event("quick-combat", card, if card == 25 { 1 } else { 0 }, json!({ "seen": seen, "war": war }), dice);
            battle.play("quick; army north");
            (battle.facts("battle_won").len(), battle.facts("battle_lost").len())
        };
        assert_eq!(outcome(1, 20, json!([]), "3 1"), (0, 0));
        assert_eq!(outcome(1, 20, json!([]), "4 1"), (1, 0));
        assert_eq!(outcome(1, 25, json!([]), "3 1"), (1, 0), "the card's own Battle counts");
        assert_eq!(outcome(1, 20, json!(["25"]), "2 1"), (0, 0));
        assert_eq!(outcome(2, 31, json!(["28"]), "2 1"), (1, 0));
        assert_eq!(outcome(2, 31, json!(["28"]), "1 1"), (0, 0));
        assert_eq!(outcome(1, 20, json!([]), "1 3"), (0, 1));
    }

    #[test]
    fn rule_o13_the_outcome_alone_and_a_battle_won() {
        let mut battle = event("quick-combat", 20, 0, json!({ "zeal": 0 }), "6 2");
        battle.play("quick; army north");
        assert_eq!((battle.zeal(), battle.asked()), (0, "act"), "four ahead, and no points");
    }

    #[test]
    fn rule_b30_the_recovery_box_is_emptied_by_quick_battles_too() {
        let mut battle = event("quick-combat", 20, 0, json!({ "recovery": ["ironsides"] }), "1 1");
        battle.play("quick; army north");
        assert_eq!(battle.place("ironsides"), "holding");
    }

    #[test]
    fn rule_12_4_settlers_bring_zeal_and_a_free_roll() {
        let mut turn = with("english-settlers", json!({ "zeal": 0 }), "6 7");
        turn.play("pass");
        assert_eq!(turn.legal(), ["settle ireland", "settle scotland", "pass"]);
        turn.play("settle ireland; roll-on puritanism");
        assert_eq!((turn.zeal(), turn.track("puritanism")), (1, 3));
        assert_eq!(turn.refused("settle ireland"), ["NO_SETTLERS 12.4"]);
        turn.play("pass");
        assert_eq!(turn.zeal(), 6, "before income");
    }

    #[test]
    fn rule_o8_once_for_each_region() {
        let position = json!({ "zeal": 0, "flags": ["settled-ireland"] });
        let mut turn = with("english-settlers", position, "1 7");
        turn.play("pass");
        assert_eq!(turn.legal(), ["settle scotland", "pass"]);
        turn.play("settle scotland; roll-on ireland");
        assert_eq!(turn.asked(), "act", "nowhere is left to ask for");
        let near = json!({ "armies": { "ireland": { "area": 4 }, "scotland": { "area": 4 } } });
        let mut nobody = with("english-settlers", near, "7");
        nobody.play("pass");
        assert_eq!(nobody.asked(), "act");
    }

    #[test]
    fn rule_o9_the_settlers_roll_has_no_modifiers_and_its_own_tracks() {
        let position = json!({ "drm": { "parliament": 1 }, "tracks": { "scotland": 0 } });
        let mut turn = with("english-settlers", position, "3 7");
        turn.play("pass; settle ireland");
        assert_eq!(turn.choices("roll-on"), ["ireland", "parliament", "puritanism"]);
        assert_eq!(turn.refused("roll-on monarchy"), ["NOT_A_TARGET O9"]);
        turn.play("roll-on parliament");
        assert_eq!(turn.track("parliament"), 4, "a 3 does not beat a 3");
        turn.play("pass");
    }

    #[test]
    fn rule_12_5_a_free_strike_once_a_game() {
        let mut won = with("hot-iron", json!({ "zeal": 3 }), "6");
        won.play("strike ireland");
        assert_eq!((won.zeal(), won.army("ireland")), (5, "5 disordered".into()));
        assert_eq!(won.refused("strike north"), ["STRUCK_ALREADY 12.5"]);
        let mut lost = with("hot-iron", json!({ "zeal": 3, "armies": { "north": { "area": 4 } } }), "1");
        assert_eq!(lost.refused("strike north"), ["NOT_IN_AREA_5 12.5"]);
        lost.play("strike west");
        assert_eq!((lost.zeal(), lost.army("west")), (4, "5".into()));
    }

    #[test]
    fn rule_o10_disordered_or_not_where_no_revolt_shields_the_army() {
        let mut turn = with("hot-iron", json!({ "zeal": 0, "armies": { "north": { "disordered": true } },
            "revolts": { "uprising": ["west", 4] } }), "5");
        assert_eq!(turn.refused("strike west"), ["REVOLT_FIRST O10"]);
        turn.play("strike north");
        assert_eq!((turn.zeal(), turn.army("north")), (2, "5 disordered".into()));
        let mut off = crate::play::acting(json!({}), "");
        assert_eq!(off.refused("strike north"), ["OPTION_OFF O10"]);
    }
}

#[test]
pub(crate) fn the_settlers_roll_on_the_one_track_that_is_left_or_on_none() {
    let one =
        json!({ "zeal": 0, "tracks": { "scotland": 0, "ireland": 0, "parliament": 0, "puritanism": 2 } });
    let mut turn = with("english-settlers", one, "6 7");
    turn.play("pass; settle ireland");
    assert_eq!(turn.track("puritanism"), 1);
    turn.play("pass");
    let none =
        json!({ "zeal": 0, "tracks": { "scotland": 0, "ireland": 0, "parliament": 0, "puritanism": 0 } });
    let mut turn = with("english-settlers", none, "7");
    turn.play("pass; settle ireland; pass");
    assert_eq!(turn.zeal(), 6, "Zeal only");
}
