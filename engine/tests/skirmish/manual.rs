//! Real dice, entered by a person: what leads to them can be taken back until an outcome is entered.

use edgehill_engine::chance::Outcome;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Node;
use edgehill_engine::reference::Ref;
use serde_json::json;

use crate::bonus::roll;
use crate::interception::near_the_village;
use crate::play::{Match, NORTH, SOUTH};

/// North has marched to the village, and south is asked.
fn asked() -> Match {
    let mut dice = Match::acting_with(near_the_village(), ChanceSource::Manual);
    dice.play(NORTH, "march bridge village; take north-1; go");
    dice
}

#[test]
fn an_attempt_can_be_taken_back_until_the_die_is_entered() {
    let mut dice = asked();
    let before = dice.spectated();
    dice.play(SOUTH, "intercept mill");
    assert_eq!(dice.asked(), Node::Chance);
    assert_eq!(dice.spectated(), before, "nobody else knows of it");
    dice.0.undo(SOUTH, 0).expect("no die was rolled");
    assert_eq!(dice.asked(), Node::Decision(SOUTH));

    dice.play(SOUTH, "intercept heath");
    dice.0.enter(&roll(&[3])).expect("a die is due");
    assert_eq!(dice.public("intercepts"), ["intercepts south heath village"]);
    assert_eq!(dice.public("attempt"), ["attempt 3"]);
    assert_eq!(dice.asked(), Node::Decision(NORTH));
    assert_eq!(dice.undo_refused(SOUTH), "NOTHING_TO_UNDO");
}

#[test]
fn outcomes_that_do_not_fit_are_refused() {
    let mut dice = asked();
    assert_eq!(dice.0.enter(&roll(&[4])).map_err(|refusal| refusal.code()), Err("NO_CHANCE"));
    dice.play(SOUTH, "intercept mill");
    let before = dice.0.save();
    let card = Outcome::Pick(Ref::Card(0));
    for (outcome, why) in [
        (roll(&[0]), "die 0 shows 0: faces are 1 to 6"),
        (roll(&[7]), "die 0 shows 7: faces are 1 to 6"),
        (roll(&[]), "1 dice are rolled here, not 0"),
        (roll(&[4, 4]), "1 dice are rolled here, not 2"),
        (card, "dice are rolled here, nothing is drawn"),
    ] {
        let refusal = dice.0.enter(&outcome).expect_err("it does not fit");
        assert_eq!((refusal.code(), refusal.to_string().as_str()), ("UNFIT_OUTCOME", why));
        assert_eq!(dice.0.save(), before);
    }
    dice.0.enter(&roll(&[4])).expect("now it fits");
    dice.0.enter(&roll(&[6, 6])).expect("the battle's dice");
    assert_eq!(dice.public("holds"), ["holds south village"]);
}

#[test]
fn a_draw_takes_a_card_that_can_come() {
    let mut deal = Match::at("skirmish", json!({ "hands": { "north": ["fife"] } }), ChanceSource::Manual);
    deal.play(NORTH, "card fife; done").play(NORTH, "done").play(SOUTH, "done");
    assert_eq!(deal.asked(), Node::Chance);
    for (outcome, code) in [
        (Outcome::Pick(Ref::Card(0)), "UNFIT_OUTCOME"),
        (Outcome::Pick(Ref::Card(6)), "UNFIT_OUTCOME"),
        (roll(&[1]), "UNFIT_OUTCOME"),
    ] {
        assert_eq!(deal.0.enter(&outcome).map_err(|refusal| refusal.code()), Err(code), "{outcome:?}");
    }
    deal.0.enter(&Outcome::Pick(Ref::Card(1))).expect("the drum is still in the deck");
    assert_eq!(deal.hand(NORTH), ["drum"]);
}

#[test]
fn scouting_can_be_taken_back_until_the_back_is_turned_up() {
    let position = json!({
        "blocks": { "north": { "1": "bridge" }, "south": { "4": "mill" } },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    });
    let mut scout = Match::acting_with(position, ChanceSource::Manual);
    scout.play(NORTH, "march bridge mill; take north-1; go");
    scout.0.enter(&roll(&[6, 6])).expect("two dice are due");
    scout.play(NORTH, "done");
    scout.0.enter(&Outcome::Pick(Ref::Card(0))).expect("a card is due");
    scout.play(SOUTH, "scout north-camp");
    scout.0.undo(SOUTH, 0).expect("no back was turned up");
    assert_eq!(scout.hand(SOUTH), ["fife"]);
    scout.play(SOUTH, "scout north-camp");
    scout.0.enter(&Outcome::Pick(Ref::Piece(0))).expect_err("north's 1 is at the bridge");
    scout.0.enter(&Outcome::Pick(Ref::Piece(3))).expect("north's 4 is in its camp");
    assert_eq!(scout.undo_refused(SOUTH), "NOTHING_TO_UNDO");
}
