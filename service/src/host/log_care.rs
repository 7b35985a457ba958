//! The care for the log of a match: what was superseded leaves it, and a match whose log is full ends.

use std::sync::Arc;

use super::Host;
use super::error::Error;
use super::slot::Slot;
use crate::matches::LogLimits;

impl Host {
    pub(super) fn log_limits(&self) -> LogLimits {
        self.limits().match_log()
    }

    /// Compacts the log of a match, or ends the match, whichever is due. Callers do not wait for it: the one who comes first
    /// finds the log as it is.
    pub(super) fn care_for_log(&self, slot: &Arc<Slot>) {
        let (host, slot) = (self.clone(), Arc::clone(slot));
        self.0.tasks.spawn(async move {
            if let Err(error) = host.insist(|| host.compact_or_end(&slot)).await {
                tracing::warn!(match_id = %slot.id, %error, "a log is not cared for");
            }
        });
    }

    async fn compact_or_end(&self, slot: &Arc<Slot>) -> Result<(), Error> {
        let mut locked = self.lock(slot).await?;
        let now_ms = self.now_ms();
        let live = locked.content()?.live()?;
        // Another one of these may have come first.
        match (live.is_log_full(), live.wants_compaction()) {
            (_, true) => {
                self.commit(&mut locked, |live| live.compact(now_ms).map(|change| ((), Some(change))))
                    .await?;
            }
            (true, false) => {
                self.commit(&mut locked, |live| live.end_full(now_ms).map(|change| ((), Some(change))))
                    .await?;
            }
            (false, false) => return Ok(()),
        }
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await
    }
}
