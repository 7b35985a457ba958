//! The actions played for a seat whose clock has run out.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::seat::Seat;
use edgehill_engine::table::ApplyMode;
use serde_json::json;

use crate::interception::near_the_village;
use crate::play::{Match, NORTH, SOUTH, game};

/// Plays for `seat`, whose draft stays, and tells what.
fn default_action(skirmish: &mut Match, seat: Seat) -> Vec<String> {
    let draft = skirmish.0.draft(seat).to_vec();
    let default_action = game().default_action(skirmish.0.released(), seat, &draft);
    assert_eq!(default_action.keep, draft.len(), "what was begun is not thrown away");
    skirmish.0.apply(seat, &default_action.actions, ApplyMode::Atomic).expect("it is legal, as one list");
    assert_eq!(skirmish.0.chance_source_error(), None);
    default_action.actions.iter().map(|&action| game().catalogue().actions.notation(action)).collect()
}

#[test]
fn a_secret_choice_is_completed_and_committed() {
    let hands = json!({ "north": ["fife", "drum"], "south": ["colours", "waggon"] });
    let mut choice = Match::at("skirmish", json!({ "hands": hands }), ChanceSource::script(""));
    choice.play(SOUTH, "card waggon");
    assert_eq!(default_action(&mut choice, NORTH), ["card fife", "done"]);
    assert_eq!(default_action(&mut choice, SOUTH), ["done"]);
    assert_eq!(choice.public("shown"), ["shown north fife", "shown south waggon"]);
}

#[test]
fn an_activation_ends_and_a_march_that_was_begun_is_made() {
    let mut rest = Match::acting(near_the_village(), "");
    assert_eq!(default_action(&mut rest, NORTH), ["done"]);
    assert_eq!(rest.asked(), Node::Decision(SOUTH));

    let mut begun = Match::acting(near_the_village(), "");
    begun.play(NORTH, "march bridge north-camp; take north-1");
    assert_eq!(default_action(&mut begun, NORTH), ["take north-2", "go", "done"]);
    assert_eq!(begun.count(NORTH, "north-camp"), 3);
}

#[test]
fn a_window_is_passed_and_a_bonus_card_is_kept() {
    let mut away = Match::acting(near_the_village(), "4 6 6 6 6,fife, drum,matchlock");
    away.play(NORTH, "march bridge village; take north-1; go");
    assert_eq!(default_action(&mut away, SOUTH), ["pass"]);
    away.play(NORTH, "march bridge village; take north-2; go").play(SOUTH, "intercept heath");
    away.play(NORTH, "done");
    assert_eq!(default_action(&mut away, SOUTH), ["keep", "done"], "its own activation follows at once");
    assert_eq!(away.hand(SOUTH), ["fife", "matchlock"]);
}

#[test]
fn a_beaten_side_goes_the_first_way_out() {
    let position = json!({
        "blocks": { "north": { "1": "bridge", "2": "bridge" }, "south": { "1": "mill" } },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    });
    let mut beaten = Match::acting(position, "6 6 6");
    beaten.play(NORTH, "march bridge mill; take north-1; take north-2; go");
    assert_eq!(default_action(&mut beaten, SOUTH), ["retreat village"]);
    assert_eq!(beaten.asked(), Node::Decision(NORTH));
}

#[test]
fn a_secret_choice_that_only_begins_then_is_left_to_the_next_time() {
    // The deck is used up, so that nothing is drawn between the bonus card and the next choice.
    let hands = json!({
        "north": ["matchlock", "drum", "colours", "partisan", "fife"],
        "south": ["waggon", "sconce", "halberd", "lantern"],
    });
    let position =
        json!({ "blocks": { "north": { "1": "bridge" }, "south": { "1": "mill" } }, "hands": hands });
    let mut away = Match::at("skirmish", position, ChanceSource::script("6 6,spur"));
    away.play(NORTH, "card matchlock; done").play(SOUTH, "card waggon; done").play(NORTH, "done");
    away.play(SOUTH, "march mill bridge; take south-1; go").play(SOUTH, "done");
    assert_eq!(default_action(&mut away, NORTH), ["keep"]);
    assert_eq!(away.view(NORTH).draft, [], "north has not chosen a card");
}
