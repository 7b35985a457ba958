//! The state: blocks, cards and the frames under way.

use arrayvec::ArrayVec;

use crate::cards::{Piles, pile_of};
use crate::deck::CardSet;
use crate::flow::{Agenda, Frames};
use crate::game::Termination;
use crate::reference::Refs;
use crate::sealed::SealedChoice;
use crate::vocabulary::*;

use super::catalogue::{HAND, PILES, SHOWN, STRETCH};
use super::content::Content;
use super::frames::{DEPTH, Frame};
use super::rules;

/// Blocks of a side.
pub(super) const SIDE: usize = 4;
/// Blocks of both sides.
pub(super) const BLOCKS: usize = 2 * SIDE;
/// The most bonus cards that are owed at once: in an activation each block of its side marches once (3.1), a march leads to one battle
/// (4.2, 5.1), and a battle to one card (6.1); they are drawn before the other side marches. The cards at hand give three marches at most.
pub(super) const OWED: usize = SIDE;
/// The place of a lost block.
pub(super) const LOST: u8 = u8::MAX;

/// A wooden block.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
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
    pub(super) cards: Piles<PILES>,
    /// The card that each seat chooses for the turn (2.3).
    pub(super) choice: SealedChoice<Option<u16>>,
    pub(super) frames: Frames<Frame, DEPTH>,
    /// Bonus cards owed (6.1).
    pub(super) agenda: Agenda<Seat, OWED>,
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
        let mut cards = Piles::default();
        for stretch in 0..2 {
            cards.lay_deck(STRETCH + stretch as u16, content.stretch(stretch), content.slots(stretch));
        }
        Self {
            drill,
            turn: 0,
            blocks: std::array::from_fn(block),
            cards,
            choice: SealedChoice::default(),
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

    /// The cards of a seat's hand.
    pub(super) const fn hand(&self, seat: Seat) -> CardSet {
        self.cards.of_seat(HAND, seat)
    }

    /// The card that a seat has shown this turn.
    pub(super) fn shown(&self, seat: Seat) -> Option<u16> {
        self.cards.single(pile_of(SHOWN, seat))
    }

    /// 2.3: the seats that choose a card: those that have any.
    pub(super) fn choosers(&self) -> SeatSet {
        SeatSet::first(self.seats()).iter().filter(|&seat| !self.hand(seat).is_empty()).collect()
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
        let undrawn = |block: &Block| block.at == at && block.face == 0;
        (SIDE..BLOCKS).find(|&block| rules::DRILL.applies(undrawn(&self.blocks[block])))
    }

    /// Faces of the garrison that are not drawn yet.
    pub(super) fn garrison_pool(&self) -> impl Iterator<Item = u8> {
        (1..=SIDE as u8).filter(|face| self.blocks[SIDE..].iter().all(|block| block.face != *face))
    }

    pub(super) fn living(&self, side: Seat) -> usize {
        let first = side.index() * SIDE;
        self.blocks[first..first + SIDE].iter().filter(|block| block.at != LOST).count()
    }

    /// 2.1: the pile that the next card comes from: dawn, then dusk; none once both are used up.
    pub(super) fn next_deck(&self) -> Option<u16> {
        [STRETCH, STRETCH + 1].into_iter().find(|&deck| !self.cards.is_used_up(deck))
    }
}
