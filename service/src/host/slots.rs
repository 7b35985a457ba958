//! The matches in memory ([`Slots`]): those that somebody uses, and as many of the others as were used last.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use super::slot::Slot;
use crate::store::MatchId;

/// The matches in memory, the one used last first. A match is in one slot at most.
pub(super) struct Slots {
    max: usize,
    kept: Mutex<LruCache<MatchId, Arc<Slot>>>,
}

/// Number of the oldest that are looked at for one that nobody uses.
const LOOK_AT_MAX: usize = 16;

impl Slots {
    pub(super) fn new(max: usize) -> Self {
        Self { max, kept: Mutex::new(LruCache::unbounded()) }
    }

    pub(super) fn len(&self) -> usize {
        self.kept().len()
    }

    /// The slot of a match, a new one if it has none.
    pub(super) fn of(&self, id: MatchId) -> Arc<Slot> {
        let mut kept = self.kept();
        let slot = Arc::clone(kept.get_or_insert(id, || Arc::new(Slot::new(id))));
        self.make_room(&mut kept);
        slot
    }

    /// Lets a slot go that turned out to have nothing. One that somebody follows stays, so that nobody follows another than
    /// the one that is used.
    pub(super) fn forget_empty(&self, slot: &Arc<Slot>) {
        let mut kept = self.kept();
        // This map and the caller: nobody else waits for it.
        let unused = Arc::strong_count(slot) <= 2 && slot.progress.receiver_count() == 0;
        if unused && slot.usable().is_none() {
            kept.pop(&slot.id);
        }
    }

    /// Lets the oldest go that nobody uses. A slot that is in use is in somebody's hands too, and an append that is on its
    /// way counts as a use.
    fn make_room(&self, kept: &mut LruCache<MatchId, Arc<Slot>>) {
        for _ in 0..LOOK_AT_MAX {
            if kept.len() <= self.max {
                return;
            }
            let Some((&id, slot)) = kept.peek_lru() else { return };
            if Arc::strong_count(slot) == 1 {
                kept.pop(&id);
            } else {
                // It counts as used now, so that the next ones are looked at, and not the same again.
                kept.promote(&id);
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, LruCache<MatchId, Arc<Slot>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u32) -> MatchId {
        let mut bytes = [0; 16];
        bytes[12..].copy_from_slice(&number.to_be_bytes());
        MatchId::from_bytes(bytes)
    }

    #[test]
    fn those_in_use_do_not_keep_the_others_from_going() {
        let slots = Slots::new(4);
        let used: Vec<_> = (0..40).map(|number| slots.of(id(number))).collect();
        for number in 1_000..2_000 {
            drop(slots.of(id(number)));
        }
        assert!(slots.len() <= used.len() + 4, "{} are kept", slots.len());
        for slot in &used {
            assert!(Arc::ptr_eq(slot, &slots.of(slot.id)), "a slot in use has gone");
        }
    }

    #[test]
    fn an_empty_slot_that_somebody_follows_stays() {
        let slots = Slots::new(4);
        let slot = slots.of(id(1));
        let follower = slot.progress.subscribe();
        slots.forget_empty(&slot);
        assert!(Arc::ptr_eq(&slot, &slots.of(id(1))));
        drop(follower);
        slots.forget_empty(&slot);
        assert_eq!(slots.len(), 0);
    }
}
