//! The state: blocks, cards and the frames under way; its encoding.

use arrayvec::ArrayVec;

use crate::codec::{DecodeError, Reader, Writer};
use crate::deck::{CardSet, Deck, NextCard, Segment};
use crate::flow::{Agenda, Frames};
use crate::game::{MatchResult, Termination};
use crate::reference::Refs;
use crate::seat::{Seat, SeatSet};

use super::content::Content;
use super::rules;

/// Blocks of a side.
pub(super) const SIDE: usize = 4;
/// Blocks of both sides.
pub(super) const BLOCKS: usize = 2 * SIDE;
/// The place of a lost block.
pub(super) const LOST: u8 = u8::MAX;

/// A wooden block.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// Its space, or [`LOST`].
    pub(super) at: u8,
    /// Its strength, 1 to 4; 0: nobody has seen it, so it is not drawn yet (9.1).
    pub(super) face: u8,
    /// True if everybody knows its face (7.1).
    pub(super) seen: bool,
    /// True if it has marched this turn (3.1).
    pub(super) marched: bool,
}

/// A seat's part of a sealed choice.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Choosing {
    pub(super) picked: Option<u16>,
    pub(super) committed: bool,
}

/// A procedure under way.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Frame {
    /// So many cards are still to be dealt.
    Deal { left: u8 },
    /// Cards are being chosen in secret.
    Choose,
    /// The seats act; this many have.
    Act { done: u8 },
    /// A seat acts, with so many marches left.
    Activation { seat: Seat, marches: u8 },
    /// A march is being put together: `taken` has a bit a block.
    March { seat: Seat, from: u8, to: u8, taken: u8 },
    /// The other seat may intercept a march from `from` to `to`; `by`: the stack there tries.
    Interception { asked: Seat, by: Option<u8>, from: u8, to: u8 },
    /// A battle; the attacker came from `from`. `beaten`: it was fought, and this seat has a choice where to go.
    Battle { at: u8, from: u8, attacker: Seat, beaten: Option<Seat> },
    /// A bonus card is drawn, then kept or spent.
    Bonus { seat: Seat, card: Option<u16> },
    /// A back of the other seat is about to be turned up.
    Scout { seat: Seat, at: u8 },
}

/// The way the match ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    /// 0: the camp, 1: the last block, 2: nightfall.
    pub(super) kind: u8,
    pub(super) winner: Option<Seat>,
}

impl Verdict {
    pub(super) fn result(self, seats: usize) -> MatchResult {
        let value = |seat: usize| match self.winner {
            None if seats == 1 => -1,
            None => 0,
            Some(winner) if winner.index() == seat => 1,
            Some(_) => -1,
        };
        let (code, rule) =
            [("camp", rules::CAMP), ("last_block", rules::LAST_BLOCK), ("nightfall", rules::NIGHTFALL)]
                [usize::from(self.kind)];
        let (returns, termination) = ((0..seats).map(value).collect(), Termination::Victory);
        let refs = Refs::new();
        MatchResult { returns, code, refs, rule, grade: "", termination }
    }
}

/// The state of a skirmish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) drill: bool,
    pub(super) turn: u8,
    pub(super) blocks: [Block; BLOCKS],
    pub(super) hands: [CardSet; 2],
    pub(super) deck: Deck<2>,
    pub(super) discard: CardSet,
    pub(super) shown: [Option<u16>; 2],
    pub(super) choosing: [Choosing; 2],
    pub(super) frames: Frames<Frame, 8>,
    /// Bonus cards owed (6.1).
    pub(super) agenda: Agenda<Seat, 8>,
    pub(super) result: Option<Verdict>,
}

impl State {
    pub(super) fn new(content: &Content, drill: bool) -> Self {
        let block = |index: usize| {
            let (side, face) = (index / SIDE, index % SIDE);
            let garrison = drill && side == 1;
            Block {
                at: if garrison { content.garrison[face] } else { content.camps[side] },
                face: if garrison { 0 } else { face as u8 + 1 },
                seen: false,
                marched: false,
            }
        };
        let stretch = |index| Segment::Bag { cards: content.stretch(index), slots: content.slots(index) };
        Self {
            drill,
            turn: 0,
            blocks: std::array::from_fn(block),
            hands: [CardSet::default(); 2],
            deck: Deck::new([stretch(0), stretch(1)]),
            discard: CardSet::default(),
            shown: [None; 2],
            choosing: [Choosing::default(); 2],
            frames: Frames::default(),
            agenda: Agenda::default(),
            result: None,
        }
    }

    pub(super) const fn seats(&self) -> usize {
        if self.drill { 1 } else { 2 }
    }

    /// The serial of the activation under way: two a turn.
    pub(super) fn activation(&self) -> u32 {
        let acted = self.frames.iter().find_map(|frame| match frame {
            Frame::Act { done } => Some(u32::from(*done)),
            _ => None,
        });
        2 * u32::from(self.turn) + acted.unwrap_or(0)
    }

    /// Returns the seats that still have to commit a card.
    pub(super) fn to_act(&self) -> SeatSet {
        let owes =
            |seat: &Seat| !self.hands[seat.index()].is_empty() && !self.choosing[seat.index()].committed;
        SeatSet::first(self.seats()).iter().filter(owes).collect()
    }

    /// The blocks of a side at a space, weakest first.
    pub(super) fn stack(&self, side: Seat, at: u8) -> ArrayVec<usize, SIDE> {
        let first = side.index() * SIDE;
        let mut stack: ArrayVec<usize, SIDE> =
            (first..first + SIDE).filter(|&b| self.blocks[b].at == at).collect();
        stack.sort_by_key(|&block| (self.blocks[block].face, block));
        stack
    }

    /// The blocks in a battle in the order of their dice: the attacker's, then the defender's, weakest first.
    pub(super) fn fighters(&self, at: u8, attacker: Seat) -> ArrayVec<usize, BLOCKS> {
        self.stack(attacker, at).into_iter().chain(self.stack(attacker.other(), at)).collect()
    }

    /// The blocks of a side at a space whose faces the other side does not know.
    pub(super) fn backs(&self, side: Seat, at: u8) -> impl Iterator<Item = usize> {
        let first = side.index() * SIDE;
        (first..first + SIDE).filter(move |&block| self.blocks[block].at == at && !self.blocks[block].seen)
    }

    /// 9.1: the block at a space whose face is still to be drawn before it can fight.
    pub(super) fn undrawn(&self, at: u8) -> Option<usize> {
        let undrawn = |&block: &usize| self.blocks[block].at == at && self.blocks[block].face == 0;
        (SIDE..BLOCKS).find(undrawn).filter(|_| rules::DRILL.on())
    }

    /// Faces of the garrison that are not drawn yet.
    pub(super) fn garrison_pool(&self) -> impl Iterator<Item = u8> {
        (1..=SIDE as u8).filter(|face| self.blocks[SIDE..].iter().all(|block| block.face != *face))
    }

    pub(super) fn living(&self, side: Seat) -> usize {
        let first = side.index() * SIDE;
        self.blocks[first..first + SIDE].iter().filter(|block| block.at != LOST).count()
    }

    /// Returns the stretch that the next card comes from, and what it can be.
    pub(super) fn next_cards(&self, content: &Content) -> (usize, CardSet) {
        match self.deck.next() {
            NextCard::Drawn(cards) => {
                let stretch = cards.iter().next().map_or(0, |card| content.cards[usize::from(card)].stretch);
                (usize::from(stretch), cards)
            }
            NextCard::Fixed(_) | NextCard::Empty => (0, CardSet::default()),
        }
    }

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
        let card = |from: &mut Reader<'_>| {
            let error = from.error("a card");
            from.u16().and_then(|card| if card < cards { Ok(card) } else { Err(error) })
        };
        state.shown = [from.option(card)?, from.option(card)?];
        for choosing in &mut state.choosing {
            *choosing = Choosing { picked: from.option(card)?, committed: from.bool()? };
        }
        for frame in from.list(8, |from| Frame::decode(spaces, card, from))? {
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

impl Frame {
    fn encode(&self, to: &mut Writer) {
        let mut fields = |tag: u8, values: &[u8]| {
            to.u8(tag);
            values.iter().for_each(|&value| to.u8(value));
        };
        let seat_of = |seat: Seat| seat.index() as u8;
        match *self {
            Self::Deal { left } => fields(0, &[left]),
            Self::Choose => fields(1, &[]),
            Self::Act { done } => fields(2, &[done]),
            Self::Activation { seat, marches } => fields(3, &[seat_of(seat), marches]),
            Self::March { seat, from, to: goal, taken } => fields(4, &[seat_of(seat), from, goal, taken]),
            Self::Interception { asked, by, from, to: goal } => {
                fields(5, &[seat_of(asked), from, goal]);
                to.option(by, Writer::u8);
            }
            Self::Battle { at, from, attacker, beaten } => {
                fields(6, &[at, from, seat_of(attacker)]);
                to.option(beaten, |to, seat| to.u8(seat_of(seat)));
            }
            Self::Bonus { seat, card } => {
                fields(7, &[seat_of(seat)]);
                to.option(card, Writer::u16);
            }
            Self::Scout { seat, at } => fields(8, &[seat_of(seat), at]),
        }
    }

    fn decode(
        spaces: u8,
        card: impl FnOnce(&mut Reader<'_>) -> Result<u16, DecodeError>,
        from: &mut Reader<'_>,
    ) -> Result<Self, DecodeError> {
        let tag = from.below(9, "a procedure")?;
        let seat = |from: &mut Reader<'_>| from.below(2, "a seat").map(Seat::new);
        let space = |from: &mut Reader<'_>| from.below(spaces, "a space");
        Ok(match tag {
            0 => Self::Deal { left: from.u8()? },
            1 => Self::Choose,
            2 => Self::Act { done: from.below(3, "how many seats have acted")? },
            3 => Self::Activation { seat: seat(from)?, marches: from.u8()? },
            4 => Self::March { seat: seat(from)?, from: space(from)?, to: space(from)?, taken: from.u8()? },
            5 => {
                let (asked, from_space, to) = (seat(from)?, space(from)?, space(from)?);
                Self::Interception { asked, by: from.option(space)?, from: from_space, to }
            }
            6 => Self::Battle {
                at: space(from)?,
                from: space(from)?,
                attacker: seat(from)?,
                beaten: from.option(seat)?,
            },
            7 => Self::Bonus { seat: seat(from)?, card: from.option(card)? },
            _ => Self::Scout { seat: seat(from)?, at: space(from)? },
        })
    }
}
