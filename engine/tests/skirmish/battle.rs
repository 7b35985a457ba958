//! 5: battles.

use edgehill_engine::game::Node;
use edgehill_engine::reference::Ref;
use serde_json::{Value, json};

use crate::play::{Match, NORTH, SOUTH, faces_in, place};

/// North's blocks at the bridge, the others in its camp, attack south's at the mill, the others in its camp.
fn battle(north: &[u8], south: &[u8], dice: &str) -> Match {
    let at = |blocks: &[u8], space: &str| -> Value {
        blocks
            .iter()
            .map(|block| (block.to_string(), Value::from(space)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    attack(at(north, "bridge"), at(south, "mill"), north, dice)
}

/// North's blocks `who` march from the bridge to the mill.
fn attack(north: Value, south: Value, who: &[u8], dice: &str) -> Match {
    let position = json!({
        "blocks": { "north": north, "south": south },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    });
    let mut battle = Match::acting(position, dice);
    let takes: String = who.iter().map(|block| format!("take north-{block}; ")).collect();
    battle.play(NORTH, &format!("march bridge mill; {takes}go"));
    battle
}

#[test]
fn rule_5_1_a_die_hits_if_it_is_not_above_the_strength_of_its_block() {
    for strength in 1..=4u8 {
        for die in 1..=6 {
            let battle = battle(&[strength], &[1], &format!("{die} 6"));
            let lost = if die <= strength { vec!["lost south 1"] } else { vec![] };
            assert_eq!(battle.public("lost"), lost, "strength {strength}, die {die}");
        }
    }
}

#[test]
fn rule_5_1_all_blocks_in_the_space_are_turned_up_and_roll() {
    let battle = battle(&[2, 4], &[1, 3], "6 6 6 6");
    assert_eq!(battle.public("battle"), ["battle mill north"]);
    assert_eq!(battle.public("rolled"), ["rolled mill 6 6 6 6"]);
    assert_eq!(faces_in(&battle.spectated(), NORTH), ["bridge 2", "bridge 4"], "they went back");
    assert_eq!(faces_in(&battle.spectated(), SOUTH), ["mill 1", "mill 3"]);
    let reveal = battle.published(crate::play::SPECTATOR).iter().find(|seen| seen.code == "battle");
    assert!(!reveal.expect("it was published").form.changes.is_empty(), "the faces come with the event");
}

#[test]
fn rule_5_1_the_attackers_dice_come_first_weakest_first() {
    // Only north's 4 and south's 3 can hit with a 3.
    let battle = battle(&[1, 4], &[2, 3], "3 3 3 3");
    assert_eq!(battle.public("lost"), ["lost south 1", "lost north 1"]);
    assert_eq!(battle.public("rolled"), ["rolled mill 3 3 3 3"]);
    let chance_ref = battle.chance_ref("rolled").expect("the dice are the match's");
    assert_eq!((chance_ref.stream, chance_ref.n), (3, 0));
}

#[test]
fn rule_5_2_both_sides_lose_together() {
    let battle = battle(&[2], &[2], "1 1");
    assert_eq!(battle.public("lost"), ["lost south 1", "lost north 1"], "who is hit has rolled too");
    assert_eq!(battle.public("deserted"), ["deserted mill"]);
    assert_eq!(battle.public("holds"), [""; 0]);
}

#[test]
fn rule_5_2_one_block_a_hit_weakest_first() {
    let one = battle(&[4], &[1, 2, 3], "1 6 6 6");
    assert_eq!(one.blocks(SOUTH), ["lost 1", "mill 2", "mill 3", "south-camp 4"]);
    let two = battle(&[3, 4], &[1, 2, 3], "1 1 6 6 6");
    assert_eq!(two.blocks(SOUTH)[..2], ["lost 1", "lost 2"]);
    let more_than_there_are = battle(&[2, 3, 4], &[1], "1 1 1 6");
    assert_eq!(more_than_there_are.public("lost"), ["lost south 1"]);
    let lost = more_than_there_are.spectated().board.pieces;
    let known: Vec<_> =
        lost.values().filter(|piece| place(piece.at) == "lost").map(|piece| piece.kind).collect();
    assert_eq!(known, [1], "lost blocks lie face up");
}

#[test]
fn rule_5_3_more_blocks_hold_the_field() {
    let battles: [(&[u8], &[u8], &str, &str); 4] = [
        (&[1, 2], &[1], "6 6 6", "north"),
        (&[1], &[1, 2], "6 6 6", "south"),
        (&[3, 4], &[1, 2], "1 6 6 6", "north"),
        (&[3, 4], &[1, 2], "6 6 1 6", "south"),
    ];
    for (north, south, dice, holder) in battles {
        let battle = battle(north, south, dice);
        assert_eq!(battle.public("holds"), [format!("holds {holder} mill")], "{north:?} {south:?} {dice}");
    }
}

#[test]
fn rule_5_3_with_equal_numbers_the_defender_does() {
    for dice in ["6 6 6 6", "1 6 1 6"] {
        let battle = battle(&[2, 3], &[2, 3], dice);
        assert_eq!(battle.public("holds"), ["holds south mill"], "{dice}");
    }
}

#[test]
fn rule_5_4_a_beaten_attacker_goes_back_where_he_came_from() {
    let battle = battle(&[1, 2], &[3, 4], "6 6 6 6");
    assert_eq!(battle.public("retreated"), ["retreated north bridge"]);
    assert_eq!(battle.blocks(NORTH)[..2], ["bridge 1", "bridge 2"]);
    assert_eq!(battle.asked(), Node::Decision(NORTH), "without a question");
}

#[test]
fn rule_5_4_a_beaten_defender_chooses_among_neighbours_without_enemies() {
    let mut battle = battle(&[1, 2], &[1], "6 6 6");
    assert_eq!(battle.asked(), Node::Decision(SOUTH));
    assert_eq!(battle.legal(SOUTH), ["retreat village", "retreat south-camp"]);
    assert_eq!(
        battle.refused(SOUTH, "retreat bridge"),
        ["NOT_A_WAY_OUT 5.4"],
        "the attacker came from there"
    );
    assert_eq!(battle.refused(SOUTH, "retreat heath"), ["NOT_A_WAY_OUT 5.4"], "no road leads there");
    battle.play(SOUTH, "retreat village");
    assert_eq!(battle.public("retreated"), ["retreated south village"]);
    assert_eq!(battle.count(SOUTH, "village"), 1);
    assert_eq!(battle.asked(), Node::Decision(NORTH), "the activation goes on");
}

#[test]
fn rule_5_4_a_single_way_out_is_no_question() {
    let north = json!({ "1": "bridge", "2": "bridge", "3": "village" });
    let battle = attack(north, json!({ "1": "mill" }), &[1, 2], "6 6 6");
    assert_eq!(battle.public("retreated"), ["retreated south south-camp"]);
    assert_eq!(battle.asked(), Node::Decision(NORTH));
}

#[test]
fn rule_5_4_who_has_nowhere_to_go_is_lost() {
    let north = json!({ "1": "bridge", "2": "bridge", "3": "village", "4": "south-camp" });
    let south = json!({ "1": "mill", "2": "heath", "3": "heath", "4": "heath" });
    let battle = attack(north, south, &[1, 2], "6 6 6");
    assert_eq!(battle.public("nowhere"), ["nowhere south"]);
    assert_eq!(battle.blocks(SOUTH)[3], "lost 1");
    let lost = battle.published(crate::play::SPECTATOR).iter().find(|seen| seen.code == "lost");
    assert_eq!(lost.expect("it was published").form.refs[..], [Ref::Seat(SOUTH), Ref::Number(1)]);
}

bodies![
    rule_5_1_a_die_hits_if_it_is_not_above_the_strength_of_its_block,
    rule_5_1_all_blocks_in_the_space_are_turned_up_and_roll,
    rule_5_1_the_attackers_dice_come_first_weakest_first,
    rule_5_2_both_sides_lose_together,
    rule_5_2_one_block_a_hit_weakest_first,
    rule_5_3_more_blocks_hold_the_field,
    rule_5_3_with_equal_numbers_the_defender_does,
    rule_5_4_a_beaten_attacker_goes_back_where_he_came_from,
    rule_5_4_a_beaten_defender_chooses_among_neighbours_without_enemies,
    rule_5_4_a_single_way_out_is_no_question,
    rule_5_4_who_has_nowhere_to_go_is_lost,
];
