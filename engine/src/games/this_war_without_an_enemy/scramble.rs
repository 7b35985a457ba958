//! For the tests of non-interference: changes what a seat may not know, by swaps in the state itself.

use rand_core::Rng;

use crate::chance_source::{below, shuffle};
use crate::deck::CardSet;
use crate::seat::Seat;

use super::ThisWar;
use super::content::things::{BlockId, Place};
use super::state::{Flags, State};
use super::view::announced::faults;

pub(super) fn scramble(game: &ThisWar, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
    let enemy = seat.other();
    let mut other = state.clone();
    // A side in the middle of an action of its own has picked blocks that nobody else was notified of yet.
    let busy = !game.picked(state, enemy).is_empty();
    if !busy {
        swap_backs(game, &mut other, enemy, rng);
        debug_assert!(faults(game, state, Some(seat)) == 0, "what everybody knows is true");
        if faults(game, &other, Some(seat)) > 0 {
            other = state.clone();
        }
    }
    swap_cards(game, &mut other, enemy, rng);
    other
}

/// Two upright blocks of one bag change places; strength moves within a bag.
fn swap_backs(game: &ThisWar, state: &mut State, side: Seat, rng: &mut dyn Rng) {
    let upright: Vec<BlockId> = game.content.of_side[side.index()]
        .iter()
        .filter(|&b| !state.blocks[b].flags.contains(Flags::SHOWN))
        .collect();
    for _ in 0..2 * upright.len() {
        let a = upright[below(upright.len() as u64, rng) as usize];
        let b = upright[below(upright.len() as u64, rng) as usize];
        if a == b || state.blocks[a].bag != state.blocks[b].bag {
            continue;
        }
        let (x, y) = (state.blocks[a], state.blocks[b]);
        let most = |block: BlockId| game.content.blocks[block].strength;
        if state.stir[x.bag] != [0; 2]
            && x.at != Place::POOL
            && y.at != Place::POOL
            && x.strength > 1
            && y.strength < most(b)
        {
            state.blocks[a].strength -= 1;
            state.blocks[b].strength += 1;
        }
        let (sa, sb) = (state.blocks[a].strength, state.blocks[b].strength);
        // A block that enters the map in another's place has its strength, as far as it can.
        let fit = |strength: u8, other: u8, block: BlockId, from_pool: bool| {
            if from_pool { other.min(most(block)).max(1) } else { strength }
        };
        let (new_a, new_b) = match (x.at == Place::POOL, y.at == Place::POOL) {
            (false, false) | (true, true) => (sa, sb),
            (true, false) => (fit(sa, sb, a, true), 0),
            (false, true) => (0, fit(sb, sa, b, true)),
        };
        let (mut p, mut q) = (state.blocks[a], state.blocks[b]);
        std::mem::swap(&mut p, &mut q);
        // Place, flags and traces change; seen strengths and bags belong to the faces.
        state.blocks[a] = super::state::Block { strength: new_a, seen: x.seen, bag: x.bag, ..p };
        state.blocks[b] = super::state::Block { strength: new_b, seen: y.seen, bag: y.bag, ..q };
        state.count_places(&game.content);
    }
}

/// Cards of the hand and the discards change places with cards that are undrawn.
fn swap_cards(game: &ThisWar, state: &mut State, side: Seat, rng: &mut dyn Rng) {
    let side = side.index();
    let sealed =
        matches!(state.frames.top(), Some(super::frames::Frame::Discards | super::frames::Frame::Initiative));
    let mut pools = [state.hands[side], state.discards[side], state.decks[side]];
    for _ in 0..8 {
        let (a, b) = (below(3, rng) as usize, below(3, rng) as usize);
        if a == b || pools[a].is_empty() || pools[b].is_empty() {
            continue;
        }
        let pick = |set: CardSet, rng: &mut dyn Rng| set.iter().nth(below(set.len() as u64, rng) as usize);
        if let (Some(x), Some(y)) = (pick(pools[a], rng), pick(pools[b], rng)) {
            pools[a].remove(x);
            pools[a].insert(y);
            pools[b].remove(y);
            pools[b].insert(x);
        }
    }
    let before = state.hands[side];
    [state.hands[side], state.discards[side], state.decks[side]] = pools;
    let picks = state.choosing[side].picks.len();
    if sealed && (before != state.hands[side] || state.choosing[side].committed) {
        let mut hand: Vec<u16> = state.hands[side].iter().collect();
        shuffle(&mut hand, rng);
        hand.truncate(picks);
        state.choosing[side].picks = CardSet::of(hand);
    }
    let _ = game;
}
