//! The time that seats have to reveal their entropy.

use std::time::Duration;

use super::Host;
use super::error::Error;
use crate::matches::Course;
use crate::store::MatchId;

impl Host {
    /// By when the seats of a match have to reveal, in milliseconds since 1970; `None` before all have joined. Time in which the
    /// server was down does not count.
    #[must_use]
    pub fn reveal_by_ms(&self, course: &Course) -> Option<u64> {
        let time_ms = self.limits().reveal_seconds.saturating_mul(1_000);
        course.full_ms().map(|full_ms| self.0.uptime.after(full_ms, time_ms))
    }

    /// Lets the time of a match run, which is over at `by_ms`. Several timers of one match do no harm: the first that fires has the last word.
    pub(super) fn time_reveal(&self, id: MatchId, by_ms: u64) {
        let left = Duration::from_millis(by_ms.saturating_sub(self.now_ms()));
        let at = self.0.parts.clock.elapsed().saturating_add(left);
        let host = self.clone();
        self.0.tasks.spawn(async move {
            tokio::select! {
                () = host.0.closing.cancelled() => return,
                () = host.0.parts.clock.reach(at) => {}
            }
            // Refused where all have revealed by now, or the match is elsewhere.
            let _ = host.insist(|| host.forfeit(id)).await;
        });
    }

    async fn forfeit(&self, id: MatchId) -> Result<(), Error> {
        let slot = self.0.slots.of(id);
        let mut locked = self.lock(&slot).await?;
        let now_ms = self.now_ms();
        self.commit(&mut locked, |live| live.forfeit(now_ms).map(|change| ((), Some(change)))).await?;
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await
    }
}
