//! The time, behind a trait: [`SystemClock`] in earnest, [`ManualClock`] where a test or a simulation moves it.

use std::fmt::Debug;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use tokio::sync::watch;

/// Tells the time and wakes those who wait for it.
#[async_trait]
pub trait Clock: Debug + Send + Sync {
    /// The date, in milliseconds since 1970; it may jump, so it is for showing and for ids, not for measuring.
    fn unix_ms(&self) -> u64;

    /// Time since the clock's start; it never goes back.
    fn elapsed(&self) -> Duration;

    /// Returns once [`Clock::elapsed`] is at least `at`.
    async fn reach(&self, at: Duration);
}

/// The machine's clock.
#[derive(Clone, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock that starts now.
    #[must_use]
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(clippy::disallowed_methods, reason = "this is where time comes in")]
#[async_trait]
impl Clock for SystemClock {
    fn unix_ms(&self) -> u64 {
        // A date before 1970 is a machine without a date: it counts as 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    async fn reach(&self, at: Duration) {
        tokio::time::sleep(at.saturating_sub(self.elapsed())).await;
    }
}

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub struct ManualClock {
    start_unix_ms: u64,
    elapsed: watch::Sender<Duration>,
}

impl ManualClock {
    /// A clock whose start has this date.
    #[must_use]
    pub fn new(start_unix_ms: u64) -> Self {
        Self { start_unix_ms, elapsed: watch::Sender::new(Duration::ZERO) }
    }

    /// Moves it on and wakes those whose time has come.
    pub fn advance(&self, by: Duration) {
        self.elapsed.send_modify(|elapsed| *elapsed = elapsed.saturating_add(by));
    }
}

#[async_trait]
impl Clock for ManualClock {
    fn unix_ms(&self) -> u64 {
        let elapsed = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.start_unix_ms.saturating_add(elapsed)
    }

    fn elapsed(&self) -> Duration {
        *self.elapsed.borrow()
    }

    async fn reach(&self, at: Duration) {
        // The sender lives as long as `self`, so waiting ends only when the time has come.
        let _ = self.elapsed.subscribe().wait_for(|elapsed| *elapsed >= at).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_manual_clock_wakes_at_its_time_and_not_before() {
        let clock = ManualClock::new(1_000);
        let waiting = clock.reach(Duration::from_millis(20));
        tokio::pin!(waiting);
        for (by, awake) in [(0, false), (19, false), (1, true)] {
            clock.advance(Duration::from_millis(by));
            let polled = std::future::poll_fn(|cx| std::task::Poll::Ready(waiting.as_mut().poll(cx))).await;
            assert_eq!(polled.is_ready(), awake, "after {by} ms more");
            if awake {
                break;
            }
        }
        assert_eq!((clock.unix_ms(), clock.elapsed()), (1_020, Duration::from_millis(20)));
    }

    #[test]
    fn the_system_clock_is_after_this_was_written_and_never_goes_back() {
        let clock = SystemClock::new();
        let first = clock.elapsed();
        assert!(clock.unix_ms() > 1_700_000_000_000);
        assert!(clock.elapsed() >= first);
    }
}
