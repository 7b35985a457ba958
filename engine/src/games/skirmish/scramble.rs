//! For the tests of non-interference: changes what a seat may not know, by swaps in the state itself.

use rand_core::Rng;

use crate::chance_source::below;
use crate::deck::{CardSet, Deck, Segment};
use crate::seat::Seat;

use super::content::Content;
use super::frames::Frame;
use super::state::{SIDE, State};

pub(super) fn scramble(state: &State, content: &Content, seat: Seat, rng: &mut dyn Rng) -> State {
    let mut other = state.clone();
    let enemy = seat.other();
    swap_faces(&mut other, enemy, rng);
    if !state.drill {
        let before = other.hands[enemy.index()];
        swap_cards(&mut other, content, enemy, rng);
        refit_choices(&mut other, content, before, enemy, rng);
    }
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

/// Cards of the hand change places with cards of the same stretch that are still undrawn.
fn swap_cards(state: &mut State, content: &Content, side: Seat, rng: &mut dyn Rng) {
    for stretch in 0..2 {
        let all = content.stretch(stretch);
        // A stretch whose slots are used up has left its last card nowhere: it may have been any of them.
        let gone = CardSet(all.0 & !(state.discard.0 | state.hands[0].0 | state.hands[1].0 | shown(state).0));
        let segments: Vec<Segment> = state.deck.segments().to_vec();
        let mut pool = gone;
        let hand = &mut state.hands[side.index()];
        for card in CardSet(hand.0 & all.0).iter().collect::<Vec<_>>() {
            if pool.is_empty() || below(2, rng) == 0 {
                continue;
            }
            let index = below(pool.len() as u64, rng) as usize;
            if let Some(new) = pool.iter().nth(index) {
                pool.remove(new);
                pool.insert(card);
                hand.remove(card);
                hand.insert(new);
            }
        }
        let refill = |segment: Segment| match segment {
            Segment::Bag { cards, slots } if cards.0 & all.0 != 0 => Segment::Bag { cards: pool, slots },
            other => other,
        };
        state.deck = Deck::new(segments.into_iter().map(refill));
    }
}

fn shown(state: &State) -> CardSet {
    CardSet::of(state.shown.iter().flatten().copied())
}

/// Sealed picks and an undecided bonus card must be cards of the new hand.
fn refit_choices(state: &mut State, content: &Content, before: CardSet, side: Seat, rng: &mut dyn Rng) {
    let hand = state.hands[side.index()];
    let mut any = |among: CardSet| among.iter().nth(below(among.len().max(1) as u64, rng) as usize);
    let choosing = &mut state.choosing[side.index()];
    if choosing.committed || (choosing.picked.is_some() && before != hand) {
        choosing.picked = any(hand);
    }
    for frame in state.frames.iter_mut() {
        if let Frame::Bonus { seat, card: Some(card) } = frame
            && *seat == side
            && let stretch = content.stretch(usize::from(content.cards[usize::from(*card)].stretch))
            && let Some(new) = any(CardSet(hand.0 & stretch.0))
        {
            *card = new;
        }
    }
}
