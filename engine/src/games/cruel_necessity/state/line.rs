//! The Tactical Battle board: both lines, their Strength markers, the outcome boxes, how far the Battle is ([`Battle`]).

use crate::numbered::SetOf;

use super::super::content::{ArmyId, BattleCardId, FormationId, SLOTS, SectorId, SlotId};

/// Parliament's places; those of the Royalists follow.
pub(in super::super) const OWN: usize = 6;

const _: () = assert!(OWN * 2 == SLOTS, "two lines of equal length");

crate::coded_variants! {
    /// The stage of a Battle.
    #[derive(Default)]
    pub(in super::super) enum Stage "a stage of a Battle" {
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

    /// The place of a formation of the line.
    #[derive(Default)]
    pub(in super::super) enum Place "a box of the Battle" {
        /// At its place.
        #[default]
        Line,
        Victory,
        Draw,
        Defeat,
        /// With the foot of its wing (7.1).
        Turned,
    }

    /// The outcome of a Battle.
    #[derive(Default)]
    pub(in super::super) enum Outcome "an outcome" {
        #[default]
        Open,
        Victory,
        Draw,
        Defeat,
    }
}

/// A formation of the lines.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(in super::super) struct Standing {
    /// Its kind; none while the place is empty.
    pub(in super::super) kind: Option<FormationId>,
    pub(in super::super) place: Place,
    /// The sum of its Strength markers.
    pub(in super::super) markers: i8,
}

/// A Battle; the default is none.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(in super::super) struct Battle {
    pub(in super::super) stage: Stage,
    /// True if it is resolved quickly (12.3).
    pub(in super::super) quick: bool,
    /// The Army that is fought, North or West, once it is named.
    pub(in super::super) army: Option<ArmyId>,
    pub(in super::super) line: [Standing; SLOTS],
    /// Places with Strength markers.
    pub(in super::super) marked: SetOf<SlotId>,
    /// Battle Event cards that are still drawn.
    pub(in super::super) draws: u8,
    /// The card that is in play, and the place that it is about.
    pub(in super::super) card: Option<BattleCardId>,
    pub(in super::super) slot: Option<SlotId>,
    /// The sector that is fought, and Parliament's extra in it from cards.
    pub(in super::super) sector: SectorId,
    pub(in super::super) extra: i8,
    /// The dice of the sector (Parliament, Royalist) while a card may answer them; 0 otherwise.
    pub(in super::super) dice: [u8; 2],
    pub(in super::super) outcome: Outcome,
    pub(in super::super) salvaged: bool,
    /// After a Draw: Zeal that cards give, and that nothing is lost for a salvage; after a Victory: their points.
    pub(in super::super) trusted: bool,
    pub(in super::super) points: u8,
}

impl Battle {
    /// The Army that is fought.
    pub(in super::super) fn foe(&self) -> ArmyId {
        self.army.expect("the Army is named")
    }

    /// The kind of the formation at a place.
    pub(in super::super) fn kind(&self, slot: SlotId) -> FormationId {
        self.line[slot].kind.expect("a formation stands there")
    }

    /// Returns the number of formations of a kind in the lines and outcome boxes.
    pub(in super::super) fn of_kind(&self, kind: FormationId) -> u8 {
        self.line.iter().filter(|there| there.kind == Some(kind)).count() as u8
    }

    /// The first place of a line's part that is empty.
    pub(in super::super) fn empty(&self, slots: impl IntoIterator<Item = SlotId>) -> Option<SlotId> {
        slots.into_iter().find(|&slot| self.line[slot].kind.is_none())
    }

    /// Puts a Strength marker at a place.
    pub(in super::super) fn mark(&mut self, slot: SlotId, value: i8) {
        self.line[slot].markers += value;
        self.marked.insert(slot);
    }

    /// Takes all Strength markers from a place.
    pub(in super::super) fn unmark(&mut self, slot: SlotId) {
        self.line[slot].markers = 0;
        self.marked.remove(slot);
    }

    /// Returns the number of Parliament's formations in a box.
    pub(in super::super) fn count(&self, place: Place) -> u8 {
        self.line[..OWN].iter().filter(|there| there.kind.is_some() && there.place == place).count() as u8
    }
}

/// All places, Parliament's first.
pub(in super::super) fn slots() -> impl DoubleEndedIterator<Item = SlotId> + Clone {
    (0..SLOTS).map(SlotId::new)
}

/// Parliament's places.
pub(in super::super) fn own_slots() -> impl Iterator<Item = SlotId> + Clone {
    (0..OWN).map(SlotId::new)
}

impl SlotId {
    /// Returns whether it is the Royalists'.
    pub(in super::super) const fn is_royalist(self) -> bool {
        self.index() >= OWN
    }

    /// Returns whether it is one of foot.
    pub(in super::super) const fn of_foot(self) -> bool {
        self.index() % OWN >= 2
    }

    /// The Royalists' place opposite to one of Parliament's.
    pub(in super::super) const fn opposite(self) -> Self {
        Self::new(self.index() + OWN)
    }
}

impl SectorId {
    /// The last one.
    pub(in super::super) const LAST: Self = Self::new(3);

    /// Its places on Parliament's side.
    pub(in super::super) fn slots(self) -> impl Iterator<Item = SlotId> + Clone {
        let slots = match self.index() {
            0 => 0..1,
            1 => 1..2,
            2 => 2..4,
            _ => 4..6,
        };
        slots.map(SlotId::new)
    }

    /// Returns whether it is one of foot.
    pub(in super::super) const fn of_foot(self) -> bool {
        self.index() >= 2
    }

    /// The sector of the foot on the wing of this sector of horse.
    pub(in super::super) const fn foot_of_the_wing(self) -> Self {
        Self::new(self.index() + 2)
    }

    /// The flank on whose wing a sector of foot is.
    pub(in super::super) fn flank(self) -> Option<SlotId> {
        self.index().checked_sub(2).map(SlotId::new)
    }

    /// The next one; the last has none.
    pub(in super::super) fn next(self) -> Option<Self> {
        (self < Self::LAST).then(|| Self::new(self.index() + 1))
    }
}
