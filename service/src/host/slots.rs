//! The matches in memory ([`Slots`]): those that somebody uses, and as many of the others as have room there. Matches that are over go
//! first, and of those as of the others the one that was used longest ago.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lru::LruCache;

use super::slot::Slot;
use crate::store::{MatchId, ShardSet};

/// The matches in memory, the one used last first. A match is in one slot at most.
pub(super) struct Slots {
    matches_max: usize,
    bytes_max: u64,
    kept: Mutex<Kept>,
}

struct Kept {
    slots: LruCache<MatchId, Arc<Slot>>,
    /// Those of matches that are over.
    over: LruCache<MatchId, ()>,
    /// Bytes of what is in the slots, as each was weighed last.
    bytes: u64,
    /// Number of slots that went to make room.
    evicted: u64,
}

/// Number of the oldest that are looked at for one that nobody uses, of matches that are over and of all.
const LOOK_AT_MAX: usize = 16;

/// Bytes by which a match has to have grown since it was weighed last, so that few calls wait for the lock of all.
const WEIGHED_FROM: u64 = 4_096;

impl Slots {
    pub(super) fn new(matches_max: usize, bytes_max: u64) -> Self {
        let (slots, over) = (LruCache::unbounded(), LruCache::unbounded());
        let kept = Kept { slots, over, bytes: 0, evicted: 0 };
        Self { matches_max, bytes_max, kept: Mutex::new(kept) }
    }

    pub(super) fn len(&self) -> usize {
        self.kept().slots.len()
    }

    /// Bytes of the matches in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.kept().bytes
    }

    /// Number of slots that went to make room.
    pub(super) fn evicted(&self) -> u64 {
        self.kept().evicted
    }

    /// The slot of a match, a new one if it has none.
    pub(super) fn of(&self, id: MatchId) -> Arc<Slot> {
        let mut kept = self.kept();
        let slot = Arc::clone(kept.slots.get_or_insert(id, || Arc::new(Slot::new(id))));
        kept.over.promote(&id);
        self.make_room(&mut kept);
        slot
    }

    /// Notes how many bytes the match of a slot has now, and whether it is over.
    pub(super) fn weigh(&self, slot: &Slot, bytes: u64, is_over: bool) {
        let ends = is_over && !slot.is_over.load(Ordering::Relaxed);
        if !ends && slot.bytes.load(Ordering::Relaxed).abs_diff(bytes) < WEIGHED_FROM {
            return;
        }
        let mut kept = self.kept();
        // One that was let go in the meantime counts no more.
        if kept.slots.peek(&slot.id).is_some_and(|other| std::ptr::eq(&**other, slot)) {
            let before = slot.bytes.swap(bytes, Ordering::Relaxed);
            kept.bytes = (kept.bytes + bytes).saturating_sub(before);
            if is_over {
                slot.is_over.store(true, Ordering::Relaxed);
                kept.over.put(slot.id, ());
            }
            self.make_room(&mut kept);
        }
    }

    /// The slots whose matches nobody has touched since a moment of the clock.
    pub(super) fn untouched_since(&self, moment: Duration) -> Vec<Arc<Slot>> {
        let kept = self.kept();
        let slots = kept.slots.iter().map(|(_, slot)| slot);
        slots.filter(|slot| slot.is_untouched_since(moment)).map(Arc::clone).collect()
    }

    /// The slots of some shards.
    pub(super) fn of_shards(&self, shards: &ShardSet) -> Vec<Arc<Slot>> {
        let kept = self.kept();
        let slots = kept.slots.iter().map(|(_, slot)| slot);
        slots.filter(|slot| shards.has(slot.id)).map(Arc::clone).collect()
    }

    /// Lets a slot go, whoever has it: its match is elsewhere.
    pub(super) fn let_go(&self, slot: &Arc<Slot>) {
        let mut kept = self.kept();
        if kept.slots.peek(&slot.id).is_some_and(|other| Arc::ptr_eq(other, slot)) {
            kept.pop(slot.id);
        }
    }

    /// Notes that the match of a slot has left the memory. The slot goes, too, if nobody else has it.
    pub(super) fn note_rest(&self, slot: &Arc<Slot>) {
        let mut kept = self.kept();
        if kept.slots.peek(&slot.id).is_some_and(|other| Arc::ptr_eq(other, slot)) {
            kept.bytes = kept.bytes.saturating_sub(slot.bytes.swap(0, Ordering::Relaxed));
            // This map and the caller.
            if Arc::strong_count(slot) <= 2 {
                kept.pop(slot.id);
            }
        }
    }

    /// Lets a slot go that turned out to have nothing. One that somebody follows stays, so that nobody follows another than
    /// the one that is used.
    pub(super) fn forget_empty(&self, slot: &Arc<Slot>) {
        let mut kept = self.kept();
        // This map and the caller: nobody else waits for it.
        let unused = Arc::strong_count(slot) <= 2 && slot.progress.receiver_count() == 0;
        if unused && slot.usable().is_none() {
            kept.pop(slot.id);
        }
    }

    /// Lets those go that nobody uses, the oldest first and matches that are over before all others. A slot that is in use is in
    /// somebody's hands too, and an append that is on its way counts as a use.
    fn make_room(&self, kept: &mut Kept) {
        for oldest in [Kept::oldest_over, Kept::oldest] {
            for _ in 0..LOOK_AT_MAX {
                if kept.slots.len() <= self.matches_max && kept.bytes <= self.bytes_max {
                    return;
                }
                let Some(id) = oldest(kept) else { break };
                if kept.slots.peek(&id).is_some_and(|slot| Arc::strong_count(slot) > 1) {
                    // It counts as used now, so that the next ones are looked at, and not the same again.
                    kept.slots.promote(&id);
                    kept.over.promote(&id);
                } else {
                    kept.pop(id);
                    kept.evicted += 1;
                }
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn oldest(&self) -> Option<MatchId> {
        self.slots.peek_lru().map(|(&id, _)| id)
    }

    fn oldest_over(&self) -> Option<MatchId> {
        self.over.peek_lru().map(|(&id, ())| id)
    }

    fn pop(&mut self, id: MatchId) {
        self.over.pop(&id);
        if let Some(slot) = self.slots.pop(&id) {
            self.bytes = self.bytes.saturating_sub(slot.bytes.load(Ordering::Relaxed));
        }
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
        let slots = Slots::new(4, u64::MAX);
        let used: Vec<_> = (0..40).map(|number| slots.of(id(number))).collect();
        for number in 1_000..2_000 {
            drop(slots.of(id(number)));
        }
        assert!(slots.len() <= used.len() + 4, "{} are kept", slots.len());
        assert_eq!(slots.evicted() as usize + slots.len(), 1_040);
        for slot in &used {
            assert!(Arc::ptr_eq(slot, &slots.of(slot.id)), "a slot in use has gone");
        }
    }

    #[test]
    fn large_ones_go_before_small_ones_would() {
        let slots = Slots::new(1_000, 100_000);
        let used = slots.of(id(1));
        slots.weigh(&used, 60_000, false);
        for number in 2..100 {
            slots.weigh(&slots.of(id(number)), 30_000, false);
            assert!(slots.bytes() <= 60_000 + 2 * 30_000, "{} bytes", slots.bytes());
        }
        // A match in use is not let go, and nothing beside it stays.
        slots.weigh(&used, 200_000, false);
        assert_eq!((slots.len(), slots.bytes()), (1, 200_000));
        drop(used);
        drop(slots.of(id(7)));
        drop(slots.of(id(8)));
        assert_eq!((slots.len(), slots.bytes()), (2, 0));
    }

    #[test]
    fn matches_that_are_over_go_before_others() {
        let slots = Slots::new(4, u64::MAX);
        for number in 0..4 {
            // The second and the third are over; what was asked of the second last makes no match of it that is played.
            slots.weigh(&slots.of(id(number)), 10, (1..3).contains(&number));
        }
        drop(slots.of(id(1)));
        let in_memory = |number: u32| slots.kept().slots.contains(&id(number));
        for (new, gone) in [(4, 2), (5, 1), (6, 0)] {
            drop(slots.of(id(new)));
            let there: Vec<u32> = (0..=new).filter(|&number| in_memory(number)).collect();
            assert!(!there.contains(&gone) && there.len() == 4, "{gone} has not gone: {there:?}");
        }
        // One that is over and in use stays, and does not keep others from going.
        let used = slots.of(id(7));
        slots.weigh(&used, 10, true);
        (8..40).for_each(|number| drop(slots.of(id(number))));
        assert!(in_memory(7) && slots.len() == 4);
    }

    #[test]
    fn an_empty_slot_that_somebody_follows_stays() {
        let slots = Slots::new(4, u64::MAX);
        let slot = slots.of(id(1));
        let follower = slot.progress.subscribe();
        slots.forget_empty(&slot);
        assert!(Arc::ptr_eq(&slot, &slots.of(id(1))));
        drop(follower);
        slots.forget_empty(&slot);
        assert_eq!(slots.len(), 0);
    }
}
