//! A wooden block, and what is public of it.

use bitflags::bitflags;

use super::super::content::things::{AreaId, BlockId, Place};

bitflags! {
    /// Public properties of a block; [`Flags::TAKEN`] is its owner's alone, and never outlasts their draft.
    #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub(in super::super) struct Flags: u16 {
        const MOVED = 1;
        /// It has stopped in the action under way.
        const ACTING = 1 << 1;
        /// It has gone one Area in the action under way, and may go on.
        const MOVING = 1 << 2;
        /// It withdrew into a City this Turn.
        const WITHDREW = 1 << 3;
        const RESERVE = 1 << 4;
        /// It stays out of a Battle to keep up the Siege.
        const HELD = 1 << 5;
        /// It takes part in the present Round.
        const FIGHTING = 1 << 6;
        /// Its face is up.
        const SHOWN = 1 << 7;
        /// It retreated into a Siege, and has no part in this Turn's Siege Combat.
        const TIRED = 1 << 8;
        /// It came out of the City, and may go back.
        const JOINED = 1 << 9;
        /// It is the target of a gun in a City.
        const DRAWN = 1 << 10;
        /// It was in Reserve at the start of the Battle.
        const LATE = 1 << 11;
        /// It is being picked.
        const TAKEN = 1 << 12;
        /// It has fired from the City.
        const FIRED = 1 << 13;
        /// Flags that end with a Battle.
        const OF_BATTLE = Self::RESERVE.bits() | Self::HELD.bits() | Self::FIGHTING.bits() | Self::SHOWN.bits()
            | Self::JOINED.bits() | Self::DRAWN.bits() | Self::LATE.bits() | Self::FIRED.bits();
    }
}

/// A wooden block, or an entry that the content has no block for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Block {
    pub(in super::super) at: Place,
    /// Its strength; 0 in the pool.
    pub(in super::super) strength: u8,
    pub(in super::super) flags: Flags,
    /// The Area that it came from into a Contested Area, or while it moves.
    pub(in super::super) by: Option<AreaId>,
    /// Area where it began the Muster under way, and the first Area that it entered in the action under way.
    pub(in super::super) began: Option<AreaId>,
    pub(in super::super) via: Option<AreaId>,
    /// Strength that everybody last saw of it.
    pub(in super::super) seen: u8,
    /// Its bag: the least block of those that nobody but their owner can tell apart.
    pub(in super::super) bag: BlockId,
}

impl Block {
    /// In the pool, of a bag.
    pub(in super::super) const fn pooled(bag: BlockId) -> Self {
        Self {
            at: Place::POOL,
            strength: 0,
            flags: Flags::empty(),
            by: None,
            began: None,
            via: None,
            seen: 0,
            bag,
        }
    }
}
