//! The time that matches wait for their seats to be taken.

use std::time::Duration;

use super::Host;
use super::error::Error;
use crate::matches::{Course, Phase};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{ListedMatch, MatchId, Page, StoreFilter, StoredStatus};

/// The time after which the host looks again for matches that have waited too long, unless they wait for less.
const LOOK_AFTER: Duration = Duration::from_secs(60);

impl Host {
    /// The moment at which a match expires, in milliseconds since 1970; `None` if it does not wait for its seats. Time in which
    /// the server was down does not count: nobody could take one.
    #[must_use]
    pub fn expire_ms(&self, course: &Course) -> Option<u64> {
        let waits = course.phase() == Phase::Waiting;
        waits.then(|| self.0.uptime.after(course.header().created_ms, self.waiting_ms()))
    }

    fn waiting_ms(&self) -> u64 {
        self.limits().waiting_seconds.saturating_mul(1_000)
    }

    /// Lets matches that have waited too long expire, now and for as long as the host is open.
    pub(super) fn expire_in_time(&self) {
        let host = self.clone();
        let pause = LOOK_AFTER.min(Duration::from_millis(self.waiting_ms()));
        self.0.tasks.spawn(async move {
            loop {
                if let Err(error) = host.expire_waiting().await {
                    tracing::warn!(%error, "matches that wait are not looked at");
                }
                let clock = &host.0.parts.clock;
                tokio::select! {
                    () = host.0.closing.cancelled() => return,
                    () = clock.reach(clock.elapsed().saturating_add(pause)) => {}
                }
            }
        });
    }

    /// Lets those expire that have waited too long by now. Names of matches sort by the time of creation, so nothing else is
    /// looked at.
    async fn expire_waiting(&self) -> Result<(), Error> {
        let created_ms = self.0.uptime.before(self.now_ms(), self.waiting_ms());
        let mut before = Some(MatchId::first_at(created_ms.saturating_add(1)));
        while before.is_some() && !self.0.closing.is_cancelled() {
            let filter = StoreFilter { status: Some(StoredStatus::Open), ..StoreFilter::default() };
            let listing = self.store().list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
            let waits = |row: &&ListedMatch| {
                row.quarantine.is_none()
                    && self.listed(row).is_some_and(|listed| listed.course().phase() == Phase::Waiting)
            };
            for listed in listing.matches.iter().filter(waits) {
                // One that begins in this moment, or can't be read, does not keep the others.
                if let Err(error) = self.expire(listed.id).await {
                    tracing::debug!(match_id = %listed.id, %error, "a match does not expire");
                }
            }
            before = listing.next;
        }
        Ok(())
    }

    async fn expire(&self, id: MatchId) -> Result<(), Error> {
        let slot = self.0.slots.of(id);
        let mut locked = self.lock(&slot).await?;
        let now_ms = self.now_ms();
        if self.expire_ms(locked.content()?.course()).is_none_or(|expire_ms| now_ms < expire_ms) {
            return Ok(());
        }
        self.commit(&mut locked, |live| live.expire(now_ms).map(|change| ((), Some(change)))).await?;
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await
    }
}
