//! Law `distribution`, in play: where a seat thinks few worlds possible, `resample` draws them all, alike, and no other.
//!
//! The worlds are those that `scramble` leads to, over and over: so a state that only one of the two makes is found, whichever of
//! them is at fault. How likely each is relative to the others is what the game declares.

use rand_chacha::ChaCha8Rng;

use crate::game::{Game, Node};
use crate::seat::{Observer, Seat};
use crate::table::Table;

use super::LawResult;
use super::resample::{World, distribution};

/// The most worlds that are counted.
const WORLDS_MAX: usize = 12;
/// Number of scrambled states by which the worlds are found: one that comes up as often as the others is missed with a chance
/// of e^-40.
const SCRAMBLED: usize = 40 * WORLDS_MAX;
/// Number of resampled states, for each world, by which a world's share is estimated.
const DRAWS_PER_WORLD: u32 = 40;

/// Counts the worlds of each seat that thinks few of them possible. Returns for how many seats there was something to count.
///
/// # Errors
/// If one comes up too often or too seldom, or another one does.
pub fn small_worlds<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult<u32> {
    let game = table.game().as_ref();
    let state = table.released();
    // The choices that others made in secret are drawn as the game sees fit.
    if table.state() != state || matches!(table.node(), Node::Sealed(_) | Node::Over) {
        return Ok(0);
    }
    let mut counted = 0;
    for index in 0..table.seats() {
        let seat = Seat::new(index as u8);
        let Some(worlds) = worlds(game, state, seat, rng) else { continue };
        let view = game.view(state, Observer::Seat(seat));
        let draws = DRAWS_PER_WORLD * worlds.len() as u32;
        distribution(game, table.setup(), &view, &worlds, draws, rng)?;
        counted += 1;
    }
    Ok(counted)
}

/// The states that `seat` can't tell from this one, by their weights; `None` if it is the only one, or there are too many.
fn worlds<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<World<G::State>>> {
    let mut states = vec![state.clone()];
    for tried in 0..SCRAMBLED {
        let twin = game.scramble(state, seat, rng);
        if !states.contains(&twin) {
            states.push(twin);
        }
        // Most seats know everything, or next to nothing: both are soon seen.
        if states.len() > WORLDS_MAX || (tried >= WORLDS_MAX && states.len() == 1) {
            return None;
        }
    }
    let world = |state: G::State| World { weight: game.world_weight(&state, seat), state };
    Some(states.into_iter().map(world).collect())
}
