//! 6.2 to 6.4, 6.8, 6.9, 6.10.4: activation, sieges, revolts, Deviltry.

use serde_json::json;

use crate::play::{acting, item};

/// No fortress of Parliament stops anybody.
fn open_road() -> serde_json::Value {
    json!({ "fortresses": { "hull": ["royalist", 2], "bristol": ["royalist", 2], "edinburgh": ["royalist", 2] } })
}

fn with(mut position: serde_json::Value, changes: serde_json::Value) -> serde_json::Value {
    crate::play::merge(&mut position, changes);
    position
}

/// A turn that begins with the reward that disorders the North; its card 7 leaves the North alone.
fn reward_turn(north: serde_json::Value) -> crate::play::Match {
    let position = json!({
        "at": "turn", "seen": ["1"], "rewards": { "next-turn-north": "waiting" }, "armies": { "north": north },
    });
    acting(position, "7")
}

rules! {
    #[test]
    fn rule_6_2_an_army_with_nothing_in_its_way_advances() {
        let event = item(8, 0, json!({}), "1 1");
        assert_eq!(event.army("north"), "4");
        assert_eq!(event.facts("activates").first().map(String::as_str), Some("north"), "the opening is told, too");
    }

    #[test]
    fn rule_6_2_1_a_strength_marker_lies_on_the_army_this_turn() {
        let event = item(24, 0, json!({}), "");
        assert_eq!((event.strength("north"), event.army("north").as_str()), (5, "4"));
    }

    #[test]
    fn rule_g3_markers_and_morale_add_up() {
        let event = item(24, 0, json!({ "armies": { "north": { "markers": 2 } } }), "");
        assert_eq!(event.strength("north"), 7);
    }

    #[test]
    fn rule_a14_the_marker_comes_once_with_two_activations() {
        let event = item(14, 0, open_road(), "");
        assert_eq!((event.strength("west"), event.army("west").as_str()), (4, "3"));
    }

    #[test]
    fn rule_6_2_2_a_disordered_army_recovers_instead() {
        for (army, card, place) in [("north", 24, 0), ("west", 12, 2), ("scotland", 24, 1), ("ireland", 19, 0)] {
            let event = item(card, place, json!({ "armies": { army: { "disordered": true } } }), "");
            assert_eq!(event.army(army), "5");
        }
    }

    #[test]
    fn rule_a1_the_second_activation_acts_after_the_recovery() {
        let event = item(11, 0, json!({ "armies": { "north": { "disordered": true } } }), "");
        assert_eq!(event.army("north"), "4");
    }

    #[test]
    fn rule_6_2_3_an_army_fights_clubmen_instead_of_advancing() {
        let won = item(24, 0, json!({ "revolts": { "clubmen-1": ["north", 5] } }), "2");
        assert_eq!((won.army("north").as_str(), won.place("clubmen-1").as_str()), ("5", "unused"));
        let lost = item(24, 0, json!({ "revolts": { "clubmen-1": ["north", 5] } }), "1");
        assert_eq!((lost.army("north").as_str(), lost.place("clubmen-1").as_str()), ("5", "durham"));
    }

    #[test]
    fn rule_8_5_1_clubmen_fight_the_royalists_too() {
        let event = item(24, 0, json!({ "armies": { "north": { "area": 4 } }, "revolts": { "clubmen-2": ["north", 5] } }), "3");
        assert_eq!(event.place("clubmen-2"), "unused");
    }

    #[test]
    fn rule_a6_the_die_beats_the_strength_that_the_king_raises() {
        let position = || json!({ "revolts": { "clubmen-1": ["north", 5] }, "tracks": { "monarchy": 5 } });
        assert_eq!(item(24, 0, position(), "2").place("clubmen-1"), "durham");
        assert_eq!(item(24, 0, position(), "3").place("clubmen-1"), "unused");
    }

    #[test]
    fn rule_a3_clubmen_in_the_own_area_come_first_then_the_nearest() {
        let position = json!({
            "armies": { "north": { "area": 3 } },
            "revolts": { "clubmen-1": ["north", 5], "clubmen-2": ["north", 4] },
        });
        let event = item(24, 0, position, "6");
        assert_eq!((event.place("clubmen-1").as_str(), event.place("clubmen-2").as_str()), ("durham", "unused"));
    }

    #[test]
    fn rule_a4_clubmen_ahead_do_not_stop_an_army() {
        let event = item(24, 0, json!({ "revolts": { "clubmen-1": ["north", 4] } }), "");
        assert_eq!((event.army("north").as_str(), event.place("clubmen-1").as_str()), ("4", "chester"));
    }

    #[test]
    fn rule_a5_armies_ignore_uprisings_and_revolts() {
        let event = item(24, 0, json!({ "revolts": { "uprising": ["north", 5], "revolt": ["north", 5] } }), "");
        assert_eq!(event.army("north"), "4");
    }

    #[test]
    fn rule_6_2_4_an_army_besieges_the_fortress_in_its_area() {
        let event = item(24, 0, json!({ "armies": { "north": { "area": 3 } } }), "3 2");
        assert_eq!((event.army("north").as_str(), event.fort("hull").as_str()), ("3", "parliament 1"));
    }

    #[test]
    fn rule_a2_an_army_besieges_what_it_has_left_behind() {
        let event = item(24, 0, json!({ "armies": { "north": { "area": 2 } } }), "2 2");
        assert_eq!((event.army("north").as_str(), event.fort("hull").as_str()), ("2", "parliament 2"));
    }

    #[test]
    fn rule_a15_two_dice_each_against_the_strength_of_the_moment() {
        let position = |click: u8| json!({ "armies": { "north": { "area": 3 } }, "fortresses": { "hull": ["parliament", click] } });
        assert_eq!(item(24, 0, position(3), "4 3").fort("hull"), "parliament 1");
        assert_eq!(item(24, 0, position(3), "3 3").fort("hull"), "parliament 3");
        // The first die takes it: there is no second one.
        assert_eq!(item(24, 0, position(1), "6").fort("hull"), "royalist 1");
        assert_eq!(item(24, 0, position(1), "1 5").fort("hull"), "royalist 1");
    }

    #[test]
    fn rule_6_2_5_from_their_area_1_armies_come_before_london_and_besiege_it() {
        let advance = item(24, 0, with(open_road(), json!({ "armies": { "north": { "area": 1 } } })), "");
        assert_eq!((advance.army("north").as_str(), advance.fort("london").as_str()), ("0", "parliament 2"));
        let siege = item(24, 0, with(open_road(), json!({ "armies": { "north": { "area": 0 } } })), "3 1");
        assert_eq!(siege.fort("london"), "parliament 1");
    }

    #[test]
    fn rule_a8_london_is_besieged_from_area_0_by_each_army_there() {
        let position = with(open_road(), json!({
            "armies": { "north": { "area": 0 }, "west": { "area": 0 } },
            "fortresses": { "hull": ["royalist", 2], "bristol": ["royalist", 2], "london": ["parliament", 5] },
        }));
        let event = item(12, 1, position, "4 4 4 3");
        assert_eq!(event.fort("london"), "parliament 1");
    }

    #[test]
    fn rule_a9_before_london_london_comes_first() {
        let event = item(24, 0, json!({ "armies": { "north": { "area": 0 } } }), "3 1");
        assert_eq!((event.fort("london").as_str(), event.fort("hull").as_str()), ("parliament 1", "parliament 2"));
    }

    #[test]
    fn rule_a10_with_london_lost_an_army_there_does_nothing() {
        let position = with(open_road(), json!({
            "armies": { "north": { "area": 0 } },
            "fortresses": { "hull": ["royalist", 2], "london": ["royalist", 2] },
        }));
        let event = item(24, 0, position, "");
        assert_eq!((event.army("north").as_str(), event.fort("london").as_str()), ("0", "royalist 2"));
    }

    #[test]
    fn rule_a7_oxford_of_parliament_stops_both_armies_in_their_area_1() {
        let position = || with(open_road(), json!({
            "armies": { "north": { "area": 1 }, "west": { "area": 1 } },
            "fortresses": { "hull": ["royalist", 2], "bristol": ["royalist", 2], "oxford": ["parliament", 4] },
        }));
        let event = item(12, 1, position(), "4 1 3 1");
        assert_eq!((event.army("north").as_str(), event.army("west").as_str()), ("1", "1"));
        assert_eq!(event.fort("oxford"), "parliament 3", "a 3 does not beat the 3 that the first siege left");
    }

    #[test]
    fn rule_6_2_6_the_scots_in_area_1_push_the_north() {
        let event = item(24, 0, with(open_road(), json!({ "armies": { "scotland": { "area": 1 } } })), "");
        assert_eq!((event.army("north").as_str(), event.army("scotland").as_str()), ("3", "1"));
        assert_eq!(event.strength("scotland"), 3, "the marker is the North's own");
    }

    #[test]
    fn rule_a11_the_push_runs_through_the_norths_own_list() {
        let recovers = item(32, 0, with(open_road(), json!({ "armies": {
            "scotland": { "area": 1 }, "north": { "disordered": true, "area": 4 } } })), "");
        assert_eq!((recovers.army("north").as_str(), recovers.strength("scotland")), ("3", 5), "twice: ready, then on");
        assert_eq!(recovers.strength("north"), 4);
        let stopped = item(24, 1, json!({ "armies": { "scotland": { "area": 1 } } }), "5 1");
        assert_eq!(stopped.fort("edinburgh"), "parliament 1", "a fortress behind the Scots comes first");
    }

    #[test]
    fn rule_6_2_7_the_irish_in_area_1_strengthen_dublin_then_make_trouble() {
        let dublin = item(19, 0, json!({ "armies": { "ireland": { "area": 1 } } }), "");
        assert_eq!((dublin.fort("dublin").as_str(), dublin.army("ireland").as_str()), ("royalist 3", "1"));
        let trouble = item(19, 0, json!({
            "armies": { "ireland": { "area": 1 } }, "fortresses": { "dublin": ["royalist", 5] }, "tracks": { "puritanism": 2 },
        }), "");
        assert_eq!((trouble.track("puritanism"), trouble.on_track("scotland", "troubles")), (3, 1));
    }

    #[test]
    fn rule_a12_dublin_comes_before_troubles_and_parliaments_dublin_before_both() {
        let position = |dublin: serde_json::Value| json!({
            "armies": { "ireland": { "area": 1 } }, "fortresses": { "dublin": dublin }, "tracks": { "puritanism": 2 } });
        let clicks = item(6, 0, position(json!(["royalist", 4])), "");
        assert_eq!((clicks.fort("dublin").as_str(), clicks.track("puritanism")), ("royalist 5", 3), "one click, one trouble");
        let siege = item(19, 0, position(json!(["parliament", 1])), "6");
        assert_eq!(siege.fort("dublin"), "royalist 1");
    }

    #[test]
    fn rule_a13_the_troubles_move_on_even_where_the_arrow_is_handed_on() {
        let event = item(19, 0, json!({
            "armies": { "ireland": { "area": 1 } }, "fortresses": { "dublin": ["royalist", 5] },
            "troubles": "scotland", "tracks": { "scotland": 5, "ireland": 3 },
        }), "");
        assert_eq!((event.track("ireland"), event.track("scotland")), (4, 5));
        assert_eq!(event.on_track("parliament", "troubles"), 1);
    }

    #[test]
    fn rule_6_3_besiege_or_fortify_goes_by_the_owner() {
        assert_eq!(item(18, 2, json!({}), "3 2").fort("bristol"), "parliament 1");
        assert_eq!(item(18, 2, json!({ "fortresses": { "bristol": ["royalist", 2] } }), "").fort("bristol"), "royalist 3");
    }

    #[test]
    fn rule_a16_a_royalist_fortress_goes_up_to_the_end_of_its_dial() {
        assert_eq!(item(48, 1, json!({ "fortresses": { "dublin": ["royalist", 4] } }), "").fort("dublin"), "royalist 5");
        assert_eq!(item(48, 1, json!({ "fortresses": { "dublin": ["royalist", 5] } }), "").fort("dublin"), "royalist 5");
        // A fortress that falls by the first die isn't strengthened by a second.
        assert_eq!(item(48, 1, json!({ "fortresses": { "dublin": ["parliament", 1] } }), "5").fort("dublin"), "royalist 1");
    }

    #[test]
    fn rule_6_4_unrest_rolls_twice_against_london() {
        let event = item(8, 1, json!({ "fortresses": { "london": ["parliament", 4] } }), "4 3");
        assert_eq!(event.fort("london"), "parliament 3");
    }

    #[test]
    fn rule_a17_at_its_last_click_london_pays_with_zeal() {
        let position = |zeal: u8| json!({ "fortresses": { "london": ["parliament", 1] }, "zeal": zeal });
        let event = item(8, 1, position(5), "6 5");
        assert_eq!((event.fort("london").as_str(), event.zeal()), ("parliament 1", 3));
        assert_eq!(item(8, 1, position(0), "6 6").zeal(), 0);
        let lost = item(8, 1, json!({ "fortresses": { "london": ["royalist", 1] } }), "");
        assert_eq!(lost.fort("london"), "royalist 1", "no dice");
    }

    #[test]
    fn rule_6_8_deviltry_comes_on_the_map() {
        let event = item(24, 2, json!({}), "");
        assert_eq!((event.place("deviltry-24").as_str(), event.on_piece("deviltry-24", "points")), ("deviltry", -1));
    }

    #[test]
    fn rule_6_9_a_revolt_comes_where_the_die_says() {
        assert_eq!(item(40, 1, json!({}), "2 1 1").place("uprising"), "sussex");
        assert_eq!(item(40, 1, json!({}), "6 1 1").place("uprising"), "unused");
    }

    #[test]
    fn rule_r1_a_marker_that_is_on_the_map_does_not_come_and_no_die_is_rolled() {
        let event = item(40, 1, json!({ "revolts": { "uprising": ["north", 4] } }), "1 1");
        assert_eq!(event.place("uprising"), "chester");
        let second = item(33, 3, json!({ "revolts": { "clubmen-1": ["north", 4] } }), "3");
        assert_eq!(second.place("clubmen-2"), "somerset", "there are two of Clubmen");
    }

    #[test]
    fn rule_r2_a_six_brings_no_revolt_and_any_other_die_its_area() {
        for (die, place) in [("1", "nottingham"), ("5", "durham"), ("6", "unused")] {
            assert_eq!(item(55, 2, json!({}), die).place("revolt"), place);
        }
    }

    #[test]
    fn rule_r3_the_clubmen_card_rolls_for_the_region_first() {
        assert_eq!(item(15, 2, json!({}), "3 4").place("clubmen-1"), "chester");
        assert_eq!(item(15, 2, json!({}), "4 4").place("clubmen-1"), "devon");
    }

    #[test]
    fn rule_r4_a_crushed_marker_goes_back_and_may_come_again() {
        let mut west = acting(json!({ "revolts": { "uprising": ["west", 2] } }), "6");
        west.play("besiege uprising");
        assert_eq!(west.place("uprising"), "unused");
    }

    #[test]
    fn rule_6_10_4_a_ready_army_is_disordered() {
        assert_eq!(reward_turn(json!({ "area": 3 })).army("north"), "3 disordered");
    }

    #[test]
    fn rule_a18_a_disordered_army_goes_back_but_not_out_of_its_area_5() {
        assert_eq!(reward_turn(json!({ "area": 3, "disordered": true })).army("north"), "4 disordered");
        assert_eq!(reward_turn(json!({ "area": 0, "disordered": true })).army("north"), "1 disordered");
        assert_eq!(reward_turn(json!({ "area": 5, "disordered": true })).army("north"), "5 disordered");
    }
}

#[test]
pub(crate) fn the_reward_finds_the_north_disordered_in_area_5() {
    assert_eq!(reward_turn(json!({ "area": 5, "disordered": true })).army("north"), "5 disordered");
}
