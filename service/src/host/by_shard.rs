//! Data of matches, by the shards that they are in ([`ByShard`]): with its shard a match's goes at once, however many others there are.

use std::collections::HashMap;

use crate::store::{MatchId, Shard, ShardSet};

/// A value for each of some matches.
#[derive(Debug)]
pub(super) struct ByShard<V>(HashMap<Shard, HashMap<MatchId, V>>);

impl<V> Default for ByShard<V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<V> ByShard<V> {
    pub(super) fn get(&self, id: MatchId) -> Option<&V> {
        self.0.get(&Shard::of(id))?.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: MatchId) -> Option<&mut V> {
        self.0.get_mut(&Shard::of(id))?.get_mut(&id)
    }

    pub(super) fn insert(&mut self, id: MatchId, value: V) {
        self.0.entry(Shard::of(id)).or_default().insert(id, value);
    }

    /// The value of a match, which has the default from now on if there was none.
    pub(super) fn or_default(&mut self, id: MatchId) -> &mut V
    where
        V: Default,
    {
        self.0.entry(Shard::of(id)).or_default().entry(id).or_default()
    }

    pub(super) fn remove(&mut self, id: MatchId) -> Option<V> {
        let shard = Shard::of(id);
        let of_shard = self.0.get_mut(&shard)?;
        let value = of_shard.remove(&id);
        if of_shard.is_empty() {
            self.0.remove(&shard);
        }
        value
    }

    /// Takes out all matches of some shards.
    pub(super) fn take(&mut self, shards: &ShardSet) -> impl Iterator<Item = (MatchId, V)> + use<V> {
        let taken: Vec<_> = shards.iter().filter_map(|shard| self.0.remove(&shard)).collect();
        taken.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_a_shard_goes_with_it_and_nothing_else() {
        let ids = [1, 2, 3].map(|byte| MatchId::from_bytes([byte; 16]));
        let mut numbers = ByShard::default();
        ids.iter().zip(1_u32..).for_each(|(&id, number)| numbers.insert(id, number));
        *numbers.or_default(ids[0]) += 10;
        let gone: ShardSet = std::iter::once(Shard::of(ids[0])).collect();
        assert_eq!(numbers.take(&gone).collect::<Vec<_>>(), [(ids[0], 11)]);
        assert_eq!(ids.map(|id| numbers.get(id).copied()), [None, Some(2), Some(3)]);
        assert_eq!((numbers.remove(ids[2]), numbers.remove(ids[0])), (Some(3), None));
        assert!(numbers.get_mut(ids[1]).is_some());
        assert_eq!(numbers.0.len(), 1);
    }
}
