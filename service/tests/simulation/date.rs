//! The time of a world: the steady one of its hosts, and the date, which jumps ([`Date`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use edgehill_service::clock::Clock;
use tokio::time::Instant;

/// The date at which every world begins, in milliseconds since 1970.
const BEGIN_MS: i64 = 1_700_000_000_000;

/// Lets time pass on a host of the world.
#[expect(clippy::disallowed_methods, reason = "the time of a world is driven by its seed")]
pub(crate) async fn pause(time: Duration) {
    tokio::time::sleep(time).await;
}

/// The time since the world began. Of a host that runs; 0 outside.
pub(crate) fn now() -> Duration {
    turmoil::sim_elapsed().unwrap_or_default()
}

/// The date as the server's machine has it.
#[derive(Debug, Default)]
pub(crate) struct Date {
    jumped_ms: AtomicI64,
}

impl Date {
    /// Somebody sets it anew.
    pub(crate) fn jump(&self, by_ms: i64) {
        self.jumped_ms.fetch_add(by_ms, Ordering::Relaxed);
    }

    fn unix_ms(&self) -> u64 {
        let passed_ms = i64::try_from(now().as_millis()).unwrap_or(i64::MAX);
        let date_ms = BEGIN_MS + passed_ms + self.jumped_ms.load(Ordering::Relaxed);
        u64::try_from(date_ms).unwrap_or(0)
    }
}

/// The clock of one life of the server.
#[derive(Debug)]
pub(crate) struct LifeClock {
    date: Arc<Date>,
    start: Instant,
    /// The time that has gone by follows from the date: a fault that the tests have to find.
    follows_date: bool,
    start_ms: u64,
}

impl LifeClock {
    pub(crate) fn new(date: Arc<Date>, follows_date: bool) -> Self {
        let start_ms = date.unix_ms();
        Self { date, start: Instant::now(), follows_date, start_ms }
    }
}

#[async_trait]
impl Clock for LifeClock {
    fn unix_ms(&self) -> u64 {
        self.date.unix_ms()
    }

    fn elapsed(&self) -> Duration {
        if self.follows_date {
            return Duration::from_millis(self.date.unix_ms().saturating_sub(self.start_ms));
        }
        self.start.elapsed()
    }

    async fn reach(&self, at: Duration) {
        if self.follows_date {
            return pause(at.saturating_sub(self.elapsed())).await;
        }
        tokio::time::sleep_until(self.start + at).await;
    }
}
