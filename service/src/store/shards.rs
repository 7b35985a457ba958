//! The parts of all matches ([`Shard`]), and sets of them ([`ShardSet`]): of servers that share a database each owns some.

use std::fmt;

use super::names::MatchId;
use super::purpose::Purpose;

/// Number of shards. It is part of the database's schema.
pub const SHARDS: usize = 1_024;

/// Number of the shards, the first ones, that have one owner together: that of what belongs to no match. Matches that it has to do with
/// itself are there.
const HOME_SHARDS: usize = 64;

/// Words of a [`ShardSet`].
const WORDS: usize = SHARDS / 64;

/// A part of all matches, by a hash of their names: the unit in which servers own them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard(u16);

impl Shard {
    /// The shard of what belongs to no match: acts of administration, competitions, outages, contents.
    pub const OF_STORE: Self = Self(0);

    /// The shard of a match.
    #[must_use]
    pub fn of(id: MatchId) -> Self {
        static PURPOSE: Purpose = Purpose::new("edgehill store shard v1");
        let hash = PURPOSE.hash(id.as_bytes());
        Self(u16::from_le_bytes([hash[0], hash[1]]) % SHARDS as u16)
    }

    /// The shard of this number; `None`: there are not so many.
    #[must_use]
    pub fn new(number: i32) -> Option<Self> {
        u16::try_from(number).ok().filter(|&number| usize::from(number) < SHARDS).map(Self)
    }

    /// All shards, ascending.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..SHARDS as u16).map(Self)
    }

    /// Its number, from 0 on.
    #[must_use]
    pub const fn number(self) -> i32 {
        self.0 as i32
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of shards.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct ShardSet([u64; WORDS]);

impl ShardSet {
    /// None of them.
    pub const NONE: Self = Self([0; WORDS]);
    /// Those that have one owner together with what belongs to no match.
    pub const HOME: Self = {
        let mut words = [0; WORDS];
        words[0] = u64::MAX >> (64 - HOME_SHARDS);
        Self(words)
    };
    /// All of them.
    pub const ALL: Self = Self([u64::MAX; WORDS]);

    /// Returns whether a shard is in it.
    #[must_use]
    pub const fn contains(&self, shard: Shard) -> bool {
        self.0[shard.index() / 64] >> (shard.index() % 64) & 1 == 1
    }

    /// Returns whether the shard of a match is in it.
    #[must_use]
    pub fn has(&self, id: MatchId) -> bool {
        // The hash is not free, and most servers own all or nothing.
        *self == Self::ALL || self.contains(Shard::of(id))
    }

    /// Number of its shards.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// Takes a shard in.
    pub const fn insert(&mut self, shard: Shard) {
        self.0[shard.index() / 64] |= 1 << (shard.index() % 64);
    }

    /// Takes a shard out.
    pub const fn remove(&mut self, shard: Shard) {
        self.0[shard.index() / 64] &= !(1 << (shard.index() % 64));
    }

    /// Its shards, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Shard> {
        Shard::all().filter(|&shard| self.contains(shard))
    }

    /// The shards that are in both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The shards that are in it and not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }
}

impl Default for ShardSet {
    fn default() -> Self {
        Self::NONE
    }
}

impl FromIterator<Shard> for ShardSet {
    fn from_iter<I: IntoIterator<Item = Shard>>(shards: I) -> Self {
        let mut set = Self::NONE;
        shards.into_iter().for_each(|shard| set.insert(shard));
        set
    }
}

impl Extend<Shard> for ShardSet {
    fn extend<I: IntoIterator<Item = Shard>>(&mut self, shards: I) {
        shards.into_iter().for_each(|shard| self.insert(shard));
    }
}

impl fmt::Debug for ShardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Shard::number)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches are found by it: another hash would need another schema.
    #[test]
    fn a_match_stays_in_its_shard() {
        let shards = [0, 1, 255].map(|byte| Shard::of(MatchId::from_bytes([byte; 16])).number());
        assert_eq!(shards, [902, 72, 641]);
    }

    #[test]
    fn a_set_has_what_was_put_in_and_not_taken_out() {
        let some: ShardSet = [3, 64, 1_023].into_iter().filter_map(Shard::new).collect();
        assert_eq!(format!("{some:?}"), "{3, 64, 1023}");
        let mut all = ShardSet::ALL;
        some.iter().for_each(|shard| all.remove(shard));
        assert_eq!((some.len(), all.len(), ShardSet::ALL.without(&some)), (3, SHARDS - 3, all));
        let id = MatchId::from_bytes([1; 16]);
        assert!(ShardSet::ALL.has(id) && !some.has(id) && !ShardSet::NONE.has(id));
        assert_eq!((Shard::new(1_024), Shard::new(-1)), (None, None));
        assert!(ShardSet::HOME.contains(Shard::OF_STORE));
        assert_eq!((ShardSet::HOME.len(), ShardSet::HOME.and(&some).len()), (HOME_SHARDS, 1));
    }
}
