//! Results of matches that were over before their shards were taken ([`OlderResults`]): they are indexed when somebody asks, or watches an
//! account, who may not have been told of the last ones.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::ShardSet;

/// The results from before.
#[derive(Debug, Default)]
pub(super) struct OlderResults {
    /// When shards were taken last, in the host's milliseconds since 1970: what was settled since then is indexed as it is.
    since_ms: AtomicU64,
    left: Mutex<Left>,
    /// Held while they are indexed.
    indexing: tokio::sync::Mutex<()>,
}

/// The results that are left to be indexed.
#[derive(Copy, Clone, Debug)]
pub(super) struct Left {
    pub(super) shards: ShardSet,
    /// The moment since which results may be news to those who watch, in the host's milliseconds since 1970.
    pub(super) news_ms: u64,
}

impl Default for Left {
    fn default() -> Self {
        Self { shards: ShardSet::NONE, news_ms: u64::MAX }
    }
}

impl OlderResults {
    /// Shards were taken at this moment, of which the results since `news_ms` may be news; `None`: nobody watches yet.
    pub(super) fn are_more(&self, shards: &ShardSet, now_ms: u64, news_ms: Option<u64>) {
        self.since_ms.store(now_ms, Ordering::Relaxed);
        self.leave(Left { shards: *shards, news_ms: news_ms.unwrap_or(u64::MAX) });
    }

    /// Shards are elsewhere.
    pub(super) fn let_go(&self, shards: &ShardSet) {
        let mut left = self.left();
        left.shards = left.shards.without(shards);
    }

    /// The moment before which results may not be indexed.
    pub(super) fn since_ms(&self) -> u64 {
        self.since_ms.load(Ordering::Relaxed)
    }

    /// Has `index` index what is left, if there is anything.
    ///
    /// # Errors
    /// Those of `index`: it is left then.
    pub(super) async fn index_with<E, F>(&self, index: impl FnOnce(Left) -> F) -> Result<(), E>
    where
        F: Future<Output = Result<(), E>>,
    {
        let _alone = self.indexing.lock().await;
        let left = std::mem::take(&mut *self.left());
        if left.shards.is_empty() {
            return Ok(());
        }
        let taken = Taken { results: self, left: Some(left) };
        index(left).await?;
        taken.is_indexed();
        Ok(())
    }

    fn leave(&self, more: Left) {
        let mut left = self.left();
        left.shards.extend(more.shards.iter());
        left.news_ms = left.news_ms.min(more.news_ms);
    }

    fn left(&self) -> MutexGuard<'_, Left> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Results that are being indexed: they are left again if that fails, or whoever waits for it goes.
struct Taken<'a> {
    results: &'a OlderResults,
    left: Option<Left>,
}

impl Taken<'_> {
    fn is_indexed(mut self) {
        self.left = None;
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.left.take().into_iter().for_each(|left| self.results.leave(left));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Shard;

    fn some(numbers: &[i32]) -> ShardSet {
        numbers.iter().filter_map(|&number| Shard::new(number)).collect()
    }

    #[tokio::test]
    async fn what_is_not_indexed_is_left_but_for_what_is_elsewhere() {
        let results = OlderResults::default();
        results.are_more(&some(&[1, 2]), 10, None);
        results.are_more(&some(&[3]), 20, Some(15));
        results.let_go(&some(&[2]));
        let mut asked = Vec::new();
        for outcome in [Err("no"), Ok(()), Ok(())] {
            let ended = results.index_with(|left| {
                asked.push((left.shards, left.news_ms));
                // Taken meanwhile, and not by this.
                results.are_more(&some(&[9]), 30, None);
                std::future::ready(outcome)
            });
            assert_eq!(ended.await, outcome);
        }
        let nine = (some(&[9]), u64::MAX);
        assert_eq!(asked, [(some(&[1, 3]), 15), (some(&[1, 3, 9]), 15), nine]);
        assert_eq!(results.since_ms(), 30);
    }
}
