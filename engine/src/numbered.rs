//! A type for each kind of thing that a game numbers ([`numbered!`](crate::numbered!)), and sets of such things ([`SetOf`]).
//!
//! A number goes by its type alone: an Area indexes what is kept by Area, and can't be taken for a City.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{FrameField, Untold};
use crate::reference::Ref;
use crate::view::Procedure;

/// A thing by its number, below 255.
pub trait Numbered: Copy + Eq {
    /// The thing with a number.
    fn new(number: usize) -> Self;

    /// Its number: its index where such things are listed.
    fn index(self) -> usize;
}

/// The bounds of a kind of things, and what stands for them outside of the rules. `C` is the content of a game.
pub trait Listed<C>: Numbered {
    /// The words for an encoding that has none.
    const EXPECTED: &'static str;

    /// The number of them.
    fn count(content: &C) -> usize;

    /// The reference to one.
    fn reference(self, content: &C) -> Ref;

    /// The thing that a reference names, if it names one of this kind.
    fn referred(content: &C, what: Ref) -> Option<Self>;

    /// All of them, in order.
    fn all(content: &C) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone + use<Self, C> {
        (0..Self::count(content)).map(Self::new)
    }
}

/// A set of up to 64 things of one kind.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct SetOf<T>(u64, PhantomData<T>);

impl<T> SetOf<T> {
    /// Nothing.
    pub const EMPTY: Self = Self(0, PhantomData);

    /// The set whose bits these are: that of thing `n` is `1 << n`.
    #[must_use]
    pub const fn of_bits(bits: u64) -> Self {
        Self(bits, PhantomData)
    }

    /// Its bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The number of things in it.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether nothing is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl<T: Numbered> SetOf<T> {
    /// One thing.
    #[must_use]
    pub fn one(thing: T) -> Self {
        Self::of_bits(1 << thing.index())
    }

    /// The first `count` things.
    #[must_use]
    pub const fn first_of(count: usize) -> Self {
        Self::of_bits(if count == 0 { 0 } else { u64::MAX >> (64 - count) })
    }

    /// Returns whether a thing is in it.
    #[must_use]
    pub fn contains(self, thing: T) -> bool {
        self.0 >> thing.index() & 1 != 0
    }

    /// Adds a thing.
    pub fn insert(&mut self, thing: T) {
        self.0 |= 1 << thing.index();
    }

    /// Takes a thing out.
    pub fn remove(&mut self, thing: T) {
        self.0 &= !(1 << thing.index());
    }

    /// Returns whether the two have a thing in common.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The least of them.
    #[must_use]
    pub fn first(self) -> Option<T> {
        (self.0 != 0).then(|| T::new(self.0.trailing_zeros() as usize))
    }

    /// The greatest of them.
    #[must_use]
    pub fn last(self) -> Option<T> {
        (self.0 != 0).then(|| T::new(self.0.ilog2() as usize))
    }

    /// All things behind one.
    #[must_use]
    pub fn behind(thing: T) -> Self {
        Self::of_bits(u64::MAX.checked_shl(thing.index() as u32 + 1).unwrap_or(0))
    }

    /// The things in order.
    #[must_use]
    pub fn iter(self) -> Things<T> {
        Things(self)
    }

    /// Those of them that a condition holds of.
    #[must_use]
    pub fn that(self, mut holds: impl FnMut(T) -> bool) -> Self {
        self.iter().filter(|&thing| holds(thing)).collect()
    }
}

impl<T> Default for SetOf<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: Numbered + fmt::Debug> fmt::Debug for SetOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The things of a set, in order.
#[derive(Clone, Debug)]
pub struct Things<T: Numbered>(SetOf<T>);

impl<T: Numbered> Iterator for Things<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let thing = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(thing)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl<T: Numbered> ExactSizeIterator for Things<T> {}

impl<T: Numbered> IntoIterator for SetOf<T> {
    type Item = T;
    type IntoIter = Things<T>;

    fn into_iter(self) -> Things<T> {
        self.iter()
    }
}

impl<T: Numbered> FromIterator<T> for SetOf<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        things.into_iter().fold(Self::EMPTY, |set, thing| set | Self::one(thing))
    }
}

impl<T: Numbered> Extend<T> for SetOf<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, things: I) {
        *self |= things.into_iter().collect();
    }
}

impl<T> BitOr for SetOf<T> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self::of_bits(self.0 | other.0)
    }
}

impl<T> BitAnd for SetOf<T> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self::of_bits(self.0 & other.0)
    }
}

/// The things that the other set does not have.
impl<T> Sub for SetOf<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::of_bits(self.0 & !other.0)
    }
}

impl<T> BitOrAssign for SetOf<T> {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl<T> BitAndAssign for SetOf<T> {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl<T> SubAssign for SetOf<T> {
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl<T> Untold for SetOf<T> {
    const UNTOLD: Self = Self::EMPTY;
}

impl<C, T: Listed<C>> Coding<C> for SetOf<T> {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u64(value.0);
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error(T::EXPECTED);
        let set = Self::of_bits(from.u64()?);
        if (set - Self::first_of(T::count(content))).is_empty() { Ok(set) } else { Err(error) }
    }
}

impl<C, T: Listed<C>> FrameField<C> for SetOf<T> {
    const WIDE: bool = true;

    fn tell(content: &C, value: &Self, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.extend(value.iter().map(|thing| (role, thing.reference(content))));
    }

    fn read(content: &C, role: &str, of: &Procedure) -> Option<Self> {
        Some(of.roles(role).filter_map(|what| T::referred(content, what)).collect())
    }
}

/// The thing that is next in order; `None` when all are done, which the number behind the last one stands for.
#[derive(Debug)]
pub struct Next<T>(PhantomData<T>);

impl<C, T: Listed<C>> Coding<C> for Next<T> {
    type Value = usize;

    fn encode(value: &usize, to: &mut Writer) {
        to.u8(*value as u8);
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<usize, DecodeError> {
        from.below(T::count(content) as u8 + 1, T::EXPECTED).map(usize::from)
    }
}

impl<C, T: Listed<C>> FrameField<C> for Next<T> {
    fn tell(content: &C, value: &usize, role: &'static str, _: bool, to: &mut Procedure) {
        if *value < T::count(content) {
            to.roles.push((role, T::new(*value).reference(content)));
        }
    }

    fn read(content: &C, role: &str, of: &Procedure) -> Option<usize> {
        let next = of.role(role).and_then(|what| T::referred(content, what));
        Some(next.map_or(T::count(content), T::index))
    }
}

/// Declares kinds of things that a game numbers: the type, the words for an encoding that has none, their number by the content, the
/// reference to one, and what a reference names.
///
/// Their encoding is their number in a byte, and 255 for none; they index arrays and slices, and stand in procedures
/// ([`frames!`](crate::frames)) as themselves, as `Option`s of themselves, and as sets ([`SetOf`]).
#[macro_export]
macro_rules! numbered {
    (
        of $Content:ty;
        $(
            $(#[$about:meta])*
            $vis:vis $Thing:ident $expected:literal: $count:expr, $reference:expr, $referred:expr;
        )+
    ) => {
        $(
            $(#[$about])*
            #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
            $vis struct $Thing(u8);

            impl $Thing {
                /// The one with a number.
                $vis const fn new(number: usize) -> Self {
                    Self(number as u8)
                }

                /// Its number.
                $vis const fn index(self) -> usize {
                    self.0 as usize
                }
            }

            impl $crate::numbered::Numbered for $Thing {
                fn new(number: usize) -> Self {
                    Self::new(number)
                }

                fn index(self) -> usize {
                    Self::index(self)
                }
            }

            impl $crate::numbered::Listed<$Content> for $Thing {
                const EXPECTED: &'static str = $expected;

                fn count(content: &$Content) -> usize {
                    let count: fn(&$Content) -> usize = $count;
                    count(content)
                }

                fn reference(self, content: &$Content) -> $crate::reference::Ref {
                    let reference: fn(&$Content, Self) -> $crate::reference::Ref = $reference;
                    reference(content, self)
                }

                fn referred(content: &$Content, what: $crate::reference::Ref) -> Option<Self> {
                    let referred: fn(&$Content, $crate::reference::Ref) -> Option<Self> = $referred;
                    referred(content, what)
                }
            }

            $crate::indexes!($Thing);

            impl $crate::codec::Coding<$Content> for $Thing {
                type Value = Self;

                fn encode(value: &Self, to: &mut $crate::codec::Writer) {
                    to.u8(value.0);
                }

                fn decode(
                    content: &$Content,
                    from: &mut $crate::codec::Reader<'_>,
                ) -> Result<Self, $crate::codec::DecodeError> {
                    let count = <Self as $crate::numbered::Listed<$Content>>::count(content);
                    from.below(count as u8, $expected).map(Self)
                }
            }

            impl $crate::codec::Coding<$Content> for Option<$Thing> {
                type Value = Self;

                fn encode(value: &Self, to: &mut $crate::codec::Writer) {
                    to.u8(value.map_or(u8::MAX, |thing| thing.0));
                }

                fn decode(
                    content: &$Content,
                    from: &mut $crate::codec::Reader<'_>,
                ) -> Result<Self, $crate::codec::DecodeError> {
                    let error = from.error($expected);
                    match from.u8()? {
                        u8::MAX => Ok(None),
                        number if usize::from(number) < <$Thing as $crate::numbered::Listed<$Content>>::count(content) => {
                            Ok(Some($Thing(number)))
                        }
                        _ => Err(error),
                    }
                }
            }

            impl $crate::flow::FrameField<$Content> for $Thing {
                fn tell(
                    content: &$Content,
                    value: &Self,
                    role: &'static str,
                    _: bool,
                    to: &mut $crate::view::Procedure,
                ) {
                    to.roles.push((role, $crate::numbered::Listed::reference(*value, content)));
                }

                fn read(content: &$Content, role: &str, of: &$crate::view::Procedure) -> Option<Self> {
                    of.role(role).and_then(|what| $crate::numbered::Listed::referred(content, what))
                }
            }

            impl $crate::flow::FrameField<$Content> for Option<$Thing> {
                fn tell(
                    content: &$Content,
                    value: &Self,
                    role: &'static str,
                    own: bool,
                    to: &mut $crate::view::Procedure,
                ) {
                    if let Some(thing) = value {
                        <$Thing as $crate::flow::FrameField<$Content>>::tell(content, thing, role, own, to);
                    }
                }

                fn read(content: &$Content, role: &str, of: &$crate::view::Procedure) -> Option<Self> {
                    Some(<$Thing as $crate::flow::FrameField<$Content>>::read(content, role, of))
                }
            }
        )+
    };
}

/// Lets a type with an `index` index arrays, slices and vectors.
#[macro_export]
macro_rules! indexes {
    ($Number:ty) => {
        impl<T> std::ops::Index<$Number> for [T] {
            type Output = T;

            #[inline]
            fn index(&self, thing: $Number) -> &T {
                &self[thing.index()]
            }
        }

        impl<T> std::ops::IndexMut<$Number> for [T] {
            #[inline]
            fn index_mut(&mut self, thing: $Number) -> &mut T {
                &mut self[thing.index()]
            }
        }

        impl<T> std::ops::Index<$Number> for Vec<T> {
            type Output = T;

            #[inline]
            fn index(&self, thing: $Number) -> &T {
                &self[thing.index()]
            }
        }

        impl<T> std::ops::IndexMut<$Number> for Vec<T> {
            #[inline]
            fn index_mut(&mut self, thing: $Number) -> &mut T {
                &mut self[thing.index()]
            }
        }
    };
}
