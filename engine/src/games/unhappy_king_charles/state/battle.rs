//! The Battle under way ([`Battle`]): who fights, from where they came, and how far it has come (10.0).

use crate::seat::Seat;

use super::super::content::ids::{AreaId, CardId, GeneralId};

/// How a Battle came about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum BattleKind {
    /// An active Army entered, or stood in the Area when its enemy came to fight it (10.0).
    Field,
    /// The defender has intercepted the active Army (9.7.3).
    Interception,
    /// As before, in an Area with others of the active side: only the two Armies fight (9.7.5).
    Apart,
    /// An Army came out of its Fortress to fight the besieger (14.2, F18).
    Sortie,
    /// A Local Notable has become a General within a siege: nobody came from anywhere (6.5, MC18, X5).
    Model,
}

/// How the scores compared (10.2).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) enum Margin {
    /// Equal or one apart.
    Drawn,
    /// Two to four apart.
    Indecisive,
    /// Five or more apart.
    Major,
    /// Major, and the winner played a Decisive card (10.7).
    Decisive,
}

/// A Battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Battle {
    /// The Area.
    pub(in super::super) area: AreaId,
    /// How it came about.
    pub(in super::super) kind: BattleKind,
    /// The attacking side.
    pub(in super::super) attacker: Seat,
    /// The commander of each side, by seat; none: unled Brigades.
    pub(in super::super) commanders: [Option<GeneralId>; 2],
    /// The Area from which each side came, by seat.
    pub(in super::super) origins: [Option<AreaId>; 2],
    /// The interceptor came out of the Fortress of its Area (9.7.5).
    pub(in super::super) from_inside: bool,
    /// The attacker's garrison takes part (F13a), or the besieger fights with those picked (F13b).
    pub(in super::super) siege: SiegeFight,
    /// The Combat Card of each side, by seat (10.2).
    pub(in super::super) cards: [Option<CardId>; 2],
    /// The dice of each side, by seat, while the Earl of Brentford may change the result; 0 before and after.
    pub(in super::super) dice: [u8; 2],
    /// The result, once it stands.
    pub(in super::super) margin: Option<Margin>,
    /// The side that won; of a draw the one that scored more, the defender if neither did.
    pub(in super::super) winner: Option<Seat>,
    /// Brigades that each side has still to lose, by seat.
    pub(in super::super) losses: [u8; 2],
    /// The Queen was with the beaten Army: she is captured after its Retreat (V9, B11).
    pub(in super::super) queen: bool,
    /// Newcastle was in the stack that was Decisively defeated: he leaves after its Retreat (18.4, O4).
    pub(in super::super) newcastle: bool,
}

/// All that a Siege changes of a Battle (14.6).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum SiegeFight {
    /// Nothing. The garrison of a Fortress that was only Masked is with the attacker, so far as it is marked as picked (F14).
    None,
    /// A Siege marker was lifted: the garrison is with the attacker, so far as it is marked as picked.
    Lifted,
    /// The besieger fights with the surplus alone.
    Surplus,
}

impl Battle {
    /// One that is about to begin.
    #[must_use]
    pub(in super::super) const fn new(
        area: AreaId,
        kind: BattleKind,
        attacker: Seat,
        commanders: [Option<GeneralId>; 2],
    ) -> Self {
        Self {
            area,
            kind,
            attacker,
            commanders,
            origins: [None; 2],
            from_inside: false,
            siege: SiegeFight::None,
            cards: [None; 2],
            dice: [0; 2],
            margin: None,
            winner: None,
            losses: [0; 2],
            queen: false,
            newcastle: false,
        }
    }
}
