//! Matches from their logs.

use std::sync::Arc;

use super::Host;
use super::error::Error;
use super::reader::course_of;
use super::slot::{Content, Locked, Slot};
use crate::matches::{ClosedMatch, MatchError, WhyClosed};
use crate::store::{self, MatchId, MatchLog, Quarantine};
use crate::wire::encoder::MessageEncoder;

/// The reason of a quarantine for a log that does not lead where it says.
pub(super) const REPLAY_FAULT: &str = "REPLAY_FAULT";

impl Host {
    /// Locks a match, and reads its log if it is not in memory.
    ///
    /// # Errors
    /// If there is no such match, or the store can't be read.
    pub(super) async fn lock<'a>(&self, slot: &'a Arc<Slot>) -> Result<Locked<'a>, Error> {
        let mut guard = slot.content.lock().await;
        // Under the lock: whoever lets the shard go waits for it.
        if let Err(elsewhere) = self.check_here(slot) {
            drop(guard);
            self.0.slots.forget_empty(slot);
            return Err(elsewhere);
        }
        slot.touch(self.0.parts.clock.elapsed());
        if let Some(generation) = slot.usable().filter(|_| guard.is_some()) {
            return Ok(Locked { slot, guard, generation });
        }
        *guard = None;
        // An append in line may still become durable: a log that is read before that is behind it. In a box,
        // as all that is rare: every call would be as large as its largest part.
        Box::pin(slot.line_is_empty()).await;
        let begun = self.0.parts.clock.elapsed();
        let content = match Box::pin(self.load(slot.id)).await {
            Ok(content) => content,
            Err(error) => {
                drop(guard);
                self.0.slots.forget_empty(slot);
                return Err(error);
            }
        };
        self.metrics().match_replayed(self.since(begun));
        let generation = slot.loaded(&content);
        *guard = Some(content);
        let locked = Locked { slot, guard, generation };
        self.after_change(&locked);
        Ok(locked)
    }

    async fn load(&self, id: MatchId) -> Result<Content, Error> {
        let read = match self.store().read(id, 0).await {
            Ok(log) => self.content(&log).await,
            Err(error) => Err(error.into()),
        };
        let stopped = match read {
            Err(Error::Match(fault @ (MatchError::Unreplayable { .. } | MatchError::Fault(_)))) => {
                self.quarantine(id, &fault).await
            }
            Err(Error::Store(damage @ (store::Error::Corrupt { .. } | store::Error::SecretUnreadable))) => {
                // One that was deleted meanwhile has no seed any more, and is not damaged.
                if let Err(gone @ store::Error::NotFound(_)) = self.store().read(id, 0).await {
                    return Err(gone.into());
                }
                store::Error::Quarantined { id, quarantine: self.unreadable(id, &damage) }.into()
            }
            Err(stopped) => stopped,
            Ok(content) => {
                self.0.stopped.forget(id);
                return Ok(content);
            }
        };
        match stopped {
            Error::Store(store::Error::Quarantined { quarantine, .. }) => {
                self.0.stopped.note(id, quarantine.clone());
                self.stopped(id, quarantine).await
            }
            error => Err(error),
        }
    }

    /// A match in quarantine, as far as its log can be read: what was published stays readable.
    async fn stopped(&self, id: MatchId, quarantine: Quarantine) -> Result<Content, Error> {
        let error = || Error::Store(store::Error::Quarantined { id, quarantine: quarantine.clone() });
        let log = self.store().read_stopped(id).await.map_err(|_| error())?;
        let course = course_of(&log).map_err(|_| error())?;
        let why = WhyClosed::Stopped { reason: quarantine.reason.clone() };
        let closed = ClosedMatch::read(course, &log.records, why, &MessageEncoder).map_err(|_| error())?;
        Ok(Content::Closed(Box::new(closed)))
    }

    /// Stops a match until somebody has looked at it. Returns what is to be told.
    pub(super) async fn quarantine(&self, id: MatchId, fault: &MatchError) -> Error {
        let detail: String = fault.to_string().chars().take(256).collect();
        tracing::error!(match_id = %id, %detail, "a match is stopped");
        let quarantine = Quarantine { reason: REPLAY_FAULT.to_owned(), detail, since_ms: self.now_ms() };
        if let Err(error) = self.store().quarantine(id, quarantine.clone()).await {
            return error.into();
        }
        store::Error::Quarantined { id, quarantine }.into()
    }

    /// Returns why a match is stopped that the store has, and can't give. It is not noted there: once the file
    /// or the key is restored, the match goes on. The others do as long as they can be read.
    pub(super) fn unreadable(&self, id: MatchId, damage: &store::Error) -> Quarantine {
        tracing::error!(match_id = %id, %damage, "a match can't be read");
        let detail = damage.to_string().chars().take(256).collect();
        Quarantine { reason: damage.reason().to_owned(), detail, since_ms: self.now_ms() }
    }

    /// Opens a match to play again that was stopped, if its log is whole. If it still does not replay, the
    /// next caller who looks finds that out.
    ///
    /// # Errors
    /// If there is no such match, or its log is not whole.
    pub async fn release(&self, id: MatchId) -> Result<(), Error> {
        self.check_owned(id)?;
        self.store().release(id).await?;
        self.0.stopped.forget(id);
        self.0.slots.of(id).drop_all();
        Ok(())
    }

    async fn content(&self, log: &MatchLog) -> Result<Content, Error> {
        self.0.reader.content(log, self.log_limits()).await
    }
}
