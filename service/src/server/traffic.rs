//! The volume let in: calls of one caller over time, calls of all at once.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::RateLimiter;
use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Status;

use super::refusals;
use crate::api::MessageRate;
use crate::clock::Clock;
use crate::identity::CallerKey;

/// Number of calls that go by before callers who have long been away are forgotten.
const FORGET_EVERY: u32 = 4_096;

/// The server's clock as the rate limiter takes it.
#[derive(Clone, Debug)]
struct Elapsed(Arc<dyn Clock>);

impl GovernorClock for Elapsed {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Calls of one caller over time.
#[derive(Debug)]
pub(super) struct Rate {
    limiter: RateLimiter<CallerKey, DashMapStateStore<CallerKey>, Elapsed, NoOpMiddleware<Duration>>,
    clock: Elapsed,
    calls: AtomicU32,
}

impl Rate {
    /// At most `per_second` over time, and `burst` at once.
    pub(super) fn new(per_second: NonZeroU32, burst: NonZeroU32, clock: Arc<dyn Clock>) -> Self {
        let (quota, clock) = (governor::Quota::per_second(per_second).allow_burst(burst), Elapsed(clock));
        let limiter = RateLimiter::dashmap_with_clock(quota, clock.clone());
        Self { limiter, clock, calls: AtomicU32::new(0) }
    }

    /// Lets one call of this caller in, or refuses it and says how long they have to wait.
    pub(super) fn admit(&self, caller: &CallerKey) -> Result<(), Status> {
        self.check(caller).map_err(refusals::rate_limited)
    }

    /// Counts one call of this caller.
    ///
    /// # Errors
    /// The time that they have to wait; then it is not counted.
    fn check(&self, caller: &CallerKey) -> Result<(), Duration> {
        if self.calls.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(caller).map_err(|until| until.wait_time_from(self.clock.now()))
    }
}

/// The part that each caller may have of calls.
#[derive(Clone, Debug)]
pub(super) struct Quota {
    /// Over time; `None`: as many as they like.
    pub rate: Option<Arc<Rate>>,
    /// At once.
    pub calls: usize,
}

impl Quota {
    /// Lets one call of this caller in, as far as its rate goes, or refuses it.
    pub(super) fn admit(&self, caller: &CallerKey) -> Result<(), Status> {
        self.rate.as_ref().map_or(Ok(()), |rate| rate.admit(caller))
    }
}

/// The quota as it is now, until another is set while the server runs. Copies are the same.
#[derive(Clone, Debug)]
pub(super) struct CurrentQuota(Arc<Mutex<Quota>>);

impl From<Quota> for CurrentQuota {
    fn from(quota: Quota) -> Self {
        Self(Arc::new(Mutex::new(quota)))
    }
}

impl CurrentQuota {
    /// The quota as it is now.
    pub(super) fn now(&self) -> Quota {
        self.lock().clone()
    }

    /// Puts another in its place.
    pub(super) fn replace(&self, quota: Quota) {
        *self.lock() = quota;
    }

    /// The rate of this caller's messages in a stream, each of which counts as a call.
    pub(super) fn of_messages(&self, caller: CallerKey) -> MessageRate {
        let quota = self.clone();
        MessageRate::new(move || quota.now().rate.map_or(Ok(()), |rate| rate.check(&caller)))
    }

    fn lock(&self) -> MutexGuard<'_, Quota> {
        // It is replaced whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls of all callers at once.
#[derive(Clone, Debug)]
pub(super) struct Calls {
    places: Arc<Semaphore>,
    max: u32,
}

impl Calls {
    pub(super) fn new(max: u32) -> Self {
        Self { places: Arc::new(Semaphore::new(max as usize)), max }
    }

    /// A place for a call; it is free again when the permit is dropped.
    pub(super) fn admit(&self) -> Result<OwnedSemaphorePermit, Status> {
        Arc::clone(&self.places).try_acquire_owned().map_err(|_| refusals::too_many_calls(self.max))
    }
}

#[cfg(test)]
mod tests {
    use edgehill_proto::v1::ErrorReason;
    use tonic::Code;

    use super::*;
    use crate::clock::ManualClock;

    fn caller(last: u8) -> CallerKey {
        CallerKey::Address([192, 0, 2, last].into())
    }

    #[test]
    fn a_caller_who_calls_too_often_waits_as_long_as_the_refusal_says() {
        let clock = Arc::new(ManualClock::new(0));
        let count = |number| NonZeroU32::new(number).unwrap();
        let rate = Rate::new(count(10), count(3), Arc::<ManualClock>::clone(&clock));
        for _ in 0..3 {
            rate.admit(&caller(1)).unwrap();
        }
        let refused = rate.admit(&caller(1)).unwrap_err();
        assert_eq!(refused.code(), Code::ResourceExhausted);
        let refusal = crate::wire::status::read(&refused).unwrap();
        assert_eq!(
            (refusal.reason(), refusal.retry_after),
            (ErrorReason::RateLimited, Some(prost_types::Duration { seconds: 0, nanos: 100_000_000 }))
        );
        rate.admit(&caller(2)).expect("another caller is not held up");
        clock.advance(Duration::from_millis(99));
        assert!(rate.admit(&caller(1)).is_err());
        clock.advance(Duration::from_millis(1));
        rate.admit(&caller(1)).unwrap();
        assert!(rate.admit(&caller(1)).is_err());
    }

    #[test]
    fn callers_who_have_long_been_away_are_forgotten() {
        let clock = Arc::new(ManualClock::new(0));
        let count = |number| NonZeroU32::new(number).unwrap();
        let rate = Rate::new(count(1_000), count(1), Arc::<ManualClock>::clone(&clock));
        for last in 0..200 {
            rate.admit(&caller(last)).unwrap();
        }
        clock.advance(Duration::from_secs(60));
        for _ in 0..FORGET_EVERY {
            let _ = rate.admit(&caller(255));
        }
        assert!(rate.limiter.len() <= 2, "{} callers are kept", rate.limiter.len());
    }

    #[test]
    fn a_place_is_free_again_when_its_call_has_ended() {
        let calls = Calls::new(2);
        let (first, _second) = (calls.admit().unwrap(), calls.admit().unwrap());
        assert!(calls.admit().unwrap_err().message().starts_with("2 calls are under way"));
        drop(first);
        assert!(calls.admit().is_ok());
    }
}
