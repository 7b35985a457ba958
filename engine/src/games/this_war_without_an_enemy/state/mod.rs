//! The state: where every block stands, what is known of it, the cards, and the procedures under way.
//!
//! Invariant: `here` has the bit of a block at its place and nowhere else; a block in a City has enemies in the Area; blocks in
//! the pool have no strength.

mod block;
mod fight;

use crate::deck::CardSet;
use crate::flow::Frames;
use crate::game::{MatchResult, Termination};
use crate::numbered::Listed;
use crate::reference::{Ref, Refs};
use crate::seat::Seat;

pub(super) use self::block::*;
use super::content::things::{AreaId, BlockId, BlockSet, CitySet, Place};
use super::content::{AREAS_MAX, Content};
use super::frames::{DEPTH, Frame};
use super::rules;
pub(super) use fight::{Fight, FightKind, Goal, Relief, Stage};

/// The most blocks, and borders, each way.
pub(super) const BLOCKS: usize = 48;
pub(super) const CROSSINGS: usize = 160;
/// The most Cities.
pub(super) const CITIES: usize = 16;
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
    /// Area where a Tactical event will work, by side.
    pub(super) tactic: [Option<AreaId>; 2],
    /// Mining is still to be used; blocks that can still be exempt from Supply.
    pub(super) mining: [bool; 2],
    pub(super) exempt: [u8; 2],
    pub(super) blocks: [Block; BLOCKS],
    /// The blocks at each place: derived.
    pub(super) here: [BlockSet; Place::BOUND],
    /// Number of blocks that crossed each border, by the way, in this segment or Retreat; who stopped behind it
    /// last (side + 1).
    pub(super) crossed: [u8; CROSSINGS],
    pub(super) entered: [u8; CROSSINGS],
    /// -2: no Siege; -1: a Siege without a marker; else the marker.
    pub(super) siege: [i8; CITIES],
    /// Cities whose Siege Combat is done this Turn.
    pub(super) resolved: CitySet,
    /// Place where an upright block gained (`true`) or lost strength last this Turn: that much everybody saw.
    pub(super) last: Option<(Place, bool)>,
    /// By Area, how many blocks of the player whose Supply is under way were announced to be short; 0 once its turn has come.
    pub(super) short: [u8; AREAS_MAX],
    /// By bag: strength gained and lost unseen.
    pub(super) stir: [[u8; 2]; BLOCKS],
    pub(super) fight: Option<Fight>,
    pub(super) frames: Frames<Frame, DEPTH>,
    pub(super) result: Option<Verdict>,
}

/// No Siege.
pub(super) const FREE: i8 = -2;
/// A Siege without a marker.
pub(super) const UNMARKED: i8 = -1;

impl State {
    /// 12.22, 12.23: the set-up, before the first card is dealt.
    pub(super) fn new(content: &Content) -> Self {
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
            tactic: [None; 2],
            mining: [false; 2],
            exempt: [0; 2],
            blocks: [Block::pooled(BlockId::new(0)); BLOCKS],
            here: [BlockSet::EMPTY; Place::BOUND],
            crossed: [0; CROSSINGS],
            entered: [0; CROSSINGS],
            siege: [FREE; CITIES],
            resolved: CitySet::EMPTY,
            last: None,
            short: [0; AREAS_MAX],
            stir: [[0; 2]; BLOCKS],
            fight: None,
            frames: Frames::default(),
            result: None,
        };
        for (index, def) in content.blocks.iter().enumerate() {
            let strength = if def.setup == Place::POOL { 0 } else { def.strength };
            state.blocks[index] =
                Block { at: def.setup, strength, seen: strength, ..Block::pooled(BlockId::new(index)) };
        }
        state.count_places(content);
        state
    }

    /// Derives `here`.
    pub(super) fn count_places(&mut self, content: &Content) {
        self.here = [BlockSet::EMPTY; Place::BOUND];
        for block in BlockId::all(content) {
            self.here[self.blocks[block].at] |= BlockSet::one(block);
        }
    }

    /// Puts a block at a place, and nothing else.
    pub(super) fn put(&mut self, block: BlockId, place: Place) {
        let from = std::mem::replace(&mut self.blocks[block].at, place);
        self.here[from] -= BlockSet::one(block);
        self.here[place] |= BlockSet::one(block);
    }

    /// The blocks at a place.
    pub(super) fn at(&self, place: impl Into<Place>) -> BlockSet {
        self.here[place.into()]
    }

    /// The blocks of `set` with any of these flags.
    pub(super) fn flagged(&self, set: BlockSet, flags: Flags) -> BlockSet {
        set.iter().filter(|&block| self.blocks[block].flags.intersects(flags)).collect()
    }

    /// The strength of a set in all.
    pub(super) fn strength(&self, set: BlockSet) -> u32 {
        set.iter().map(|block| u32::from(self.blocks[block].strength)).sum()
    }

    pub(super) fn set_flags(&mut self, set: BlockSet, flags: Flags) {
        set.iter().for_each(|block| self.blocks[block].flags |= flags);
    }

    pub(super) fn clear_flags(&mut self, set: BlockSet, flags: Flags) {
        set.iter().for_each(|block| self.blocks[block].flags -= flags);
    }

    /// The fight under way.
    ///
    /// # Panics
    /// If there is none: its stages alone ask for it.
    pub(super) const fn ongoing_fight(&self) -> Fight {
        self.fight.expect("a stage of a fight has its fight")
    }

    /// See [`State::ongoing_fight`].
    pub(super) const fn ongoing_fight_mut(&mut self) -> &mut Fight {
        self.fight.as_mut().expect("a stage of a fight has its fight")
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
