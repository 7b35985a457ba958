//! A game goes on by one action or chance event, with any chooser.

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::sampled;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::this_war_without_an_enemy::{State, ThisWarWithoutAnEnemy as ThisWar};
use edgehill_engine::seat::Seat;
use rand_chacha::ChaCha8Rng;

/// Lets the seat that is to act take the one that `choose` picks of the legal ones, or rolls; `false` if the game is over.
pub(crate) fn go_on(
    game: &ThisWar,
    state: &mut State,
    dice: &mut ChaCha8Rng,
    choose: impl FnOnce(&mut ChaCha8Rng, &State, Seat, &[ActionId]) -> ActionId,
) -> bool {
    match game.node(state) {
        Node::Over => return false,
        Node::Chance => {
            let outcome = sampled(&game.chance(state), dice);
            game.resolve(state, &outcome, &mut Events::silent());
        }
        node => {
            let seat = node.to_act().iter().next().expect("somebody is to act");
            let mut legal = Vec::new();
            game.legal(state, seat, &mut legal);
            assert!(!legal.is_empty(), "a dead end");
            let action = choose(dice, state, seat, &legal);
            game.apply(state, seat, action, &mut Events::silent());
        }
    }
    true
}
