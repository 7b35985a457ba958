//! The canonical encoding of a state.

use crate::cards::{Piles, read_card_set};
use crate::codec::{DecodeError, Reader, Writer};
use crate::deck::CardSet;
use crate::sealed::SealedChoice;
use crate::seat::Seat;

use super::catalogue::{DISCARD, HAND, PILES, SHOWN, STRETCH};
use super::content::Content;
use super::frames::Frame;
use super::state::{LOST, SIDE, State, Verdict};

/// The stretches of the deck: only those that are not used up are written.
const DECKS: [u16; 2] = [STRETCH, STRETCH + 1];

impl State {
    pub(super) fn encode(&self, to: &mut Writer) {
        to.bool(self.drill);
        to.u8(self.turn);
        for block in self.blocks {
            to.u8(block.at);
            to.u8(block.face);
            to.bool(block.seen);
            to.bool(block.marched);
        }
        for hand in [HAND, HAND + 1] {
            to.u128(self.cards.of(hand).0);
        }
        let decks: Vec<u16> = DECKS.into_iter().filter(|&deck| !self.cards.is_used_up(deck)).collect();
        to.list(&decks, |to, &deck| {
            to.u128(self.cards.of(deck).0);
            to.u8(self.cards.count(deck));
        });
        to.u128(self.cards.of(DISCARD).0);
        for shown in [SHOWN, SHOWN + 1] {
            to.option(self.cards.single(shown), Writer::u16);
        }
        self.choice.encode(to, |to, &picked| to.option(picked, Writer::u16));
        let frames: Vec<Frame> = self.frames.iter().copied().collect();
        to.list(&frames, |to, frame| frame.encode(to));
        let owed: Vec<Seat> = self.agenda.iter().copied().collect();
        to.list(&owed, |to, seat| to.u8(seat.index() as u8));
        to.option(self.result, |to, result| {
            to.u8(result.kind);
            to.option(result.winner, |to, seat| to.u8(seat.index() as u8));
        });
    }

    pub(super) fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let spaces = content.spaces.len() as u8;
        let mut state = Self::new(content, from.bool()?);
        state.turn = from.below(content.turns + 1, "a turn")?;
        for block in &mut state.blocks {
            let error = from.error("a space");
            block.at = Some(from.u8()?).filter(|&at| at < spaces || at == LOST).ok_or(error)?;
            block.face = from.below(SIDE as u8 + 1, "a strength")?;
            block.seen = from.bool()?;
            block.marched = from.bool()?;
        }
        state.cards = read_cards(content, from)?;
        state.choice = SealedChoice::decode(from, |from| from.option(|from| content.card(from)))?;
        for frame in from.list(8, |from| Frame::decode(content, from))? {
            state.frames.open(frame);
        }
        for seat in from.list(8, |from| from.below(2, "a seat").map(Seat::new))? {
            state.agenda.owe(seat);
        }
        state.result = from.option(|from| {
            let kind = from.below(3, "an ending")?;
            Ok(Verdict { kind, winner: from.option(|from| from.below(2, "a seat").map(Seat::new))? })
        })?;
        Ok(state)
    }
}

/// The piles. Cards of a stretch that is used up, and that lie nowhere else, never came.
fn read_cards(content: &Content, from: &mut Reader<'_>) -> Result<Piles<PILES>, DecodeError> {
    let all = content.cards.len();
    let mut cards = Piles::default();
    for hand in [HAND, HAND + 1] {
        cards.lay(hand, read_card_set(from, all)?);
    }
    let mut decks = from
        .list(2, |from| {
            let error = from.error("cards of a stretch, and how many of them come");
            let (set, count) = (read_card_set(from, all)?, from.u8()?);
            let fits = (1..=set.len()).contains(&usize::from(count));
            if fits { Ok((set, count)) } else { Err(error) }
        })?
        .into_iter()
        .peekable();
    cards.lay(DISCARD, read_card_set(from, all)?);
    for shown in [SHOWN, SHOWN + 1] {
        cards.lay(shown, CardSet::of(from.option(|from| content.card(from))?));
    }
    let lying = (0..PILES as u16).fold(CardSet::default(), |lying, pile| lying | cards.of(pile));
    let error = from.error("stretches in their order");
    for (stretch, deck) in DECKS.into_iter().enumerate() {
        let all = content.stretch(stretch);
        match decks.next_if(|&(set, _)| (set - all).is_empty()) {
            Some((set, count)) => cards.lay_deck(deck, set, count),
            None => cards.lay_deck(deck, all - lying, 0),
        }
    }
    if decks.next().is_some() { Err(error) } else { Ok(cards) }
}

impl Content {
    /// Reads a card.
    pub(super) fn card(&self, from: &mut Reader<'_>) -> Result<u16, DecodeError> {
        let error = from.error("a card");
        from.u16().and_then(|card| if usize::from(card) < self.cards.len() { Ok(card) } else { Err(error) })
    }
}
