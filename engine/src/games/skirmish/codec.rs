//! The canonical encoding of a state: its fields, in the order of their bytes.

use crate::cards::{Piles, read_card_set};
use crate::codec::{Coding, DecodeError, Flagged, Reader, Writer};
use crate::deck::CardSet;
use crate::flow::{Agenda, Count, Frames, Side};
use crate::sealed::SealedChoice;

use super::catalogue::{DISCARD, HAND, PILES, SHOWN, STRETCH};
use super::content::Content;
use super::frames::{Card, DEPTH, Frame};
use super::state::{BLOCKS, Block, LOST, OWED, SIDE, State, Verdict};

crate::coded! {
    Block, of Content { at: Whereabouts, face: Count<{ SIDE as u8 + 1 }>, seen: bool, marched: bool }

    Verdict, of Content { kind: Count<3>, winner: Flagged<Side> }

    State, of Content {
        drill: bool,
        turn: Turn,
        blocks: [Block; BLOCKS],
        cards: Cards,
        choice: SealedChoice<Flagged<Card>>,
        frames: Frames<Frame, DEPTH>,
        agenda: Agenda<Side, OWED>,
        result: Flagged<Verdict>,
    }
}

/// A space, or the place of lost blocks.
enum Whereabouts {}

impl Coding<Content> for Whereabouts {
    type Value = u8;

    fn encode(value: &u8, to: &mut Writer) {
        to.u8(*value);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<u8, DecodeError> {
        let error = from.error("a space");
        let is_there = |&at: &u8| usize::from(at) < content.spaces.len() || at == LOST;
        Some(from.u8()?).filter(is_there).ok_or(error)
    }
}

/// A turn; 0 before the first.
enum Turn {}

impl Coding<Content> for Turn {
    type Value = u8;

    fn encode(value: &u8, to: &mut Writer) {
        to.u8(*value);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<u8, DecodeError> {
        from.below(content.turns + 1, "a turn")
    }
}

/// The piles. Of the stretches of the deck those are written that are not used up; cards of the others that lie nowhere never came.
/// (A new game has [`PilesOf`](crate::cards::PilesOf) for this.)
enum Cards {}

/// The stretches of the deck.
const DECKS: [u16; 2] = [STRETCH, STRETCH + 1];

impl Coding<Content> for Cards {
    type Value = Piles<PILES>;

    fn encode(cards: &Piles<PILES>, to: &mut Writer) {
        for hand in [HAND, HAND + 1] {
            to.u128(cards.of(hand).0);
        }
        let decks: Vec<u16> = DECKS.into_iter().filter(|&deck| !cards.is_used_up(deck)).collect();
        to.list(&decks, |to, &deck| {
            to.u128(cards.of(deck).0);
            to.u8(cards.count(deck));
        });
        to.u128(cards.of(DISCARD).0);
        for shown in [SHOWN, SHOWN + 1] {
            to.option(cards.single(shown), Writer::u16);
        }
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Piles<PILES>, DecodeError> {
        let all = content.cards.len();
        let mut cards = Piles::default();
        for hand in [HAND, HAND + 1] {
            cards.lay(hand, read_card_set(from, all)?);
        }
        let decks = from.list(2, |from| {
            let error = from.error("cards of a stretch, and how many of them come");
            let (set, count) = (read_card_set(from, all)?, from.u8()?);
            let fits = (1..=set.len()).contains(&usize::from(count));
            if fits { Ok((set, count)) } else { Err(error) }
        })?;
        cards.lay(DISCARD, read_card_set(from, all)?);
        for shown in [SHOWN, SHOWN + 1] {
            cards.lay(shown, CardSet::of(Flagged::<Card>::decode(content, from)?));
        }
        let lying = (0..PILES as u16).fold(CardSet::default(), |lying, pile| lying | cards.of(pile));
        let error = from.error("stretches in their order");
        let mut decks = decks.into_iter().peekable();
        for (stretch, deck) in DECKS.into_iter().enumerate() {
            let all = content.stretch(stretch);
            match decks.next_if(|&(set, _)| (set - all).is_empty()) {
                Some((set, count)) => cards.lay_deck(deck, set, count),
                None => cards.lay_deck(deck, all - lying, 0),
            }
        }
        if decks.next().is_some() { Err(error) } else { Ok(cards) }
    }
}
