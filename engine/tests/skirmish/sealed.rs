//! The secret choice: hidden until both have committed, and then final.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Node;
use edgehill_engine::seat::{Observer, SeatSet};
use edgehill_engine::view::NodeView;
use serde_json::json;

use crate::play::{Match, NORTH, SOUTH, SPECTATOR, action, cards_in};

fn choosing() -> Match {
    let hands = json!({ "north": ["fife", "drum"], "south": ["colours", "waggon"] });
    Match::at("skirmish", json!({ "hands": hands }), ChanceSource::script(""))
}

#[test]
fn what_is_picked_is_seen_by_its_seat_alone() {
    let mut choice = choosing();
    let others = [Observer::Seat(SOUTH), SPECTATOR];
    let before = others.map(|observer| (choice.0.view(observer), choice.published(observer).len()));
    choice.play(NORTH, "card fife");
    choice.0.undo(NORTH, 0).expect("it is not committed");
    choice.play(NORTH, "card drum");
    let after = others.map(|observer| (choice.0.view(observer), choice.published(observer).len()));
    assert_eq!(before, after);
    assert_eq!(choice.view(NORTH).draft, [action("card drum")]);
    assert_eq!(choice.facts(Observer::Seat(NORTH)), ["picked north fife", "undo", "picked north drum"]);
}

#[test]
fn a_commitment_is_public_and_the_card_is_not() {
    let view_after = |card: &str| {
        let mut choice = choosing();
        choice.play(NORTH, &format!("card {card}; done"));
        [Observer::Seat(SOUTH), SPECTATOR].map(|observer| (choice.0.view(observer), choice.facts(observer)))
    };
    let fife = view_after("fife");
    assert_eq!(fife, view_after("drum"), "whatever was picked");
    for (view, facts) in fife {
        assert_eq!(facts, ["committed north"]);
        let [south, north] = [SOUTH, NORTH].map(|seat| SeatSet::EMPTY.with(seat));
        assert_eq!(view.turn_state.node, NodeView::Sealed { to_act: south, committed: north });
        assert_eq!(cards_in(&view, "north-shown"), [""; 0]);
    }
}

#[test]
fn a_commitment_is_final() {
    let mut choice = choosing();
    assert_eq!(choice.undo_refused(NORTH), "NOTHING_TO_UNDO");
    choice.play(NORTH, "card fife; done");
    assert_eq!(choice.undo_refused(NORTH), "COMMITTED");
    assert_eq!(choice.refused(NORTH, "card drum"), ["NOT_YOUR_TURN contract"]);

    choice.play(SOUTH, "card waggon");
    choice.0.undo(SOUTH, 0).expect("south has not committed");
    choice.play(SOUTH, "card colours; done");
    for observer in Observer::all(2) {
        let shown: Vec<String> =
            choice.facts(observer).into_iter().filter(|event| event.starts_with("shown")).collect();
        assert_eq!(shown, ["shown north fife", "shown south colours"], "both at once, to everybody");
    }
    assert_eq!(choice.asked(), Node::Decision(SOUTH));
    for seat in [NORTH, SOUTH] {
        assert_eq!(choice.undo_refused(seat), "NOTHING_TO_UNDO");
    }
}

#[test]
fn the_order_of_commitments_makes_no_difference() {
    let (mut north_first, mut south_first) = (choosing(), choosing());
    north_first.play(NORTH, "card drum; done").play(SOUTH, "card waggon; done");
    south_first.play(SOUTH, "card waggon; done").play(NORTH, "card drum; done");
    assert_eq!(north_first.0.state(), south_first.0.state());
}
