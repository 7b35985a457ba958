//! 2: the deal, the choice, the order.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Node;
use edgehill_engine::seat::SeatSet;
use serde_json::json;

use crate::play::{Match, NORTH, SOUTH, cards_in, pile_size};

/// Both seats choose their first card, and nobody marches.
pub(crate) fn quiet_turn(skirmish: &mut Match) {
    for seat in [NORTH, SOUTH] {
        if let Some(card) = skirmish.legal(seat).first().cloned() {
            skirmish.play(seat, &format!("{card}; done"));
        }
    }
    while let Node::Decision(seat) = skirmish.asked() {
        skirmish.play(seat, "done");
    }
}

#[test]
fn rule_2_2_two_cards_each_then_one_each_turn_the_first_seat_first() {
    let mut deal = Match::start("skirmish", "trumpet,fife,drum,colours,partisan,waggon");
    assert_eq!(deal.hand(NORTH), ["drum", "trumpet"]);
    assert_eq!(deal.hand(SOUTH), ["fife", "colours"]);
    let back = "dawn-back";
    let first = ["north", "south", "north", "south"].map(|seat| format!("dealt {seat} {back}"));
    assert_eq!(deal.public("dealt"), first);

    quiet_turn(&mut deal);
    assert_eq!(deal.hand(NORTH), ["partisan", "trumpet"], "a card was played, and one was dealt");
    assert_eq!(deal.hand(SOUTH), ["colours", "waggon"]);
    assert_eq!(deal.public("dealt")[4..], ["dealt north dawn-back", "dealt south dusk-back"]);
}

#[test]
fn rule_2_2_nothing_is_dealt_from_a_deck_that_is_used_up() {
    let hands = json!({
        "north": ["fife", "drum", "colours", "partisan", "matchlock"],
        "south": ["waggon", "sconce", "halberd", "lantern"],
    });
    let mut deal = Match::at("skirmish", json!({ "hands": hands }), ChanceSource::script("spur"));
    quiet_turn(&mut deal);
    assert_eq!(deal.public("dealt"), ["dealt north dusk-back"], "the last card is the first seat's");
    assert_eq!([deal.hand(NORTH).len(), deal.hand(SOUTH).len()], [5, 3]);
    quiet_turn(&mut deal);
    assert_eq!(deal.public("dealt").len(), 1);
}

#[test]
fn rule_2_3_both_choose_one_card_of_their_hand_and_show_them_together() {
    let hands = json!({ "north": ["fife", "drum"], "south": ["colours", "waggon"] });
    let mut choice = Match::at("skirmish", json!({ "hands": hands }), ChanceSource::script(""));
    assert_eq!(choice.asked(), Node::Sealed(SeatSet::first(2)));
    assert_eq!(choice.legal(NORTH), ["card fife", "card drum"]);
    assert_eq!(choice.refused(NORTH, "done"), ["NO_CARD_PICKED 2.3"]);
    assert_eq!(choice.refused(NORTH, "card waggon"), ["NOT_IN_HAND 2.3"], "it is in the other hand");
    assert_eq!(choice.refused(NORTH, "card spur"), ["NOT_IN_HAND 2.3"], "it is in no hand");

    choice.play(NORTH, "card fife");
    assert_eq!(choice.legal(NORTH), ["done"]);
    assert_eq!(choice.refused(NORTH, "card drum"), ["CARD_PICKED 2.3"]);
    assert_eq!(choice.refused(NORTH, "card spur"), ["CARD_PICKED 2.3", "NOT_IN_HAND 2.3"]);

    choice.play(NORTH, "done").play(SOUTH, "card waggon; done");
    assert_eq!(choice.public("shown"), ["shown north fife", "shown south waggon"]);
    assert_eq!(cards_in(&choice.spectated(), "north-shown"), ["fife"]);
    assert_eq!(choice.hand(NORTH), ["drum"], "a card that is shown has left the hand");
    assert_eq!(pile_size(&choice.spectated(), "south-hand"), 1);
}

#[test]
fn rule_2_3_a_seat_without_cards_is_not_asked() {
    let mut choice =
        Match::at("skirmish", json!({ "hands": { "south": ["waggon"] } }), ChanceSource::script(""));
    assert_eq!(choice.asked(), Node::Sealed(SeatSet::EMPTY.with(SOUTH)));
    assert_eq!(choice.legal(NORTH), [""; 0]);
    assert_eq!(choice.refused(NORTH, "card waggon"), ["NOT_YOUR_TURN contract"]);
    choice.play(SOUTH, "card waggon; done");
    assert_eq!(choice.public("shown"), ["shown south waggon"]);

    let nobody = Match::at("skirmish", json!({}), ChanceSource::script(""));
    assert_eq!(nobody.asked(), Node::Decision(NORTH), "without any card the turn goes on at once");
}

#[test]
fn rule_2_4_the_higher_number_acts_first() {
    for (north, south, first) in
        [("fife", "drum", SOUTH), ("drum", "fife", NORTH), ("waggon", "forlorn", SOUTH)]
    {
        let hands = json!({ "north": [north], "south": [south] });
        let mut order = Match::acting(json!({ "hands": hands }), "");
        assert_eq!(order.asked(), Node::Decision(first), "{north} against {south}");
        order.play(first, "done");
        assert_eq!(order.asked(), Node::Decision(first.other()));
    }
}

#[test]
fn rule_2_4_a_seat_without_a_card_acts_last_with_one_march() {
    let position = json!({ "hands": { "south": ["waggon"] } });
    let mut order = Match::acting(position, "");
    assert_eq!(order.asked(), Node::Decision(SOUTH), "the lowest card comes before none");
    order.play(SOUTH, "done").play(NORTH, "march north-camp ford; take north-1; go");
    assert_eq!(order.legal(NORTH), ["done"], "one march, and it is used up");
}

#[test]
fn rule_2_4_where_neither_has_a_card_the_first_seat_acts_first() {
    let mut order = Match::acting(json!({}), "");
    assert_eq!(order.asked(), Node::Decision(NORTH));
    order.play(NORTH, "march north-camp ford; take north-1; go; done");
    assert_eq!(order.asked(), Node::Decision(SOUTH));
}

bodies![
    rule_2_2_two_cards_each_then_one_each_turn_the_first_seat_first,
    rule_2_2_nothing_is_dealt_from_a_deck_that_is_used_up,
    rule_2_3_both_choose_one_card_of_their_hand_and_show_them_together,
    rule_2_3_a_seat_without_cards_is_not_asked,
    rule_2_4_the_higher_number_acts_first,
    rule_2_4_a_seat_without_a_card_acts_last_with_one_march,
];
