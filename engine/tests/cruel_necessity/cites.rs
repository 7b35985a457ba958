//! Facts rest on the rule that made them: the card's, the Army's or the player's own.

use serde_json::json;

use crate::battle::fought;
use crate::facts::rules_of;
use crate::play::{Match, acting, item};

/// The rules that any fact of a match rests on.
fn cited(played: &Match) -> Vec<&'static str> {
    let published = played.0.published(edgehill_engine::seat::Observer::Seat(crate::play::PLAYER), 0);
    published.iter().map(|seen| seen.rule.id()).collect()
}

const V: &str = "victory";

rules! {
    #[test]
    fn rule_6_6_2_whoever_stands_in_the_middle_box_is_pushed_by_that_rule() {
        // By a card down and up, by a Politics roll, by a benefit.
        let down = item(26, 5, json!({ "tracks": { "monarchy": 4, "parliament": 0 } }), "");
        let up = item(28, 3, json!({ "tracks": { "catholicism": 5, "puritanism": 1 } }), "");
        let mut roll = acting(json!({ "tracks": { "monarchy": 5, "parliament": 1 } }), "6");
        roll.play("politics parliament");
        let mut benefit = fought([V; 6], json!({ "tracks": { "catholicism": 5, "puritanism": 1 } }), "");
        benefit.play("benefit puritanism-track; done");
        for (played, pushed) in [(&down, "monarchy parliament"), (&up, "puritanism catholicism"),
            (&roll, "parliament monarchy"), (&benefit, "puritanism catholicism")] {
            assert_eq!(played.facts("redirected").first().map(String::as_str), Some(pushed));
            assert_eq!(rules_of(played, "redirected").first(), Some(&"6.6.2"), "{pushed}");
        }
    }

    #[test]
    fn rule_6_6_1_an_arrow_off_the_edge_is_handed_on_by_that_rule() {
        let handed = item(26, 4, json!({ "tracks": { "scotland": 5, "ireland": 2 } }), "");
        assert_eq!((handed.facts("redirected")[0].as_str(), rules_of(&handed, "redirected")[0]), ("scotland ireland", "6.6.1"));
        let jammed = json!({ "scotland": 5, "ireland": 5, "monarchy": 4, "parliament": 3, "catholicism": 4 });
        let mut picked = item(26, 4, json!({ "tracks": jammed }), "");
        picked.play("shift catholicism");
        assert_eq!((picked.facts("redirected")[0].as_str(), rules_of(&picked, "redirected")[0]), ("scotland catholicism", "6.6.1"));
    }

    #[test]
    fn rule_6_10_4_disorder_by_a_battle_a_card_or_a_reward_is_by_that_rule() {
        let won = fought([V; 6], json!({ "armies": { "north": { "area": 4 } } }), "");
        assert_eq!((won.facts("disordered"), rules_of(&won, "disordered")), (vec!["north".to_owned()], vec!["6.10.4"]));
        let again = fought([V; 6], json!({ "armies": { "north": { "area": 3, "disordered": true } } }), "");
        assert_eq!((again.facts("retreats").len(), rules_of(&again, "retreats")), (1, vec!["6.10.4"]));
        let mut card = item(49, 1, json!({ "seen": ["46"] }), "50");
        card.play("pass");
        assert_eq!((card.facts("disordered"), rules_of(&card, "disordered")), (vec!["ireland".to_owned()], vec!["6.10.4"]));
        let rewards = json!({ "seen": ["1"], "rewards": { "next-turn-north": "waiting" } });
        let mut reward = acting(rewards, "7");
        reward.play("pass");
        assert_eq!(rules_of(&reward, "disordered"), ["6.10.4"]);
    }

    #[test]
    fn rule_8_3_what_a_campaign_does_to_an_army_is_by_that_rule() {
        let mut back = acting(json!({ "armies": { "north": { "area": 3, "disordered": true } } }), "5");
        back.play("campaign north");
        assert_eq!((rules_of(&back, "roll_won"), rules_of(&back, "retreats")), (vec!["8.3"], vec!["8.3"]));
        let mut last = acting(json!({ "armies": { "north": { "area": 5 } } }), "5");
        last.play("campaign north");
        assert_eq!((rules_of(&last, "disordered"), rules_of(&last, "retreats")), (vec!["8.3"], vec![]));
        let mut failed = acting(json!({ "armies": { "north": { "area": 5 } } }), "4");
        failed.play("campaign north");
        assert_eq!((failed.facts("roll_lost"), rules_of(&failed, "roll_lost")), (vec!["north 4 0 4".to_owned()], vec!["8.3"]));
    }

    #[test]
    fn rule_6_2_4_a_siege_by_an_activation_is_by_that_rule() {
        let position = json!({ "armies": { "west": { "area": 3 } }, "fortresses": { "bristol": ["parliament", 2] } });
        let event = item(12, 2, position, "6 6");
        for (code, times) in [("siege", 1), ("siege_success", 2), ("weakened", 1), ("captured", 1)] {
            assert_eq!(rules_of(&event, code), vec!["6.2.4"; times], "{code}");
        }
        assert!(!cited(&event).contains(&"8.4"));
        // Also where the Scots push the North to it.
        let pushed = json!({ "armies": { "north": { "area": 3 }, "scotland": { "area": 1 } }, "fortresses": { "edinburgh": ["royalist", 2] } });
        let pushed = item(32, 0, pushed, "1 1 1 1");
        assert_eq!((pushed.facts("scots_push").len(), rules_of(&pushed, "siege_failure")), (2, vec!["6.2.4"; 4]));
    }

    #[test]
    fn rule_6_2_5_what_is_done_before_london_is_by_that_rule() {
        let near = json!({ "armies": { "west": { "area": 1 } }, "fortresses": { "bristol": ["royalist", 1] } });
        let advance = item(12, 2, near, "");
        assert_eq!((advance.army("west"), rules_of(&advance, "advances")), ("0".into(), vec!["6.2.5"]));
        let siege = item(12, 2, json!({ "armies": { "west": { "area": 0 } }, "fortresses": { "bristol": ["royalist", 1] } }), "6 1");
        assert_eq!((siege.facts("siege"), rules_of(&siege, "siege")), (vec!["london".to_owned()], vec!["6.2.5"]));
        assert_eq!((rules_of(&siege, "siege_success"), rules_of(&siege, "weakened")), (vec!["6.2.4"], vec!["6.2.4"]), "in the usual manner");
    }

    #[test]
    fn rule_6_3_a_siege_that_a_card_names_is_by_that_rule() {
        let event = item(32, 1, json!({ "fortresses": { "edinburgh": ["parliament", 2] } }), "6 6");
        for (code, times) in [("siege", 1), ("siege_success", 2), ("weakened", 1), ("captured", 1)] {
            assert_eq!(rules_of(&event, code), vec!["6.3"; times], "{code}");
        }
        assert!(!cited(&event).contains(&"8.4"));
        let fortified = item(32, 1, json!({ "fortresses": { "edinburgh": ["royalist", 2] } }), "");
        assert_eq!(rules_of(&fortified, "strengthened"), ["6.3"]);
    }

    #[test]
    fn rule_6_4_unrest_is_by_that_rule() {
        let event = item(40, 2, json!({ "zeal": 5, "fortresses": { "london": ["parliament", 2] } }), "6 6");
        for code in ["unrest", "weakened", "zeal_lost"] {
            assert_eq!(rules_of(&event, code), ["6.4"], "{code}");
        }
        assert_eq!((rules_of(&event, "siege_success"), event.fort("london")), (vec!["6.4"; 2], "parliament 1".into()));
        assert!(!cited(&event).contains(&"8.4"));
    }

    #[test]
    fn rule_8_4_the_players_own_siege_is_by_that_rule() {
        let hull = |click: u8| json!({ "armies": { "north": { "area": 4 } }, "fortresses": { "hull": ["royalist", click] } });
        for (click, code) in [(2, "weakened"), (1, "captured")] {
            let mut turn = acting(hull(click), "5");
            turn.play("besiege hull");
            assert_eq!((rules_of(&turn, "roll_won"), rules_of(&turn, code)), (vec!["8.4"], vec!["8.4"]));
        }
    }

    #[test]
    fn rule_6_2_3_clubmen_are_put_down_by_an_army_by_that_rule_and_by_the_player_by_theirs() {
        let clubmen = json!({ "revolts": { "clubmen-1": ["west", 4] }, "armies": { "west": { "area": 4 } } });
        let army = item(12, 2, clubmen, "5");
        assert_eq!((rules_of(&army, "roll_won"), rules_of(&army, "revolt_crushed")), (vec!["6.2.3"], vec!["6.2.3"]));
        let mut player = acting(json!({ "revolts": { "clubmen-1": ["west", 4] } }), "5");
        player.play("besiege clubmen-1");
        assert_eq!((rules_of(&player, "roll_won"), rules_of(&player, "revolt_crushed")), (vec!["8.5"], vec!["8.5"]));
    }

    #[test]
    fn rule_g1_a_natural_1_or_6_is_cited_where_it_decides() {
        // The sum alone would say the opposite of both.
        let mut one = acting(json!({ "drm": { "ireland": 5 } }), "1");
        one.play("politics ireland");
        assert_eq!((rules_of(&one, "roll_lost"), one.track("ireland")), (vec!["G1"], 2));
        let mut six = acting(json!({ "drm": { "ireland": -5 } }), "6");
        six.play("politics ireland");
        assert_eq!((rules_of(&six, "roll_won"), six.track("ireland")), (vec!["G1"], 1));
        let mut plain = acting(json!({}), "6");
        plain.play("politics ireland");
        assert_eq!(rules_of(&plain, "roll_won"), ["8.7"]);
    }

    #[test]
    fn rule_8_7_markers_move_by_the_rule_that_moves_them() {
        let mut roll = acting(json!({}), "6");
        roll.play("politics ireland");
        assert_eq!(rules_of(&roll, "track_up"), ["8.7"]);
        let mut act = acting(json!({ "zeal": 3 }), "");
        act.play("desperate puritanism");
        assert_eq!((rules_of(&act, "track_down"), rules_of(&act, "zeal_gained")), (vec!["8.8"], vec!["8.8"]));
        let mut benefit = fought([V; 6], json!({}), "");
        benefit.play("benefit ireland-track; done");
        assert_eq!(rules_of(&benefit, "track_up").first(), Some(&"7.2"));
        let card = item(28, 3, json!({ "tracks": { "puritanism": 3 } }), "");
        assert_eq!(rules_of(&card, "track_up"), ["6.6"]);
    }

    #[test]
    fn rule_6_5_reactions_move_markers_by_that_rule() {
        let reaction = item(7, 3, json!({ "tracks": { "parliament": 5, "monarchy": 0 } }), "");
        assert_eq!(rules_of(&reaction, "political_reaction"), ["6.5"]);
        assert_eq!((rules_of(&reaction, "track_up")[0], rules_of(&reaction, "track_down")[0]), ("6.5", "6.5"));
    }

    #[test]
    fn rule_6_10_1_zeal_comes_by_blue_text_or_by_an_achievement() {
        let mut blue = item(37, 2, json!({ "zeal": 4 }), "");
        blue.play("choose keep-christmas");
        assert_eq!((rules_of(&blue, "option"), rules_of(&blue, "zeal_gained")), (vec!["6.10.1"], vec!["6.10.1"]));
        let petition = json!({ "zeal": 6, "available": ["9"], "tracks": { "parliament": 0, "monarchy": 3 } });
        let mut bought = acting(petition, "");
        bought.play("purchase 9");
        assert_eq!(rules_of(&bought, "zeal_gained"), ["8.2"]);
    }
}
