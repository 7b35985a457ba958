//! A type for each kind of thing that the game numbers: its bound, its encoding, its reference; and sets of them.
//!
//! References: Areas are the first spaces; Leaders the first pieces, Generals before Local Notables; faces of Brigades the first kinds;
//! cards are cards; Regions and then economic infrastructures the first mats; Turns are numbers.

use crate::numbered::SetOf;
use crate::reference::Ref;

use super::wide_set::WideSetOf;
use super::{AREAS, CARDS, Content, GENERALS, INFRASTRUCTURES, LEADERS, NOTABLES, REGIONS, TURNS};

/// The first mat that is a Region.
pub const REGION_MATS: u16 = 0;
/// The first mat that is an economic infrastructure.
pub const INFRASTRUCTURE_MATS: u16 = REGION_MATS + REGIONS as u16;

/// The index behind `first` that a number names, if it is below `count`.
fn behind<T>(number: u16, first: u16, count: usize, new: fn(usize) -> T) -> Option<T> {
    number.checked_sub(first).map(usize::from).filter(|&index| index < count).map(new)
}

crate::numbered! {
    of Content;

    /// An Area of the map (2.1): 75, in the order of areas.toml.
    pub AreaId "an Area": |_| AREAS,
        |_, area| area.into(),
        |_, what| if let Ref::Space(space) = what { behind(space, 0, AREAS, AreaId::new) } else { None };

    /// A movement line between two Areas (9.3), in the order of lines.toml.
    pub LineId "a line": |content| content.lines.len(),
        |content, line| content.lines[line].between[1].into(),
        |_, _| None;

    /// One of the five Regions (2.1).
    pub RegionId "a Region": |_| REGIONS,
        |_, region| Ref::Mat(REGION_MATS + region.index() as u16),
        |_, what| if let Ref::Mat(mat) = what { behind(mat, REGION_MATS, REGIONS, RegionId::new) } else { None };

    /// A Fortress by its Area: the printed ones in the order of areas.toml, then the Local Notables' Areas in the order of the Notables.
    /// The latter are Fortresses only while their Notable is in play (13.0).
    pub FortressId "a Fortress": |content| content.fortresses.len(),
        |content, fortress| content.fortresses[fortress].area.into(),
        |content, what| {
            let Ref::Space(space) = what else { return None };
            behind(space, 0, AREAS, AreaId::new).and_then(|area| content.areas[area].fortress)
        };

    /// An economic infrastructure (17.3), which may be of several Areas.
    pub InfrastructureId "an economic infrastructure": |content| content.infrastructures.len(),
        |_, infrastructure| Ref::Mat(INFRASTRUCTURE_MATS + infrastructure.index() as u16),
        |content, what| {
            let Ref::Mat(mat) = what else { return None };
            let count = content.infrastructures.len().min(INFRASTRUCTURES);
            behind(mat, INFRASTRUCTURE_MATS, count, InfrastructureId::new)
        };

    /// A General (8.0): 23, in the order of leaders.toml.
    pub GeneralId "a General": |_| GENERALS,
        |_, general| LeaderId::from(general).into(),
        |_, what| LeaderId::referred_by(what).and_then(LeaderId::general);

    /// A Local Notable (13.0): 9, in the order of leaders.toml.
    pub NotableId "a Local Notable": |_| NOTABLES,
        |_, notable| LeaderId::from(notable).into(),
        |_, what| LeaderId::referred_by(what).and_then(LeaderId::notable);

    /// A Leader (8.0): a General or, behind them, a Local Notable. Each has a Command Display.
    pub LeaderId "a Leader": |_| LEADERS,
        |_, leader| leader.into(),
        |_, what| LeaderId::referred_by(what);

    /// The face of a Brigade: name, letter and Combat Value (2.2). Counters with one face are alike.
    pub BrigadeFace "a face of Brigades": |content| content.faces.len(),
        |_, face| face.into(),
        |content, what| {
            if let Ref::Kind(kind) = what { behind(kind, 0, content.faces.len(), BrigadeFace::new) } else { None }
        };

    /// A Brigade counter: those of one face follow each other. Nothing names one by itself, so it refers to its face.
    pub CounterId "a Brigade counter": |content| content.face_of.len(),
        |content, counter| content.face_of[counter].into(),
        |_, _| None;

    /// A Strategy Card: 110, in the order of cards.toml.
    pub CardId "a card": |_| CARDS,
        |_, card| card.into(),
        |_, what| if let Ref::Card(card) = what { behind(card, 0, CARDS, CardId::new) } else { None };

    /// A Turn: 0 is the first one, Late 1642.
    pub TurnId "a Turn": |_| TURNS,
        |_, turn| Ref::Number(turn.index() as i32 + 1),
        |_, what| {
            let Ref::Number(number) = what else { return None };
            usize::try_from(number - 1).ok().filter(|&index| index < TURNS).map(TurnId::new)
        };

    /// A list of operations that a card carries out.
    pub ListId "a list of operations": |content| content.lists.len(),
        |_, list| Ref::Number(list.index() as i32),
        |content, what| {
            let Ref::Number(number) = what else { return None };
            usize::try_from(number).ok().filter(|&index| index < content.lists.len()).map(ListId::new)
        };
}

/// A set of Areas.
pub type AreaSet = WideSetOf<AreaId>;
/// A set of Brigade counters.
pub type CounterSet = WideSetOf<CounterId>;
/// A set of faces of Brigades.
pub type FaceSet = SetOf<BrigadeFace>;
/// A set of Fortresses.
pub type FortressSet = SetOf<FortressId>;
/// A set of Generals.
pub type GeneralSet = SetOf<GeneralId>;
/// A set of Local Notables.
pub type NotableSet = SetOf<NotableId>;
/// A set of Leaders.
pub type LeaderSet = SetOf<LeaderId>;
/// A set of Regions.
pub type RegionSet = SetOf<RegionId>;
/// A set of economic infrastructures.
pub type InfrastructureSet = SetOf<InfrastructureId>;

impl RegionId {
    /// The South.
    pub const SOUTH: Self = Self::new(0);
    /// The East.
    pub const EAST: Self = Self::new(1);
    /// Wales.
    pub const WALES: Self = Self::new(2);
    /// The Midlands.
    pub const MIDLANDS: Self = Self::new(3);
    /// The North.
    pub const NORTH: Self = Self::new(4);
}

impl TurnId {
    /// Its number, 1 to 11.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The Turn of a number from 1 to 11.
    #[must_use]
    pub const fn of_number(number: u8) -> Option<Self> {
        if number >= 1 && number as usize <= TURNS { Some(Self(number - 1)) } else { None }
    }
}

impl LeaderId {
    /// The General that it is, if it is one.
    #[must_use]
    pub const fn general(self) -> Option<GeneralId> {
        if self.index() < GENERALS { Some(GeneralId::new(self.index())) } else { None }
    }

    /// The Local Notable that it is, if it is one.
    #[must_use]
    pub const fn notable(self) -> Option<NotableId> {
        if self.index() >= GENERALS { Some(NotableId::new(self.index() - GENERALS)) } else { None }
    }

    /// The Leader that a reference names.
    fn referred_by(what: Ref) -> Option<Self> {
        if let Ref::Piece(piece) = what { behind(piece, 0, LEADERS, Self::new) } else { None }
    }
}

impl From<GeneralId> for LeaderId {
    fn from(general: GeneralId) -> Self {
        Self::new(general.index())
    }
}

impl From<NotableId> for LeaderId {
    fn from(notable: NotableId) -> Self {
        Self::new(GENERALS + notable.index())
    }
}

impl From<AreaId> for Ref {
    fn from(area: AreaId) -> Self {
        Self::Space(area.index() as u16)
    }
}

impl From<LeaderId> for Ref {
    fn from(leader: LeaderId) -> Self {
        Self::Piece(leader.index() as u16)
    }
}

impl From<GeneralId> for Ref {
    fn from(general: GeneralId) -> Self {
        LeaderId::from(general).into()
    }
}

impl From<NotableId> for Ref {
    fn from(notable: NotableId) -> Self {
        LeaderId::from(notable).into()
    }
}

impl From<BrigadeFace> for Ref {
    fn from(face: BrigadeFace) -> Self {
        Self::Kind(face.index() as u16)
    }
}

impl From<CardId> for Ref {
    fn from(card: CardId) -> Self {
        Self::Card(card.index() as u16)
    }
}
