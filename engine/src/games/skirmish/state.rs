//! The state: blocks, cards and the frames under way.

use arrayvec::ArrayVec;

use crate::deck::{CardSet, Deck, NextCard, Segment};
use crate::flow::{Agenda, Frames};
use crate::game::{MatchResult, Termination};
use crate::reference::Refs;
use crate::seat::{Seat, SeatSet};

use super::content::Content;
use super::frames::Frame;
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

    /// The seat that the next of `left` cards is dealt to (2.2): the first is dealt first, `left` counts down over all seats.
    pub(super) const fn dealt_seat(&self, left: u8) -> Seat {
        Seat::new(if self.drill { 0 } else { left % 2 })
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
}
