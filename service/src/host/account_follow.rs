//! Following an account ([`AccountFollower`]): the matches in which something may be new for it, as they come.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Host;
use super::account_index::{Bell, Concerned, Watched};
use super::error::Error;
use super::older_results::Left;
use super::reader::course_of;
use crate::matches::{ClosedMatch, Course, Overview, WhyClosed};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, AccountId, MatchId, Page, StoredStatus};
use crate::wire::encoder::MessageEncoder;

/// The time, in milliseconds, that may go by between the moment at which a match is settled and that at which it is known here: results
/// of so long before a watch's beginning are shown as well.
const SETTLING_MS: u64 = 60_000;

/// Somebody who follows all matches of an account, until this is dropped.
#[derive(Debug)]
pub struct AccountFollower {
    host: Host,
    account: AccountId,
    bell: Arc<Bell>,
    /// The matches that are to be named next: at first those that there are.
    due: VecDeque<MatchId>,
    has_caught_up: bool,
    results_missing: bool,
}

/// The next thing to look at for somebody who follows an account.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AccountNews {
    /// Something may be new in this match.
    Match(MatchId),
    /// All matches that there were at the beginning were named.
    CaughtUp {
        /// True if more were settled since the moment that was asked for than are remembered.
        results_missing: bool,
    },
}

impl Host {
    /// Follows an account, from now on: first its matches that have ended since `since_ms`, in milliseconds since 1970, or none of them, and
    /// its matches that are not over; then each in which something may be new for it.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn follow_account(
        &self,
        account: AccountId,
        since_ms: Option<u64>,
    ) -> Result<AccountFollower, Error> {
        let news_ms = since_ms.unwrap_or_else(|| self.now_ms());
        let since_ms = since_ms.map_or(u64::MAX, |since_ms| since_ms.saturating_sub(SETTLING_MS));
        if since_ms < self.0.older_results.since_ms() {
            self.0.older_results.index_with(|left| self.index_older_results(left)).await?;
        }
        let Watched { bell, results, unfinished, results_missing } =
            self.0.account_index.watch(&account, since_ms, news_ms);
        let due = results.into_iter().chain(unfinished).collect();
        Ok(AccountFollower { host: self.clone(), account, bell, due, has_caught_up: false, results_missing })
    }

    /// The time of the host, in milliseconds since 1970.
    #[must_use]
    pub fn time_ms(&self) -> u64 {
        self.now_ms()
    }

    /// The accounts that a match concerns, by its row or, if an earlier build has written that, by its log; `None` if neither can be read.
    ///
    /// # Errors
    /// If the store can't be read.
    pub(super) async fn concerned(&self, course: &Course) -> Result<Option<Concerned>, Error> {
        match Concerned::by_row(course) {
            Some(concerned) => Ok(Some(concerned)),
            None => self.concerned_by_log(course.id()).await,
        }
    }

    async fn concerned_by_log(&self, id: MatchId) -> Result<Option<Concerned>, Error> {
        let log = match self.store().read(id, 0).await {
            Ok(log) => log,
            // A match that is stopped concerns nobody until it is released: whoever calls for it is told.
            Err(
                store::Error::NotFound(_)
                | store::Error::Quarantined { .. }
                | store::Error::SecretUnreadable
                | store::Error::Corrupt { .. },
            ) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        // Without rules, since nothing of them is needed.
        let read = course_of(&log).and_then(|mut course| {
            course.take_rules_of(&log.records)?;
            ClosedMatch::read(course, &log.records, WhyClosed::RulesUnknown, &MessageEncoder)
        });
        let known = read.inspect_err(
            |error| tracing::warn!(match_id = %id, %error, "the accounts of a match are not known"),
        );
        Ok(known.ok().map(|closed| Concerned::by(closed.course())))
    }

    /// Tells those who watch accounts of matches in shards which were taken just now that were over by then: whoever had them before may have
    /// gone without doing so.
    pub(super) fn tell_older_results(&self) {
        if !self.0.account_index.is_watched() {
            return;
        }
        let host = self.clone();
        self.0.tasks.spawn(async move {
            let index = || host.0.older_results.index_with(|left| host.index_older_results(left));
            if let Err(error) = host.insist(index).await {
                tracing::warn!(%error, "those who watch accounts are not told of what was over");
            }
        });
    }

    /// The moment since which results may not have been told of by those who had the matches until `gone_ms` ago, in milliseconds since 1970.
    pub(super) fn untold_ms(&self, gone_ms: u64) -> u64 {
        self.now_ms().saturating_sub(gone_ms).saturating_sub(SETTLING_MS)
    }

    /// Indexes the matches that were over when their shards were taken: when the first asks for results of before.
    async fn index_older_results(&self, left: Left) -> Result<(), Error> {
        for status in [StoredStatus::Over, StoredStatus::Abandoned] {
            let mut before = None;
            loop {
                let filter = self.of_shards(&left.shards, status);
                let listing = self.store().list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
                for row in listing.matches.into_iter().filter(|row| row.quarantine.is_none()) {
                    let Ok(overview) = Overview::from_bytes(&row.overview) else { continue };
                    let course = Course::listed(row.id, row.revision, row.summary.lengths, overview);
                    if let Some(concerned) = self.concerned(&course).await? {
                        self.0.account_index.note_older(row.id, concerned);
                    }
                }
                match listing.next {
                    Some(next) if !self.0.closing.is_cancelled() => before = Some(next),
                    _ => break,
                }
            }
        }
        self.0.account_index.ring_results(left.news_ms);
        Ok(())
    }
}

impl AccountFollower {
    /// Waits for the next thing to say.
    pub async fn next(&mut self) -> AccountNews {
        if let Some(id) = self.due.pop_front() {
            return AccountNews::Match(id);
        }
        if !self.has_caught_up {
            self.has_caught_up = true;
            return AccountNews::CaughtUp { results_missing: self.results_missing };
        }
        let mut rung = self.bell.next().await.into_iter();
        let first = rung.next().expect("a bell that was rung was rung for a match");
        self.due.extend(rung);
        AccountNews::Match(first)
    }
}

impl Drop for AccountFollower {
    fn drop(&mut self) {
        self.bell = Arc::default();
        self.host.0.account_index.unwatch(&self.account);
    }
}
