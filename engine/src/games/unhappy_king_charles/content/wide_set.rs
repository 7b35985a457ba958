//! Sets of up to 128 things of one kind ([`WideSetOf`]): Areas and Brigade counters are more than 64.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Sub, SubAssign};

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{FrameField, Untold};
use crate::numbered::{Listed, Numbered};
use crate::view::Procedure;

/// A set of up to 128 things of one kind; the narrow one is [`SetOf`](crate::numbered::SetOf).
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct WideSetOf<T>(u128, PhantomData<T>);

impl<T> WideSetOf<T> {
    /// Nothing.
    pub const EMPTY: Self = Self(0, PhantomData);

    /// The set whose bits these are: that of thing `n` is `1 << n`.
    #[must_use]
    pub const fn of_bits(bits: u128) -> Self {
        Self(bits, PhantomData)
    }

    /// Its bits.
    #[must_use]
    pub const fn bits(self) -> u128 {
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

    /// Returns whether the two have a thing in common.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether all of its things are in the other.
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The first `count` things, of at most 128.
    #[must_use]
    pub const fn first_of(count: usize) -> Self {
        Self::of_bits(if count == 0 { 0 } else { u128::MAX >> (128 - count) })
    }
}

impl<T: Numbered> WideSetOf<T> {
    /// One thing, below 128.
    #[must_use]
    pub fn one(thing: T) -> Self {
        Self::of_bits(1 << thing.index())
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

    /// It with a thing more.
    #[must_use]
    pub fn with(self, thing: T) -> Self {
        self | Self::one(thing)
    }

    /// It with a thing less.
    #[must_use]
    pub fn without(self, thing: T) -> Self {
        self - Self::one(thing)
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

    /// The things in order.
    #[must_use]
    pub fn iter(self) -> WideThings<T> {
        WideThings(self)
    }

    /// Those of them that a condition holds of.
    #[must_use]
    pub fn that(self, mut holds: impl FnMut(T) -> bool) -> Self {
        self.iter().filter(|&thing| holds(thing)).collect()
    }
}

impl<T> Default for WideSetOf<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: Numbered + fmt::Debug> fmt::Debug for WideSetOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The things of a wide set, in order.
#[derive(Clone, Debug)]
pub struct WideThings<T: Numbered>(WideSetOf<T>);

impl<T: Numbered> Iterator for WideThings<T> {
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

impl<T: Numbered> ExactSizeIterator for WideThings<T> {}

impl<T: Numbered> IntoIterator for WideSetOf<T> {
    type Item = T;
    type IntoIter = WideThings<T>;

    fn into_iter(self) -> WideThings<T> {
        self.iter()
    }
}

impl<T: Numbered> FromIterator<T> for WideSetOf<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        things.into_iter().fold(Self::EMPTY, |set, thing| set | Self::one(thing))
    }
}

impl<T: Numbered> Extend<T> for WideSetOf<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, things: I) {
        *self |= things.into_iter().collect();
    }
}

impl<T> BitOr for WideSetOf<T> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self::of_bits(self.0 | other.0)
    }
}

impl<T> BitXor for WideSetOf<T> {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self::of_bits(self.0 ^ other.0)
    }
}

impl<T> BitAnd for WideSetOf<T> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self::of_bits(self.0 & other.0)
    }
}

/// The things that the other set does not have.
impl<T> Sub for WideSetOf<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::of_bits(self.0 & !other.0)
    }
}

impl<T> BitOrAssign for WideSetOf<T> {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl<T> BitAndAssign for WideSetOf<T> {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl<T> SubAssign for WideSetOf<T> {
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl<T> Untold for WideSetOf<T> {
    const UNTOLD: Self = Self::EMPTY;
}

/// Sixteen bytes, of which only bits of things that there are may be set.
impl<C, T: Listed<C>> Coding<C> for WideSetOf<T> {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u128(value.0);
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error(T::EXPECTED);
        let set = Self::of_bits(from.u128()?);
        if set.is_within(Self::first_of(T::count(content))) { Ok(set) } else { Err(error) }
    }
}

impl<C, T: Listed<C>> FrameField<C> for WideSetOf<T> {
    const WIDE: bool = true;

    fn tell(content: &C, value: &Self, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.extend(value.iter().map(|thing| (role, thing.reference(content))));
    }

    fn read(content: &C, role: &str, of: &Procedure) -> Option<Self> {
        Some(of.roles(role).filter_map(|what| T::referred(content, what)).collect())
    }
}
