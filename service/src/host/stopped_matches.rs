//! The matches that were found stopped when somebody last opened them ([`StoppedMatches`]).

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use crate::store::{MatchId, Quarantine};

/// Number of matches that are remembered; of others it is found out again.
const MATCHES_MAX: NonZeroUsize = NonZeroUsize::new(4_096).unwrap();

/// Why matches are stopped, for lists, which open none. The store knows of most of them as well, but not of all: what it can't
/// read now it may read again once its file or the server's key is restored.
#[derive(Debug)]
pub(super) struct StoppedMatches(Mutex<LruCache<MatchId, Quarantine>>);

impl Default for StoppedMatches {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MATCHES_MAX)))
    }
}

impl StoppedMatches {
    pub(super) fn note(&self, id: MatchId, quarantine: Quarantine) {
        self.kept().put(id, quarantine);
    }

    /// It was read just now.
    pub(super) fn forget(&self, id: MatchId) {
        self.kept().pop(&id);
    }

    pub(super) fn why(&self, id: MatchId) -> Option<Quarantine> {
        self.kept().peek(&id).cloned()
    }

    fn kept(&self) -> MutexGuard<'_, LruCache<MatchId, Quarantine>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
