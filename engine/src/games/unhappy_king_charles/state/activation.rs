//! The Activation of an Army under way ([`Activation`]): what it may still do (9.0).

use arrayvec::ArrayVec;

use crate::seat::Seat;

use super::super::content::ids::{AreaId, AreaSet, GeneralId, GeneralSet};
use super::super::content::map::LineKind;

/// The most Areas of a path: the start, and an Area for each Movement Point, of which content gives at most nine (9.2).
pub(in super::super) const PATH: usize = 10;

/// The kind of card by which an Army is Activated (6.1, 6.2).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) enum Warrant {
    /// An Operations card of this value, 1 to 3: Generals of up to this rating; of less than 3, no Army of five or more.
    Operations(u8),
    /// A Campaign card, or an event or Mandatory card that says so: any General, an Army of any size.
    Any,
}

impl Warrant {
    /// The greatest Strategy Rating that it Activates.
    #[must_use]
    pub(in super::super) const fn rating(self) -> u8 {
        if let Self::Operations(value) = self { value } else { u8::MAX }
    }

    /// Returns whether it may Activate a Major Army: one of five or more Brigades (6.2).
    #[must_use]
    pub(in super::super) const fn moves_major_armies(self) -> bool {
        !matches!(self, Self::Operations(0..=2))
    }
}

/// An Activation for movement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Activation {
    /// The active side.
    pub(in super::super) seat: Seat,
    /// The General who was Activated, or who took over as commander.
    pub(in super::super) general: GeneralId,
    /// The card or event that it came by.
    pub(in super::super) warrant: Warrant,
    /// Movement Points spent (9.2).
    pub(in super::super) spent: u8,
    /// A Movement Point is owed for leaving the Area, since a Battle was won there (9.4, AC8).
    pub(in super::super) fee: bool,
    /// Brigades that crossed a Maritime line: two at most (9.3, AC7).
    pub(in super::super) shipped: u8,
    /// The Areas, from the start to the present one.
    pub(in super::super) path: ArrayVec<AreaId, PATH>,
    /// The line by which the present Area was entered; none at the start.
    pub(in super::super) line: Option<LineKind>,
    /// Commanders who have tried to intercept it (9.7.1).
    pub(in super::super) tried: GeneralSet,
    /// Generals left behind, who may not be taken up again by choice: they stay where they are (G10).
    pub(in super::super) parted: GeneralSet,
    /// Areas where foreign Brigades were put down, which may not be taken up again there (G10).
    pub(in super::super) dropped: AreaSet,
    /// The Queen was left behind, and may not be taken along again (G10).
    pub(in super::super) queen_left: bool,
    /// The Siege marker in its Area is this Army's, not that of another one there (14.2).
    pub(in super::super) besieging: bool,
    /// It must end as soon as nothing else is under way: a Battle lost or drawn, or the General became a Subordinate.
    pub(in super::super) over: bool,
}

impl Activation {
    /// One that begins in an Area; `None`: off the map, for an entry (6.5).
    #[must_use]
    pub(in super::super) fn new(
        seat: Seat,
        general: GeneralId,
        warrant: Warrant,
        start: Option<AreaId>,
    ) -> Self {
        Self {
            seat,
            general,
            warrant,
            spent: 0,
            fee: false,
            shipped: 0,
            path: start.into_iter().collect(),
            line: None,
            tried: GeneralSet::EMPTY,
            parted: GeneralSet::EMPTY,
            dropped: AreaSet::EMPTY,
            queen_left: false,
            besieging: false,
            over: false,
        }
    }

    /// The Area from which the present one was entered; none at the start, and for an entry from off the map.
    #[must_use]
    pub(in super::super) fn previous(&self) -> Option<AreaId> {
        self.path.len().checked_sub(2).map(|index| self.path[index])
    }
}
