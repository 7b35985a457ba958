//! The time that seats have to reveal their entropy.

use std::sync::Arc;
use std::time::Duration;

use super::Host;
use super::error::Error;
use super::slot::Slot;
use crate::matches::Course;

impl Host {
    /// By when the seats of a match have to reveal, in milliseconds since 1970; `None` before all have joined. Time in which the
    /// server was down does not count.
    #[must_use]
    pub fn reveal_by_ms(&self, course: &Course) -> Option<u64> {
        let time_ms = self.limits().reveal_seconds.saturating_mul(1_000);
        course.full_ms().map(|full_ms| self.0.uptime.after(full_ms, time_ms))
    }

    /// Lets the time run. Several timers of one match do no harm: the first that fires has the last word.
    pub(super) fn time_reveal(&self, slot: &Arc<Slot>, course: &Course) {
        let Some(by_ms) = self.reveal_by_ms(course) else { return };
        let left = Duration::from_millis(by_ms.saturating_sub(self.now_ms()));
        let (host, slot) = (self.clone(), Arc::clone(slot));
        let at = self.0.parts.clock.elapsed().saturating_add(left);
        self.0.tasks.spawn(async move {
            tokio::select! {
                () = host.0.closing.cancelled() => return,
                () = host.0.parts.clock.reach(at) => {}
            }
            // Refused where all have revealed by now.
            let _ = host.insist(|| host.forfeit(&slot)).await;
        });
    }

    async fn forfeit(&self, slot: &Arc<Slot>) -> Result<(), Error> {
        let mut locked = self.lock(slot).await?;
        let now_ms = self.now_ms();
        self.commit(&mut locked, |live| live.forfeit(now_ms).map(|change| ((), Some(change)))).await?;
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await
    }
}
