//! The counts of what became of a store's transactions: [`Counters`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::Error;
use super::{Stats, StoreFailures};

/// The counts of what became of transactions.
#[derive(Debug, Default)]
pub(super) struct Counters {
    transactions: AtomicU64,
    appends: AtomicU64,
    failures: Mutex<StoreFailures>,
    quarantined: AtomicU64,
}

impl Counters {
    /// The counts; what waits, and how large the files are, is for others to say.
    pub(super) fn stats(&self) -> Stats {
        Stats {
            transactions: self.transactions.load(Ordering::Relaxed),
            appends: self.appends.load(Ordering::Relaxed),
            failures: *self.failures(),
            quarantined: self.quarantined.load(Ordering::Relaxed),
            ..Stats::default()
        }
    }

    /// Counts a transaction that became durable, with so many creates and appends.
    pub(super) fn committed(&self, appends: u64) {
        self.transactions.fetch_add(1, Ordering::Relaxed);
        self.appends.fetch_add(appends, Ordering::Relaxed);
    }

    /// Counts a transaction that failed with `error`.
    pub(super) fn failed(&self, error: &Error) {
        self.failures().count(error);
    }

    /// Notes how many matches are in quarantine.
    pub(super) fn set_quarantined(&self, quarantined: u64) {
        self.quarantined.store(quarantined, Ordering::Relaxed);
    }

    fn failures(&self) -> MutexGuard<'_, StoreFailures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
