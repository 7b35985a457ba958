//! Units on the board: sides, armies, leaders.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

use super::board::{MAX_SPACES, Space, SpaceSet};

/// The most sides (powers) a position can have.
pub const MAX_SIDES: usize = 8;
/// The most leaders a game can have, over all sides.
pub const MAX_LEADERS: usize = 32;
/// The most leaders a space can hold, with or without an army (L6).
pub const MAX_STACK_LEADERS: usize = 2;
/// The most armies a position can have, over all sides and spaces. The game itself has no limit (M15); its supply
/// keeps it below sixty.
pub const MAX_ARMIES: usize = 255;

/// A side, or power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u8);

impl Side {
    /// The side at `index`; `None` from [`MAX_SIDES`] on.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < MAX_SIDES { Some(Self(index)) } else { None }
    }

    /// Its number, below [`MAX_SIDES`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A leader, by place in the roster (S13), counted from 0 over all sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaderId(u8);

impl LeaderId {
    /// The leader at `index` in the roster; `None` from [`MAX_LEADERS`] on.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < MAX_LEADERS { Some(Self(index)) } else { None }
    }

    /// Place in the roster, below [`MAX_LEADERS`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of leaders; iterates in roster order.
// Bytes, the highest leaders first, which need no alignment: what holds many sets beside other bytes is a quarter smaller.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaderSet([u8; 4]);

impl LeaderSet {
    /// No leader.
    pub const EMPTY: Self = Self::of(0);

    const fn of(bits: u32) -> Self {
        Self(bits.to_be_bytes())
    }

    const fn bits(self) -> u32 {
        u32::from_be_bytes(self.0)
    }

    /// `leader` alone.
    pub const fn single(leader: LeaderId) -> Self {
        Self::of(1 << leader.0)
    }

    /// Returns whether `leader` is in the set.
    pub const fn contains(self, leader: LeaderId) -> bool {
        self.bits() & (1 << leader.0) != 0
    }

    /// Returns whether every leader of `other` is in the set.
    pub const fn contains_all(self, other: Self) -> bool {
        other.bits() & !self.bits() == 0
    }

    /// Returns whether the set has no leader.
    pub const fn is_empty(self) -> bool {
        self.bits() == 0
    }

    /// Returns the number of its leaders.
    pub const fn len(self) -> usize {
        self.bits().count_ones() as usize
    }

    /// Its leaders in roster order.
    pub fn iter(self) -> Leaders {
        Leaders(self.bits())
    }

    /// Its first `count` leaders in roster order.
    #[must_use]
    pub fn first(self, count: usize) -> Self {
        self.iter().take(count).collect()
    }
}

impl BitOr for LeaderSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self::of(self.bits() | other.bits())
    }
}

impl BitAnd for LeaderSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self::of(self.bits() & other.bits())
    }
}

impl Sub for LeaderSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::of(self.bits() & !other.bits())
    }
}

impl FromIterator<LeaderId> for LeaderSet {
    fn from_iter<I: IntoIterator<Item = LeaderId>>(leaders: I) -> Self {
        leaders.into_iter().fold(Self::EMPTY, |set, leader| set | Self::single(leader))
    }
}

impl fmt::Debug for LeaderSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(LeaderId::index)).finish()
    }
}

/// The leaders of a [`LeaderSet`] in roster order.
#[derive(Clone, Debug)]
pub struct Leaders(u32);

impl Iterator for Leaders {
    type Item = LeaderId;

    fn next(&mut self) -> Option<LeaderId> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(LeaderId(index as u8))
    }
}

/// All units of a side in one space (M1): at least one army or leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Side that they belong to.
    pub side: Side,
    /// Number of armies.
    pub armies: u8,
    /// Their leaders, at most [`MAX_STACK_LEADERS`].
    pub leaders: LeaderSet,
}

impl Stack {
    const NONE: Self = Self { side: Side(0), armies: 0, leaders: LeaderSet::EMPTY };

    /// Returns whether nothing is left of it.
    const fn is_empty(&self) -> bool {
        self.armies == 0 && self.leaders.is_empty()
    }
}

/// The units at each space: at most one side a space, and at most two leaders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    stacks: [Stack; MAX_SPACES],
    occupied: SpaceSet,
    leaders: LeaderSet,
    strong_alone: LeaderSet,
    armies: u8,
}

/// The error of units that can't be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceError {
    /// Neither an army nor a leader.
    NoUnits,
    /// Units stand there already.
    Occupied,
    /// More than [`MAX_STACK_LEADERS`] leaders in a space (L6).
    TooManyLeaders,
    /// A leader is on the board already.
    LeaderPlaced,
    /// More than [`MAX_ARMIES`] armies on the board.
    TooManyArmies,
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoUnits => "no units to place",
            Self::Occupied => "the space is occupied",
            Self::TooManyLeaders => "a space holds at most two leaders",
            Self::LeaderPlaced => "the leader is on the board already",
            Self::TooManyArmies => "a position holds at most 255 armies",
        })
    }
}

impl std::error::Error for PlaceError {}

impl Default for Position {
    fn default() -> Self {
        Self {
            stacks: [Stack::NONE; MAX_SPACES],
            occupied: SpaceSet::EMPTY,
            leaders: LeaderSet::EMPTY,
            strong_alone: LeaderSet::EMPTY,
            armies: 0,
        }
    }
}

impl Position {
    /// Puts a stack into an empty space.
    ///
    /// # Errors
    /// See [`PlaceError`]; the position is then unchanged.
    pub fn place(
        &mut self,
        space: Space,
        side: Side,
        armies: u8,
        leaders: LeaderSet,
    ) -> Result<(), PlaceError> {
        let stack = Stack { side, armies, leaders };
        if stack.is_empty() {
            return Err(PlaceError::NoUnits);
        }
        if self.occupied.contains(space) {
            return Err(PlaceError::Occupied);
        }
        if leaders.len() > MAX_STACK_LEADERS {
            return Err(PlaceError::TooManyLeaders);
        }
        if !(self.leaders & leaders).is_empty() {
            return Err(PlaceError::LeaderPlaced);
        }
        let Some(total) = self.armies.checked_add(armies) else { return Err(PlaceError::TooManyArmies) };
        self.armies = total;
        self.leaders = self.leaders | leaders;
        self.occupied.insert(space);
        self.stacks[space.index()] = stack;
        Ok(())
    }

    /// Sets the leaders who count 1 when they act without an army, since the space they stand in is their own
    /// side's at the start of the month (L1, L21). All others count 0 (L2).
    pub fn set_strong_alone(&mut self, leaders: LeaderSet) {
        self.strong_alone = leaders;
    }

    /// The leaders who count 1 without an army.
    pub const fn strong_alone(&self) -> LeaderSet {
        self.strong_alone
    }

    /// The units in `space`, if there are any.
    pub fn stack(&self, space: Space) -> Option<&Stack> {
        let stack = &self.stacks[space.index()];
        (!stack.is_empty()).then_some(stack)
    }

    /// The spaces with units.
    pub const fn occupied(&self) -> SpaceSet {
        self.occupied
    }

    /// All stacks in board order.
    pub fn stacks(&self) -> impl Iterator<Item = (Space, &Stack)> {
        self.occupied.iter().map(|space| (space, &self.stacks[space.index()]))
    }

    /// Adds units to what their side has in `space`. The adjudication has seen to it that no other side is there
    /// and that at most two leaders are together.
    pub(super) fn join(&mut self, space: Space, side: Side, armies: u8, leaders: LeaderSet) {
        let stack = &mut self.stacks[space.index()];
        debug_assert!(stack.is_empty() || stack.side == side, "two sides in one space");
        stack.side = side;
        stack.armies = stack.armies.saturating_add(armies);
        stack.leaders = stack.leaders | leaders;
        debug_assert!(stack.leaders.len() <= MAX_STACK_LEADERS, "three leaders in one space");
        if !stack.is_empty() {
            self.occupied.insert(space);
        }
        self.leaders = self.leaders | leaders;
        self.armies = self.armies.saturating_add(armies);
    }
}
