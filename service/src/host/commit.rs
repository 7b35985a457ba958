//! Making durable what a match has done.

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::seat::Seat;
use tracing::{Instrument, Span};

use super::Host;
use super::account_index::Concerned;
use super::error::Error;
use super::open_matches::Counted;
use super::slot::{Content, Locked, Mark, Settled, Slot};
use crate::matches::{LiveMatch, MatchError, PendingChange, Phase};
use crate::store::{self, Appended, MatchId, Ticket};
use crate::telemetry::spans;

/// The moment at which an append was put in line.
#[derive(Copy, Clone)]
struct Put {
    /// In the host's time, milliseconds since 1970.
    at_ms: u64,
    /// By the clock's own count.
    at: Duration,
}

/// The consequences of an append, once it is durable.
struct Follows {
    /// It begins a match that counted so.
    begins: Option<Counted>,
    /// It ends a match that counted so.
    ends: Option<Counted>,
    /// It changes whom its match concerns, or how.
    concerned: Option<Concerned>,
}

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
    /// Lets a match `act` and puts what has to become durable in line. Whatever is shown afterwards has to wait for
    /// the mark at which the match stands now.
    ///
    /// # Errors
    /// As `act`, and if the store takes nothing. Then the match is as it was.
    pub(super) async fn commit<T>(
        &self,
        locked: &mut Locked<'_>,
        act: impl FnOnce(&mut LiveMatch) -> Result<(T, Option<PendingChange>), MatchError>,
    ) -> Result<T, Error> {
        self.commit_any(locked, |content| act(content.live_mut()?)).await
    }

    /// As [`Host::commit`], of a match that can only be read as well.
    ///
    /// # Errors
    /// As `act`, and if the store takes nothing. Then the match is as it was.
    pub(super) async fn commit_any<T>(
        &self,
        locked: &mut Locked<'_>,
        act: impl FnOnce(&mut Content) -> Result<(T, Option<PendingChange>), MatchError>,
    ) -> Result<T, Error> {
        let id = locked.slot.id;
        let mut ahead = Ahead { locked, armed: true };
        let content = ahead.locked.content_mut()?;
        let has_begun = matches!(content.course().phase(), Phase::Running | Phase::Over);
        let acted = spans::rules().in_scope(|| act(content));
        let (given, change) = match acted {
            Ok(acted) => acted,
            Err(fault @ MatchError::Fault(_)) => {
                // The table has moved on, and can't go further: what is in memory is of no use.
                drop(ahead);
                return Err(Box::pin(self.quarantine(id, &fault)).await);
            }
            Err(refused) => {
                ahead.armed = false;
                return Err(refused.into());
            }
        };
        // Nothing large is held while the append waits for its place in line: it would move around with the call.
        let putting = change.map(|PendingChange { append, entry }| {
            // One that can only be read counts with nobody.
            let counted = || Some(Counted::of(content.live().ok()?.course().header()));
            let ends = entry.result.as_ref().and_then(|_| counted());
            let begins = !has_begun && content.course().phase() == Phase::Running;
            let follows = Follows {
                begins: begins.then(counted).flatten(),
                ends: ends.map(|counted| if has_begun { counted.begun() } else { counted }),
                // The course has changed when its overview is written anew.
                concerned: append.overview.as_ref().map(|_| Concerned::by(content.course())),
            };
            (follows, self.store().append(append))
        });
        if let Some((follows, putting)) = putting {
            let (span, put) =
                (spans::store_append(), Put { at_ms: self.now_ms(), at: self.0.parts.clock.elapsed() });
            let mut ticket = putting.instrument(span.clone()).await?;
            let mark = ahead.locked.mark();
            let (slot, news) = (ahead.locked.slot, ahead.locked.content()?.news());
            match ticket.ended() {
                // A store in memory is done at once.
                Some(ended) => {
                    let settled = settled(slot, mark, ended);
                    slot.written(mark, news, settled);
                    self.note_settled(slot.id, (mark, put), follows, settled);
                }
                None => {
                    slot.put_in_line(mark, news);
                    self.settle(slot, (mark, put), ticket, follows, span);
                }
            }
        }
        ahead.armed = false;
        drop(ahead);
        self.after_change(locked);
        Ok(given)
    }

    /// Notes when an append is durable, whether anybody waits for it or not.
    fn settle(
        &self,
        slot: &Arc<Slot>,
        (mark, put): (Mark, Put),
        ticket: Ticket<Appended>,
        follows: Follows,
        span: Span,
    ) {
        // The host does not close before all of them have ended.
        let (slot, host, under_way) = (Arc::clone(slot), self.clone(), self.0.tasks.token());
        ticket.then(move |ended| {
            let _under_way = under_way;
            span.in_scope(|| {
                let settled = settled(&slot, mark, ended);
                // Whoever is woken finds it noted: when it became durable is when a question was asked.
                host.note_settled(slot.id, (mark, put), follows, settled);
                slot.settle(mark, settled);
            });
        });
    }

    /// Notes that an append has ended, which was put in line at that moment; of one that is durable, does what follows.
    fn note_settled(&self, id: MatchId, (mark, put): (Mark, Put), follows: Follows, settled: Settled) {
        self.metrics().append_ended(self.since(put.at));
        if settled != Settled::Durable {
            return;
        }
        let now_ms = self.now_ms();
        self.0.time_outs.note_durable(id, mark.revision, now_ms, now_ms.saturating_sub(put.at_ms));
        match follows.concerned {
            Some(concerned) => self.0.account_index.note(id, concerned),
            None => self.0.account_index.ring(id),
        }
        if let Some(counted) = follows.begins {
            self.0.open_matches.begin(id, &counted);
        }
        if let Some(counted) = follows.ends {
            self.0.open_matches.end(id, &counted);
            self.archive_later(id);
        }
    }

    /// Weighs a match that has changed, and starts what follows of itself: house bots are asked, time to reveal runs, a
    /// group goes on.
    pub(super) fn after_change(&self, locked: &Locked<'_>) {
        let Ok(content) = locked.content() else { return };
        let is_over = content.course().phase() == Phase::Over;
        self.0.slots.weigh(locked.slot, content.memory_bytes(), is_over);
        let Content::Live(live) = content else { return };
        self.time_questions(live.course());
        if live.is_log_full() || live.wants_compaction() {
            self.care_for_log(locked.slot);
        }
        match live.course().phase() {
            Phase::Running => {
                let bots = live.course().bot_seats();
                if live.to_act().iter().any(|seat: Seat| bots.contains(seat)) {
                    self.wake_bots(locked.slot);
                }
            }
            Phase::Revealing => {
                if let Some(by_ms) = self.reveal_by_ms(live.course()) {
                    self.time_reveal(live.course().id(), by_ms);
                }
            }
            Phase::Waiting if live.course().is_full() => self.wake_group(live.course()),
            Phase::Waiting | Phase::Over => {}
        }
    }
}

/// Returns what the end of an append means for the match in memory at `mark`.
fn settled(slot: &Slot, mark: Mark, ended: Result<Appended, store::Error>) -> Settled {
    match ended {
        Ok(Appended::Written(at)) if at.revision == mark.revision => Settled::Durable,
        // A request of it is in the log already: what is in memory was behind the log.
        Ok(_) => Settled::Failed,
        Err(error) => {
            if error.passes() {
                // The store says so itself, once for all of them.
                tracing::debug!(match_id = %slot.id, reason = error.reason(), "an append failed");
            } else {
                tracing::warn!(match_id = %slot.id, reason = error.reason(), "an append failed");
            }
            match error {
                store::Error::TooLarge { .. } => Settled::Full,
                store::Error::Unavailable { .. } | store::Error::Failed { .. } => Settled::NotDone,
                _ => Settled::Failed,
            }
        }
    }
}
