//! Logs of matches that are over become archives, one after another, some time after their end.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::matches::archive::{archiving, is_archive};
use crate::matches::{Course, Overview};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, Append, ListedMatch, MatchId, MatchLog, Page, ShardSet, StoredStatus};

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

    /// Archives what some shards bring along that was settled since a moment, in milliseconds since 1970: of builds that knew no archives, or
    /// of a host that was closed, or let them go, before their time.
    pub(super) fn archive_older_in(&self, shards: ShardSet, since_ms: u64) {
        if self.0.parts.capacity.archive_after.is_none() {
            return;
        }
        let host = self.clone();
        self.0.tasks.spawn(async move {
            if let Err(error) = host.insist(|| host.archive_older(&shards, since_ms)).await {
                tracing::warn!(%error, "logs of older matches are not archived");
            }
        });
    }

    /// The moment since which matches may have been settled that whoever told of all results until another moment has not archived, both
    /// in milliseconds since 1970.
    pub(super) fn unarchived_ms(&self, untold_ms: u64) -> u64 {
        let after = self.0.parts.capacity.archive_after.unwrap_or_default();
        untold_ms.saturating_sub(after.as_millis() as u64)
    }

    async fn archive_older(&self, shards: &ShardSet, since_ms: u64) -> Result<(), Error> {
        for status in [StoredStatus::Over, StoredStatus::Abandoned] {
            let mut before = None;
            loop {
                let filter = self.of_shards(shards, status);
                let listing = self.store().list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
                for row in listing.matches.iter().filter(|row| row.quarantine.is_none()) {
                    if self.0.closing.is_cancelled() {
                        return Ok(());
                    }
                    let is_older = settled_ms(row).is_some_and(|settled_ms| settled_ms < since_ms);
                    if !is_older && !self.is_archived(row).await {
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
        let archived = match self.archiving(content.as_ref(), id).await {
            Ok(Some(append)) => {
                // Its revision moves on below what is in memory.
                *content = None;
                slot.drop_all();
                match self.store().append(append).await {
                    Ok(ticket) => ticket.await.map(drop).map_err(Error::from),
                    Err(error) => Err(error.into()),
                }
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        drop(content);
        self.0.slots.forget_empty(&slot);
        archived
    }

    /// The append that makes an archive of a log; `None`: it is one.
    async fn archiving(&self, content: Option<&Content>, id: MatchId) -> Result<Option<Append>, Error> {
        let log = self.store().read(id, 0).await?;
        let record = self.record_to_keep(content, &log).await?;
        Ok(archiving(&log, record))
    }

    /// The record that the archive of a match is to keep, by its rules; `None` without them, or if it never began.
    ///
    /// # Errors
    /// If the store can't be read now.
    async fn record_to_keep(
        &self,
        content: Option<&Content>,
        log: &MatchLog,
    ) -> Result<Option<String>, Error> {
        let kept = match content {
            Some(content) => kept_of(content),
            None => {
                self.0.reader.content(log, self.limits().match_log()).await.and_then(|read| kept_of(&read))
            }
        };
        match kept {
            Err(error) if !error.passes() => {
                tracing::warn!(match_id = %log.header.id, %error, "an archive has no record");
                Ok(None)
            }
            kept => kept,
        }
    }
}

/// The moment at which a match was settled, in milliseconds since 1970, if its row tells it.
fn settled_ms(row: &ListedMatch) -> Option<u64> {
    let overview = Overview::from_bytes(&row.overview).ok()?;
    Course::listed(row.id, row.revision, row.summary.lengths.clone(), overview).settled_ms()
}

fn kept_of(content: &Content) -> Result<Option<String>, Error> {
    match content {
        Content::Live(live) if live.table().is_some() => Ok(Some(live.record_to_keep()?)),
        Content::Live(_) | Content::Closed(_) => Ok(None),
    }
}
