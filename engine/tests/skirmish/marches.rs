//! 3: marches.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Node;
use serde_json::{Value, json};

use crate::play::{Match, NORTH, SOUTH};

/// North acts first, with two marches, and no enemy is near.
fn north_acts() -> Value {
    json!({
        "blocks": { "north": { "1": "bridge", "2": "bridge", "3": "bridge", "4": "north-camp" } },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    })
}

#[test]
fn rule_3_1_a_march_goes_along_one_road_from_a_space_with_blocks() {
    let mut march = Match::acting(north_acts(), "");
    let roads =
        ["north-camp bridge", "north-camp ford", "bridge north-camp", "bridge village", "bridge mill"];
    assert_eq!(march.choices(NORTH, "march"), roads);
    assert_eq!(march.refused(NORTH, "march ford village"), ["NOBODY_TO_MARCH 3.1"]);
    assert_eq!(march.refused(NORTH, "march south-camp mill"), ["NOBODY_TO_MARCH 3.1"], "those are enemies");
    march.play(NORTH, "march bridge north-camp; take north-2; go");
    assert_eq!(march.blocks(NORTH), ["bridge 1", "bridge 3", "north-camp 2", "north-camp 4"]);
}

#[test]
fn rule_3_1_a_card_gives_so_many_marches() {
    for (card, marches) in [("trumpet", 1), ("partisan", 2), ("fife", 3)] {
        let mut position = north_acts();
        position["hands"] = json!({ "north": [card] });
        let mut march = Match::acting(position, "");
        for block in 1..=marches {
            march.play(NORTH, &format!("march bridge village; take north-{block}; go"));
        }
        assert_eq!(march.legal(NORTH), ["done"], "{card}");
        assert_eq!(march.refused(NORTH, "march north-camp ford"), ["NO_MARCHES_LEFT 3.1"]);
        let both = ["NO_MARCHES_LEFT 3.1", "NOBODY_TO_MARCH 3.1"];
        assert_eq!(march.refused(NORTH, "march ford heath"), both, "every ground is told");
        march.play(NORTH, "done");
    }
}

#[test]
fn rule_3_1_a_block_marches_once_a_turn() {
    let mut march = Match::acting(north_acts(), "fife,drum");
    march.play(NORTH, "march bridge north-camp; take north-2; go");
    march.play(NORTH, "march north-camp ford");
    assert_eq!(march.refused(NORTH, "take north-2"), ["HAS_MARCHED 3.1"]);
    assert_eq!(march.legal(NORTH), ["take north-4"]);
    march.play(NORTH, "take north-4; go; done").play(SOUTH, "done");

    march.play(NORTH, "card fife; done").play(SOUTH, "card drum; done").play(SOUTH, "done");
    march.play(NORTH, "march north-camp ford; take north-2; go");
}

#[test]
fn rule_3_1_a_space_whose_blocks_have_all_marched_is_no_start() {
    let mut march = Match::acting(north_acts(), "");
    march.play(NORTH, "march north-camp ford; take north-4; go");
    assert_eq!(march.refused(NORTH, "march ford village"), ["NOBODY_TO_MARCH 3.1"]);
}

#[test]
fn rule_3_2_at_least_one_block_of_the_space_marches_and_the_others_stay() {
    let mut march = Match::acting(north_acts(), "");
    march.play(NORTH, "march bridge village");
    assert_eq!(march.legal(NORTH), ["take north-1", "take north-2", "take north-3"]);
    assert_eq!(march.refused(NORTH, "go"), ["NOBODY_TAKEN 3.2"]);
    assert_eq!(march.refused(NORTH, "take north-4"), ["NOT_HERE 3.2"]);
    assert_eq!(march.refused(NORTH, "take south-1"), ["NOT_HERE 3.2"]);
    march.play(NORTH, "take north-1; take north-3; go");
    assert_eq!(march.blocks(NORTH), ["bridge 2", "north-camp 4", "village 1", "village 3"]);
    assert_eq!(march.public("marched"), [""; 0], "what can be taken back is not published yet");
    march.play(NORTH, "done");
    assert_eq!(march.public("marched"), ["marched north bridge village 2"], "how many, not who");
}

#[test]
fn rule_3_2_blocks_are_named_weakest_first() {
    let mut march = Match::acting(north_acts(), "");
    march.play(NORTH, "march bridge village; take north-2");
    assert_eq!(march.legal(NORTH), ["take north-3", "go"]);
    assert_eq!(march.refused(NORTH, "take north-1"), ["OUT_OF_ORDER 3.2"]);
    assert_eq!(march.refused(NORTH, "take north-2"), ["OUT_OF_ORDER 3.2"], "nobody is named twice");
}

#[test]
fn actions_of_other_procedures_have_no_meaning_in_a_march() {
    let mut march = Match::acting(north_acts(), "");
    march.play(NORTH, "march bridge village");
    for other in ["done", "pass", "keep", "march bridge village", "scout mill", "retreat bridge"] {
        assert_eq!(march.refused(NORTH, other), ["NOT_NOW contract"], "{other}");
    }
    assert_eq!(march.refused(SOUTH, "take south-1"), ["NOT_YOUR_TURN contract"]);
}

#[test]
fn a_chance_event_or_the_end_asks_no_seat() {
    let mut deal = Match::open(crate::play::setup("skirmish"), ChanceSource::Manual);
    assert_eq!(deal.asked(), Node::Chance);
    assert_eq!(deal.refused(NORTH, "card fife"), ["CHANCE_PENDING contract"]);
    let mut night = Match::acting(json!({ "turn": 4 }), "");
    night.play(NORTH, "done").play(SOUTH, "done");
    assert_eq!(night.asked(), Node::Over);
    assert_eq!(night.refused(NORTH, "done"), ["MATCH_FINISHED contract"]);
}

bodies![
    rule_3_1_a_march_goes_along_one_road_from_a_space_with_blocks,
    rule_3_1_a_card_gives_so_many_marches,
    rule_3_1_a_block_marches_once_a_turn,
    rule_3_1_a_space_whose_blocks_have_all_marched_is_no_start,
    rule_3_2_at_least_one_block_of_the_space_marches_and_the_others_stay,
    rule_3_2_blocks_are_named_weakest_first,
];
