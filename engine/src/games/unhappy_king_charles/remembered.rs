//! All that an Activation, a Battle and a recruitment under way have to remember ([`Remembered`]): each field declared once, with the bytes
//! that it is and the roles that tell it in a view, both ways.

use arrayvec::ArrayVec;

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{Count, FrameField, Side};
use crate::reference::Ref;
use crate::view::{Procedure, Roles};

use super::content::Content;
use super::content::ids::{AreaId, AreaSet, CardId, GeneralId, GeneralSet, LeaderSet, RegionSet};
use super::content::map::LineKind;
use super::state::{Activation, Battle, BattleKind, Margin, Occasion, PATH, Recruiting, SiegeFight, Warrant};

/// Something under way that a procedure has beside its frame.
pub(super) trait Remembered: Sized {
    /// Adds it to its procedure in a view.
    fn tell(&self, content: &Content, own: bool, to: &mut Procedure);

    /// Reads it back.
    fn read(content: &Content, of: &Procedure) -> Option<Self>;
}

/// Declares the fields of a structure under way: its encoding, and its roles.
macro_rules! remembered {
    ($($Structure:ty { $($field:ident $(as $role:literal)?: $Kind:ty),+ $(,)? })+) => {
        $(
            crate::coded! { $Structure, of Content { $($field: $Kind),+ } }

            impl Remembered for $Structure {
                fn tell(&self, content: &Content, own: bool, to: &mut Procedure) {
                    $(<$Kind as FrameField<Content>>::tell(
                        content, &self.$field, remembered!(@role $field $($role)?), own, to,
                    );)+
                }

                fn read(content: &Content, of: &Procedure) -> Option<Self> {
                    Some(Self {
                        $($field: <$Kind as FrameField<Content>>::read(
                            content, remembered!(@role $field $($role)?), of,
                        )?),+
                    })
                }
            }
        )+
    };
    (@role $field:ident $role:literal) => { $role };
    (@role $field:ident) => { stringify!($field) };
}

remembered! {
    Activation {
        seat as "active": Side,
        general as "commander": GeneralId,
        warrant: Warrants,
        spent: Count,
        fee: bool,
        shipped: Count,
        path: Path,
        line: Words<Option<LineKind>>,
        tried: GeneralSet,
        parted: GeneralSet,
        dropped: AreaSet,
        queen_left as "queen-left": bool,
        besieging: bool,
        over: bool,
    }

    Battle {
        area: AreaId,
        kind: Words<BattleKind>,
        attacker: Side,
        commanders: BySeat<Option<GeneralId>>,
        origins: BySeat<Option<AreaId>>,
        from_inside as "from-inside": bool,
        siege: Words<SiegeFight>,
        cards as "combat-cards": BySeat<Option<CardId>>,
        dice: BySeat<Count<7>>,
        margin: Words<Option<Margin>>,
        winner: Maybe<Side>,
        losses: BySeat<Count>,
        queen as "queen-taken": bool,
        newcastle: bool,
    }

    Recruiting {
        seat as "recruiter": Side,
        occasion: Words<Occasion>,
        left as "recruits": Count,
        regions: RegionSet,
        areas as "placed-in": AreaSet,
        reformed as "reformed-in": AreaSet,
        receivers: LeaderSet,
        generals_placed as "closed": bool,
    }
}

/// One of a few words, by its number.
#[derive(Debug)]
pub(super) struct Words<T>(std::marker::PhantomData<T>);

/// Types of which [`Words`] is the kind.
pub(super) trait Worded: Copy + PartialEq + 'static {
    /// All values, in order of their numbers, which roles name.
    const ALL: &[Self];
}

impl Worded for Option<LineKind> {
    const ALL: &[Self] = &[None, Some(LineKind::Road), Some(LineKind::Mountain), Some(LineKind::Maritime)];
}

impl Worded for BattleKind {
    const ALL: &[Self] = &[Self::Field, Self::Interception, Self::Apart, Self::Sortie, Self::Model];
}

impl Worded for SiegeFight {
    const ALL: &[Self] = &[Self::None, Self::Lifted, Self::Surplus];
}

impl Worded for Option<Margin> {
    const ALL: &[Self] =
        &[None, Some(Margin::Drawn), Some(Margin::Indecisive), Some(Margin::Major), Some(Margin::Decisive)];
}

impl Worded for Occasion {
    const ALL: &[Self] = &[Self::Phase, Self::Card, Self::Standard, Self::League];
}

/// The number of a word.
fn number_of<T: Worded>(value: T) -> u8 {
    let number = T::ALL.iter().position(|&one| one == value);
    number.expect("every value is among the words") as u8
}

impl<T: Worded> Coding<Content> for Words<T> {
    type Value = T;

    fn encode(value: &T, to: &mut Writer) {
        to.u8(number_of(*value));
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<T, DecodeError> {
        Ok(T::ALL[usize::from(from.below(T::ALL.len() as u8, "one of a few words")?)])
    }
}

impl<T: Worded> FrameField<Content> for Words<T> {
    fn tell(_: &Content, &value: &T, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.push((role, Ref::Number(number_of(value).into())));
    }

    fn read(_: &Content, role: &str, of: &Procedure) -> Option<T> {
        let Some(Ref::Number(number)) = of.role(role) else { return None };
        T::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// The card by which an Army is Activated: the value of an Operations card, or 0 for one of any General.
#[derive(Debug)]
pub(super) enum Warrants {}

impl Coding<Content> for Warrants {
    type Value = Warrant;

    fn encode(value: &Warrant, to: &mut Writer) {
        to.u8(if let Warrant::Operations(value) = *value { value } else { 0 });
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Warrant, DecodeError> {
        let value = from.below(4, "the value of an Operations card")?;
        Ok(if value == 0 { Warrant::Any } else { Warrant::Operations(value) })
    }
}

impl FrameField<Content> for Warrants {
    fn tell(_: &Content, &value: &Warrant, role: &'static str, _: bool, to: &mut Procedure) {
        let value = if let Warrant::Operations(value) = value { value } else { 0 };
        to.roles.push((role, Ref::Number(value.into())));
    }

    fn read(_: &Content, role: &str, of: &Procedure) -> Option<Warrant> {
        match of.role(role)? {
            Ref::Number(0) => Some(Warrant::Any),
            Ref::Number(value) => u8::try_from(value).ok().map(Warrant::Operations),
            _ => None,
        }
    }
}

/// Areas one after the other.
#[derive(Debug)]
pub(super) enum Path {}

impl Coding<Content> for Path {
    type Value = ArrayVec<AreaId, PATH>;

    fn encode(value: &Self::Value, to: &mut Writer) {
        to.list(value, |to, area| AreaId::encode(area, to));
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        Ok(from.list(PATH, |from| AreaId::decode(content, from))?.into_iter().collect())
    }
}

impl FrameField<Content> for Path {
    fn tell(content: &Content, value: &Self::Value, role: &'static str, own: bool, to: &mut Procedure) {
        value.iter().for_each(|area| AreaId::tell(content, area, role, own, to));
    }

    fn read(content: &Content, role: &str, of: &Procedure) -> Option<Self::Value> {
        let areas = of.roles(role).filter_map(|what| crate::numbered::Listed::referred(content, what));
        Some(areas.take(PATH).collect())
    }
}

/// A value or none.
#[derive(Debug)]
pub(super) struct Maybe<K>(std::marker::PhantomData<K>);

impl<K: Coding<Content>> Coding<Content> for Maybe<K> {
    type Value = Option<K::Value>;

    fn encode(value: &Self::Value, to: &mut Writer) {
        crate::codec::Flagged::<K>::encode(value, to);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        crate::codec::Flagged::<K>::decode(content, from)
    }
}

impl<K: FrameField<Content>> FrameField<Content> for Maybe<K> {
    fn tell(content: &Content, value: &Self::Value, role: &'static str, own: bool, to: &mut Procedure) {
        if let Some(value) = value {
            K::tell(content, value, role, own, to);
        }
    }

    fn read(content: &Content, role: &str, of: &Procedure) -> Option<Self::Value> {
        Some(K::read(content, role, of))
    }
}

/// Something of each seat: told as the seat and then what it has, if that is anything.
#[derive(Debug)]
pub(super) struct BySeat<K>(std::marker::PhantomData<K>);

impl<K: Coding<Content>> Coding<Content> for BySeat<K> {
    type Value = [K::Value; 2];

    fn encode(value: &Self::Value, to: &mut Writer) {
        value.iter().for_each(|one| K::encode(one, to));
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        Ok([K::decode(content, from)?, K::decode(content, from)?])
    }
}

impl<K: FrameField<Content>> FrameField<Content> for BySeat<K> {
    const WIDE: bool = true;

    fn tell(content: &Content, value: &Self::Value, role: &'static str, own: bool, to: &mut Procedure) {
        for (seat, one) in super::content::SEATS.into_iter().zip(value) {
            to.roles.push((role, Ref::Seat(seat)));
            K::tell(content, one, role, own, to);
        }
    }

    fn read(content: &Content, role: &str, of: &Procedure) -> Option<Self::Value> {
        let [royalist, parliament] = super::content::SEATS.map(|seat| {
            let mine = of.roles(role).skip_while(|&what| what != Ref::Seat(seat)).skip(1);
            let mine: Option<(&'static str, Ref)> =
                mine.take_while(|what| !matches!(what, Ref::Seat(_))).map(|what| (MINE, what)).next();
            let roles: Roles = mine.into_iter().collect();
            K::read(content, MINE, &Procedure { roles, ..of.clone() })
        });
        Some([royalist?, parliament?])
    }
}

/// The role of what a seat has, while it is read.
const MINE: &str = "mine";
