//! Standing passes: a seat's word that it will let marches pass, kept by the driver and known to nobody else.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Node;
use edgehill_engine::seat::Observer;
use edgehill_engine::view::{PassScope, StandingPass};
use serde_json::json;

use crate::interception::near_the_village;
use crate::play::{Match, NORTH, SOUTH, SPECTATOR};

fn stand(skirmish: &mut Match, window: Option<&str>, scope: PassScope) {
    let pass = StandingPass { window: window.map(str::to_owned), scope };
    skirmish.0.stand(SOUTH, vec![pass]).expect("a seat of the match");
}

/// North has three marches, and south may intercept each of them.
fn three_marches() -> Match {
    let mut position = near_the_village();
    position["hands"] = json!({ "north": ["sconce"], "south": ["fife"] });
    position["blocks"]["north"] = json!({ "1": "bridge", "2": "bridge", "3": "bridge", "4": "bridge" });
    Match::acting(position, "")
}

fn march(skirmish: &mut Match, block: u8) -> Node {
    skirmish.play(NORTH, &format!("march bridge village; take north-{block}; go"));
    skirmish.asked()
}

#[test]
fn a_pass_that_always_stands_is_played_in_every_window() {
    let mut skirmish = three_marches();
    stand(&mut skirmish, None, PassScope::Always);
    for block in 1..=3 {
        assert_eq!(march(&mut skirmish, block), Node::Decision(NORTH));
    }
    skirmish.0.stand(SOUTH, Vec::new()).expect("it can be taken back");
    assert_eq!(skirmish.0.standing(SOUTH), []);
}

#[test]
fn a_standing_pass_goes_by_the_name_of_the_window() {
    let mut skirmish = three_marches();
    stand(&mut skirmish, Some("ambush"), PassScope::Always);
    assert_eq!(march(&mut skirmish, 1), Node::Decision(SOUTH), "this window has another name");
    stand(&mut skirmish, Some("interception"), PassScope::Always);
    assert_eq!(skirmish.asked(), Node::Decision(NORTH), "the open window is passed at once");
}

#[test]
fn a_pass_for_this_procedure_ends_with_the_activation() {
    let mut position = near_the_village();
    position["hands"] = json!({ "north": ["partisan", "fife"], "south": ["colours"] });
    let mut skirmish = Match::at("skirmish", position, ChanceSource::script("drum,matchlock"));
    skirmish.play(NORTH, "card partisan; done").play(SOUTH, "card colours; done");
    assert_eq!(march(&mut skirmish, 1), Node::Decision(SOUTH));
    let procedure = skirmish.view(SOUTH).turn_state.window.as_ref().expect("the window is open").procedure;
    stand(&mut skirmish, None, PassScope::Procedure(procedure));
    assert_eq!(march(&mut skirmish, 2), Node::Decision(NORTH), "still the same activation");

    skirmish.play(NORTH, "done").play(SOUTH, "done");
    skirmish.play(SOUTH, "card matchlock; done").play(NORTH, "card fife; done").play(SOUTH, "done");
    skirmish.play(NORTH, "march village bridge; take north-1; go");
    assert_eq!(skirmish.asked(), Node::Decision(SOUTH), "another activation: the mill is asked again");
    let later = skirmish.view(SOUTH).turn_state.window.as_ref().expect("the window is open").procedure;
    assert!(later > procedure);
}

#[test]
fn a_pass_until_attacked_ends_where_the_own_camp_is_entered() {
    let mut position = near_the_village();
    position["blocks"] = json!({
        "north": { "1": "heath", "2": "bridge", "3": "bridge", "4": "bridge" },
        "south": { "1": "mill", "2": "mill", "3": "mill", "4": "mill" },
    });
    let mut skirmish = Match::acting(position, "");
    stand(&mut skirmish, None, PassScope::UntilAttacked);
    assert_eq!(march(&mut skirmish, 2), Node::Decision(NORTH), "the village is nobody's");
    skirmish.play(NORTH, "march heath south-camp; take north-1; go");
    assert_eq!(skirmish.asked(), Node::Decision(SOUTH), "the camp is south's");
    assert!(skirmish.view(SOUTH).turn_state.window.as_ref().expect("the window is open").attacked);
}

#[test]
fn nobody_else_can_tell_a_standing_pass_from_one_by_hand() {
    let (mut standing, mut by_hand) = (three_marches(), three_marches());
    stand(&mut standing, None, PassScope::Always);
    assert_eq!(standing.spectated(), by_hand.spectated());
    march(&mut standing, 1);
    march(&mut by_hand, 1);
    by_hand.play(SOUTH, "pass");
    for observer in [SPECTATOR, Observer::Seat(NORTH)] {
        assert_eq!(standing.0.view(observer), by_hand.0.view(observer));
        assert_eq!(standing.facts(observer), by_hand.facts(observer));
    }
}
