//! Places where Brigades are ([`Holder`]): Command Displays, Areas, Fortresses, pools and boxes.

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::FrameField;
use crate::seat::Seat;
use crate::view::Procedure;

use super::super::catalogue;

use super::super::content::ids::{AreaId, FortressId, GeneralId, LeaderId, NotableId};
use super::super::content::{AREAS, Content, FORTRESSES, GENERALS, LEADERS, NOTABLES};

/// A place of Brigades, in this order: the displays of Leaders, Areas (outside any Fortress), printed Fortresses (inside), the pools,
/// the Unemployed Generals Boxes, and the four ways of being away.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in super::super) struct Holder(u8);

const OUTSIDE: usize = LEADERS;
const INSIDE: usize = OUTSIDE + AREAS;
const POOLS: usize = INSIDE + (FORTRESSES - NOTABLES);
const UNEMPLOYED: usize = POOLS + 2;
const AWAY: usize = UNEMPLOYED + 2;

/// The nature of a [`Holder`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Holding {
    /// The Command Display of a General.
    General(GeneralId),
    /// The Command Display of a Local Notable.
    Notable(NotableId),
    /// An Area, outside its Fortress: the unled Brigades.
    Outside(AreaId),
    /// A printed Fortress: the unled Brigades inside.
    Inside(FortressId),
    /// The Brigades that a side may recruit.
    Pool(Seat),
    /// Dispersed Brigades in the Unemployed Generals Box of a side.
    Unemployed(Seat),
    /// Not arrived, or gone and able to come back by an event: Irish, Covenanters, Lorrainers, the New Model.
    Away,
    /// Lost for good in Battle or by Surrender; events can bring them back (6.4).
    Lost,
    /// Out of the game.
    Out,
}

impl Holder {
    /// The bound of all holders.
    pub(in super::super) const BOUND: usize = AWAY + 3;
    /// See [`Holding::Away`].
    pub(in super::super) const AWAY: Self = Self(AWAY as u8);
    /// See [`Holding::Lost`].
    pub(in super::super) const LOST: Self = Self(AWAY as u8 + 1);
    /// See [`Holding::Out`].
    pub(in super::super) const OUT: Self = Self(AWAY as u8 + 2);

    /// The one with a number below [`Holder::BOUND`].
    #[must_use]
    pub(in super::super) const fn new(number: usize) -> Self {
        Self(number as u8)
    }

    /// Its number.
    #[must_use]
    pub(in super::super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The unled Brigades in an Area, outside its Fortress.
    #[must_use]
    pub(in super::super) const fn outside(area: AreaId) -> Self {
        Self::new(OUTSIDE + area.index())
    }

    /// The unled Brigades inside a printed Fortress.
    #[must_use]
    pub(in super::super) const fn inside(fortress: FortressId) -> Self {
        Self::new(INSIDE + fortress.index())
    }

    /// The Brigades that a side may recruit.
    #[must_use]
    pub(in super::super) const fn pool(seat: Seat) -> Self {
        Self::new(POOLS + seat.index())
    }

    /// The dispersed Brigades of a side.
    #[must_use]
    pub(in super::super) const fn unemployed(seat: Seat) -> Self {
        Self::new(UNEMPLOYED + seat.index())
    }

    /// Its nature.
    #[must_use]
    pub(in super::super) const fn holding(self) -> Holding {
        match self.index() {
            general if general < GENERALS => Holding::General(GeneralId::new(general)),
            leader if leader < OUTSIDE => Holding::Notable(NotableId::new(leader - GENERALS)),
            area if area < INSIDE => Holding::Outside(AreaId::new(area - OUTSIDE)),
            fortress if fortress < POOLS => Holding::Inside(FortressId::new(fortress - INSIDE)),
            pool if pool < UNEMPLOYED => Holding::Pool(Seat::new((pool - POOLS) as u8)),
            unemployed if unemployed < AWAY => {
                Holding::Unemployed(Seat::new((unemployed - UNEMPLOYED) as u8))
            }
            AWAY => Holding::Away,
            out if out == Self::OUT.index() => Holding::Out,
            _ => Holding::Lost,
        }
    }

    /// The holders of Brigades that are on the map, in order: displays, Areas, Fortresses.
    pub(in super::super) fn of_map() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..POOLS).map(Self::new)
    }

    /// The holders of Brigades that are not on the map: pools, boxes, and the ways of being away.
    pub(in super::super) fn off_map() -> impl Iterator<Item = Self> + Clone {
        (POOLS..Self::BOUND).map(Self::new)
    }

    /// Returns whether it is a display, an Area or a Fortress. A display can be off the map with its General.
    #[must_use]
    pub(in super::super) const fn is_of_map(self) -> bool {
        self.index() < POOLS
    }
}

impl From<LeaderId> for Holder {
    fn from(leader: LeaderId) -> Self {
        Self::new(leader.index())
    }
}

impl From<GeneralId> for Holder {
    fn from(general: GeneralId) -> Self {
        LeaderId::from(general).into()
    }
}

impl From<NotableId> for Holder {
    fn from(notable: NotableId) -> Self {
        LeaderId::from(notable).into()
    }
}

crate::indexes!(Holder);

impl Coding<Content> for Holder {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(value.0);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.below(Self::BOUND as u8, "a place of Brigades").map(Self)
    }
}

impl Coding<Content> for Option<Holder> {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(value.map_or(u8::MAX, |holder| holder.0));
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error("a place of Brigades");
        match from.u8()? {
            u8::MAX => Ok(None),
            holder if usize::from(holder) < Holder::BOUND => Ok(Some(Holder(holder))),
            _ => Err(error),
        }
    }
}

/// It is told by its place on the board.
impl FrameField<Content> for Option<Holder> {
    fn tell(content: &Content, value: &Self, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.extend(value.map(|holder| (role, catalogue::location(content, holder).into())));
    }

    fn read(content: &Content, role: &str, of: &Procedure) -> Option<Self> {
        let named = of.role(role);
        let is_named = |&holder: &Holder| named == Some(catalogue::location(content, holder).into());
        Some((0..Holder::BOUND).map(Holder::new).find(is_named))
    }
}
