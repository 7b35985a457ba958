//! Matches that nobody touches leave the memory: of those that somebody follows a place is kept, and whoever touches one again reads its
//! log again.

use std::sync::Arc;
use std::time::Duration;

use super::Host;
use super::slot::Slot;

/// The time after which the host looks again for matches that nobody touches, unless they may stay for less.
const LOOK_AFTER: Duration = Duration::from_secs(15);

impl Host {
    /// Lets matches go that nobody has touched for so long, for as long as the host is open.
    pub(super) fn rest_in_time(&self) {
        let Some(after) = self.0.parts.capacity.rest_after else { return };
        let host = self.clone();
        self.0.tasks.spawn(async move {
            let clock = &host.0.parts.clock;
            loop {
                tokio::select! {
                    () = host.0.closing.cancelled() => return,
                    () = clock.reach(clock.elapsed().saturating_add(LOOK_AFTER.min(after))) => {}
                }
                let Some(since) = clock.elapsed().checked_sub(after) else { continue };
                for slot in host.0.slots.untouched_since(since) {
                    host.rest(&slot, since);
                    // So that many of them hold up nobody else.
                    tokio::task::yield_now().await;
                }
            }
        });
    }

    /// Lets a match go, unless somebody has it in hand or something of it is on its way.
    fn rest(&self, slot: &Arc<Slot>, since: Duration) {
        let Ok(mut content) = slot.content.try_lock() else { return };
        if slot.is_busy() || !slot.is_untouched_since(since) {
            return;
        }
        *content = None;
        slot.rests();
        // Before anybody reads it again, and it is weighed anew.
        self.0.slots.note_rest(slot);
    }
}
