//! The recruitment under way ([`Recruiting`]): what may still be brought in, and where some has been placed (7.0).

use crate::seat::Seat;

use super::super::content::ids::{AreaSet, LeaderSet, RegionSet};

/// The occasion of a recruitment.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Occasion {
    /// The Recruitment Phase (7.2).
    Phase,
    /// The Royalist's Grandee, or Parliament's Assessment and Sequestration card (7.3).
    Card,
    /// Parliament's extra Brigade of the Raising of the Standard (6.5, MC4).
    Standard,
    /// The Royalist's two of the Solemn League, none of them Northern (6.5, MC11).
    League,
}

/// A recruitment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Recruiting {
    /// The side that recruits.
    pub(in super::super) seat: Seat,
    /// The occasion.
    pub(in super::super) occasion: Occasion,
    /// Brigades that may still be recruited.
    pub(in super::super) left: u8,
    /// Regions of which one has been recruited: one each (7.2, R2).
    pub(in super::super) regions: RegionSet,
    /// Areas where one has been placed, recruited or reformed (7.1.7, 7.3.2).
    pub(in super::super) areas: AreaSet,
    /// Areas where a reformed one has been placed: no other comes there (7.1.7).
    pub(in super::super) reformed: AreaSet,
    /// Leaders who have received one (7.3.1).
    pub(in super::super) receivers: LeaderSet,
    /// Generals may no longer be placed: the last recruit of a Grandee card was (R16).
    pub(in super::super) generals_placed: bool,
}

impl Recruiting {
    /// One that begins.
    #[must_use]
    pub(in super::super) const fn new(seat: Seat, occasion: Occasion, left: u8) -> Self {
        Self {
            seat,
            occasion,
            left,
            regions: RegionSet::EMPTY,
            areas: AreaSet::EMPTY,
            reformed: AreaSet::EMPTY,
            receivers: LeaderSet::EMPTY,
            generals_placed: false,
        }
    }
}
