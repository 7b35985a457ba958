//! A wooden block, and what is public of it.

/// Public properties of a block, as bits; [`TAKEN`] is its owner's alone, and never outlasts their draft.
pub(in super::super) const MOVED: u16 = 1;
/// It has stopped in the action under way.
pub(in super::super) const ACTING: u16 = 1 << 1;
/// It has gone one Area in the action under way, and may go on.
pub(in super::super) const MOVING: u16 = 1 << 2;
/// It withdrew into a City this Turn.
pub(in super::super) const WITHDREW: u16 = 1 << 3;
pub(in super::super) const RESERVE: u16 = 1 << 4;
/// It stays out of a Battle to keep up the Siege.
pub(in super::super) const HELD: u16 = 1 << 5;
/// It takes part in the present Round.
pub(in super::super) const FIGHTING: u16 = 1 << 6;
/// Its face is up.
pub(in super::super) const SHOWN: u16 = 1 << 7;
/// It retreated into a Siege, and has no part in this Turn's Siege Combat.
pub(in super::super) const TIRED: u16 = 1 << 8;
/// It came out of the City, and may go back.
pub(in super::super) const JOINED: u16 = 1 << 9;
/// It is the target of a gun in a City.
pub(in super::super) const DRAWN: u16 = 1 << 10;
/// It was in Reserve at the start of the Battle.
pub(in super::super) const LATE: u16 = 1 << 11;
/// It is being picked.
pub(in super::super) const TAKEN: u16 = 1 << 12;
/// It has fired from the City.
pub(in super::super) const FIRED: u16 = 1 << 13;
/// Flags that end with a Battle.
pub(in super::super) const OF_BATTLE: u16 = RESERVE | HELD | FIGHTING | SHOWN | JOINED | DRAWN | LATE | FIRED;

/// A wooden block, or an entry that the content has no block for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Block {
    /// Its place: an Area, a City, or [`POOL`].
    pub(in super::super) at: u8,
    /// Its strength; 0 in the pool.
    pub(in super::super) strength: u8,
    pub(in super::super) flags: u16,
    /// The Area that it came from into a Contested Area, or while it moves; else [`NONE`].
    pub(in super::super) by: u8,
    /// Area where it began the Muster under way, and the first Area that it entered in the action under way;
    /// else [`NONE`].
    pub(in super::super) began: u8,
    pub(in super::super) via: u8,
    /// Strength that everybody last saw of it.
    pub(in super::super) seen: u8,
    /// Its bag: the least block of those that nobody but their owner can tell apart.
    pub(in super::super) bag: u8,
}
