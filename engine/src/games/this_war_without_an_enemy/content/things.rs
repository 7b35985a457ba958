//! Types for the things of the map: Areas, Cities, places, borders, blocks, Regions; and sets of them.

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::Untold;
use crate::numbered::{Numbered, SetOf};
use crate::reference::{Location, Ref};

use super::super::catalogue::REGION_MATS;
use super::{Content, REGIONS};

crate::numbered! {
    of Content;

    /// An Area.
    pub(in super::super) AreaId "an Area": |content| content.areas.len(),
        |_, area| area.into(),
        |content, what| Place::referred(content, what).and_then(|place| content.as_area(place));

    /// A City.
    pub(in super::super) CityId "a City": |content| content.cities.len(),
        |content, city| content.city_place(city).into(),
        |content, what| Place::referred(content, what).and_then(|place| content.city_at(place));

    /// A border as it is crossed one way.
    pub(in super::super) CrossingId "a crossing": |content| content.crossings.len(),
        |content, crossing| content.crossings[crossing].1.into(),
        |_, _| None;

    /// A block.
    pub(in super::super) BlockId "a block": |content| content.blocks.len(),
        |_, block| block.into(),
        |_, what| if let Ref::Piece(block) = what { Some(BlockId::new(block.into())) } else { None };

    /// A Region; or London, whose points are its own.
    pub(in super::super) RegionId "a Region": |_| REGIONS + 1,
        |_, region| Ref::Mat(REGION_MATS + region.index() as u16),
        |_, what| {
            if let Ref::Mat(mat) = what { Some(RegionId::new(usize::from(mat - REGION_MATS))) } else { None }
        };
}

/// A set of Areas.
pub(in super::super) type AreaSet = SetOf<AreaId>;
/// A set of Cities.
pub(in super::super) type CitySet = SetOf<CityId>;
/// A set of places.
pub(in super::super) type PlaceSet = SetOf<Place>;
/// A set of blocks.
pub(in super::super) type BlockSet = SetOf<BlockId>;

impl RegionId {
    /// London, as the home of its blocks and for its Recruitment Points.
    pub(in super::super) const LONDON: Self = Self::new(REGIONS);
}

/// A procedure's block, for those who aren't told which: no rule is asked about it.
impl Untold for BlockId {
    const UNTOLD: Self = Self::new(u8::MAX as usize);
}

/// A place of blocks: an Area, a City (they follow the Areas), or the Recruitment Pools.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in super::super) struct Place(u8);

impl Place {
    /// The Recruitment Pools.
    pub(in super::super) const POOL: Self = Self(63);
    /// The bound of all places.
    pub(in super::super) const BOUND: usize = 64;

    /// The place with a number.
    pub(in super::super) const fn new(number: usize) -> Self {
        Self(number as u8)
    }

    /// Its number.
    pub(in super::super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// It as the place of a piece, a group or a marker.
    pub(in super::super) fn location(self) -> Location {
        Location::Space(self.0.into())
    }

    /// The place that a reference names, if it names one of the map.
    pub(in super::super) fn referred(content: &Content, what: Ref) -> Option<Self> {
        match what {
            Ref::Space(space) if usize::from(space) < content.places() => Some(Self(space as u8)),
            _ => None,
        }
    }
}

crate::indexes!(Place);

impl Numbered for Place {
    fn new(number: usize) -> Self {
        Self::new(number)
    }

    fn index(self) -> usize {
        Self::index(self)
    }
}

impl Coding<Content> for Place {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(value.0);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error("a place");
        let place = Self(from.u8()?);
        if place.index() < content.places() || place == Self::POOL { Ok(place) } else { Err(error) }
    }
}

impl From<AreaId> for Place {
    fn from(area: AreaId) -> Self {
        Self::new(area.index())
    }
}

impl From<Place> for Ref {
    fn from(place: Place) -> Self {
        Self::Space(place.0.into())
    }
}

impl From<AreaId> for Ref {
    fn from(area: AreaId) -> Self {
        Place::from(area).into()
    }
}

impl From<BlockId> for Ref {
    fn from(block: BlockId) -> Self {
        Self::Piece(block.index() as u16)
    }
}
