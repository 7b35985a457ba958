//! The reach of an undo, and that a view is all of a state.

use edgehill_engine::game::Game;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ApplyMode;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

use crate::play::{PLAYER, acting, action, game, item};

#[test]
fn known_actions_are_taken_back_up_to_the_last_die() {
    let mut turn = acting(json!({ "zeal": 5 }), "2");
    turn.play("politics ireland; fortify hull; infuse north");
    assert_eq!(turn.0.draft(PLAYER).len(), 2, "the roll ended what was before");
    turn.0.undo(PLAYER, 0).expect("nothing was revealed");
    assert_eq!((turn.zeal(), turn.fort("hull")), (4, "parliament 2".into()));
    assert!(turn.0.undo(PLAYER, 0).is_err());
}

#[test]
fn a_shift_can_be_taken_back_after_a_fortify() {
    let position = json!({ "tracks": { "monarchy": 5, "parliament": 4, "scotland": 5, "catholicism": 4 } });
    let jammed = json!({ "tracks": { "monarchy": 5, "parliament": 5, "scotland": 5, "catholicism": 4 } });
    drop(item(26, 5, position, ""));
    let mut event = item(26, 5, jammed, "");
    event.play("shift catholicism; fortify hull");
    event.0.undo(PLAYER, 0).expect("nothing between them is chance");
    assert_eq!(event.track("catholicism"), 4);
}

#[test]
fn a_list_never_runs_across_a_die() {
    let mut turn = acting(json!({}), "");
    let actions = [action("politics ireland"), action("fortify hull")];
    assert!(turn.0.apply(PLAYER, &actions, ApplyMode::Atomic).is_err());
}

#[test]
fn a_view_is_all_of_a_state() {
    let mut turn =
        acting(json!({ "deviltry": ["29"], "rewards": { "siege": "waiting" }, "recovery": ["rupert"] }), "");
    turn.play("infuse deviltry-29");
    let (mut one, mut other) = (ChaCha8Rng::seed_from_u64(1), ChaCha8Rng::seed_from_u64(2));
    let view = turn.0.view(Observer::Seat(PLAYER));
    let setup = turn.0.setup().clone();
    assert_eq!(&game().resample(&setup, &view, &mut one), turn.0.state());
    assert_eq!(&game().resample(&setup, &view, &mut other), turn.0.state());
}
