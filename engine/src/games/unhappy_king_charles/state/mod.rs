//! The state: where every piece stands and what is known of it, the cards, and the procedures under way.

mod activation;
mod armies;
mod battle;
mod brigades;
mod cards;
mod generals;
mod holder;
mod leaders;
mod recruiting;
mod set_up;
mod verdict;

use bitflags::bitflags;

use crate::deck::CardSet;
use crate::flow::Frames;
use crate::seat::Seat;

pub(super) use self::activation::{Activation, PATH, Warrant};
pub(super) use self::battle::{Battle, BattleKind, Margin, SiegeFight};
pub(super) use self::brigades::{Brigades, Counter, Marks, Told};
pub(super) use self::cards::{BonusSet, Cards, SETS, WarDeck};
pub(super) use self::generals::Generals;
pub(super) use self::holder::{Holder, Holding};
pub(super) use self::leaders::{GeneralStatus, Post, Presence};
pub(super) use self::recruiting::{Occasion, Recruiting};
pub(super) use self::verdict::Verdict;
use super::content::ids::{AreaId, AreaSet, CardId, GeneralId, TurnId};
use super::content::{FORTRESSES, NOTABLES, OPTIONS, ROYALIST, SEATS};
use super::frames::Frame;

/// The deepest that procedures nest: docs/flows/unhappy-king-charles.md counts 15.
pub(super) const DEPTH: usize = 20;

/// The marker of a Siege.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SiegeMarker {
    /// None: the Fortress is free, or only Masked.
    None,
    /// A Siege marker (14.2).
    Siege,
    /// A Blockade & Siege marker, which Bombards for free in the Blockade Phase (14.2).
    Blockade,
}

/// The Siege of a Fortress.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Siege {
    /// Its marker.
    pub(super) marker: SiegeMarker,
    /// The Bombardment Value amassed (14.3).
    pub(super) value: u8,
    /// Added to its next Bombardment roll by an event.
    pub(super) bonus: u8,
}

impl Siege {
    /// No Siege.
    pub(super) const NONE: Self = Self { marker: SiegeMarker::None, value: 0, bonus: 0 };
}

/// The place of a side's Siege Train (7.1.4).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Train {
    /// It may be recruited.
    Available,
    /// On the Turn Record Track: it may be recruited from the next Turn on.
    Resting,
    /// In a friendly Fortress, with nobody.
    In(AreaId),
    /// On the Command Display of a General (R21).
    With(GeneralId),
    /// Captured: out of the game (14.4).
    Out,
}

/// The place of the Queen (6.6).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Queen {
    /// She has not landed.
    Abroad,
    /// Alone in an Area; in a Fortress Area inside it (V10).
    In(AreaId),
    /// With a Royalist General (V23).
    With(GeneralId),
    /// She left uncaptured.
    Left,
    /// She was captured.
    Captured,
}

bitflags! {
    /// All that has happened once and stays so.
    #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
    pub(super) struct Happened: u16 {
        /// The Standard was raised (6.5).
        const STANDARD = 1;
        /// The Army of the Solemn League and Covenant was called (6.5).
        const LEAGUE = 1 << 1;
        /// The New Model Army was formed (6.5).
        const NEW_MODEL = 1 << 2;
        /// The Cessation (6.6).
        const CESSATION = 1 << 3;
        /// Rupert is Lieutenant General (6.6).
        const LIEUTENANT_GENERAL = 1 << 4;
        /// The Royalist holds the Earl of Brentford's marker (6.6).
        const BRENTFORD = 1 << 5;
        /// Waller and Essex may stand together until the end of the Turn (S9).
        const JOINT_VENTURE = 1 << 6;
        /// The Royalist has used Powicke Bridge in this recruitment (7.1.2).
        const POWICKE = 1 << 8;
        /// The Royalist has used the naval benefit this Turn for an extra Brigade (15.3).
        const ROYALIST_BENEFIT = 1 << 9;
        /// Parliament has, for an extra Brigade.
        const PARLIAMENT_BENEFIT = 1 << 10;
        /// The Royalist has used the naval benefit this Turn for a Veteran (15.3).
        const ROYALIST_VETERAN = 1 << 11;
        /// Parliament has, for a Veteran.
        const PARLIAMENT_VETERAN = 1 << 12;
        /// The Royalist has recruited this Turn while they could use the naval benefit for a Veteran: whether they did is theirs to know.
        const ROYALIST_CHANCE = 1 << 13;
        /// Parliament has.
        const PARLIAMENT_CHANCE = 1 << 14;
    }
}

impl Happened {
    /// All that tells of the face of a recruit, so that its side alone knows it (16.0).
    pub(super) const SECRET: Self =
        Self::POWICKE.union(Self::ROYALIST_VETERAN).union(Self::PARLIAMENT_VETERAN);

    /// A seat's naval benefit went to an extra Brigade.
    #[must_use]
    pub(super) fn benefit(seat: Seat) -> Self {
        if seat == ROYALIST { Self::ROYALIST_BENEFIT } else { Self::PARLIAMENT_BENEFIT }
    }

    /// A seat's naval benefit went to a Veteran.
    #[must_use]
    pub(super) fn veteran(seat: Seat) -> Self {
        if seat == ROYALIST { Self::ROYALIST_VETERAN } else { Self::PARLIAMENT_VETERAN }
    }

    /// A seat's naval benefit may have gone to a Veteran.
    #[must_use]
    pub(super) fn chance(seat: Seat) -> Self {
        if seat == ROYALIST { Self::ROYALIST_CHANCE } else { Self::PARLIAMENT_CHANCE }
    }
}

/// The state of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The optional rules that hold, by [`RuleOption`](super::content::turns::RuleOption).
    pub(super) options: [bool; OPTIONS],
    /// The Turn.
    pub(super) turn: TurnId,
    /// Brigades.
    pub(super) brigades: Brigades,
    /// Generals.
    pub(super) generals: Generals,
    /// Local Notables.
    pub(super) notables: [Presence; NOTABLES],
    /// Areas with a PC marker of each side, by seat (3.0).
    pub(super) control: [AreaSet; 2],
    /// Sieges, by Fortress.
    pub(super) sieges: [Siege; FORTRESSES],
    /// Siege Trains, by seat.
    pub(super) trains: [Train; 2],
    /// The Queen.
    pub(super) queen: Queen,
    /// Naval chits drawn, a bit each in the order of the content (15.0).
    pub(super) chits: u8,
    /// All that events have done to the Naval Status.
    pub(super) fleet: i8,
    /// All that has happened.
    pub(super) happened: Happened,
    /// Event cards whose event can't happen again (6.6).
    pub(super) spent: CardSet,
    /// Cards.
    pub(super) cards: Cards,
    /// Turns in a row at whose end the Royalist has passed the test of 17.1 (T22).
    pub(super) ascendancy: u8,
    /// The Campaign card by which the first play was claimed, until it is played (5.5).
    pub(super) claim: Option<CardId>,
    /// The side that plays first this Turn (5.5).
    pub(super) first: Seat,
    /// Plays of the Turn that count towards six, by seat (5.5).
    pub(super) plays: [u8; 2],
    /// True once a side has passed, by seat.
    pub(super) passed: [bool; 2],
    /// Activations and other procedures with windows that have begun, so that each has a number of its own (T24).
    pub(super) procedures: u16,
    /// The recruitment under way.
    pub(super) recruiting: Option<Recruiting>,
    /// The Activation under way.
    pub(super) activation: Option<Activation>,
    /// The Battle under way.
    pub(super) battle: Option<Battle>,
    /// The procedures under way.
    pub(super) frames: Frames<Frame, DEPTH>,
    /// The way the match ended.
    pub(super) result: Option<Verdict>,
}

impl State {
    /// Returns whether something has happened.
    #[must_use]
    pub(super) const fn has(&self, what: Happened) -> bool {
        self.happened.contains(what)
    }

    /// The Activation under way.
    ///
    /// # Panics
    /// If there is none: its procedures alone ask for it.
    #[must_use]
    pub(super) const fn ongoing_activation(&self) -> &Activation {
        self.activation.as_ref().expect("a procedure of an Activation has its Activation")
    }

    /// See [`State::ongoing_activation`].
    pub(super) const fn ongoing_activation_mut(&mut self) -> &mut Activation {
        self.activation.as_mut().expect("a procedure of an Activation has its Activation")
    }

    /// The Battle under way.
    ///
    /// # Panics
    /// If there is none: its procedures alone ask for it.
    #[must_use]
    pub(super) const fn ongoing_battle(&self) -> &Battle {
        self.battle.as_ref().expect("a procedure of a Battle has its Battle")
    }

    /// See [`State::ongoing_battle`].
    pub(super) const fn ongoing_battle_mut(&mut self) -> &mut Battle {
        self.battle.as_mut().expect("a procedure of a Battle has its Battle")
    }

    /// A PC marker of a side comes to an Area, in place of the other side's (11.1); `None`: there is none any more.
    pub(super) fn set_control(&mut self, area: AreaId, seat: Option<Seat>) {
        for side in SEATS {
            if Some(side) == seat {
                self.control[side.index()].insert(area);
            } else {
                self.control[side.index()].remove(area);
            }
        }
    }
}
