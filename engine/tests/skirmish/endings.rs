//! 8: how a skirmish ends.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{MatchResult, Node};
use serde_json::{Value, json};

use crate::play::{Match, NORTH, SOUTH};

fn ended(skirmish: &Match, code: &str, rule: &str, returns: &[i32]) {
    let Some(result) = skirmish.result() else { panic!("it should be over") };
    let MatchResult { returns: got, code: name, rule: ground, .. } = result;
    assert_eq!((name, ground.id(), &got[..]), (code, rule, returns));
    assert_eq!(skirmish.asked(), Node::Over);
    assert!(skirmish.legal(NORTH).is_empty() && skirmish.legal(SOUTH).is_empty());
    assert_eq!(skirmish.spectated().turn_state.entitlements, [], "nothing is owed any more");
}

fn position(north: Value, south: Value) -> Value {
    json!({
        "blocks": { "north": north, "south": south },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    })
}

#[test]
fn rule_8_1_who_stands_in_the_enemys_camp_at_the_end_of_his_activation_wins() {
    let south = json!({ "1": "heath", "2": "heath", "3": "heath", "4": "heath" });
    let mut camp = Match::acting(position(json!({ "4": "mill" }), south), "");
    camp.play(NORTH, "march mill south-camp; take north-4; go").play(SOUTH, "pass");
    assert_eq!(camp.result(), None, "the activation is not over");
    camp.play(NORTH, "done");
    ended(&camp, "camp", "8.1", &[1, -1]);
}

#[test]
fn rule_8_1_the_own_camp_and_the_others_activation_decide_nothing() {
    let south = json!({ "1": "heath", "2": "heath", "3": "heath", "4": "heath" });
    let mut in_turn = position(json!({ "4": "south-camp" }), south);
    in_turn["hands"] = json!({ "north": ["colours"], "south": ["partisan"] });
    let mut camp = Match::acting(in_turn, "");
    camp.play(SOUTH, "done");
    assert_eq!(camp.asked(), Node::Decision(NORTH), "it is north's own activation that counts");
    camp.play(NORTH, "done");
    ended(&camp, "camp", "8.1", &[1, -1]);
}

#[test]
fn rule_8_2_who_has_no_block_left_loses() {
    let south = json!({ "1": "mill", "2": "lost", "3": "lost", "4": "lost" });
    let mut last = Match::acting(position(json!({ "4": "bridge" }), south), "1 6");
    last.play(NORTH, "march bridge mill; take north-4; go");
    ended(&last, "last_block", "8.2", &[1, -1]);
}

#[test]
fn rule_8_2_if_both_have_none_nobody_wins() {
    let one = |space: &str| json!({ "1": space, "2": "lost", "3": "lost", "4": "lost" });
    let mut last = Match::acting(position(one("bridge"), one("mill")), "1 1");
    last.play(NORTH, "march bridge mill; take north-1; go");
    ended(&last, "last_block", "8.2", &[0, 0]);
}

#[test]
fn rule_8_2_the_last_block_may_be_lost_for_want_of_a_way_out() {
    let north = json!({ "1": "bridge", "2": "bridge", "3": "village", "4": "south-camp" });
    let south = json!({ "1": "mill", "2": "lost", "3": "lost", "4": "lost" });
    let mut last = Match::acting(position(north, south), "6 6 6");
    last.play(NORTH, "march bridge mill; take north-1; take north-2; go");
    assert_eq!(last.public("nowhere"), ["nowhere south"]);
    ended(&last, "last_block", "8.2", &[1, -1]);
}

#[test]
fn rule_8_3_after_the_last_turn_more_blocks_win() {
    for (north, south, returns) in [(1, 2, [1, -1]), (2, 1, [-1, 1]), (2, 2, [0, 0])] {
        let lost = |count: usize| (1..=count).map(|block| (block.to_string(), Value::from("lost"))).collect();
        let blocks = json!({ "north": Value::Object(lost(north)), "south": Value::Object(lost(south)) });
        let mut night = Match::acting(json!({ "turn": 4, "blocks": blocks }), "");
        night.play(NORTH, "done");
        assert_eq!(night.result(), None);
        night.play(SOUTH, "done");
        ended(&night, "nightfall", "8.3", &returns);
    }
}

#[test]
fn rule_8_3_night_falls_after_the_fourth_turn_only() {
    let mut night = Match::acting(json!({ "turn": 3, "hands": { "north": ["fife"] } }), "drum,colours");
    night.play(NORTH, "done").play(SOUTH, "done");
    assert_eq!(night.result(), None);
    assert_eq!(night.public("turn_begins"), ["turn_begins 4"]);
}

#[test]
fn rule_8_3_in_the_drill_nightfall_is_a_defeat() {
    let mut night = Match::at("drill", json!({ "turn": 4 }), ChanceSource::script(""));
    night.play(NORTH, "done");
    let result = night.result().expect("it is over");
    assert_eq!((result.code, result.returns), ("nightfall", vec![-1]));
}

bodies![
    rule_8_1_who_stands_in_the_enemys_camp_at_the_end_of_his_activation_wins,
    rule_8_1_the_own_camp_and_the_others_activation_decide_nothing,
    rule_8_2_who_has_no_block_left_loses,
    rule_8_2_if_both_have_none_nobody_wins,
    rule_8_2_the_last_block_may_be_lost_for_want_of_a_way_out,
    rule_8_3_after_the_last_turn_more_blocks_win,
    rule_8_3_night_falls_after_the_fourth_turn_only,
    rule_8_3_in_the_drill_nightfall_is_a_defeat,
];
