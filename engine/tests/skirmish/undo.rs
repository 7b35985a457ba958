//! The reach of an undo of one's own actions, and of a list.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::{ApplyMode, Refusal};
use serde_json::{Value, json};

use crate::interception::near_the_village;
use crate::play::{Match, NORTH, SOUTH, SPECTATOR, action};

/// North acts first, with two marches, and only south's 1 at the mill is near.
fn acting(script: &str) -> Match {
    Match::acting(position(), script)
}

fn position() -> Value {
    json!({
        "blocks": { "north": { "1": "bridge", "2": "bridge" }, "south": { "1": "mill" } },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    })
}

#[test]
fn a_march_can_be_taken_back_before_done() {
    let mut march = acting("");
    let before = (march.0.save(), march.view(NORTH));
    march.play(NORTH, "march bridge north-camp; take north-1; go").play(NORTH, "march north-camp ford");
    let spectated = march.spectated();
    march.0.undo(NORTH, 3).expect("the last action is one's own");
    assert_eq!(march.blocks(NORTH)[1..], ["north-camp 1", "north-camp 3", "north-camp 4"]);
    march.0.undo(NORTH, 0).expect("so are the others");
    assert_eq!(march.view(NORTH), before.1);
    assert_eq!(march.facts(Observer::Seat(NORTH)).iter().filter(|event| *event == "undo").count(), 2);
    assert_eq!(
        (march.spectated(), march.public("undo")),
        (spectated, vec![]),
        "nothing of it was published to anybody else"
    );
    assert_eq!(march.undo_refused(NORTH), "NOTHING_TO_UNDO");

    march.play(NORTH, "done");
    assert_eq!(march.undo_refused(NORTH), "NOTHING_TO_UNDO", "the activation is over");
}

#[test]
fn nothing_is_taken_back_across_a_battles_reveal() {
    let mut battle = acting("6 6");
    battle.play(NORTH, "march bridge mill; take north-1");
    battle.0.undo(NORTH, 1).expect("nobody has fought yet");
    battle.play(NORTH, "take north-1; go");
    assert_eq!(battle.public("rolled"), ["rolled mill 6 6"]);
    assert_eq!(battle.undo_refused(NORTH), "NOTHING_TO_UNDO");

    let mut due = Match::acting_with(position(), ChanceSource::Manual);
    due.play(NORTH, "march bridge mill; take north-1; go");
    assert_eq!(due.undo_refused(NORTH), "NOTHING_TO_UNDO", "the faces are up, even if no die was rolled");
}

#[test]
fn nothing_is_taken_back_across_another_seats_decision() {
    let mut march = Match::acting(near_the_village(), "");
    march.play(NORTH, "march bridge village; take north-1; go");
    assert_eq!(march.undo_refused(NORTH), "NOTHING_TO_UNDO");
    assert_eq!(march.undo_refused(SOUTH), "NOTHING_TO_UNDO");
    march.play(SOUTH, "pass");
    assert_eq!(march.undo_refused(SOUTH), "NOTHING_TO_UNDO");
    march.play(NORTH, "march bridge north-camp; take north-2");
    march.0.undo(NORTH, 0).expect("only what came after the window");
    assert_eq!(march.undo_refused(NORTH), "NOTHING_TO_UNDO");
    assert_eq!(march.count(NORTH, "village"), 1);
}

#[test]
fn a_list_ends_where_something_is_learnt() {
    let list = ["march bridge mill", "take north-1", "go", "done"].map(action);
    let mut battle = acting("6 6");
    let before = battle.0.save();
    let refused = battle.0.apply(NORTH, &list, ApplyMode::Atomic);
    assert_eq!(refused, Err(Refusal::ListCrossesReveal { index: 3 }));
    assert_eq!(battle.0.save(), before, "and no die was rolled");
    let taken = battle.0.apply(NORTH, &list, ApplyMode::UntilReveal).expect("the first actions are legal");
    assert_eq!(taken.actions, 3);

    let mut march = acting("");
    march.play(
        NORTH,
        "march bridge north-camp; take north-1; go; march bridge north-camp; take north-2; go; done",
    );
    assert_eq!(march.public("marched").len(), 2, "nothing is revealed on the way");
}

#[test]
fn an_illegal_action_anywhere_refuses_the_list() {
    let mut march = acting("");
    let refusal = march.try_line(NORTH, "march bridge north-camp; take north-1; take north-3; go");
    let Err(Refusal::Action { index: 2, rule_violations, .. }) = refusal else { panic!("{refusal:?}") };
    assert_eq!((rule_violations[0].code, rule_violations[0].rule.id()), ("NOT_HERE", "3.2"));
    assert_eq!(march.view(NORTH).draft, []);
    assert_eq!(march.try_line(NORTH, "march to glory").expect_err("no action").code(), "UNREADABLE_LINE");
    assert_eq!(march.published(SPECTATOR).last().map(|seen| seen.code), Some("all_shown"));
}
