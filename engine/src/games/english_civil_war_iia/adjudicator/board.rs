//! Spaces and which of them touch.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::bits;

/// The most spaces a board can have.
pub const MAX_SPACES: usize = 80;

/// A space, by its place in board order (S13), counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Space(u8);

impl Space {
    /// The space at `index` in board order; `None` from [`MAX_SPACES`] on.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < MAX_SPACES { Some(Self(index)) } else { None }
    }

    /// Its place in board order, below [`MAX_SPACES`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of spaces; iterates in board order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SpaceSet(u128);

impl SpaceSet {
    /// No space.
    pub const EMPTY: Self = Self(0);

    /// All spaces that a board may have.
    const ALL: u128 = (1 << MAX_SPACES) - 1;

    /// `space` alone.
    pub const fn single(space: Space) -> Self {
        Self(1 << space.0)
    }

    /// Returns whether `space` is in the set.
    pub const fn contains(self, space: Space) -> bool {
        self.0 & (1 << space.0) != 0
    }

    /// Returns whether the set has no space.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of its spaces.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Adds `space`.
    pub const fn insert(&mut self, space: Space) {
        self.0 |= 1 << space.0;
    }

    /// Takes `space` out.
    pub const fn remove(&mut self, space: Space) {
        self.0 &= !(1 << space.0);
    }

    /// Its spaces in board order.
    pub fn iter(self) -> Spaces {
        Spaces(bits::ones(self.0))
    }
}

/// The spaces of a [`SpaceSet`] in board order.
#[derive(Clone, Debug)]
pub struct Spaces(bits::Ones);

impl Iterator for Spaces {
    type Item = Space;

    #[inline]
    fn next(&mut self) -> Option<Space> {
        self.0.next().map(|index| Space(index as u8))
    }
}

impl IntoIterator for SpaceSet {
    type Item = Space;
    type IntoIter = Spaces;

    fn into_iter(self) -> Spaces {
        self.iter()
    }
}

impl FromIterator<Space> for SpaceSet {
    fn from_iter<I: IntoIterator<Item = Space>>(spaces: I) -> Self {
        let mut set = Self::EMPTY;
        for space in spaces {
            set.insert(space);
        }
        set
    }
}

impl fmt::Debug for SpaceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Space::index)).finish()
    }
}

impl BitOr for SpaceSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SpaceSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for SpaceSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for SpaceSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl Not for SpaceSet {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0 & Self::ALL)
    }
}

/// The spaces that touch. Links run both ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    neighbours: [SpaceSet; MAX_SPACES],
    spaces: u8,
}

/// The error of a board that can't be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// More than [`MAX_SPACES`] spaces.
    TooManySpaces,
    /// A link names a space that the board does not have.
    UnknownSpace(Space),
    /// A link from a space to itself.
    Loop(Space),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManySpaces => write!(f, "a board has at most {MAX_SPACES} spaces"),
            Self::UnknownSpace(space) => write!(f, "the board has no space {}", space.index()),
            Self::Loop(space) => write!(f, "space {} is linked to itself", space.index()),
        }
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// A board of `spaces` spaces and the given links.
    ///
    /// # Errors
    /// See [`BoardError`].
    pub fn new(spaces: usize, links: impl IntoIterator<Item = (Space, Space)>) -> Result<Self, BoardError> {
        if spaces > MAX_SPACES {
            return Err(BoardError::TooManySpaces);
        }
        let mut neighbours = [SpaceSet::EMPTY; MAX_SPACES];
        for (one, other) in links {
            for space in [one, other] {
                if space.index() >= spaces {
                    return Err(BoardError::UnknownSpace(space));
                }
            }
            if one == other {
                return Err(BoardError::Loop(one));
            }
            neighbours[one.index()].insert(other);
            neighbours[other.index()].insert(one);
        }
        Ok(Self { neighbours, spaces: spaces as u8 })
    }

    /// Returns the number of its spaces.
    pub const fn spaces(&self) -> usize {
        self.spaces as usize
    }

    /// The spaces that touch `space`; none for a space that is not on the board.
    #[inline]
    pub const fn neighbours(&self, space: Space) -> SpaceSet {
        self.neighbours[space.index()]
    }

    /// Returns whether two spaces touch.
    #[inline]
    pub const fn adjacent(&self, one: Space, other: Space) -> bool {
        self.neighbours[one.index()].contains(other)
    }
}
