//! The state: where every block stands, what is known of it, the cards, and the procedures under way.
//!
//! Invariant: `here` has the bit of a block at its place and nowhere else; a block in a City has enemies in the Area; blocks in
//! the pool have no strength.

mod block;
mod fight;

use crate::deck::CardSet;
use crate::flow::Frames;
use crate::game::{MatchResult, Termination};
use crate::reference::{Ref, Refs};
use crate::seat::Seat;

pub(super) use self::block::*;
use super::content::{AREAS_MAX, Content};
use super::frames::Frame;
use super::rules;
pub(super) use fight::{Fight, FightKind, Relief, Stage};

/// The most blocks, and directed borders.
pub(super) const BLOCKS: usize = 48;
pub(super) const EDGES: usize = 160;
/// The most Cities.
pub(super) const CITIES: usize = 16;
/// The Recruitment Pools.
pub(super) const POOL: u8 = 63;
/// No place, no block.
pub(super) const NONE: u8 = u8::MAX;

/// A seat's part of a sealed choice.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Choosing {
    pub(super) picks: CardSet,
    pub(super) committed: bool,
}

/// The way the match ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub(super) major: bool,
    pub(super) winner: Seat,
}

impl Verdict {
    pub(super) fn result(self) -> MatchResult {
        let returns = [0, 1].map(|seat| if self.winner.index() == seat { 1 } else { -1 }).to_vec();
        let (code, grade) = if self.major { ("major_victory", "major") } else { ("minor_victory", "minor") };
        let refs = Refs::from_slice(&[Ref::Seat(self.winner)]);
        MatchResult { returns, code, refs, rule: rules::VICTORY, grade, termination: Termination::Victory }
    }
}

/// The state of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Number of the Turn among the eight, from 0.
    pub(super) turn: u8,
    pub(super) player1: Seat,
    /// The cards of the Turn, once they are up.
    pub(super) cards: [Option<u16>; 2],
    pub(super) hands: [CardSet; 2],
    pub(super) decks: [CardSet; 2],
    pub(super) discards: [CardSet; 2],
    /// Cards played this year before this Turn, and those out of the game.
    pub(super) played: [CardSet; 2],
    pub(super) removed: [CardSet; 2],
    pub(super) choosing: [Choosing; 2],
    /// 6.45: London's walls are complete.
    pub(super) walls: bool,
    /// Area where a Tactical event will work, by side; else [`NONE`].
    pub(super) tactic: [u8; 2],
    /// Mining is still to be used; blocks that can still be exempt from Supply.
    pub(super) mining: [bool; 2],
    pub(super) exempt: [u8; 2],
    pub(super) blocks: [Block; BLOCKS],
    /// The blocks at each place: derived.
    pub(super) here: [u64; 64],
    /// Number of blocks that crossed each directed border, in this segment or Retreat; who stopped behind it
    /// last (side + 1).
    pub(super) crossed: [u8; EDGES],
    pub(super) entered: [u8; EDGES],
    /// -2: no Siege; -1: a Siege without a marker; else the marker.
    pub(super) siege: [i8; CITIES],
    /// Cities whose Siege Combat is done this Turn.
    pub(super) resolved: u16,
    /// Place where an upright block gained (`true`) or lost strength last this Turn: that much everybody saw.
    pub(super) last: Option<(u8, bool)>,
    /// By Area, how many blocks of the player whose Supply is under way were announced to be short; 0 once its turn has come.
    pub(super) short: [u8; AREAS_MAX],
    /// By bag: strength gained and lost unseen.
    pub(super) stir: [[u8; 2]; BLOCKS],
    pub(super) fight: Option<Fight>,
    pub(super) frames: Frames<Frame, 8>,
    pub(super) result: Option<Verdict>,
}

/// No Siege.
pub(super) const FREE: i8 = -2;
/// A Siege without a marker.
pub(super) const UNMARKED: i8 = -1;

/// The blocks of a set, in order.
pub(super) fn each(mut set: u64) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let next = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(next)
    })
}

impl State {
    /// 12.22, 12.23: the set-up, before the first card is dealt.
    pub(super) fn new(content: &Content) -> Self {
        let empty =
            Block { at: NONE, strength: 0, flags: 0, by: NONE, began: NONE, via: NONE, seen: 0, bag: 0 };
        let mut state = Self {
            turn: 0,
            player1: Seat::new(0),
            cards: [None; 2],
            hands: [CardSet::default(); 2],
            decks: content.first_deck,
            discards: [CardSet::default(); 2],
            played: [CardSet::default(); 2],
            removed: [CardSet::default(); 2],
            choosing: [Choosing::default(); 2],
            walls: false,
            tactic: [NONE; 2],
            mining: [false; 2],
            exempt: [0; 2],
            blocks: [empty; BLOCKS],
            here: [0; 64],
            crossed: [0; EDGES],
            entered: [0; EDGES],
            siege: [FREE; CITIES],
            resolved: 0,
            last: None,
            short: [0; AREAS_MAX],
            stir: [[0; 2]; BLOCKS],
            fight: None,
            frames: Frames::default(),
            result: None,
        };
        for (index, def) in content.blocks.iter().enumerate() {
            let strength = if def.setup == POOL { 0 } else { def.strength };
            state.blocks[index] =
                Block { at: def.setup, strength, seen: strength, bag: index as u8, ..empty };
        }
        state.count_places(content);
        state
    }

    /// Derives `here`.
    pub(super) fn count_places(&mut self, content: &Content) {
        self.here = [0; 64];
        for block in 0..content.blocks.len() {
            self.here[usize::from(self.blocks[block].at)] |= 1 << block;
        }
    }

    /// Puts a block at a place, and nothing else.
    pub(super) fn put(&mut self, block: usize, place: u8) {
        let from = std::mem::replace(&mut self.blocks[block].at, place);
        self.here[usize::from(from)] &= !(1 << block);
        self.here[usize::from(place)] |= 1 << block;
    }

    /// The blocks at a place.
    pub(super) const fn at(&self, place: u8) -> u64 {
        self.here[place as usize]
    }

    /// The blocks of `set` with any of these flags.
    pub(super) fn flagged(&self, set: u64, flags: u16) -> u64 {
        each(set).filter(|&block| self.blocks[block].flags & flags != 0).fold(0, |set, b| set | 1 << b)
    }

    /// The strength of a set in all.
    pub(super) fn strength(&self, set: u64) -> u32 {
        each(set).map(|block| u32::from(self.blocks[block].strength)).sum()
    }

    pub(super) fn set_flags(&mut self, set: u64, flags: u16) {
        each(set).for_each(|block| self.blocks[block].flags |= flags);
    }

    pub(super) fn clear_flags(&mut self, set: u64, flags: u16) {
        each(set).for_each(|block| self.blocks[block].flags &= !flags);
    }

    /// The nth player of the Turn.
    pub(super) const fn player(&self, nth: u8) -> Seat {
        if nth == 0 { self.player1 } else { self.player1.other() }
    }

    /// Returns whether it is the Winter Turn.
    pub(super) fn winter(&self, content: &Content) -> bool {
        usize::from(self.turn) + 1 == content.turns.len()
    }

    /// Counts the shuffles of the decks.
    pub(super) const fn epoch(&self) -> u32 {
        (self.turn >= 2) as u32
    }
}
