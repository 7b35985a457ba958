//! The deepest nesting of procedures, as declared.

use edgehill_engine::games::this_war_without_an_enemy::ThisWarWithoutAnEnemy;
use edgehill_engine::seat::Observer;
use serde_json::json;

use crate::play::acting;

#[test]
fn a_withdrawal_before_a_group_move_is_the_deepest_nesting() {
    let mut one =
        acting("royalist", json!({ "p-waller": { "at": "devon" }, "r-hopton": { "at": "cornwall" } }));
    one.play("group cornwall; take r-hopton; go devon");
    let turn_state = one.0.view(Observer::Spectator).turn_state;
    let path: Vec<&str> = turn_state.procedures.iter().map(|procedure| procedure.frame).collect();
    assert_eq!(path, ThisWarWithoutAnEnemy::DEEPEST);
}
