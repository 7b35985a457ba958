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
    /// The time from now on, by the date.
    pub(super) fn now(clock: &dyn Clock) -> Self {
        Self { unix_ms: clock.unix_ms(), elapsed: clock.elapsed() }
    }

    /// The date at its beginning, in milliseconds since 1970.
    pub(super) const fn begin_ms(&self) -> u64 {
        self.unix_ms
    }

    /// The same time after these outages, of which the last ends with its beginning: it does not begin before one has ended, as an
    /// earlier start knew it.
    pub(super) fn after(self, outages: &[Outage]) -> Self {
        let ended_ms = outages.iter().map(|outage| outage.until_ms).max().unwrap_or(0);
        Self { unix_ms: self.unix_ms.max(ended_ms), ..self }
    }

    /// Milliseconds since 1970.
    pub(super) fn now_ms(&self, clock: &dyn Clock) -> u64 {
        let since = clock.elapsed().saturating_sub(self.elapsed);
        self.unix_ms.saturating_add(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn it_goes_on_from_where_it_was_and_never_back() {
        let clock = ManualClock::new(1_000);
        let outage = |from_ms, until_ms| Outage { from_ms, until_ms };
        for (outages, begin_ms) in [
            (vec![], 1_000),
            (vec![outage(300, 400), outage(700, 1_000)], 1_000),
            // The date was set back, before this start or an earlier one.
            (vec![outage(5_000, 5_000)], 5_000),
            (vec![outage(5_000, 9_000), outage(700, 1_000)], 9_000),
        ] {
            let time = SteadyTime::now(&clock).after(&outages);
            assert_eq!(time.now_ms(&clock), begin_ms, "{outages:?}");
        }
        let time = SteadyTime::now(&clock);
        clock.advance(Duration::from_millis(250));
        assert_eq!(time.after(&[]).now_ms(&clock), 1_250, "what goes by while outages are read counts");
    }
}
