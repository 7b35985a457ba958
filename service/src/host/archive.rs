//! Logs of matches that are over become archives, one after another, some time after their end.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::matches::archive::{archiving, is_archive};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, ListedMatch, MatchId, MatchLog, Page, ShardSet, StoredStatus};

/// The time after which the host looks again for matches whose time has come.
const LOOK_AFTER: Duration = Duration::from_secs(1);

/// Matches that ended while this host was open, with the times of its clock at which they are to be archived.
#[derive(Debug, Default)]
pub(super) struct Ended(Mutex<VecDeque<(Duration, MatchId)>>);

impl Ended {
    fn note(&self, due: Duration, id: MatchId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back((due, id));
    }

    /// Takes the next match whose time has come by `now`.
    fn next_due(&self, now: Duration) -> Option<MatchId> {
        let mut ended = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ended.pop_front_if(|(due, _)| *due <= now).map(|(_, id)| id)
    }
}

impl Host {
    /// Notes that a match is over, and that this is durable.
    pub(super) fn archive_later(&self, id: MatchId) {
        if let Some(after) = self.0.parts.capacity.archive_after {
            self.0.ended.note(self.0.parts.clock.elapsed().saturating_add(after), id);
        }
    }

    /// Archives the logs of matches that end while the host is open.
    pub(super) fn archive_in_time(&self) {
        if self.0.parts.capacity.archive_after.is_none() {
            return;
        }
        let host = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                let clock = &host.0.parts.clock;
                while let Some(id) = host.0.ended.next_due(clock.elapsed()) {
                    host.archive_or_warn(id).await;
                }
                tokio::select! {
                    () = host.0.closing.cancelled() => return,
                    () = clock.reach(clock.elapsed().saturating_add(LOOK_AFTER)) => {}
                }
            }
        });
    }

    /// Archives what some shards bring along: of builds that knew no archives, or of a host that was closed before their time.
    pub(super) fn archive_older_in(&self, shards: ShardSet) {
        if self.0.parts.capacity.archive_after.is_none() {
            return;
        }
        let host = self.clone();
        self.0.tasks.spawn(async move {
            if let Err(error) = host.archive_older(&shards).await {
                tracing::warn!(%error, "logs of older matches are not archived");
            }
        });
    }

    async fn archive_older(&self, shards: &ShardSet) -> Result<(), Error> {
        for status in [StoredStatus::Over, StoredStatus::Abandoned] {
            let mut before = None;
            loop {
                let filter = self.of_shards(shards, status);
                let listing = self.store().list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
                for row in listing.matches.iter().filter(|row| row.quarantine.is_none()) {
                    if self.0.closing.is_cancelled() {
                        return Ok(());
                    }
                    if !self.is_archived(row).await {
                        self.archive_or_warn(row.id).await;
                    }
                }
                match listing.next {
                    Some(next) => before = Some(next),
                    None => break,
                }
            }
        }
        Ok(())
    }

    /// Returns whether the log of a match ends with an archive already.
    async fn is_archived(&self, row: &ListedMatch) -> bool {
        let last = self.store().read(row.id, row.revision).await;
        last.is_ok_and(|log| log.records.iter().any(is_archive))
    }

    async fn archive_or_warn(&self, id: MatchId) {
        match self.archive(id).await {
            Ok(()) => {}
            Err(error) if error.passes() => {
                self.0.ended.note(self.0.parts.clock.elapsed().saturating_add(LOOK_AFTER), id);
            }
            // It was deleted, or another host archives it.
            Err(Error::Store(store::Error::NotFound(_)) | Error::Elsewhere(_)) => {}
            Err(error) => {
                tracing::warn!(match_id = %id, %error, "a log is not archived");
            }
        }
    }

    /// Archives the log of a match, which leaves the memory: what is seen of it stays as it is.
    ///
    /// # Errors
    /// If the store can't be read or takes nothing. Then its log is as it was.
    pub async fn archive(&self, id: MatchId) -> Result<(), Error> {
        let slot = self.0.slots.of(id);
        let mut content = slot.content.lock().await;
        self.check_here(&slot)?;
        slot.line_is_empty().await;
        let archiving = match self.store().read(id, 0).await {
            Ok(log) => {
                let record = self.record_to_keep(content.as_ref(), &log).await;
                Ok(archiving(&log, record))
            }
            Err(error) => Err(error),
        };
        let archived = match archiving {
            Ok(Some(append)) => {
                // Its revision moves on below what is in memory.
                *content = None;
                slot.drop_all();
                match self.store().append(append).await {
                    Ok(ticket) => ticket.await.map(|_| ()),
                    Err(error) => Err(error),
                }
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        drop(content);
        self.0.slots.forget_empty(&slot);
        archived.map_err(|error: store::Error| error.into())
    }

    /// The record that the archive of a match is to keep, by its rules; `None` without them, or if it never began.
    async fn record_to_keep(&self, content: Option<&Content>, log: &MatchLog) -> Option<String> {
        let kept = match content {
            Some(content) => kept_of(content),
            None => {
                self.0.reader.content(log, self.limits().match_log()).await.and_then(|read| kept_of(&read))
            }
        };
        kept.unwrap_or_else(|error| {
            tracing::warn!(match_id = %log.header.id, %error, "an archive has no record");
            None
        })
    }
}

fn kept_of(content: &Content) -> Result<Option<String>, Error> {
    match content {
        Content::Live(live) if live.table().is_some() => Ok(Some(live.record_to_keep()?)),
        Content::Live(_) | Content::Closed(_) => Ok(None),
    }
}
