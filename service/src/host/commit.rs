//! Making what was carried out durable.

use std::sync::Arc;

use edgehill_engine::seat::Seat;
use tracing::{Instrument, Span};

use super::Host;
use super::error::Error;
use super::slot::{Content, Locked, Slot};
use crate::matches::{Change, LiveMatch, MatchError, Phase};
use crate::store::{Appended, Ticket};
use crate::telemetry::spans;

/// A match in memory that is ahead of its line in the store: dropped if the way there is broken off, as it is when a caller
/// goes away.
struct Ahead<'a, 'b> {
    locked: &'a mut Locked<'b>,
    armed: bool,
}

impl Drop for Ahead<'_, '_> {
    fn drop(&mut self) {
        if self.armed {
            *self.locked.guard = None;
            self.locked.slot.drop_generation(self.locked.generation);
        }
    }
}

impl Host {
    /// Carries `act` out on a match and puts what has to become durable in line. Whatever is shown afterwards has to wait for
    /// the revision at which the match stands now.
    ///
    /// # Errors
    /// As `act`, and if the store takes nothing. Then the match is as it was.
    pub(super) async fn carry_out<T>(
        &self,
        locked: &mut Locked<'_>,
        act: impl FnOnce(&mut LiveMatch) -> Result<(T, Option<Change>), MatchError>,
    ) -> Result<T, Error> {
        let (id, generation) = (locked.slot.id, locked.generation);
        let mut ahead = Ahead { locked, armed: true };
        let live = ahead.locked.content_mut()?.live_mut()?;
        let acted = spans::rules().in_scope(|| act(live));
        let (given, change) = match acted {
            Ok(acted) => acted,
            Err(fault @ MatchError::Fault(_)) => {
                // The table has moved on, and can't go further: what is in memory is of no use.
                drop(ahead);
                return Err(self.quarantine(id, &fault).await);
            }
            Err(refused) => {
                ahead.armed = false;
                return Err(refused.into());
            }
        };
        if let Some(change) = change {
            let revision = change.append.expected + 1;
            let span = spans::store_append();
            let ticket = self.store().append(change.append).instrument(span.clone()).await?;
            ahead.locked.slot.progress.send_modify(|progress| progress.revision = revision);
            self.settle(ahead.locked.slot, generation, revision, ticket, span);
        }
        ahead.armed = false;
        drop(ahead);
        self.after_change(locked);
        Ok(given)
    }

    /// Notes when a ticket's revision is durable, whether anybody waits for it or not.
    fn settle(&self, slot: &Arc<Slot>, generation: u64, revision: u64, ticket: Ticket<Appended>, span: Span) {
        let (slot, host) = (Arc::clone(slot), self.clone());
        let settled = async move {
            match ticket.await {
                Ok(Appended::Written(at)) if at.revision == revision => slot.settle(generation, revision),
                Ok(_) => slot.drop_generation(generation),
                Err(error) => {
                    tracing::warn!(target: "edgehill::host", match_id = %slot.id, reason = error.reason(), "an append failed");
                    slot.drop_generation(generation);
                }
            }
            drop(host);
        };
        let mut settled = Box::pin(settled.instrument(span));
        // A store in memory is done at once: then no task is needed.
        let mut now = std::task::Context::from_waker(std::task::Waker::noop());
        if settled.as_mut().poll(&mut now).is_pending() {
            self.0.tasks.spawn(settled);
        }
    }

    /// What follows of itself when a match has changed: house bots are asked, time to reveal runs, a group goes on.
    pub(super) fn after_change(&self, locked: &Locked<'_>) {
        let Ok(Content::Live(live)) = locked.content() else { return };
        match live.course().phase() {
            Phase::Running => {
                let bots = live.course().bot_seats();
                if live.owing().iter().any(|seat: Seat| bots.contains(seat)) {
                    self.wake_bots(locked.slot);
                }
            }
            Phase::Revealing => self.time_reveal(locked.slot, live.course()),
            Phase::Waiting if live.course().is_full() => self.wake_group(live.course()),
            Phase::Waiting | Phase::Over => {}
        }
    }
}
