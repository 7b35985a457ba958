//! Leaders: where each General stands ([`Post`]), and how far each Local Notable has come ([`Presence`]).

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::numbered::Listed;

use super::super::content::Content;
use super::super::content::ids::{AreaId, GeneralId};

/// The place of a General.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Post {
    /// In an Area, outside any Fortress there, in command of an Army.
    Area(AreaId),
    /// Inside the printed Fortress of an Area, in command of an Army.
    Inside(AreaId),
    /// On the Command Display of a General who commands, as their Subordinate (9.5).
    Under(GeneralId),
    /// In the Reinforcements Box (7.2.4).
    Reinforcements,
    /// In the Unemployed Generals Box (8.2).
    Unemployed,
    /// Not arrived: on the Turn Record Track, or in their own box until an event brings them (4.4).
    Waiting,
    /// Off the map with their Brigades, to try the entry again (6.5, MC6).
    Scotland,
    /// Out of the game.
    Out,
}

/// A General.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct GeneralStatus {
    /// The place where they are.
    pub(in super::super) post: Post,
    /// They may make no further Assault (14.5).
    pub(in super::super) may_not_assault: bool,
}

/// How far a Local Notable has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Presence {
    /// Not placed yet.
    Waiting,
    /// In play: their Area is a Fortress (13.0).
    InPlay,
    /// Out of the game.
    Out,
}

impl Coding<Content> for Post {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        let (tag, number) = match *value {
            Self::Area(area) => (0, area.index()),
            Self::Inside(area) => (1, area.index()),
            Self::Under(general) => (2, general.index()),
            Self::Reinforcements => (3, 0),
            Self::Unemployed => (4, 0),
            Self::Waiting => (5, 0),
            Self::Scotland => (6, 0),
            Self::Out => (7, 0),
        };
        to.u8(tag);
        to.u8(number as u8);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let tag = from.below(8, "the place of a General")?;
        let bound = match tag {
            0 | 1 => AreaId::count(content),
            2 => GeneralId::count(content),
            _ => 1,
        };
        let number = usize::from(from.below(bound as u8, "the place of a General")?);
        Ok(match tag {
            0 => Self::Area(AreaId::new(number)),
            1 => Self::Inside(AreaId::new(number)),
            2 => Self::Under(GeneralId::new(number)),
            3 => Self::Reinforcements,
            4 => Self::Unemployed,
            5 => Self::Waiting,
            6 => Self::Scotland,
            _ => Self::Out,
        })
    }
}

impl Coding<Content> for Presence {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(*value as u8);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let standings = [Self::Waiting, Self::InPlay, Self::Out];
        Ok(standings[usize::from(from.below(3, "how far a Local Notable has come")?)])
    }
}
