//! The time that matches wait: for their seats to be taken, and for anything to happen.

use std::time::Duration;

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::matches::{Course, JournalEntry, Phase};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{ListedMatch, Listing, MatchId, Page, StoredStatus};

/// The time after which the host looks again for matches that have waited too long, unless they wait for less.
const LOOK_AFTER: Duration = Duration::from_secs(60);

/// The same of matches in which nothing happens: of each that is old enough the last entry is read.
const LOOK_AT_IDLE_AFTER: Duration = Duration::from_secs(3_600);

impl Host {
    /// The moment at which a match expires, in milliseconds since 1970; `None` if it does not wait for its seats. Time in which
    /// the server was down does not count: nobody could take one.
    #[must_use]
    pub fn expire_ms(&self, course: &Course) -> Option<u64> {
        let waits = course.phase() == Phase::Waiting;
        let time_ms = match course.place() {
            Some(place) => place.absence_ms,
            None if course.header().is_paired() => self.paired_ms(),
            None => self.waiting_ms(),
        };
        waits.then(|| self.0.uptime.after(course.header().created_ms, time_ms))
    }

    /// The time that a match of callers who were paired waits for them.
    pub(super) fn paired_ms(&self) -> u64 {
        self.limits().paired_seconds.saturating_mul(1_000).min(self.waiting_ms())
    }

    fn waiting_ms(&self) -> u64 {
        self.limits().waiting_seconds.saturating_mul(1_000)
    }

    fn idle_ms(&self) -> u64 {
        self.limits().idle_seconds.saturating_mul(1_000)
    }

    /// Lets matches that have waited too long expire, now and for as long as the host is open.
    pub(super) fn expire_in_time(&self) {
        let host = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                let begun = host.0.parts.clock.elapsed();
                if let Err(error) = host.expire_waiting().await {
                    tracing::warn!(%error, "matches that wait are not looked at");
                }
                if !host.pause(begun, LOOK_AFTER, host.waiting_ms()).await {
                    return;
                }
            }
        });
        let host = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                let begun = host.0.parts.clock.elapsed();
                if let Err(error) = host.end_idle().await {
                    tracing::warn!(%error, "matches in which nothing happens are not looked at");
                }
                if !host.pause(begun, LOOK_AT_IDLE_AFTER, host.idle_ms()).await {
                    return;
                }
            }
        });
    }

    /// Waits until so long after `begun`, or `least_ms` if that is less; `false` if the host closes. It is the beginning of a
    /// look: however long that took, it does not put the next one off.
    async fn pause(&self, begun: Duration, most: Duration, least_ms: u64) -> bool {
        let clock = &self.0.parts.clock;
        let pause = most.min(Duration::from_millis(least_ms));
        tokio::select! {
            () = self.0.closing.cancelled() => false,
            () = clock.reach(begun.saturating_add(pause)) => true,
        }
    }

    /// The matches of a status that were made before the host was up for `time_ms`, a page after another. Names of matches sort by the
    /// time of creation, so nothing else is looked at.
    async fn older(
        &self,
        status: StoredStatus,
        time_ms: u64,
        before: Option<MatchId>,
    ) -> Result<Listing, Error> {
        let created_ms = self.0.uptime.before(self.now_ms(), time_ms);
        let before = before.or_else(|| Some(MatchId::first_at(created_ms.saturating_add(1))));
        let filter = self.owned_with(status);
        Ok(self.store().list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?)
    }

    /// Lets those expire that have waited too long by now.
    async fn expire_waiting(&self) -> Result<(), Error> {
        let mut before = None;
        while !self.0.closing.is_cancelled() {
            let listing = self.older(StoredStatus::Open, self.waiting_ms(), before).await?;
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
            if before.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Ends those that have begun, and in which nothing has happened for too long.
    async fn end_idle(&self) -> Result<(), Error> {
        let mut before = None;
        while !self.0.closing.is_cancelled() {
            let listing = self.older(StoredStatus::Running, self.idle_ms(), before).await?;
            for row in listing.matches.iter().filter(|row| row.quarantine.is_none()) {
                if let Err(error) = self.end_if_idle(row).await {
                    tracing::debug!(match_id = %row.id, %error, "a match in which nothing happens does not end");
                }
            }
            before = listing.next;
            if before.is_none() {
                break;
            }
        }
        Ok(())
    }

    async fn end_if_idle(&self, row: &ListedMatch) -> Result<(), Error> {
        let last = self.store().read(row.id, row.revision).await?;
        let Some(last) = last.records.last() else { return Ok(()) };
        let Ok(entry) = JournalEntry::from_bytes(&last.entry) else { return Ok(()) };
        let now_ms = self.now_ms();
        if now_ms < self.0.uptime.after(entry.at_ms, self.idle_ms()) {
            return Ok(());
        }
        // While somebody's clock runs, something is to come of itself, however late.
        if self.listed(row).is_some_and(|listed| self.has_running_clock(listed.course())) {
            return Ok(());
        }
        let slot = self.0.slots.of(row.id);
        let mut locked = self.lock(&slot).await?;
        // Something may have happened in the meantime.
        let course = locked.content()?.course();
        if course.revision() != last.at.revision || self.has_running_clock(course) {
            return Ok(());
        }
        self.commit(&mut locked, |live| live.end_idle(now_ms).map(|change| ((), Some(change)))).await?;
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await
    }

    /// Lets a match expire that has waited too long; does nothing with others.
    ///
    /// # Errors
    /// If it can't be read or written.
    pub async fn expire(&self, id: MatchId) -> Result<(), Error> {
        let slot = self.0.slots.of(id);
        let mut locked = self.lock(&slot).await?;
        let now_ms = self.now_ms();
        if self.expire_ms(locked.content()?.course()).is_none_or(|expire_ms| now_ms < expire_ms) {
            return Ok(());
        }
        let expire = |content: &mut Content| {
            let change = match content {
                Content::Live(live) => live.expire(now_ms),
                Content::Closed(closed) => closed.expire(now_ms),
            };
            Ok(((), Some(change?)))
        };
        self.commit_any(&mut locked, expire).await?;
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await
    }
}
