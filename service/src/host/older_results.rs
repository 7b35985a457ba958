//! Results of matches that were over before their shards were taken ([`OlderResults`]): they are indexed when somebody asks.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

use super::error::Error;

/// The results from before: they are indexed when somebody first asks for some, and anew when there are more.
#[derive(Debug, Default)]
pub(super) struct OlderResults {
    /// When shards were taken last, in the host's milliseconds since 1970: what was settled since then is indexed as it is.
    since_ms: AtomicU64,
    /// How often shards were taken.
    takings: AtomicU64,
    /// How often they had been when all was indexed last.
    indexed: Mutex<u64>,
}

impl OlderResults {
    /// Shards were taken at this moment.
    pub(super) fn are_more(&self, now_ms: u64) {
        self.since_ms.store(now_ms, Ordering::Relaxed);
        self.takings.fetch_add(1, Ordering::Release);
    }

    /// The moment before which results may not be indexed.
    pub(super) fn since_ms(&self) -> u64 {
        self.since_ms.load(Ordering::Relaxed)
    }

    /// Has `index` index them, unless they are.
    ///
    /// # Errors
    /// Those of `index`: they are not indexed then.
    pub(super) async fn index_with<F>(&self, index: impl FnOnce() -> F) -> Result<(), Error>
    where
        F: Future<Output = Result<(), Error>>,
    {
        let mut indexed = self.indexed.lock().await;
        let takings = self.takings.load(Ordering::Acquire);
        if *indexed != takings {
            index().await?;
            *indexed = takings;
        }
        Ok(())
    }
}
