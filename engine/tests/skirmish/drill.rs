//! 9: the drill.

use edgehill_engine::chance::Outcome;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::seat::{Observer, SeatSet};
use serde_json::{Value, json};

use crate::bonus::roll;
use crate::play::{Match, NORTH, SOUTH, backs_in, faces_in, game, id};

/// North's 3 and 4 at the bridge, with two marches.
fn at_the_bridge() -> Value {
    json!({
        "blocks": { "north": { "3": "bridge", "4": "bridge" } },
        "hands": { "north": ["partisan"] },
    })
}

fn acting(position: Value, chance_source: ChanceSource) -> Match {
    let mut drill = Match::at("drill", position, chance_source);
    drill.play(NORTH, "card partisan; done");
    drill
}

/// The faces that can still turn up, as everybody knows.
fn undrawn(drill: &Match) -> Vec<String> {
    let known = drill.view(NORTH).known;
    let set = known.iter().find(|set| set.owner == Some(SOUTH));
    set.into_iter().flat_map(|set| &set.faces).map(|&(face, _)| id(face)).collect()
}

#[test]
fn rule_9_1_one_player_against_a_garrison_that_nobody_has_seen() {
    let drill = Match::start("drill", "fife,drum");
    assert_eq!(drill.0.seats(), 1);
    assert_eq!(drill.asked(), Node::Sealed(SeatSet::first(1)));
    assert_eq!(drill.hand(NORTH), ["fife", "drum"], "all cards are the player's");
    for observer in [Observer::Seat(NORTH), Observer::Spectator] {
        let view = drill.0.view(observer);
        assert_eq!(faces_in(&view, SOUTH), [""; 0]);
        assert_eq!(backs_in(&view, SOUTH), ["heath 1", "mill 1", "south-camp 1", "village 1"]);
    }
    assert_eq!(undrawn(&drill).len(), 4);
}

#[test]
fn rule_9_1_a_face_is_drawn_when_it_first_fights() {
    let mut drill = acting(at_the_bridge(), ChanceSource::script("strength-2, 3 5 6, fife"));
    drill.play(NORTH, "march bridge mill; take north-3; take north-4; go");
    assert_eq!(drill.public("drawn"), ["drawn strength-2 mill"]);
    assert_eq!(drill.public("lost"), ["lost south 1"]);
    assert_eq!(undrawn(&drill), ["strength-1", "strength-3", "strength-4"]);
    drill.play(NORTH, "march north-camp ford; take north-1; go");
    assert_eq!(drill.asked(), Node::Decision(NORTH), "no garrison intercepts");
    drill.play(NORTH, "done");
    assert_eq!(drill.public("bonus_drawn").len(), 1);
}

#[test]
fn rule_9_1_each_face_is_as_likely_as_any_other_that_is_left() {
    let mut drill = acting(at_the_bridge(), ChanceSource::Manual);
    drill.play(NORTH, "march bridge mill; take north-3; go");
    for left in [4, 3] {
        let options = game().chance(drill.0.state()).options();
        assert_eq!(options.len(), left);
        assert!(options.iter().all(|&(_, weight)| weight == 1));
        if left == 4 {
            drill.0.enter(&Outcome::Pick(options[0].0)).expect("one of the options");
            drill.0.enter(&roll(&[6, 6])).expect("two dice");
            drill.play(NORTH, "march bridge village; take north-4; go");
        }
    }
}

#[test]
fn rule_9_1_a_face_stays_what_it_is() {
    let mut drill = acting(at_the_bridge(), ChanceSource::script("strength-4, 6 6, 6 6"));
    drill.play(NORTH, "march bridge mill; take north-3; go");
    assert_eq!(drill.public("holds"), ["holds south mill"]);
    assert_eq!(faces_in(&drill.view(NORTH), SOUTH), ["mill 4"]);
    drill.play(NORTH, "march bridge mill; take north-4; go");
    assert_eq!(drill.public("drawn").len(), 1, "it is drawn once");
}

#[test]
fn rule_9_2_the_garrison_is_lost_where_others_retreat() {
    let mut drill = acting(at_the_bridge(), ChanceSource::script("strength-2, 6 6 6"));
    drill.play(NORTH, "march bridge mill; take north-3; take north-4; go");
    assert_eq!(drill.public("holds"), ["holds north mill"]);
    assert_eq!(drill.public("nowhere"), ["nowhere south"]);
    assert_eq!(faces_in(&drill.spectated(), SOUTH), ["lost 2"]);
    assert_eq!(drill.asked(), Node::Decision(NORTH));
}

#[test]
fn rule_9_2_the_garrison_gets_no_turn_and_no_bonus_card() {
    let mut drill = acting(at_the_bridge(), ChanceSource::script("strength-4, 6 6, fife"));
    drill.play(NORTH, "march bridge mill; take north-3; go");
    assert_eq!(drill.public("holds"), ["holds south mill"]);
    assert_eq!(drill.spectated().turn_state.entitlements, []);
    drill.play(NORTH, "done");
    assert_eq!(drill.public("turn_begins"), ["turn_begins 2"], "nobody acts between");
    assert_eq!(drill.public("dealt"), ["dealt north dawn-back"]);
}

bodies![
    rule_9_1_one_player_against_a_garrison_that_nobody_has_seen,
    rule_9_1_a_face_is_drawn_when_it_first_fights,
    rule_9_1_each_face_is_as_likely_as_any_other_that_is_left,
    rule_9_1_a_face_stays_what_it_is,
    rule_9_2_the_garrison_is_lost_where_others_retreat,
    rule_9_2_the_garrison_gets_no_turn_and_no_bonus_card,
];
