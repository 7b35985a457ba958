//! Laws `pure` and `default_action`: rules are functions, and an absent seat is played for legally.

use rand_chacha::ChaCha8Rng;

use crate::chance_source::sampled;
use crate::event::{EventList, Events};
use crate::game::{Game, Node};
use crate::seat::Observer;
use crate::table::Table;

use super::failure::{ensure, same};
use super::segment::{advance, pick};
use super::{Law, LawResult};

/// Number of actions that are taken four times over.
const TAKEN: usize = 3;

/// Actions and outcomes give the same state, the same events and the same flags whenever they are taken and whether anybody
/// listens or not; views and lists are the same when they are asked for twice.
///
/// # Errors
/// If anything differs.
pub fn pure<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
    let game = table.game().as_ref();
    let state = table.state();
    for observer in Observer::all(table.seats()) {
        let views = (game.view(state, observer), game.view(state, observer));
        same(Law::Pure, Some(observer), "two looks at one state differ", &views.0, &views.1)?;
    }
    let node = game.node(state);
    if node == Node::Chance {
        let outcome = sampled(&game.chance(state), rng);
        return thrice(state, |state, out| game.resolve(state, &outcome, out));
    }
    for seat in node.to_act().iter() {
        let (mut legal, mut again) = (Vec::new(), Vec::new());
        game.legal(state, seat, &mut legal);
        game.legal(state, seat, &mut again);
        same(Law::Pure, None, "two lists of one state differ", &legal, &again)?;
        for _ in 0..TAKEN.min(legal.len()) {
            let action = legal[pick(legal.len(), rng)];
            thrice(state, |state, out| game.apply(state, seat, action, out))?;
        }
    }
    Ok(())
}

/// Does a thing twice listening and once silent.
fn thrice<S: Clone + PartialEq + std::fmt::Debug>(state: &S, act: impl Fn(&mut S, &mut Events)) -> LawResult {
    let outcome = |mut out: Events| -> (S, bool, bool, EventList) {
        let mut after = state.clone();
        act(&mut after, &mut out);
        (after, out.has_revealed(), out.has_released(), out.into_list())
    };
    let (first, second) = (outcome(Events::recording()), outcome(Events::recording()));
    let silent = outcome(Events::silent());
    same(Law::Pure, None, "doing the same twice gives different results", &first, &second)?;
    same(Law::Pure, None, "listening changes the state", &first.0, &silent.0)?;
    same(Law::Pure, None, "listening changes what is final", &(first.1, first.2), &(silent.1, silent.2))?;
    ensure(silent.3.is_empty(), Law::Pure, || "events are kept although nobody listens".to_owned())
}

/// For each to_act seat: the part of its draft that stays and the actions that follow are legal, to the end of its segment.
///
/// # Errors
/// If they are not, or stop short.
pub fn default_action<G: Game>(table: &Table<G>) -> LawResult {
    let game = table.game().as_ref();
    for seat in table.node().to_act().iter() {
        let draft = table.draft(seat);
        let default_action = game.default_action(table.released(), seat, draft);
        ensure(default_action.keep <= draft.len(), Law::DefaultAction, || {
            format!("{} actions of {seat} are to stay, of {}", default_action.keep, draft.len())
        })?;
        let mut state = table.released().clone();
        let mut ended = false;
        for &action in draft[..default_action.keep].iter().chain(&default_action.actions) {
            ensure(!ended, Law::DefaultAction, || {
                format!("{:?} of {seat} goes on after its segment", default_action.actions)
            })?;
            let rule_violations = game.rule_violations(&state, seat, action);
            ensure(rule_violations.is_empty(), Law::DefaultAction, || {
                format!(
                    "{:?} is played for {seat}, and refused: {rule_violations:?}",
                    game.catalogue().actions.notation(action)
                )
            })?;
            ended = advance(game, &mut state, seat, action, &mut Events::silent());
        }
        ensure(ended, Law::DefaultAction, || {
            format!("{:?} does not end the segment of {seat}", default_action.actions)
        })?;
    }
    Ok(())
}
