//! The rates of callers ([`Rates`]): so much a second over time, and so much at once.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::RateLimiter;
use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;

use crate::clock::Clock;
use crate::identity::CallerKey;

/// Number of calls that go by before callers who have long been away are forgotten.
pub(super) const FORGET_EVERY: u32 = 4_096;

/// The server's clock as the rate limiter takes it.
#[derive(Clone, Debug)]
struct Elapsed(Arc<dyn Clock>);

impl GovernorClock for Elapsed {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// So much a second over time, and so much at once.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct PerSecond {
    pub(super) count: NonZeroU32,
    pub(super) burst: NonZeroU32,
}

/// The rate of callers who all may do as much.
#[derive(Debug)]
pub(super) struct Rate {
    limiter: RateLimiter<CallerKey, DashMapStateStore<CallerKey>, Elapsed, NoOpMiddleware<Duration>>,
    burst: NonZeroU32,
    clock: Elapsed,
    calls: AtomicU32,
}

impl Rate {
    /// At most this.
    pub(super) fn new(PerSecond { count, burst }: PerSecond, clock: Arc<dyn Clock>) -> Self {
        let (quota, clock) = (governor::Quota::per_second(count).allow_burst(burst), Elapsed(clock));
        let limiter = RateLimiter::dashmap_with_clock(quota, clock.clone());
        Self { limiter, burst, clock, calls: AtomicU32::new(0) }
    }

    /// Counts so much of this caller; more than what is taken at once counts as that.
    ///
    /// # Errors
    /// The time that they have to wait; then it is not counted.
    pub(super) fn check(&self, caller: &CallerKey, count: NonZeroU32) -> Result<(), Duration> {
        if self.calls.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key_n(caller, count.min(self.burst)) {
            Ok(Err(until)) => Err(until.wait_time_from(self.clock.now())),
            Ok(Ok(())) | Err(_) => Ok(()),
        }
    }

    #[cfg(test)]
    pub(super) fn callers(&self) -> usize {
        self.limiter.len()
    }
}

/// The rates of callers: one that holds for everybody, and others for those who have their own.
#[derive(Debug)]
pub(super) struct Rates {
    general: Option<Arc<Rate>>,
    /// The least that is taken at once from those who have a rate of their own.
    burst_min: u32,
    own: Mutex<HashMap<PerSecond, Arc<Rate>>>,
    clock: Arc<dyn Clock>,
}

impl Rates {
    /// This for everybody; `None`: as much as they like.
    pub(super) fn new(general: Option<PerSecond>, burst_min: u32, clock: Arc<dyn Clock>) -> Self {
        let made = general.map(|general| Arc::new(Rate::new(general, Arc::clone(&clock))));
        Self { general: made, burst_min, own: Mutex::default(), clock }
    }

    /// Counts so much of a caller, who has `own` a second if that is set; 0: as much as they like.
    ///
    /// # Errors
    /// The time that they have to wait; then it is not counted.
    pub(super) fn check(
        &self,
        caller: &CallerKey,
        own: Option<u32>,
        count: NonZeroU32,
    ) -> Result<(), Duration> {
        let rate = match own {
            None => self.general.clone(),
            Some(own) => NonZeroU32::new(own).map(|own| self.own(own)),
        };
        rate.map_or(Ok(()), |rate| rate.check(caller, count))
    }

    fn own(&self, count: NonZeroU32) -> Arc<Rate> {
        let burst = NonZeroU32::new(self.burst_min).map_or(count, |least| least.max(count));
        let per_second = PerSecond { count, burst };
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || Arc::new(Rate::new(per_second, Arc::clone(&self.clock)));
        Arc::clone(own.entry(per_second).or_insert_with(made))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;

    fn caller(last: u8) -> CallerKey {
        CallerKey::Address([192, 0, 2, last].into())
    }

    fn count(number: u32) -> NonZeroU32 {
        NonZeroU32::new(number).unwrap()
    }

    #[test]
    fn a_caller_who_does_too_much_waits_as_long_as_is_said() {
        let clock = Arc::new(ManualClock::new(0));
        let per_second = PerSecond { count: count(10), burst: count(3) };
        let rate = Rate::new(per_second, Arc::<ManualClock>::clone(&clock));
        for _ in 0..3 {
            rate.check(&caller(1), count(1)).unwrap();
        }
        assert_eq!(rate.check(&caller(1), count(1)), Err(Duration::from_millis(100)));
        rate.check(&caller(2), count(1)).expect("another caller is not held up");
        clock.advance(Duration::from_millis(99));
        assert!(rate.check(&caller(1), count(1)).is_err());
        clock.advance(Duration::from_millis(1));
        rate.check(&caller(1), count(1)).unwrap();
        assert!(rate.check(&caller(1), count(1)).is_err());
        // More than is ever taken at once is not refused for ever.
        clock.advance(Duration::from_secs(1));
        rate.check(&caller(1), count(1_000)).unwrap();
        assert_eq!(rate.check(&caller(1), count(1_000)), Err(Duration::from_millis(300)));
    }

    #[test]
    fn callers_who_have_long_been_away_are_forgotten() {
        let clock = Arc::new(ManualClock::new(0));
        let per_second = PerSecond { count: count(1_000), burst: count(1) };
        let rate = Rate::new(per_second, Arc::<ManualClock>::clone(&clock));
        for last in 0..200 {
            rate.check(&caller(last), count(1)).unwrap();
        }
        clock.advance(Duration::from_secs(60));
        for _ in 0..FORGET_EVERY {
            let _ = rate.check(&caller(255), count(1));
        }
        assert!(rate.callers() <= 2, "{} callers are kept", rate.callers());
    }

    #[test]
    fn who_has_a_rate_of_their_own_is_held_to_it_and_nobody_else() {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(0));
        let rates = Rates::new(Some(PerSecond { count: count(1), burst: count(1) }), 0, clock);
        let one = count(1);
        rates.check(&caller(1), None, one).unwrap();
        assert!(rates.check(&caller(1), None, one).is_err());
        for _ in 0..5 {
            rates.check(&caller(2), Some(5), one).unwrap();
        }
        assert!(rates.check(&caller(2), Some(5), one).is_err());
        for _ in 0..100 {
            rates.check(&caller(3), Some(0), one).unwrap();
        }
    }
}
