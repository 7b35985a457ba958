//! The Tactical Battle board: both lines, their Strength markers, the outcome boxes, how far the Battle is ([`Battle`]).

use super::NONE;

/// Places of both lines: Parliament's six, then the Royalists' six opposite to them.
pub(in super::super) const SLOTS: usize = 12;
/// Parliament's places.
pub(in super::super) const OWN: usize = 6;

/// The stage of a Battle.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(in super::super) enum Stage {
    /// There is none.
    #[default]
    Idle,
    /// Fought out, or resolved quickly (12.3)?
    Method,
    /// Against which Army?
    Name,
    /// Two dice of the quick method are due.
    QuickRoll,
    /// Named units are committed.
    Commit,
    /// Formations are drawn for the empty places.
    Fill,
    /// Battle Event cards are drawn.
    Events,
    /// A place is drawn for the card in play.
    RandomUnit,
    /// A formation is drawn in place of the one at `slot`.
    Redraw,
    /// The player picks a place for the card in play.
    Target,
    /// Cards with green titles may be played.
    Green,
    /// The Zeal marker may be committed.
    Inspire,
    /// Cards may be played before the dice of the sector.
    Before,
    /// The dice of the sector are due.
    Roll,
    /// Cards may be played after the dice.
    After,
    /// One die, or both, are due again.
    Reroll,
    /// A draw may be salvaged.
    Salvage,
    /// Cards may be played in the aftermath.
    Aftermath,
    /// Benefit Points are spent.
    Benefits,
    /// Formations go back.
    Return,
    /// Dice for Deadly Outcomes are due.
    Deadly,
}

impl Stage {
    /// All of them, by number.
    pub(in super::super) const ALL: [Self; 21] = [
        Self::Idle,
        Self::Method,
        Self::Name,
        Self::QuickRoll,
        Self::Commit,
        Self::Fill,
        Self::Events,
        Self::RandomUnit,
        Self::Redraw,
        Self::Target,
        Self::Green,
        Self::Inspire,
        Self::Before,
        Self::Roll,
        Self::After,
        Self::Reroll,
        Self::Salvage,
        Self::Aftermath,
        Self::Benefits,
        Self::Return,
        Self::Deadly,
    ];
}

/// The place of a formation of the line.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(in super::super) enum Place {
    /// At its place.
    #[default]
    Line,
    Victory,
    Draw,
    Defeat,
    /// With the foot of its wing (7.1).
    Turned,
}

impl Place {
    pub(in super::super) const ALL: [Self; 5] =
        [Self::Line, Self::Victory, Self::Draw, Self::Defeat, Self::Turned];
}

/// The outcome of a Battle.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(in super::super) enum Outcome {
    #[default]
    Open,
    Victory,
    Draw,
    Defeat,
}

impl Outcome {
    pub(in super::super) const ALL: [Self; 4] = [Self::Open, Self::Victory, Self::Draw, Self::Defeat];
}

/// A Battle; the default is none.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Battle {
    pub(in super::super) stage: Stage,
    /// True if it is resolved quickly (12.3).
    pub(in super::super) quick: bool,
    /// The Army that is fought: 0 North, 1 West; `NONE` before it is named.
    pub(in super::super) army: u8,
    /// Kinds by place, or `NONE`.
    pub(in super::super) line: [u8; SLOTS],
    pub(in super::super) places: [Place; SLOTS],
    /// The sum of the Strength markers at a place, and whether there are any, as bits.
    pub(in super::super) markers: [i8; SLOTS],
    pub(in super::super) marked: u16,
    /// Battle Event cards that are still drawn.
    pub(in super::super) draws: u8,
    /// The card that is in play, and the place that it is about; `NONE` otherwise.
    pub(in super::super) card: u8,
    pub(in super::super) slot: u8,
    /// The sector that is fought, 0 to 3, and Parliament's extra in it from cards.
    pub(in super::super) sector: u8,
    pub(in super::super) extra: i8,
    /// The dice of the sector (Parliament, Royalist) while a card may answer them; 0 otherwise.
    pub(in super::super) dice: [u8; 2],
    pub(in super::super) outcome: Outcome,
    pub(in super::super) salvaged: bool,
    /// After a Draw: Zeal that cards give, and that nothing is lost for a salvage; after a Victory: their points.
    pub(in super::super) trusted: bool,
    pub(in super::super) points: u8,
}

impl Default for Battle {
    fn default() -> Self {
        Self {
            stage: Stage::Idle,
            quick: false,
            army: NONE,
            line: [NONE; SLOTS],
            places: [Place::Line; SLOTS],
            markers: [0; SLOTS],
            marked: 0,
            draws: 0,
            card: NONE,
            slot: NONE,
            sector: 0,
            extra: 0,
            dice: [0; 2],
            outcome: Outcome::Open,
            salvaged: false,
            trusted: false,
            points: 0,
        }
    }
}

impl Battle {
    /// Returns the number of formations of a kind in the lines and outcome boxes.
    pub(in super::super) fn of_kind(&self, kind: u8) -> u8 {
        self.line.iter().filter(|&&there| there == kind).count() as u8
    }

    /// Puts a Strength marker at a place.
    pub(in super::super) fn mark(&mut self, slot: usize, value: i8) {
        self.markers[slot] += value;
        self.marked |= 1 << slot;
    }

    /// Takes all Strength markers from a place.
    pub(in super::super) fn unmark(&mut self, slot: usize) {
        self.markers[slot] = 0;
        self.marked &= !(1 << slot);
    }

    /// Returns the number of Parliament's formations in a box.
    pub(in super::super) fn count(&self, place: Place) -> u8 {
        (0..OWN).filter(|&slot| self.line[slot] != NONE && self.places[slot] == place).count() as u8
    }
}

/// The places of a sector on Parliament's side; the Royalists' are six further.
pub(in super::super) const fn sector_slots(sector: u8) -> std::ops::Range<usize> {
    match sector {
        0 => 0..1,
        1 => 1..2,
        2 => 2..4,
        _ => 4..6,
    }
}

/// Returns whether the sector is one of foot.
pub(in super::super) const fn sector_of_foot(sector: u8) -> bool {
    sector >= 2
}
