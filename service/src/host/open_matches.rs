//! How many matches that are not over each creator has ([`OpenMatches`]).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::error::Error;
use crate::matches::Header;
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, Filter, Page, Status, Store};

/// Matches that are not over, by creator.
#[derive(Debug, Default)]
pub(super) struct OpenMatches(Mutex<HashMap<Vec<u8>, u64>>);

impl OpenMatches {
    /// Counts those of a store.
    ///
    /// # Errors
    /// If the store can't be read.
    pub(super) async fn count(store: &dyn Store) -> Result<Self, Error> {
        let counted = Self::default();
        for status in [Status::Open, Status::Running] {
            let mut before = None;
            loop {
                let filter = Filter { status: Some(status), ..Filter::default() };
                let listing = store.list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
                for listed in listing.matches.iter().filter(|listed| listed.quarantine.is_none()) {
                    match store.read(listed.id, u64::MAX).await {
                        Ok(log) => {
                            if let Ok(header) = Header::from_bytes(&log.header.bytes) {
                                counted.more(&header.creator);
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

    pub(super) fn of(&self, creator: &[u8]) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(creator).copied().unwrap_or(0)
    }

    pub(super) fn more(&self, creator: &[u8]) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(creator.to_vec()).or_default() += 1;
    }

    pub(super) fn less(&self, creator: &[u8]) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(creator) {
            *count = count.saturating_sub(1);
        }
    }
}
