//! The matches in memory ([`Slots`]): those that somebody uses, and as many of the others as were used last.

use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use super::slot::Slot;
use crate::store::MatchId;

/// The matches in memory, the one used last first. A match is in one slot at most.
pub(super) struct Slots {
    max: usize,
    kept: Mutex<LruCache<MatchId, Arc<Slot>>>,
}

/// How many of the oldest are looked at for one that nobody uses.
const LOOK_AT_MAX: usize = 16;

impl Slots {
    pub(super) fn new(max: usize) -> Self {
        Self { max, kept: Mutex::new(LruCache::unbounded()) }
    }

    pub(super) fn len(&self) -> usize {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The slot of a match, a new one if it has none.
    pub(super) fn of(&self, id: MatchId) -> Arc<Slot> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(kept.get_or_insert(id, || Arc::new(Slot::new(id))));
        self.make_room(&mut kept);
        slot
    }

    /// Lets a match go that turned out not to be there.
    pub(super) fn forget_empty(&self, slot: &Arc<Slot>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // This map and the caller: nobody else waits for it.
        if Arc::strong_count(slot) <= 2 && slot.progress.borrow().stale {
            kept.pop(&slot.id);
        }
    }

    /// Lets the oldest go that nobody uses. A slot that is in use is in somebody's hands too, and an append that is on its
    /// way counts as a use.
    fn make_room(&self, kept: &mut LruCache<MatchId, Arc<Slot>>) {
        if kept.len() <= self.max {
            return;
        }
        let unused = |(_, slot): &(&MatchId, &Arc<Slot>)| Arc::strong_count(slot) == 1;
        if let Some(id) = kept.iter().rev().take(LOOK_AT_MAX).find(unused).map(|(id, _)| *id) {
            kept.pop(&id);
        }
    }
}
