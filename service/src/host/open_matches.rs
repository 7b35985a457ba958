//! The number of matches that are not over, by those with whom they count ([`OpenMatches`]).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::Error;
use crate::matches::MatchHeader;
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, Page, Store, StoreFilter, StoredStatus};

/// Matches that are not over, by account or address. Copies count together.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenMatches(Arc<Mutex<HashMap<Vec<u8>, u64>>>);

/// A match that is about to be made: it counts already, and does not if this is dropped before it was made.
#[derive(Debug)]
pub(super) struct Reserved {
    matches: OpenMatches,
    counted_as: Option<Vec<u8>>,
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
                                *counted.counts().entry(header.counted_as).or_default() += 1;
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

    /// One more, if `counted_as` may have one more.
    ///
    /// # Errors
    /// [`Error::TooManyMatches`].
    pub(super) fn reserve(&self, counted_as: &[u8], max: u64) -> Result<Reserved, Error> {
        let mut counts = self.counts();
        let count = counts.entry(counted_as.to_vec()).or_default();
        if *count >= max {
            return Err(Error::TooManyMatches { max });
        }
        *count += 1;
        drop(counts);
        Ok(Reserved { matches: self.clone(), counted_as: Some(counted_as.to_vec()) })
    }

    /// One less: it is over.
    pub(super) fn less(&self, counted_as: &[u8]) {
        let mut counts = self.counts();
        if let Some(count) = counts.get_mut(counted_as) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(counted_as);
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
        self.counted_as = None;
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if let Some(counted_as) = self.counted_as.take() {
            self.matches.less(&counted_as);
        }
    }
}
