//! The store's memory of the matches in play: [`Index`], kept in [`Indexes`].
//!
//! Invariant: an index follows from the match's log, read and checked from its first byte, and from nothing
//! else. It may be behind the log or ahead of what is durable; a reader that relies on it compares positions
//! first.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use super::chain::Head;
use super::entry::{Request, StoredStatus};
use super::envelope::{Body, Envelope, party_number};
use super::names::{At, MatchId, Party, Position, RequestId};
use super::purpose::Purpose;

/// The most matches that are remembered.
const MATCHES_MAX: NonZeroUsize = NonZeroUsize::new(1 << 16).expect("not zero");
/// Those among them that are over: they are read, archived and then left alone, and the requests of one take 6 KB.
pub(super) const OVER_MAX: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");
/// The most requests that are remembered, of all matches together (50 to 100 bytes each, as a map has room for more than it holds).
const REQUESTS_REMEMBERED_MAX: usize = 1 << 21;

/// A match's head and the requests that its log answers.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) head: Head,
    /// Bytes of all envelopes.
    pub(super) bytes: u64,
    requests: HashMap<Fingerprint, At>,
}

/// 128 bits of a hash of party and request id.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Fingerprint(u128);

impl Fingerprint {
    fn of(party: Party, id: &RequestId) -> Self {
        static PURPOSE: Purpose = Purpose::new("edgehill store request fingerprint v1");
        let mut hasher = PURPOSE.hasher();
        hasher.update(&[party_number(party)]).update(id.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(u128::from_le_bytes(bytes))
    }
}

impl Index {
    pub(super) fn new(head: Head) -> Self {
        Self { head, bytes: 0, requests: HashMap::new() }
    }

    /// Notes the requests of an append that stands at `position`, and its bytes.
    pub(super) fn note(&mut self, envelope: &Envelope, position: Position, bytes: usize) {
        if let Body::Append { requests, .. } = &envelope.body {
            let at = At { revision: envelope.revision, position };
            self.note_names(Self::names(requests), at, bytes);
        } else {
            self.bytes += bytes as u64;
        }
    }

    /// Returns the fingerprints that these requests are known by here.
    pub(super) fn names<'a>(requests: impl IntoIterator<Item = &'a (Party, Request)>) -> Vec<Fingerprint> {
        requests.into_iter().map(|(party, request)| Fingerprint::of(*party, &request.id)).collect()
    }

    /// Notes the requests of an append, and its bytes.
    pub(super) fn note_names(&mut self, names: Vec<Fingerprint>, at: At, bytes: usize) {
        self.bytes += bytes as u64;
        self.requests.extend(names.into_iter().map(|name| (name, at)));
    }

    /// Forgets the appends after a revision: the log has so many bytes without them.
    pub(super) fn forget_after(&mut self, revision: u64, bytes: u64) {
        self.requests.retain(|_, at| at.revision <= revision);
        self.bytes = bytes;
    }

    fn is_over(&self) -> bool {
        match self.head.summary.status {
            StoredStatus::Open | StoredStatus::Running => false,
            StoredStatus::Over | StoredStatus::Abandoned => true,
        }
    }

    /// Returns the append that answered the request of this name.
    pub(super) fn named(&self, name: &Fingerprint) -> Option<At> {
        self.requests.get(name).copied()
    }

    /// Returns the append that answered this request.
    pub(super) fn find(&self, party: Party, id: &RequestId) -> Option<At> {
        self.named(&Fingerprint::of(party, id))
    }
}

/// The indexes of the matches that were used last.
#[derive(Debug)]
pub(super) struct Indexes(Mutex<Shelf>);

#[derive(Debug)]
struct Shelf {
    /// `None`: taken, and not put back yet.
    indexes: LruCache<MatchId, Option<Box<Index>>>,
    /// Those of matches that are over.
    over: LruCache<MatchId, ()>,
    requests: usize,
}

impl Indexes {
    pub(super) fn new() -> Self {
        let (indexes, over) = (LruCache::new(MATCHES_MAX), LruCache::new(OVER_MAX));
        Self(Mutex::new(Shelf { indexes, over, requests: 0 }))
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        // Every change of the shelf leaves it whole, and it is only a cache.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether there is an index, or somebody has it in hand.
    pub(super) fn contains(&self, id: MatchId) -> bool {
        self.shelf().indexes.contains(&id)
    }

    /// Returns the append that answered this request, if the index stands at `position`; `None`: it has to be read. An index
    /// that is ahead may have forgotten requests that were answered by then.
    pub(super) fn find(
        &self,
        id: MatchId,
        position: Position,
        party: Party,
        request: &RequestId,
    ) -> Option<Option<At>> {
        let mut shelf = self.shelf();
        let index = shelf.indexes.get(&id)?.as_ref().filter(|index| index.head.at.position == position)?;
        Some(index.find(party, request))
    }

    /// Takes an index off the shelf, to change it; [`Indexes::put`] or [`Indexes::forget`] follows.
    pub(super) fn take(&self, id: MatchId) -> Option<Box<Index>> {
        self.shelf().take(id)
    }

    /// Puts an index there, in place of any other.
    pub(super) fn put(&self, index: Box<Index>) {
        self.shelf().put(index);
    }

    /// Drops an index, since it is not to be relied on.
    pub(super) fn forget(&self, id: MatchId) {
        self.shelf().forget(id);
    }

    /// Puts an index there if there is none.
    pub(super) fn offer(&self, index: Box<Index>) {
        let mut shelf = self.shelf();
        if !matches!(shelf.indexes.peek(&index.head.id), Some(Some(_))) {
            shelf.put(index);
        }
    }
}

impl Shelf {
    /// Its place is kept.
    fn take(&mut self, id: MatchId) -> Option<Box<Index>> {
        let index = self.indexes.get_mut(&id)?.take()?;
        self.requests -= index.requests.len();
        Some(index)
    }

    fn put(&mut self, index: Box<Index>) {
        let (id, is_over) = (index.head.id, index.is_over());
        self.take(id);
        self.requests += index.requests.len();
        if let Some(place) = self.indexes.get_mut(&id) {
            *place = Some(index);
        } else if let Some((dropped, index)) = self.indexes.push(id, Some(index)) {
            self.note_dropped(dropped, index);
        }
        if is_over
            && let Some((dropped, ())) = self.over.push(id, ())
            && dropped != id
        {
            self.forget(dropped);
        }
        while self.requests > REQUESTS_REMEMBERED_MAX && self.indexes.len() > 1 {
            if let Some((dropped, index)) = self.indexes.pop_lru() {
                self.note_dropped(dropped, index);
            }
        }
    }

    fn forget(&mut self, id: MatchId) {
        if let Some(index) = self.indexes.pop(&id) {
            self.note_dropped(id, index);
        }
    }

    /// Notes that an index is not on the shelf any more.
    fn note_dropped(&mut self, id: MatchId, index: Option<Box<Index>>) {
        self.requests -= index.map_or(0, |index| index.requests.len());
        self.over.pop(&id);
    }
}
