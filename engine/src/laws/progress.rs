//! Laws `dead-end` and `corner`: there is always something to do, and every draft can be finished.

use rand_chacha::ChaCha8Rng;

use crate::event::Events;
use crate::game::{Game, Node};
use crate::table::Table;

use super::failure::{broken, ensure};
use super::segment::{pick, to_segment_end};
use super::{Law, LawResult};

/// Number of successors of a node that are looked at.
const AHEAD: usize = 4;
/// Number of ways out of a draft that are tried before it counts as a corner.
const WAYS: usize = 8;

/// The node is a decision with a legal action for each to_act seat, a chance event, or an end; so are some of its successors.
///
/// # Errors
/// If it is none of these.
pub fn dead_end<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
    let game = table.game().as_ref();
    node(game, table.state(), table.seats())?;
    let mut legal = Vec::new();
    for seat in game.node(table.state()).to_act().iter() {
        ensure(!table.committed(seat), Law::DeadEnd, || format!("{seat} has committed and still is to act"))?;
        game.legal(table.state(), seat, &mut legal);
        for _ in 0..AHEAD.min(legal.len()) {
            let action = legal[pick(legal.len(), rng)];
            let mut after = table.state().clone();
            game.apply(&mut after, seat, action, &mut Events::silent());
            node(game, &after, table.seats())?;
        }
    }
    Ok(())
}

/// A state stands at a well-formed node.
fn node<G: Game>(game: &G, state: &G::State, seats: usize) -> LawResult {
    let result = game.result(state);
    match game.node(state) {
        Node::Over => {
            let Some(result) = result else {
                return broken(Law::DeadEnd, "the match is over without an ending");
            };
            ensure(result.returns.len() == seats, Law::DeadEnd, || {
                format!("{} returns for {seats} seats", result.returns.len())
            })?;
            ensure(seats != 2 || result.returns.iter().sum::<i32>() == 0, Law::DeadEnd, || {
                format!("the returns {:?} do not sum to 0", result.returns)
            })
        }
        at => {
            ensure(result.is_none(), Law::DeadEnd, || format!("{at:?}, and yet an ending: {result:?}"))?;
            ensure(at == Node::Chance || !at.to_act().is_empty(), Law::DeadEnd, || {
                "nobody is to act".to_owned()
            })?;
            let mut legal = Vec::new();
            for seat in at.to_act().iter() {
                ensure(seat.index() < seats, Law::DeadEnd, || {
                    format!("{seat} is to act, and is not at the table")
                })?;
                game.legal(state, seat, &mut legal);
                ensure(!legal.is_empty(), Law::DeadEnd, || {
                    format!("{at:?}: {seat} is to act and has none\n{state:#?}")
                })?;
            }
            Ok(())
        }
    }
}

/// From the present drafts some run of actions ends the segment of each to_act seat.
///
/// # Errors
/// If none of several tried runs does.
pub fn corner<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
    let game = table.game().as_ref();
    let limit = game.bound(table.setup()) as usize;
    for seat in game.node(table.state()).to_act().iter() {
        let out = (0..WAYS).any(|way| {
            // In a hurry first; then after more and more wandering.
            let leisure = (1 << way) - 1;
            to_segment_end(game, table.state(), seat, leisure, limit, rng).ended
        });
        ensure(out, Law::Corner, || {
            format!("{seat} can't finish after {:?}\n{:#?}", table.draft(seat), table.state())
        })?;
    }
    Ok(())
}
