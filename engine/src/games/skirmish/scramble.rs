//! For the tests of non-interference: changes what a seat may not know, by swaps in the state itself.

use rand_core::Rng;

use crate::chance_source::below;
use crate::seat::Seat;

use super::Skirmish;
use super::content::Content;
use super::frames::Frame;
use super::state::{SIDE, State};

pub(super) fn scramble(game: &Skirmish, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
    let mut other = state.clone();
    let enemy = seat.other();
    swap_faces(&mut other, enemy, rng);
    game.cards.scramble(&mut other.cards, seat, rng);
    let hand = other.hand(enemy);
    other.choice.refit(enemy, hand != state.hand(enemy), || hand.any(rng));
    refit_bonus(&mut other, &game.content, enemy, rng);
    other
}

/// Two unseen blocks of a side change places, many times over.
fn swap_faces(state: &mut State, side: Seat, rng: &mut dyn Rng) {
    if state.drill {
        return;
    }
    let first = side.index() * SIDE;
    for _ in 0..2 * SIDE {
        let (a, b) = (first + below(SIDE as u64, rng) as usize, first + below(SIDE as u64, rng) as usize);
        if !state.blocks[a].seen && !state.blocks[b].seen {
            let (x, y) = (state.blocks[a], state.blocks[b]);
            state.blocks[a] = super::state::Block { face: x.face, ..y };
            state.blocks[b] = super::state::Block { face: y.face, ..x };
        }
    }
}

/// An undecided bonus card is one of the new hand, with the same back.
fn refit_bonus(state: &mut State, content: &Content, side: Seat, rng: &mut dyn Rng) {
    let hand = state.hand(side);
    for frame in state.frames.iter_mut() {
        if let Frame::Bonus { seat, card: Some(card) } = frame
            && *seat == side
        {
            let stretch = content.stretch(usize::from(content.cards[usize::from(*card)].stretch));
            *card = (hand & stretch).any(rng).expect("the hand has as many cards of each back as before");
        }
    }
}
