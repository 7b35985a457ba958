//! 4: interception.

use edgehill_engine::game::Node;
use serde_json::{Value, json};

use crate::play::{Match, NORTH, SOUTH, faces_in};

/// North acts first, with two marches; south has one block at the mill and two on the heath.
pub(crate) fn near_the_village() -> Value {
    json!({
        "blocks": {
            "north": { "1": "bridge", "2": "bridge", "3": "ford", "4": "north-camp" },
            "south": { "1": "mill", "2": "heath", "3": "heath", "4": "south-camp" },
        },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    })
}

#[test]
fn rule_4_1_a_neighbouring_stack_may_meet_who_enters_an_empty_space() {
    let mut march = Match::acting(near_the_village(), "");
    march.play(NORTH, "march bridge village; take north-1; go");
    assert_eq!(march.asked(), Node::Decision(SOUTH));
    assert_eq!(march.legal(SOUTH), ["intercept mill", "intercept heath", "pass"]);
    assert_eq!(march.refused(SOUTH, "intercept south-camp"), ["NO_STACK 4.1"], "no road leads there");
    assert_eq!(march.refused(SOUTH, "intercept ford"), ["NO_STACK 4.1"], "those are enemies");
    march.play(SOUTH, "pass");
    assert_eq!(march.asked(), Node::Decision(NORTH));
    assert_eq!(march.count(NORTH, "village"), 1);
}

#[test]
fn rule_4_1_nobody_is_asked_where_no_enemy_is_near_or_where_there_is_a_battle() {
    let mut march = Match::acting(near_the_village(), "6 6 6,fife");
    march.play(NORTH, "march bridge north-camp; take north-1; go");
    assert_eq!(march.asked(), Node::Decision(NORTH), "no enemy is next to the camp");
    march.play(NORTH, "march ford heath; take north-3; go");
    assert_eq!(march.public("battle"), ["battle heath north"]);
    assert_eq!(march.public("intercepts"), [""; 0]);
    assert_eq!(march.asked(), Node::Decision(NORTH));
    march.play(NORTH, "done").play(SOUTH, "keep");
    assert_eq!(march.asked(), Node::Decision(SOUTH));
}

#[test]
fn rule_4_1_one_attempt_a_march_and_a_new_one_for_the_next_march() {
    let mut march = Match::acting(near_the_village(), "3 3");
    march.play(NORTH, "march bridge village; take north-1; go").play(SOUTH, "intercept mill");
    assert_eq!(march.asked(), Node::Decision(NORTH), "it failed, and the other stack is not asked");
    march.play(NORTH, "march bridge village; take north-2; go");
    assert_eq!(march.legal(SOUTH), ["intercept mill", "intercept heath", "pass"]);
    march.play(SOUTH, "intercept heath");
    assert_eq!(march.count(SOUTH, "heath"), 2);
}

#[test]
fn rule_4_2_an_attempt_succeeds_on_4_or_more() {
    for die in 1..=6 {
        let dice = if die < 4 { die.to_string() } else { format!("{die} 6 6") };
        let mut march = Match::acting(near_the_village(), &dice);
        march.play(NORTH, "march bridge village; take north-1; go").play(SOUTH, "intercept mill");
        assert_eq!(march.public("attempt"), [format!("attempt {die}")]);
        let battle = if die < 4 { vec![] } else { vec!["battle village north"] };
        assert_eq!(march.public("battle"), battle, "with a {die}");
        let chance_ref = march.chance_ref("attempt").expect("the die is one of the match's");
        assert_eq!((chance_ref.stream, chance_ref.n), (3, 0));
    }
}

#[test]
fn rule_4_2_the_whole_stack_comes_and_defends() {
    // North's block of strength 1 misses; of the stack of 2 and 3, only 3 hits.
    let mut march = Match::acting(near_the_village(), "4 6 6 3");
    march.play(NORTH, "march bridge village; take north-1; go").play(SOUTH, "intercept heath");
    assert_eq!(march.public("rolled"), ["rolled village 6 6 3"], "the marcher's die comes first");
    assert_eq!([march.count(SOUTH, "village"), march.count(SOUTH, "heath")], [2, 0]);
    assert_eq!(faces_in(&march.spectated(), SOUTH), ["village 2", "village 3"]);
    assert_eq!(march.public("holds"), ["holds south village"]);
    assert_eq!(march.public("lost"), ["lost north 1"]);
}

#[test]
fn rule_4_2_who_was_met_and_beaten_goes_back_where_he_came_from() {
    let mut march = Match::acting(near_the_village(), "4 6 6");
    march.play(NORTH, "march bridge village; take north-1; go").play(SOUTH, "intercept mill");
    assert_eq!(march.public("holds"), ["holds south village"]);
    assert_eq!(march.public("retreated"), ["retreated north bridge"]);
}

bodies![
    rule_4_1_a_neighbouring_stack_may_meet_who_enters_an_empty_space,
    rule_4_1_nobody_is_asked_where_no_enemy_is_near_or_where_there_is_a_battle,
    rule_4_1_one_attempt_a_march_and_a_new_one_for_the_next_march,
    rule_4_2_an_attempt_succeeds_on_4_or_more,
    rule_4_2_the_whole_stack_comes_and_defends,
    rule_4_2_who_was_met_and_beaten_goes_back_where_he_came_from,
];
