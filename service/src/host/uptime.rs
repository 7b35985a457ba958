//! The time that the server was up ([`Uptime`]). What seats have to do in time they have to do while there is a server to do
//! it with: deadlines of matches run in that time, and a restart uses none of it up.
//!
//! The store keeps when the server was last up, and the outages that followed from it. It is noted every
//! [`NOTED_EVERY`] and when the host closes, so that after a kill an outage begins at most so much too early, in favour of
//! the seats.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Host;
use super::error::Error;
use crate::store::{Outage, Shard};

/// The time after which it is noted again that the server is up.
const NOTED_EVERY: Duration = Duration::from_secs(10);

/// The times at which the server was down, up to its last start.
#[derive(Debug, Default)]
pub(super) struct Uptime {
    /// Ascending; no two overlap.
    outages: Mutex<Vec<Outage>>,
}

impl Uptime {
    pub(super) fn new(outages: Vec<Outage>) -> Self {
        let uptime = Self::default();
        uptime.replace(outages);
        uptime
    }

    /// Knows these outages from now on.
    pub(super) fn replace(&self, mut outages: Vec<Outage>) {
        outages.sort_unstable_by_key(|outage| outage.from_ms);
        *self.outages() = outages;
    }

    fn outages(&self) -> MutexGuard<'_, Vec<Outage>> {
        self.outages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The moment by which the server will have been up for `time_ms` since `from_ms`, if it stays up: all three in
    /// milliseconds, moments since 1970.
    pub(super) fn after(&self, from_ms: u64, time_ms: u64) -> u64 {
        let mut at = from_ms.saturating_add(time_ms);
        for &Outage { from_ms: down, until_ms } in self.outages().iter() {
            let down = down.max(from_ms);
            if down >= at {
                break;
            }
            at = at.saturating_add(until_ms.saturating_sub(down));
        }
        at
    }

    /// The time that the server was up from a moment until another one.
    pub(super) fn between(&self, from_ms: u64, until_ms: u64) -> u64 {
        let outages = self.outages();
        let down = outages
            .iter()
            .map(|outage| outage.until_ms.min(until_ms).saturating_sub(outage.from_ms.max(from_ms)));
        until_ms.saturating_sub(from_ms).saturating_sub(down.sum())
    }

    /// The last moment since which the server was up for `time_ms` by `now_ms`.
    pub(super) fn before(&self, now_ms: u64, time_ms: u64) -> u64 {
        let mut at = now_ms.saturating_sub(time_ms);
        for &Outage { from_ms, until_ms } in self.outages().iter().rev().filter(|one| one.from_ms < now_ms) {
            if until_ms <= at {
                break;
            }
            at = at.saturating_sub(until_ms.min(now_ms).saturating_sub(from_ms));
        }
        at
    }
}

impl Host {
    /// Notes that servers are up again, if they were down: who has what belongs to no match does that for all.
    ///
    /// # Errors
    /// If the store takes nothing.
    pub(super) async fn come_home(&self) -> Result<(), Error> {
        let outages = self.store().start_up(self.now_ms()).await?;
        self.0.uptime.replace(outages);
        Ok(())
    }

    /// Notes that the server is up, again and again for as long as the host is open, and once more when it closes.
    pub(super) fn note_uptime(&self) {
        let host = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                let clock = &host.0.parts.clock;
                let closing = tokio::select! {
                    () = host.0.closing.cancelled() => true,
                    () = clock.reach(clock.elapsed().saturating_add(NOTED_EVERY)) => false,
                };
                if host.shards().contains(Shard::OF_STORE) {
                    host.note_last_up().await;
                }
                if closing {
                    return;
                }
            }
        });
    }

    /// Notes that the server is up at this moment.
    pub(super) async fn note_last_up(&self) {
        if let Err(error) = self.store().note_up(self.now_ms()).await {
            // The outage that may follow is taken to be longer, which harms nobody; the store says itself that it fails.
            tracing::debug!(%error, "it is not noted that the server is up");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uptime() -> Uptime {
        let outage = |(from_ms, until_ms)| Outage { from_ms, until_ms };
        Uptime::new([(500, 700), (100, 150), (720, 1_000)].into_iter().map(outage).collect())
    }

    #[test]
    fn a_deadline_is_later_by_the_outages_before_it() {
        for (from, time, by) in [
            (0, 100, 100),
            (0, 101, 151),
            (120, 10, 160),
            (150, 350, 500),
            (150, 351, 701),
            (150, 400, 1_030),
            (600, 10, 710),
            (600, 30, 1_010),
            (2_000, 10, 2_010),
        ] {
            assert_eq!(uptime().after(from, time), by, "{time} after {from}");
        }
        assert_eq!(uptime().after(u64::MAX - 5, 10), u64::MAX);
    }

    #[test]
    fn the_time_between_leaves_the_outages_out() {
        for (from, until, time) in [
            (0, 100, 100),
            (0, 150, 100),
            (0, 1_030, 500),
            (120, 130, 0),
            (120, 160, 10),
            (600, 710, 10),
            (9, 3, 0),
        ] {
            assert_eq!(uptime().between(from, until), time, "from {from} until {until}");
        }
    }

    #[test]
    fn what_began_before_that_moment_has_had_its_time() {
        for (now, time) in [(1_030, 10), (1_030, 31), (1_030, 45), (1_030, 60), (1_500, 800), (2_000, 1_400)]
        {
            let since = uptime().before(now, time);
            assert!(uptime().after(since, time) <= now, "{time} before {now} is {since}");
            assert!(
                uptime().after(since + 1, time) > now || since + 1 > now,
                "{time} before {now} is {since}"
            );
        }
        assert_eq!(uptime().before(10, 50), 0);
    }
}
