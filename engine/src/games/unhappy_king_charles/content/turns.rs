//! The Turn Record Track, and the set-up (4.2, 5.0).

use super::Named;
use super::ids::{AreaId, BrigadeFace, FaceSet, GeneralSet, LeaderId, NotableSet};

/// A Turn.
#[derive(Debug)]
pub struct Turn {
    /// Its id and name.
    pub named: Named,
    /// The Brigades that each side recruits in the Recruitment Phase (7.2.2).
    pub recruits: u8,
    /// The Brigades of a Recruitment Card that is an Operations Card (7.2.2).
    pub card_recruits: u8,
    /// The Brigades of a Recruitment Card that is a discard (7.2.2).
    pub discard_recruits: u8,
    /// The Power Base Number (17.2).
    pub power_base: u8,
    /// The Desertion Number (12.0).
    pub desertion: u8,
    /// True if a Naval Chit is drawn (5.1).
    pub naval_chit: bool,
    /// True if cards are dealt (5.4): the first Turn has the deal of the set-up.
    pub draw: bool,
    /// True if there is a Political Control Phase (5.2).
    pub political_control: bool,
    /// True if the Royalists may recruit a Veteran for a Militia Brigade by Powicke Bridge (7.1.2).
    pub powicke: bool,
    /// True if turncoats are taken (10.6).
    pub turncoats: bool,
    /// True if stored cards can be played (6.0).
    pub stored_cards: bool,
    /// Generals who come from the track (4.4).
    pub arrivals: GeneralSet,
}

/// A stack of the set-up (4.2).
#[derive(Debug)]
pub struct StartStack {
    /// Its id and, as its name, the words of its place.
    pub named: Named,
    /// The seat that owns it.
    pub side: crate::seat::Seat,
    /// Its Area.
    pub area: AreaId,
    /// True if it is inside the Fortress.
    pub inside: bool,
    /// The Leader on whose Command Display its Brigades are; none of unled ones.
    pub leader: Option<LeaderId>,
    /// The faces of its Brigades, one a counter.
    pub brigades: Vec<BrigadeFace>,
}

/// The set-up (4.0). Markers stand with the Areas ([`Area::start`](super::map::Area::start)).
#[derive(Debug)]
pub struct SetUp {
    /// The stacks, Local Notables included.
    pub stacks: Vec<StartStack>,
    /// Generals in each side's Reinforcements Box.
    pub reinforcements: [GeneralSet; 2],
    /// Local Notables on the map.
    pub notables: NotableSet,
}

/// An option of a match: one of the optional rules (17.1, 18.0).
#[derive(Debug)]
pub struct OptionalRule {
    /// Its id and name.
    pub named: Named,
    /// The rulebook's number.
    pub rule: String,
    /// True if it holds unless the players agree otherwise.
    pub default: bool,
}

/// The optional rules, in the order of their records.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RuleOption {
    /// The King's Surrender ends the game (17.1), which the players may do without.
    King,
    /// Stout Cornish Men (18.1).
    Cornish,
    /// Random Desertion Order (18.2).
    RandomDesertion,
    /// Manchester (18.3).
    Manchester,
    /// The Laughter of the Court (18.4).
    Laughter,
    /// Lostwithiel (18.5).
    Lostwithiel,
}

impl RuleOption {
    /// All of them, in order.
    pub const ALL: [Self; super::OPTIONS] = [
        Self::King,
        Self::Cornish,
        Self::RandomDesertion,
        Self::Manchester,
        Self::Laughter,
        Self::Lostwithiel,
    ];

    /// Its id in content and in set-ups.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["king-surrenders", "cornish", "random-desertion", "manchester", "laughter", "lostwithiel"]
            [self as usize]
    }
}

/// The Brigades that optional rules restrict.
#[derive(Copy, Clone, Debug)]
pub struct Restricted {
    /// Those of Stout Cornish Men (18.1).
    pub cornish: FaceSet,
    /// Those of Manchester (18.3).
    pub manchester: FaceSet,
}
