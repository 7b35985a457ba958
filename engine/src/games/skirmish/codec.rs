//! The canonical encoding of a state.

use crate::codec::{DecodeError, Reader, Writer};
use crate::deck::{CardSet, Deck, Segment};
use crate::seat::Seat;

use super::content::Content;
use super::frames::Frame;
use super::state::{Choosing, LOST, SIDE, State, Verdict};

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
        for hand in self.hands {
            to.u128(hand.0);
        }
        to.list(self.deck.segments(), |to, segment| {
            let Segment::Bag { cards, slots } = segment else { return };
            to.u128(cards.0);
            to.u8(*slots);
        });
        to.u128(self.discard.0);
        for card in self.shown {
            to.option(card, Writer::u16);
        }
        for choosing in self.choosing {
            to.option(choosing.picked, Writer::u16);
            to.bool(choosing.committed);
        }
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
        let cards = content.cards.len() as u16;
        let mut state = Self::new(content, from.bool()?);
        state.turn = from.below(content.turns + 1, "a turn")?;
        for block in &mut state.blocks {
            let error = from.error("a space");
            block.at = Some(from.u8()?).filter(|&at| at < spaces || at == LOST).ok_or(error)?;
            block.face = from.below(SIDE as u8 + 1, "a strength")?;
            block.seen = from.bool()?;
            block.marched = from.bool()?;
        }
        let set = |from: &mut Reader<'_>| {
            let error = from.error("a set of cards");
            from.u128().map(CardSet).and_then(|set| if set.0 >> cards == 0 { Ok(set) } else { Err(error) })
        };
        state.hands = [set(from)?, set(from)?];
        let segments = from.list(2, |from| {
            let (cards, error) = (set(from)?, from.error("as many slots as cards"));
            let slots = from.below(cards.len() as u8 + 1, "as many slots as cards")?;
            if slots == 0 { Err(error) } else { Ok(Segment::Bag { cards, slots }) }
        })?;
        state.deck = Deck::new(segments);
        state.discard = set(from)?;
        let card = |from: &mut Reader<'_>| content.card(from);
        state.shown = [from.option(card)?, from.option(card)?];
        for choosing in &mut state.choosing {
            *choosing = Choosing { picked: from.option(card)?, committed: from.bool()? };
        }
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

impl Content {
    /// Reads a card.
    pub(super) fn card(&self, from: &mut Reader<'_>) -> Result<u16, DecodeError> {
        let error = from.error("a card");
        from.u16().and_then(|card| if usize::from(card) < self.cards.len() { Ok(card) } else { Err(error) })
    }
}
