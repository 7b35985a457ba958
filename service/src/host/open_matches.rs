//! The number of matches that are not over, by creator ([`OpenMatches`]).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::Error;
use crate::matches::MatchHeader;
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, Page, Store, StoreFilter, StoredStatus};

/// Matches that are not over, by creator. Copies count together.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenMatches(Arc<Mutex<HashMap<Vec<u8>, u64>>>);

/// A match that is about to be made: it counts already, and does not if this is dropped before it was made.
#[derive(Debug)]
pub(super) struct Reserved {
    matches: OpenMatches,
    creator: Option<Vec<u8>>,
}

impl OpenMatches {
    /// Counts those of a store.
    ///
    /// # Errors
    /// If the store can't be read.
    pub(super) async fn count(store: &dyn Store) -> Result<Self, Error> {
        let counted = Self::default();
        for status in [StoredStatus::Open, StoredStatus::Running] {
            let mut before = None;
            loop {
                let filter = StoreFilter { status: Some(status), ..StoreFilter::default() };
                let listing = store.list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
                for listed in listing.matches.iter().filter(|listed| listed.quarantine.is_none()) {
                    match store.read(listed.id, u64::MAX).await {
                        Ok(log) => {
                            if let Ok(header) = MatchHeader::from_bytes(&log.header.bytes) {
                                *counted.counts().entry(header.creator).or_default() += 1;
                            }
                        }
                        // It was just found to be damaged, and is in quarantine now.
                        Err(store::Error::Quarantined { .. } | store::Error::NotFound(_)) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                match listing.next {
                    Some(next) => before = Some(next),
                    None => break,
                }
            }
        }
        Ok(counted)
    }

    /// One more, if `creator` may have one more.
    ///
    /// # Errors
    /// [`Error::TooManyMatches`].
    pub(super) fn reserve(&self, creator: &[u8], max: u64) -> Result<Reserved, Error> {
        let mut counts = self.counts();
        let count = counts.entry(creator.to_vec()).or_default();
        if *count >= max {
            return Err(Error::TooManyMatches { max });
        }
        *count += 1;
        drop(counts);
        Ok(Reserved { matches: self.clone(), creator: Some(creator.to_vec()) })
    }

    /// One less: it is over.
    pub(super) fn less(&self, creator: &[u8]) {
        let mut counts = self.counts();
        if let Some(count) = counts.get_mut(creator) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(creator);
            }
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Vec<u8>, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reserved {
    /// The match was made.
    pub(super) fn keep(mut self) {
        self.creator = None;
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if let Some(creator) = self.creator.take() {
            self.matches.less(&creator);
        }
    }
}
