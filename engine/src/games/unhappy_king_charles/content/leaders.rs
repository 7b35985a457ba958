//! Leaders: Generals with their ratings, and Local Notables (8.0, 13.0).

use crate::seat::Seat;

use super::Named;
use super::brigades::Faction;
use super::ids::{AreaId, FortressId, GeneralId, NotableId, RegionSet, TurnId};

/// The way in which a General comes into the game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// At the start, in an Area, with the Brigades of its stack in the set-up (4.2).
    Area(AreaId),
    /// At the start, in their side's Reinforcements Box (4.2).
    Reinforcements,
    /// From the Turn Record Track, at the start of a Turn (4.4, 5.1).
    Turn(TurnId),
    /// By a card's event (4.4).
    Event,
}

/// A General (8.0).
#[derive(Debug)]
pub struct General {
    /// Their id and name.
    pub named: Named,
    /// The seat that they serve.
    pub side: Seat,
    /// The faction that they lead: Covenanter and Lorrainer Brigades have Generals of their own (8.3).
    pub faction: Faction,
    /// Their Strategy Rating against the number of a card (6.1), 1 to 3; less is better.
    pub activation: u8,
    /// Their Strategy Rating for all else, such as Interception and Evasion: above `activation` of a General of 2/3* (2.2).
    pub strategy: u8,
    /// Their Battle Rating, 0 to 3 (10.2).
    pub battle: u8,
    /// The Regions of a Regional General; none of a Field General (2.2).
    pub regions: RegionSet,
    /// Their level of subordination, 1 (highest) to 4 (9.5).
    pub level: u8,
    /// The most Brigades of an Army under them (8.4).
    pub limit: u8,
    /// True of one who may Assault at once, with too little a Bombardment Value (14.5).
    pub assaults: bool,
    /// How they come into the game.
    pub arrival: Arrival,
}

impl General {
    /// Returns whether they are a Regional General.
    #[must_use]
    pub const fn is_regional(&self) -> bool {
        !self.regions.is_empty()
    }
}

/// A Local Notable (13.0).
#[derive(Debug)]
pub struct Notable {
    /// Their id and name.
    pub named: Named,
    /// The seat that they serve.
    pub side: Seat,
    /// Their Area, which is a Fortress while they are in play.
    pub area: AreaId,
    /// That Fortress.
    pub fortress: FortressId,
    /// True of one who is on the map at the start (4.2); the others come by event.
    pub at_start: bool,
    /// The most Brigades on their Command Display (13.0).
    pub limit: u8,
}

/// Generals of whom the rules speak by name.
#[derive(Copy, Clone, Debug)]
pub struct People {
    /// King Charles, whose Surrender ends the game (17.1).
    pub king: GeneralId,
    /// Prince Rupert (6.6).
    pub rupert: GeneralId,
    /// Newcastle, of the optional rule 18.4.
    pub newcastle: GeneralId,
    /// Langdale, who takes his place there.
    pub langdale: GeneralId,
    /// Charles of Lorraine (6.6).
    pub lorraine: GeneralId,
    /// Essex (9.5, 18.5).
    pub essex: GeneralId,
    /// Waller (6.5, 9.5).
    pub waller: GeneralId,
    /// Manchester, of the optional rule 18.3.
    pub manchester: GeneralId,
    /// Tom Fairfax's Northern counter (6.5).
    pub tom_fairfax: GeneralId,
    /// The Lord General, who takes its place (6.5).
    pub lord_general: GeneralId,
    /// Cromwell (6.5).
    pub cromwell: GeneralId,
    /// Poyntz (6.5).
    pub poyntz: GeneralId,
    /// Leven (6.5).
    pub leven: GeneralId,
    /// Callander (6.5).
    pub callander: GeneralId,
    /// Willoughby, whose display takes Brigades by the optional rule 18.3.
    pub willoughby: NotableId,
}
