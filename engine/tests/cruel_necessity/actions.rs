//! 8.0 to 8.8: the player's actions.

use serde_json::json;

use crate::play::{Match, acting, drawable};

rules! {
    #[test]
    fn rule_8_0_an_action_costs_a_zeal_point() {
        let mut turn = acting(json!({ "zeal": 1 }), "1");
        turn.play("politics ireland");
        assert_eq!(turn.zeal(), 0);
        assert_eq!(turn.refused("politics ireland"), ["NO_ZEAL 8.0"]);
        assert_eq!(turn.legal(), ["desperate parliament", "desperate puritanism", "pass"]);
    }

    #[test]
    fn rule_g1_a_natural_1_fails_and_a_natural_6_succeeds() {
        let mut weak = acting(json!({ "armies": { "west": { "area": 3, "markers": -9 } } }), "1 2");
        weak.play("campaign west; campaign west");
        assert_eq!(weak.army("west"), "4");
        let mut strong = acting(json!({ "armies": { "west": { "area": 3, "markers": 9 } } }), "5 6");
        strong.play("campaign west; campaign west");
        assert_eq!(strong.army("west"), "4");
    }

    #[test]
    fn rule_g4_an_action_that_could_change_nothing_is_not_legal() {
        let mut turn = acting(json!({ "zeal": 9, "armies": { "west": { "disordered": true } } }), "");
        assert_eq!(turn.refused("campaign west"), ["NOTHING_TO_WIN G4"]);
        assert_eq!(turn.refused("desperate parliament"), ["ZEAL_FULL G4"]);
    }

    #[test]
    fn rule_8_1_the_zeal_marker_adds_1_to_all_rolls_against_its_target() {
        let mut turn = acting(json!({ "zeal": 4, "armies": { "north": { "area": 2 } } }), "4 4");
        turn.play("infuse north; campaign north; campaign north");
        assert_eq!((turn.army("north").as_str(), turn.zeal()), ("4", 1));
        let mut politics = acting(json!({ "tracks": { "ireland": 2 } }), "3");
        politics.play("infuse ireland-track; politics ireland");
        assert_eq!(politics.track("ireland"), 1);
    }

    #[test]
    fn rule_p2_what_the_zeal_marker_can_lie_on() {
        let mut turn = acting(json!({ "deviltry": ["24"], "revolts": { "uprising": ["north", 5] } }), "");
        let targets = turn.choices("infuse");
        assert_eq!(targets.len(), 4 + 2 + 1 + 1 + 6, "armies, Royalist fortresses, the revolt, Deviltry, tracks: {targets:?}");
        for gone in ["infuse hull", "infuse revolt", "infuse deviltry-29"] {
            assert_eq!(turn.refused(gone), ["NOT_A_TARGET P2"], "{gone}");
        }
    }

    #[test]
    fn rule_p3_once_a_turn_even_if_its_target_is_gone() {
        let mut turn = acting(json!({ "deviltry": ["24"] }), "5 triangle");
        turn.play("infuse deviltry-24; campaign deviltry-24");
        assert_eq!(turn.refused("infuse north"), ["MARKER_PLACED P3"]);
    }

    #[test]
    fn rule_8_3_a_campaign_drives_an_army_back() {
        let mut turn = acting(json!({ "armies": { "north": { "area": 1 } } }), "4 5");
        turn.play("campaign north");
        assert_eq!(turn.army("north"), "1");
        turn.play("campaign north");
        assert_eq!((turn.army("north").as_str(), turn.zeal()), ("2", 3));
    }

    #[test]
    fn rule_p10_from_london_to_disorder() {
        let mut london = acting(json!({ "armies": { "west": { "area": 0 } } }), "6");
        london.play("campaign west");
        assert_eq!(london.army("west"), "1");
        let mut edge = acting(json!({}), "6");
        edge.play("campaign ireland");
        assert_eq!(edge.army("ireland"), "5 disordered");
        let mut disordered = acting(json!({ "armies": { "scotland": { "area": 2, "disordered": true } } }), "6");
        disordered.play("campaign scotland");
        assert_eq!(disordered.army("scotland"), "3 disordered");
    }

    #[test]
    fn rule_8_3_1_deviltry_is_turned_over_for_its_reward() {
        let mut turn = acting(json!({ "deviltry": ["24", "29"] }), "2 3 triangle");
        turn.play("campaign deviltry-24; campaign deviltry-24");
        assert_eq!((turn.place("deviltry-24").as_str(), turn.place("deviltry-29").as_str()), ("gone", "deviltry"));
        assert_eq!(turn.facts("reward_found"), ["deviltry-24 triangle"]);
    }

    #[test]
    fn rule_p23_free_rolls_wait_until_they_are_used() {
        let rewards = json!({ "politics-monarchy": "waiting", "siege": "waiting" });
        let position = json!({ "zeal": 0, "rewards": rewards, "flags": ["oxford-permitted"], "tracks": { "catholicism": 0 },
            "fortresses": { "bristol": ["royalist", 1] } });
        let mut turn = acting(position, "6 6");
        assert_eq!(turn.choices("use"), ["politics-monarchy", "siege bristol", "siege oxford"]);
        turn.play("use politics-monarchy; use siege bristol");
        assert_eq!((turn.track("monarchy"), turn.fort("bristol"), turn.zeal()), (2, "parliament 1".into(), 0));
        assert_eq!(turn.refused("use siege oxford"), ["NO_REWARD P23"]);
        let mut top = acting(json!({ "rewards": { "politics-parliament": "waiting" }, "tracks": { "parliament": 0 } }), "");
        assert_eq!(top.refused("use politics-parliament"), ["AT_THE_TOP 8.7"], "not without a target");
    }

    #[test]
    fn rule_p24_a_reward_is_found_once_a_game() {
        let used = json!({
            "politics-parliament": "used", "politics-puritanism": "used", "politics-monarchy": "used", "politics-catholicism": "used",
            "siege": "used", "next-turn-north": "used" });
        let mut turn = acting(json!({ "deviltry": ["24"], "rewards": used }), "6 next-turn-west");
        turn.play("campaign deviltry-24");
        assert_eq!(turn.facts("reward_found"), ["deviltry-24 next-turn-west"]);
        let left = drawable(json!({ "at": "action", "current": "2", "deviltry": ["24"], "rewards": used }), "campaign deviltry-24", 6);
        assert_eq!(left, ["next-turn-west", "triangle"]);
    }

    #[test]
    fn rule_p25_rewards_of_the_next_turn_act_before_its_card() {
        let position = json!({ "at": "turn", "seen": ["1"], "rewards": { "next-turn-west": "waiting" } });
        let turn = acting(position, "8 1 1");
        assert_eq!(turn.strength("west"), 2);
        assert_eq!(turn.facts("reward_used"), ["next-turn-west"], "the opening is told, too");
    }

    #[test]
    fn rule_8_4_a_siege_takes_a_click_and_in_the_end_the_fortress() {
        let mut turn = acting(json!({ "zeal": 3, "fortresses": { "dublin": ["royalist", 2] } }), "2 3 3");
        turn.play("besiege dublin; besiege dublin; besiege dublin");
        assert_eq!((turn.fort("dublin"), turn.zeal()), ("parliament 1".into(), 0));
        assert_eq!(turn.refused("besiege dublin"), ["NOT_ROYALIST 8.4"]);
    }

    #[test]
    fn rule_p11_the_army_of_each_region_must_be_further_away() {
        for (north, west, ground) in [(2, 2, None), (1, 2, Some("ARMY_IN_THE_WAY P11")), (2, 1, Some("ARMY_IN_THE_WAY P11"))] {
            let position = json!({ "flags": ["oxford-permitted"], "armies": { "north": { "area": north }, "west": { "area": west } } });
            let mut turn = acting(position, "");
            match ground {
                None => assert!(turn.may("besiege oxford")),
                Some(ground) => assert_eq!(turn.refused("besiege oxford"), [ground]),
            }
        }
        let mut contested = acting(json!({ "armies": { "ireland": { "area": 3 } } }), "");
        assert_eq!(contested.refused("besiege dublin"), ["ARMY_IN_THE_WAY P11"]);
    }

    #[test]
    fn rule_p12_london_is_regained_with_both_armies_out_of_area_0() {
        let position = |west: u8| json!({ "fortresses": { "london": ["royalist", 1] }, "armies": { "west": { "area": west } } });
        assert_eq!(acting(position(0), "").refused("besiege london"), ["ARMY_IN_THE_WAY P12"]);
        let mut free = acting(position(1), "6");
        free.play("besiege london");
        assert_eq!(free.fort("london"), "parliament 1");
    }

    #[test]
    fn rule_p14_a_fortress_that_is_taken_stands_at_its_first_click() {
        let mut turn = acting(json!({ "fortresses": { "dublin": ["royalist", 1] } }), "6");
        turn.play("besiege dublin; fortify dublin");
        assert_eq!(turn.fort("dublin"), "parliament 2", "and may be fortified at once");
    }

    #[test]
    fn rule_8_5_a_revolt_within_reach_bars_its_region_until_it_is_crushed() {
        let position = json!({ "revolts": { "uprising": ["west", 2] }, "armies": { "west": { "area": 4 } } });
        let mut turn = acting(position, "3");
        for barred in ["campaign west", "fortify bristol"] {
            assert_eq!(turn.refused(barred), ["REVOLT_FIRST 8.5"], "{barred}");
        }
        assert!(turn.may("campaign north") && turn.may("fortify hull"));
        turn.play("besiege uprising");
        assert!(turn.may("campaign west") && turn.may("fortify bristol"));
    }

    #[test]
    fn rule_p15_a_revolt_is_within_reach_in_front_of_the_army() {
        let mut turn = acting(json!({ "revolts": { "uprising": ["west", 3] }, "armies": { "west": { "area": 3 } } }), "6");
        assert_eq!(turn.refused("besiege uprising"), ["BEHIND_THE_LINES P15"]);
        turn.play("campaign west");
        assert!(turn.may("besiege uprising"), "the retreat has brought it within reach");
        assert!(!turn.may("campaign west"));
    }

    #[test]
    fn rule_p16_oxford_and_london_belong_to_both_regions() {
        let position = json!({ "revolts": { "uprising": ["west", 2] }, "flags": ["oxford-permitted"],
            "fortresses": { "oxford": ["royalist", 1] } });
        let mut turn = acting(position, "");
        for barred in ["besiege oxford", "fortify london"] {
            assert_eq!(turn.refused(barred), ["REVOLT_FIRST 8.5"], "{barred}");
        }
        assert!(turn.may("fortify hull") && turn.may("besiege dublin"));
    }

    #[test]
    fn rule_8_6_parliaments_fortresses_go_up_a_click() {
        let mut turn = acting(json!({ "zeal": 9 }), "");
        turn.play("fortify hull; fortify hull; fortify hull");
        assert_eq!((turn.fort("hull"), turn.zeal()), ("parliament 5".into(), 6));
        assert_eq!(turn.refused("fortify hull"), ["FULL_STRENGTH 8.6"]);
        assert_eq!(turn.refused("fortify oxford")[0], "NOT_PARLIAMENT 8.6");
    }

    #[test]
    fn rule_p13_only_in_front_of_the_enemy() {
        let mut turn = acting(json!({ "armies": { "north": { "area": 3 } } }), "");
        assert_eq!(turn.refused("fortify hull"), ["ARMY_IN_THE_WAY P13"]);
        let oxford = json!({ "fortresses": { "oxford": ["parliament", 1] } });
        assert!(acting(oxford, "").may("fortify oxford"), "it needs no permission");
    }

    #[test]
    fn rule_8_7_a_politics_roll_raises_a_marker() {
        let mut turn = acting(json!({ "tracks": { "puritanism": 3 } }), "3 4");
        turn.play("politics puritanism");
        assert_eq!(turn.track("puritanism"), 3);
        turn.play("politics puritanism");
        assert_eq!(turn.track("puritanism"), 2);
    }

    #[test]
    fn rule_p21_the_number_of_the_next_box_is_beaten() {
        // From the D of Parliament (2) into a C (3).
        let mut turn = acting(json!({ "tracks": { "parliament": 4 } }), "3");
        turn.play("politics parliament");
        assert_eq!(turn.track("parliament"), 4);
    }

    #[test]
    fn rule_8_8_a_desperate_act_for_each_track_and_turn() {
        let mut turn = acting(json!({ "zeal": 0, "tracks": { "parliament": 3, "puritanism": 3 } }), "");
        turn.play("desperate parliament; desperate puritanism");
        assert_eq!((turn.zeal(), turn.track("parliament"), turn.track("puritanism")), (2, 4, 4));
        assert_eq!(turn.refused("desperate parliament"), ["DESPERATE_ALREADY 8.8"]);
    }

    #[test]
    fn rule_p22_not_from_the_bottom() {
        let mut turn = acting(json!({ "zeal": 0, "tracks": { "parliament": 5 } }), "");
        assert_eq!(turn.refused("desperate parliament"), ["AT_THE_BOTTOM P22"]);
    }
}

#[test]
fn no_odds_are_shown_where_a_success_could_change_nothing() {
    let settled = |options: &[(&str, &str)]| {
        let position =
            json!({ "at": "action", "current": "2", "armies": { "west": { "disordered": true } } });
        let turn = Match::at("whole-war", options, position, "");
        (turn.on_piece("north", "wins-in-6"), turn.on_piece("west", "wins-in-6"))
    };
    assert_eq!(settled(&[]), (2, 0));
    assert_eq!(settled(&[("hot-iron", "true")]), (2, 3), "a strike still gains Zeal");
}

#[test]
fn odds_are_in_6_where_one_die_decides_and_in_36_where_an_army_is_found_first() {
    let shown = |options: &[(&str, &str)]| {
        let turn = Match::at("whole-war", options, json!({ "at": "action", "current": "2" }), "");
        let on = |piece| (turn.on_piece(piece, "wins-in-6"), turn.on_piece(piece, "wins-in-36"));
        (on("north"), on("oxford"))
    };
    assert_eq!(shown(&[]), ((2, 0), (2, 0)));
    // The North is found with five faces, and beaten with two.
    assert_eq!(shown(&[("limited-reconnaissance", "true")]), ((0, 10), (2, 0)));
}
