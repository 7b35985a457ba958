//! The volume let in: calls and bytes of one caller, calls of all at once.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Status;

use super::rate::{PerSecond, Rates};
use super::refusals;
use crate::api::MessageRate;
use crate::clock::Clock;
use crate::config::Config;
use crate::identity::{AccountQuota, CallerKey, CurrentAccounts};

/// The part that each caller may have, but for those whose account has its own ([`AccountQuota`]).
#[derive(Clone, Debug)]
pub(super) struct Quota {
    /// Calls over time.
    calls_over_time: Arc<Rates>,
    /// Bytes of requests over time.
    bytes: Arc<Rates>,
    /// Calls at once.
    calls: usize,
}

impl Quota {
    /// The part that a configuration gives.
    pub(super) fn of(config: &Config, clock: &Arc<dyn Clock>) -> Self {
        let burst = |count: u32| NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        let capacity = &config.capacity;
        let calls =
            config.calls_per_second().map(|count| PerSecond { count, burst: burst(capacity.calls_burst) });
        let bytes =
            config.bytes_per_second().map(|count| PerSecond { count, burst: burst(capacity.bytes_burst) });
        Self {
            calls_over_time: Arc::new(Rates::new(calls, 0, Arc::clone(clock))),
            bytes: Arc::new(Rates::new(bytes, capacity.bytes_burst, Arc::clone(clock))),
            calls: capacity.caller_calls as usize,
        }
    }

    /// Number of calls that a caller may have under way at once.
    pub(super) fn calls(&self, own: &AccountQuota) -> usize {
        own.calls.map_or(self.calls, |calls| calls as usize)
    }

    /// Counts one call of this caller.
    ///
    /// # Errors
    /// RATE_LIMITED, with the time to wait; then it is not counted.
    pub(super) fn admit(&self, caller: &CallerKey, own: &AccountQuota) -> Result<(), Status> {
        let checked = self.calls_over_time.check(caller, own.calls_per_second, NonZeroU32::MIN);
        checked.map_err(refusals::rate_limited)
    }

    /// Counts so many bytes of this caller.
    ///
    /// # Errors
    /// RATE_LIMITED, with the time to wait; then they are not counted.
    pub(super) fn admit_bytes(
        &self,
        caller: &CallerKey,
        own: &AccountQuota,
        bytes: usize,
    ) -> Result<(), Status> {
        self.check_bytes(caller, own, bytes).map_err(refusals::too_many_bytes)
    }

    fn check_bytes(&self, caller: &CallerKey, own: &AccountQuota, bytes: usize) -> Result<(), Duration> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        NonZeroU32::new(bytes).map_or(Ok(()), |bytes| self.bytes.check(caller, own.bytes_per_second, bytes))
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

    /// The rate of this caller's messages in a stream, each of which counts as a call, and with its bytes.
    pub(super) fn of_messages(&self, caller: CallerKey, accounts: CurrentAccounts) -> MessageRate {
        let current = self.clone();
        MessageRate::new(move |bytes| {
            let (quota, own) = (current.now(), accounts.now().quota_of(&caller));
            quota.calls_over_time.check(&caller, own.calls_per_second, NonZeroU32::MIN)?;
            quota.check_bytes(&caller, &own, bytes)
        })
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

    #[test]
    fn a_caller_who_calls_too_often_waits_as_long_as_the_refusal_says() {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(0));
        let mut config = Config::default();
        (config.capacity.calls_per_second, config.capacity.calls_burst) = (Some(10), 2);
        (config.capacity.bytes_per_second, config.capacity.bytes_burst) = (Some(1_000), 100_000);
        let quota = Quota::of(&config, &clock);
        let (caller, own) = (CallerKey::Address([192, 0, 2, 1].into()), AccountQuota::default());
        quota.admit(&caller, &own).unwrap();
        quota.admit(&caller, &own).unwrap();
        let refused = quota.admit(&caller, &own).unwrap_err();
        assert_eq!(refused.code(), Code::ResourceExhausted);
        let refusal = crate::wire::status::read(&refused).unwrap();
        assert_eq!(
            (refusal.reason(), refusal.retry_after),
            (ErrorReason::RateLimited, Some(prost_types::Duration { seconds: 0, nanos: 100_000_000 }))
        );
        quota.admit_bytes(&caller, &own, 0).unwrap();
        quota.admit_bytes(&caller, &own, 99_000).unwrap();
        let refusal =
            crate::wire::status::read(&quota.admit_bytes(&caller, &own, 3_000).unwrap_err()).unwrap();
        assert_eq!(refusal.retry_after, Some(prost_types::Duration { seconds: 2, nanos: 0 }));
        let more = AccountQuota { bytes_per_second: Some(0), calls_per_second: Some(1), ..own };
        quota.admit_bytes(&caller, &more, 1_000_000).unwrap();
        quota.admit(&caller, &more).unwrap();
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
