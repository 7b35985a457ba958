//! Sets of cards ([`CardSet`]): what nobody has seen is undrawn, so a deck holds no order, only what can still come.

use std::ops::{BitAnd, BitOr, Sub};

use rand_core::Rng;

use crate::chance_source::below;

/// A set of cards numbered 0 to 127.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct CardSet(pub u128);

impl CardSet {
    /// The set of these cards, each below 128.
    #[must_use]
    pub fn of(cards: impl IntoIterator<Item = u16>) -> Self {
        Self(cards.into_iter().fold(0, |set, card| set | 1 << card))
    }

    /// Returns whether `card` is in it.
    #[must_use]
    pub const fn contains(self, card: u16) -> bool {
        self.0 & 1 << card != 0
    }

    /// Adds `card`.
    pub const fn insert(&mut self, card: u16) {
        self.0 |= 1 << card;
    }

    /// Takes `card` out.
    pub const fn remove(&mut self, card: u16) {
        self.0 &= !(1 << card);
    }

    /// Returns the number of cards in it.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards, ascending.
    pub fn iter(self) -> impl Iterator<Item = u16> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let card = (left != 0).then(|| left.trailing_zeros() as u16)?;
            left &= left - 1;
            Some(card)
        })
    }

    /// Any of its cards, each as likely as the others; none of an empty set.
    #[must_use]
    pub fn any(self, rng: &mut dyn Rng) -> Option<u16> {
        if self.is_empty() { None } else { self.iter().nth(below(self.len() as u64, rng) as usize) }
    }
}

impl BitAnd for CardSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for CardSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for CardSet {
    type Output = Self;

    /// The cards of this set that the other has not.
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}
