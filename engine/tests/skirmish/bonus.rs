//! 6: bonus cards and scouting.

use std::collections::BTreeMap;

use edgehill_engine::chance::Outcome;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use serde_json::{Value, json};

use crate::play::{Match, NORTH, SOUTH, cards_in, faces_in, game, id, pile_size};

/// North acts first with three marches; its 1 at the bridge is next to south's 4 at the mill, its 4 at the ford next to
/// south's 1 on the heath.
fn two_battles() -> Value {
    json!({
        "blocks": {
            "north": { "1": "bridge", "4": "ford" },
            "south": { "1": "heath", "4": "mill" },
        },
        "hands": { "north": ["sconce"], "south": ["fife"] },
    })
}

/// South holds the mill, then north the heath.
const BATTLES: &str = "6 6, 1 6";

fn fight_both(script: &str) -> Match {
    let mut bonus = Match::acting(two_battles(), &format!("{BATTLES},{script}"));
    bonus
        .play(NORTH, "march bridge mill; take north-1; go")
        .play(NORTH, "march ford heath; take north-4; go");
    assert_eq!(bonus.public("holds"), ["holds south mill", "holds north heath"]);
    bonus
}

/// South holds the mill, and draws the trumpet.
fn south_draws(script: &str) -> Match {
    let mut bonus = Match::acting(two_battles(), &format!("6 6,trumpet{script}"));
    bonus.play(NORTH, "march bridge mill; take north-1; go").play(NORTH, "done");
    bonus
}

#[test]
fn rule_6_1_who_holds_a_field_draws_after_the_activation_in_order_of_the_battles() {
    let mut bonus = fight_both("drum,colours");
    assert_eq!(bonus.public("bonus_drawn"), [""; 0], "the activation is not over");
    let owed: Vec<_> = bonus.spectated().turn_state.entitlements.iter().map(|owed| owed.seat).collect();
    assert_eq!(owed, [SOUTH, NORTH], "everybody sees what is owed, in order");

    bonus.play(NORTH, "done");
    assert_eq!(bonus.public("bonus_drawn"), ["bonus_drawn south dawn-back"]);
    assert_eq!(bonus.hand(SOUTH), ["drum"]);
    assert_eq!(bonus.asked(), Node::Decision(SOUTH));
    bonus.play(SOUTH, "keep");
    assert_eq!(bonus.public("bonus_drawn")[1..], ["bonus_drawn north dawn-back"]);
    assert_eq!(bonus.asked(), Node::Decision(NORTH));
    bonus.play(NORTH, "keep");
    assert_eq!(bonus.spectated().turn_state.entitlements, []);
    assert_eq!(bonus.asked(), Node::Decision(SOUTH), "now south's activation");
    assert_eq!(bonus.legal(SOUTH).last().map(String::as_str), Some("done"));
}

#[test]
fn rule_6_1_there_is_no_bonus_without_cards_in_the_deck() {
    let mut position = two_battles();
    position["hands"] = json!({
        "north": ["fife", "drum", "colours", "partisan", "matchlock"],
        "south": ["waggon", "sconce", "halberd", "lantern", "spur"],
    });
    let mut bonus = Match::at("skirmish", position, ChanceSource::script("6 6"));
    bonus.play(NORTH, "card fife; done").play(SOUTH, "card waggon; done");
    bonus.play(NORTH, "march bridge mill; take north-1; go").play(NORTH, "done");
    assert_eq!(bonus.public("no_bonus"), ["no_bonus south"]);
    assert_eq!(bonus.asked(), Node::Decision(SOUTH));
}

#[test]
fn rule_6_1_only_the_seat_learns_which_card_it_is() {
    let mut bonus = fight_both("drum,colours");
    bonus.play(NORTH, "done").play(SOUTH, "keep");
    let drawn = |observer| -> Vec<String> {
        bonus.facts(observer).into_iter().filter(|event| event.starts_with("bonus_drawn")).collect()
    };
    let (south, north) = ("bonus_drawn south", "bonus_drawn north");
    let back = "dawn-back";
    assert_eq!(drawn(Observer::Seat(SOUTH)), [format!("{south} drum"), format!("{north} {back}")]);
    assert_eq!(drawn(Observer::Seat(NORTH)), [format!("{south} {back}"), format!("{north} colours")]);
    bonus.play(NORTH, "keep");
}

#[test]
fn rule_6_2_the_bonus_card_is_kept_or_spent() {
    let mut kept = south_draws("");
    assert_eq!(kept.choices(SOUTH, "scout"), ["north-camp", "ford"], "the block at the bridge is known");
    assert_eq!(kept.refused(SOUTH, "scout bridge"), ["NO_BACKS 6.2"]);
    assert_eq!(kept.refused(SOUTH, "scout heath"), ["NO_BACKS 6.2"], "those are one's own");
    kept.play(SOUTH, "keep");
    assert_eq!(kept.hand(SOUTH), ["trumpet"]);

    let mut spent = south_draws(",north-3");
    spent.play(SOUTH, "scout north-camp");
    assert_eq!(spent.hand(SOUTH), [""; 0]);
    assert_eq!(cards_in(&spent.spectated(), "discard"), ["trumpet"], "what it is spent for lies open");
    assert_eq!(spent.public("scouts"), ["scouts south north-camp trumpet"]);
    assert_eq!(spent.public("scouted"), ["scouted strength-3 north-camp south"]);
    for view in [spent.view(NORTH), spent.spectated()] {
        assert_eq!(pile_size(&view, "south-hand"), 0);
    }
    assert_eq!(faces_in(&spent.spectated(), NORTH), ["bridge 1", "north-camp 3"], "everybody knows the face");
}

#[test]
fn rule_6_2_which_back_of_the_group_is_uniform_chance() {
    let mut scout = Match::acting_with(two_battles(), ChanceSource::Manual);
    scout.play(NORTH, "march bridge mill; take north-1; go");
    scout.0.enter(&roll(&[6, 6])).expect("two dice are due");
    scout.play(NORTH, "done");
    let trumpet = game().catalogue().cards.iter().position(|card| card.id == "trumpet").expect("a card");
    let trumpet = Ref::Card(trumpet as u16);
    scout.0.enter(&Outcome::Pick(trumpet)).expect("a card is due");
    scout.play(SOUTH, "scout north-camp");
    assert_eq!(scout.asked(), Node::Chance);
    let options = game().chance(scout.0.state()).options();
    let weights: BTreeMap<String, u64> =
        options.into_iter().map(|(back, weight)| (id(back), weight)).collect();
    let backs = ["north-2", "north-3"].map(|back| (back.to_owned(), 1));
    assert_eq!(weights, BTreeMap::from(backs), "each back of the space, with equal weight");
}

pub(crate) fn roll(faces: &[u8]) -> Outcome {
    Outcome::Roll(faces.iter().copied().collect())
}

bodies![
    rule_6_1_who_holds_a_field_draws_after_the_activation_in_order_of_the_battles,
    rule_6_1_there_is_no_bonus_without_cards_in_the_deck,
    rule_6_1_only_the_seat_learns_which_card_it_is,
    rule_6_2_the_bonus_card_is_kept_or_spent,
    rule_6_2_which_back_of_the_group_is_uniform_chance,
];
