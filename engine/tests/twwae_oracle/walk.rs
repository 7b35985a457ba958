//! A game goes on by one step or chance event, whoever chooses.

use edgehill_engine::event::Events;
use edgehill_engine::fate::sampled;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::this_war_without_an_enemy::{State, ThisWarWithoutAnEnemy as ThisWar};
use edgehill_engine::seat::Seat;
use edgehill_engine::step::StepId;
use rand_chacha::ChaCha8Rng;

/// Lets the seat that owes a step take the one that `choose` picks of the legal ones, or rolls; `false` if the game is over.
pub(crate) fn go_on(
    game: &ThisWar,
    state: &mut State,
    dice: &mut ChaCha8Rng,
    choose: impl FnOnce(&mut ChaCha8Rng, &State, Seat, &[StepId]) -> StepId,
) -> bool {
    match game.node(state) {
        Node::Over => return false,
        Node::Chance => {
            let outcome = sampled(&game.chance(state), dice);
            game.resolve(state, &outcome, &mut Events::silent());
        }
        node => {
            let seat = node.owing().iter().next().expect("somebody owes a step");
            let mut legal = Vec::new();
            game.legal(state, seat, &mut legal);
            assert!(!legal.is_empty(), "a dead end");
            let step = choose(dice, state, seat, &legal);
            game.apply(state, seat, step, &mut Events::silent());
        }
    }
    true
}
