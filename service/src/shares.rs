//! The part that each of many has of something at once: [`Shares`].

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Something of which each owner may have a number at once: streams, calls, connections.
#[derive(Debug)]
pub(crate) struct Shares<K: Eq + Hash> {
    taken: Arc<Mutex<HashMap<K, usize>>>,
}

/// One of an owner's share, until this is dropped.
#[derive(Debug)]
pub(crate) struct Share<K: Eq + Hash> {
    of: Shares<K>,
    owner: K,
}

impl<K: Eq + Hash> Clone for Shares<K> {
    fn clone(&self) -> Self {
        Self { taken: Arc::clone(&self.taken) }
    }
}

impl<K: Eq + Hash> Default for Shares<K> {
    fn default() -> Self {
        Self { taken: Arc::default() }
    }
}

impl<K: Eq + Hash + Clone> Shares<K> {
    /// Takes one for `owner`; `None` if they have `max` already.
    pub(crate) fn take(&self, owner: K, max: usize) -> Option<Share<K>> {
        let mut taken = self.lock();
        let count = taken.entry(owner.clone()).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        drop(taken);
        Some(Share { of: self.clone(), owner })
    }
}

impl<K: Eq + Hash> Shares<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        let mut taken = self.of.lock();
        if let Some(count) = taken.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_takes_from_their_own_share_only_and_is_forgotten_without_any() {
        let shares = Shares::default();
        let first = shares.take("ada", 1).unwrap();
        assert!(shares.take("ada", 1).is_none());
        let second = shares.take("ben", 1).unwrap();
        drop(first);
        let again = shares.take("ada", 1).unwrap();
        drop((second, again));
        assert!(shares.lock().is_empty());
    }
}
