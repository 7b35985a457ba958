//! The time that deadlines are reckoned in ([`SteadyTime`]): the date at which the host was opened, and what has gone by since. A date
//! that is set anew while it is open changes nothing.

use std::time::Duration;

use crate::clock::Clock;
use crate::store::Outage;

#[derive(Copy, Clone, Debug)]
pub(super) struct SteadyTime {
    unix_ms: u64,
    elapsed: Duration,
}

impl SteadyTime {
    /// The time from now on. It does not begin before the last outage has ended, as an earlier start knew it.
    pub(super) fn new(clock: &dyn Clock, outages: &[Outage]) -> Self {
        let ended_ms = outages.iter().map(|outage| outage.until_ms).max().unwrap_or(0);
        Self { unix_ms: clock.unix_ms().max(ended_ms), elapsed: clock.elapsed() }
    }

    /// Milliseconds since 1970.
    pub(super) fn now_ms(&self, clock: &dyn Clock) -> u64 {
        let since = clock.elapsed().saturating_sub(self.elapsed);
        self.unix_ms.saturating_add(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}
