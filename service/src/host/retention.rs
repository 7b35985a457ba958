//! Matches that are over are deleted some time after their end, if the configuration says so.

use std::time::Duration;

use super::Host;
use super::error::Error;
use super::reader::{group_row, secret_id};
use crate::matches::{MatchHeader, Overview};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, ListedMatch, MatchId, Page, StoreFilter, StoredStatus};

/// The time after which the host looks again for matches whose time has come.
const LOOK_AFTER: Duration = Duration::from_secs(3_600);

impl Host {
    /// Deletes matches whose time has come, now and for as long as the host is open.
    pub(super) fn delete_in_time(&self) {
        let Some(after) = self.0.parts.capacity.delete_after else { return };
        let host = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                match host.delete_older(after).await {
                    Ok(0) => {}
                    Ok(matches) => tracing::info!(matches, "matches that have long been over were deleted"),
                    Err(error) => tracing::warn!(%error, "matches that have long been over are not deleted"),
                }
                let clock = &host.0.parts.clock;
                tokio::select! {
                    () = host.0.closing.cancelled() => return,
                    () = clock.reach(clock.elapsed().saturating_add(LOOK_AFTER.min(after))) => {}
                }
            }
        });
    }

    /// Deletes matches that have been over for so long; their number.
    async fn delete_older(&self, after: Duration) -> Result<u64, Error> {
        let after_ms = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
        let ended_before = self.now_ms().saturating_sub(after_ms);
        let mut deleted = 0;
        for status in [StoredStatus::Over, StoredStatus::Abandoned] {
            // Names of matches sort by the time of creation, and none ends before it.
            let mut before = Some(MatchId::first_at(ended_before.saturating_add(1)));
            while before.is_some() && !self.0.closing.is_cancelled() {
                let filter = self.owned_with(status);
                let listing = self.store().list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
                for row in &listing.matches {
                    match self.delete_with_group(row, ended_before).await {
                        Ok(matches) => deleted += matches,
                        // It has gone with its group.
                        Err(Error::Store(store::Error::NotFound(_))) => {}
                        Err(error) if error.passes() => return Err(error),
                        Err(error) => tracing::warn!(match_id = %row.id, %error, "a match is not deleted"),
                    }
                }
                before = listing.next;
            }
        }
        Ok(deleted)
    }

    /// Deletes a match, and the others of its seed group with the seed that they share, once all of them have been over for long.
    async fn delete_with_group(&self, row: &ListedMatch, ended_before: u64) -> Result<u64, Error> {
        let Some(header) = over(row, ended_before) else { return Ok(0) };
        let group = header.group().and_then(|group| group_row(&group.id));
        let matches = match &group {
            None => vec![row.id],
            Some(group) => {
                let filter = StoreFilter { group: Some(group.clone()), ..StoreFilter::default() };
                // A group has no more matches than a page.
                let page = Page { before: None, limit: PAGE_MATCHES_MAX };
                let rows = self.store().list(filter, page).await?.matches;
                if !rows.iter().all(|row| over(row, ended_before).is_some()) {
                    return Ok(0);
                }
                rows.iter().map(|row| row.id).collect()
            }
        };
        let secret = secret_id(row.id, &header)?;
        self.store().delete(matches.clone(), vec![secret]).await?;
        for &id in &matches {
            // It may be in memory, and is not in the store any more.
            let slot = self.0.slots.of(id);
            slot.drop_all();
            self.0.slots.forget_empty(&slot);
        }
        Ok(matches.len() as u64)
    }
}

/// The terms of a match that ended before a moment, and that can be read; `None` for others.
fn over(row: &ListedMatch, ended_before: u64) -> Option<MatchHeader> {
    let overview = Overview::from_bytes(&row.overview).ok().filter(|_| row.quarantine.is_none())?;
    let (_, ended_ms) = overview.result?;
    (ended_ms <= ended_before).then_some(overview.header)
}
