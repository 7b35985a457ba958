//! The map: Areas, the lines between them, Regions, Fortresses, economic infrastructures (2.1).

use crate::content::Levels;
use crate::seat::Seat;

use super::Named;
use super::ids::{AreaId, AreaSet, FortressId, InfrastructureId, NotableId, RegionId, RegionSet};

/// The shape of an Area on the map (2.1).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AreaShape {
    /// A circle: an ordinary Area.
    Standard,
    /// A diamond: the place of a Local Notable, a Fortress while that one is in play (13.0).
    LocalNotable,
    /// A pentagon: a Fortress with room for one Brigade that does not keep off Isolation (11.3, 14.1).
    LimitedFortress,
    /// A hexagon: a Fortress that keeps off Isolation (11.3).
    SupplyFortress,
}

impl AreaShape {
    /// All shapes, in order.
    pub const ALL: [Self; 4] =
        [Self::Standard, Self::LocalNotable, Self::LimitedFortress, Self::SupplyFortress];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["standard", "local-notable", "limited-fortress", "supply-fortress"][self as usize]
    }
}

/// The kind of a movement line (9.3).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LineKind {
    /// A road.
    Road,
    /// A way over mountains, which hinders Interception and Evasion.
    Mountain,
    /// A way over water, for few Brigades, which serves neither Interception nor a chain against Isolation.
    Maritime,
}

impl LineKind {
    /// All kinds, in order: the index of what is kept by kind.
    pub const ALL: [Self; super::LINE_KINDS] = [Self::Road, Self::Mountain, Self::Maritime];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["road", "mountain", "maritime"][self as usize]
    }
}

/// An Area.
#[derive(Debug)]
pub struct Area {
    /// Its id and name.
    pub named: Named,
    /// Its Region.
    pub region: RegionId,
    /// Its shape.
    pub shape: AreaShape,
    /// True of an Area with an anchor: a Port counts for events and Bombardment, never for movement (2.1).
    pub port: bool,
    /// The Fortress that it is; of a Local Notable's Area the one that it is while the Notable is in play (13.0).
    pub fortress: Option<FortressId>,
    /// The Local Notable whose Area it is.
    pub notable: Option<NotableId>,
    /// The economic infrastructure that it is part of (17.3).
    pub infrastructure: Option<InfrastructureId>,
    /// The side whose marker lies there at the start (4.3); `None` of a neutral Area.
    pub start: Option<Seat>,
    /// The Regions whose Brigades each seat may recruit there: its drummers (7.2).
    pub drummers: [RegionSet; 2],
    /// The place of its name: east and south, in hundredths of a degree.
    pub label: (i32, i32),
}

/// A movement line.
#[derive(Debug)]
pub struct Line {
    /// Its id, from the ids of both ends.
    pub id: String,
    /// Its ends, in the order of its record.
    pub between: [AreaId; 2],
    /// Its kind.
    pub kind: LineKind,
    /// How sure it is that there is a line, and of this kind: fields `between` and `kind`.
    pub levels: Levels,
}

/// A Region.
#[derive(Debug)]
pub struct Region {
    /// Its id and name.
    pub named: Named,
    /// Its letter on Brigades and Generals (2.2).
    pub letter: char,
    /// Its Areas.
    pub areas: AreaSet,
    /// The least number of markers that controls it (17.3).
    pub majority: u8,
}

/// A Fortress (14.0); a Local Notable's one only while they are in play.
#[derive(Debug)]
pub struct Fortress {
    /// Its Area.
    pub area: AreaId,
    /// The Local Notable who makes it one.
    pub notable: Option<NotableId>,
    /// Its class, 0 to 3: 0 of a Local Notable's one, which is besieged by as many Brigades as are inside (14.2).
    pub class: u8,
    /// Its Surrender Value: the Bombardment Points that make it Surrender (14.4).
    pub surrender: u8,
    /// The most Brigades inside (14.1; 13.0 of a Local Notable's one).
    pub room: u8,
    /// True of a Supply Fortress, which keeps off Isolation (11.3).
    pub supplies: bool,
}

/// An economic infrastructure (17.3).
#[derive(Debug)]
pub struct Infrastructure {
    /// Its id and name.
    pub named: Named,
    /// Its number in the rulebook's list, from 1.
    pub number: u8,
    /// Its Areas: one or several.
    pub areas: AreaSet,
}
