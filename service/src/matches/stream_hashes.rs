//! The running hash of each observer of a match, as far as somebody asked for it ([`StreamHashes`]).

use std::sync::{Mutex, MutexGuard, PoisonError};

use edgehill_engine::seat::Observer;

use super::encoder::{Encoder, StreamHashBytes};
use super::published_events::PublishedEvent;
use crate::store::MatchId;

/// The place in an observer's sequence up to which it was reckoned.
#[derive(Copy, Clone, Debug)]
struct Reckoned {
    /// The number of the last event in it.
    seq: u64,
    /// The hash after it.
    hash: StreamHashBytes,
}

/// Running hashes (docs/record.md, "Receipts"). Each is reckoned on from where it was asked for last, so that a match that nobody
/// wants a receipt of pays for none.
///
/// Invariant: the hash at a number stays the same for good, whatever leaves the log.
#[derive(Debug)]
pub(super) struct StreamHashes {
    id: MatchId,
    /// By observer, the seats in order and then the spectators; `None`: nobody has asked.
    by: Mutex<Vec<Option<Reckoned>>>,
}

impl StreamHashes {
    /// Nothing yet, in a match of this id and of so many seats.
    pub(super) fn new(id: MatchId, seats: usize) -> Self {
        Self { id, by: Mutex::new(vec![None; seats + 1]) }
    }

    /// Returns the number of bytes that they have in memory beside themselves.
    pub(super) fn memory_bytes(&self) -> usize {
        self.all().capacity() * size_of::<Option<Reckoned>>()
    }

    /// Returns the hash of an observer of a match of `seats` seats after all their events. `since` gives those after a number.
    pub(super) fn after_all<'a, E: Iterator<Item = PublishedEvent<'a>>>(
        &self,
        (observer, seats): (Observer, usize),
        encoder: &dyn Encoder,
        since: impl FnOnce(u64) -> E,
    ) -> StreamHashBytes {
        let index = observer.index(seats);
        let start = || Reckoned { seq: 0, hash: encoder.stream_start(&self.id.to_string(), observer) };
        let before = self.all().get(index).copied().flatten().unwrap_or_else(start);
        // Without the lock: a seat's receipt does not wait for another's.
        let after = since(before.seq).fold(before, |before, event| Reckoned {
            seq: event.seq,
            hash: encoder.stream_hash(before.hash, &event.bytes),
        });
        if let Some(kept) = self.all().get_mut(index)
            && kept.is_none_or(|kept| kept.seq < after.seq)
        {
            *kept = Some(after);
        }
        after.hash
    }

    fn all(&self) -> MutexGuard<'_, Vec<Option<Reckoned>>> {
        self.by.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for StreamHashes {
    fn clone(&self) -> Self {
        Self { id: self.id, by: Mutex::new(self.all().clone()) }
    }
}
