//! Players and watchers: [`Seat`], [`SeatSet`], [`Observer`].

use std::fmt;

/// A place at the table, counted from 0 in the catalogue's order. At most [`Seat::MAX`] a game.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The most seats that a game can have.
    pub const MAX: usize = 8;

    /// The seat of this index.
    ///
    /// # Panics
    /// If `index` is not below [`Seat::MAX`]; ids from outside come through the catalogue, which checks them.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        assert!((index as usize) < Self::MAX, "a game has at most eight seats");
        Self(index)
    }

    /// The index, for arrays by seat.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other seat of a two-seat game.
    #[must_use]
    pub const fn other(self) -> Self {
        Self(1 - self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// A set of seats, as bits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const EMPTY: Self = Self(0);

    /// The first `count` seats.
    #[must_use]
    pub const fn first(count: usize) -> Self {
        assert!(count <= Seat::MAX);
        Self(((1u16 << count) - 1) as u8)
    }

    /// This set and `seat`.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat.0)
    }

    /// This set without `seat`.
    #[must_use]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.0))
    }

    /// Returns whether `seat` is in it.
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & 1 << seat.0 != 0
    }

    /// Returns whether nobody is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of seats in it.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..Seat::MAX as u8).map(Seat).filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The eyes that a view is for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Observer {
    /// A seat: what is public and what it alone may know.
    Seat(Seat),
    /// Anyone else: only what is public.
    Spectator,
}

impl Observer {
    /// Every observer of a game with `seats` seats: the seats in order, then the spectator.
    pub fn all(seats: usize) -> impl Iterator<Item = Self> {
        SeatSet::first(seats).iter().map(Observer::Seat).chain(std::iter::once(Observer::Spectator))
    }

    /// The place of this observer in [`Observer::all`].
    #[must_use]
    pub const fn index(self, seats: usize) -> usize {
        match self {
            Self::Seat(seat) => seat.index(),
            Self::Spectator => seats,
        }
    }

    /// Returns whether this observer sits at `seat`.
    #[must_use]
    pub fn is(self, seat: Seat) -> bool {
        self == Self::Seat(seat)
    }
}
