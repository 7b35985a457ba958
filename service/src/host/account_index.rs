//! The matches that each account has a part in, in memory ([`AccountIndex`]), and the bells of those who watch an account.
//!
//! Invariant: what stands here is durable. An account's matches that are not over are all here; of those that are over, the last
//! [`RESULTS_KEPT`] that were settled.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;

use super::by_shard::ByShard;
use crate::matches::Course;
use crate::store::{AccountId, MatchId, ShardSet};

/// Matches of one account that are over and are remembered, at most: those that were settled last.
pub const RESULTS_KEPT: usize = 256;

/// The accounts that a match concerns at a revision of it, and when it was settled, if it is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Concerned {
    accounts: Vec<AccountId>,
    settled_ms: Option<u64>,
    revision: u64,
}

impl Concerned {
    pub(super) fn by(course: &Course) -> Self {
        let (accounts, settled_ms) = (course.accounts(), course.settled_ms());
        Self { accounts, settled_ms, revision: course.revision() }
    }

    /// The same by a match's row; `None` if an earlier build has written it, and it does not tell.
    pub(super) fn by_row(course: &Course) -> Option<Self> {
        course.knows_accounts().then(|| Self::by(course))
    }
}

/// The matches of accounts.
#[derive(Debug, Default)]
pub(super) struct AccountIndex {
    tables: Mutex<Tables>,
    /// Number of watches, so that nobody takes the lock where there are none.
    watches: AtomicUsize,
}

#[derive(Debug, Default)]
struct Tables {
    by_account: HashMap<AccountId, AccountMatches>,
    /// The accounts that matches concern which are not over, and the revisions at which they do.
    by_match: ByShard<(u64, Vec<AccountId>)>,
}

/// The matches of one account.
#[derive(Debug, Default)]
struct AccountMatches {
    unfinished: BTreeSet<MatchId>,
    /// Those that are over, with the moments at which they were settled, ascending.
    results: Vec<(u64, MatchId)>,
    /// The latest moment of a result that is not remembered any more.
    forgotten_ms: Option<u64>,
    bells: Vec<Weak<Bell>>,
}

/// The matches in which something may be new for somebody who watches an account.
#[derive(Debug, Default)]
pub(super) struct Bell {
    /// The moment since which results are news, in milliseconds since 1970.
    news_ms: u64,
    rung: Mutex<BTreeSet<MatchId>>,
    ringing: Notify,
}

impl Bell {
    fn ring(&self, id: MatchId) {
        self.rung().insert(id);
        self.ringing.notify_one();
    }

    /// Waits until it was rung; the matches for which it was.
    pub(super) async fn next(&self) -> BTreeSet<MatchId> {
        loop {
            let rung = std::mem::take(&mut *self.rung());
            if !rung.is_empty() {
                return rung;
            }
            self.ringing.notified().await;
        }
    }

    fn rung(&self) -> MutexGuard<'_, BTreeSet<MatchId>> {
        self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The matches that somebody who begins to watch an account is to be shown.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) bell: Arc<Bell>,
    /// Those that are over, in the order in which they were settled.
    pub(super) results: Vec<MatchId>,
    pub(super) unfinished: BTreeSet<MatchId>,
    /// True if more were settled since then than are remembered.
    pub(super) results_missing: bool,
}

impl AccountIndex {
    /// Notes which accounts a match concerns from now on, and tells those who watch them or watched those that it concerned before.
    pub(super) fn note(&self, id: MatchId, concerned: Concerned) {
        self.index(id, concerned, true);
    }

    /// Notes which accounts a match concerns that was there before: news to nobody.
    pub(super) fn note_older(&self, id: MatchId, concerned: Concerned) {
        self.index(id, concerned, false);
    }

    fn index(&self, id: MatchId, concerned: Concerned, is_news: bool) {
        let mut tables = self.tables();
        if tables.is_behind(id, &concerned) {
            return;
        }
        let (_, before) = tables.by_match.remove(id).unwrap_or_default();
        let gone = |account: &&AccountId| !concerned.accounts.contains(account);
        for account in before.iter().filter(gone) {
            if let Some(matches) = tables.by_account.get_mut(account) {
                matches.unfinished.remove(&id);
                if is_news {
                    matches.ring(id);
                }
                tables.forget_if_empty(account);
            }
        }
        for account in &concerned.accounts {
            let matches = tables.by_account.entry(account.clone()).or_default();
            match concerned.settled_ms {
                Some(settled_ms) => matches.settle(id, settled_ms),
                None => {
                    matches.unfinished.insert(id);
                }
            }
            if is_news {
                matches.ring(id);
            }
        }
        if concerned.settled_ms.is_none() && !concerned.accounts.is_empty() {
            tables.by_match.insert(id, (concerned.revision, concerned.accounts));
        }
    }

    /// Forgets the matches of shards that are not over: another host answers for them.
    pub(super) fn let_go(&self, shards: &ShardSet) {
        let tables = &mut *self.tables();
        for (id, (_, accounts)) in tables.by_match.take(shards) {
            for account in accounts {
                if let Some(matches) = tables.by_account.get_mut(&account) {
                    matches.unfinished.remove(&id);
                    tables.forget_if_empty(&account);
                }
            }
        }
    }

    /// Tells those who watch an account that something may be new in a match of it.
    pub(super) fn ring(&self, id: MatchId) {
        if !self.is_watched() {
            return;
        }
        let tables = self.tables();
        for account in tables.by_match.get(id).into_iter().flat_map(|(_, accounts)| accounts) {
            tables.by_account.get(account).into_iter().for_each(|matches| matches.ring(id));
        }
    }

    /// Returns whether anybody watches an account.
    pub(super) fn is_watched(&self) -> bool {
        self.watches.load(Ordering::Relaxed) > 0
    }

    /// Tells those who watch accounts of what was settled since a moment, in milliseconds since 1970, as far as that may be news to them.
    pub(super) fn ring_results(&self, since_ms: u64) {
        for matches in self.tables().by_account.values() {
            for bell in matches.bells.iter().filter_map(Weak::upgrade) {
                let since = matches.results_since(since_ms.max(bell.news_ms));
                since.iter().for_each(|(_, id)| bell.ring(*id));
            }
        }
    }

    /// Begins to watch an account: `since_ms`, the moment from which on results are wanted at the beginning; `news_ms`, the one from which
    /// on they are news.
    pub(super) fn watch(&self, account: &AccountId, since_ms: u64, news_ms: u64) -> Watched {
        // Counted first: whoever rings after the tables were looked at finds it.
        self.watches.fetch_add(1, Ordering::SeqCst);
        let mut tables = self.tables();
        let matches = tables.by_account.entry(account.clone()).or_default();
        let bell = Arc::new(Bell { news_ms, ..Bell::default() });
        matches.bells.push(Arc::downgrade(&bell));
        Watched {
            bell,
            results: matches.results_since(since_ms).iter().map(|(_, id)| *id).collect(),
            unfinished: matches.unfinished.clone(),
            results_missing: matches.forgotten_ms.is_some_and(|forgotten_ms| forgotten_ms >= since_ms),
        }
    }

    /// Ends a watch, whose bell nobody else has.
    pub(super) fn unwatch(&self, account: &AccountId) {
        self.watches.fetch_sub(1, Ordering::SeqCst);
        let mut tables = self.tables();
        if let Some(matches) = tables.by_account.get_mut(account) {
            matches.bells.retain(|bell| bell.strong_count() > 0);
            tables.forget_if_empty(account);
        }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    /// Returns whether more is known of a match already: who makes it may come late to say so.
    fn is_behind(&self, id: MatchId, concerned: &Concerned) -> bool {
        let is_settled = |account| {
            let matches = self.by_account.get(account);
            matches.is_some_and(|matches| matches.results.iter().any(|(_, result)| *result == id))
        };
        match self.by_match.get(id) {
            Some((revision, _)) => *revision > concerned.revision,
            None => concerned.settled_ms.is_none() && concerned.accounts.iter().any(is_settled),
        }
    }

    fn forget_if_empty(&mut self, account: &AccountId) {
        let is_empty = |matches: &AccountMatches| {
            matches.unfinished.is_empty()
                && matches.results.is_empty()
                && matches.forgotten_ms.is_none()
                && matches.bells.is_empty()
        };
        if self.by_account.get(account).is_some_and(is_empty) {
            self.by_account.remove(account);
        }
    }
}

impl AccountMatches {
    /// Notes when a match that is over was settled, which may have been settled otherwise before.
    fn settle(&mut self, id: MatchId, settled_ms: u64) {
        self.unfinished.remove(&id);
        self.results.retain(|(_, other)| *other != id);
        let place = self.results.partition_point(|other| *other < (settled_ms, id));
        self.results.insert(place, (settled_ms, id));
        if self.results.len() > RESULTS_KEPT {
            let (forgotten_ms, _) = self.results.remove(0);
            self.forgotten_ms = self.forgotten_ms.max(Some(forgotten_ms));
        }
    }

    fn results_since(&self, since_ms: u64) -> &[(u64, MatchId)] {
        let since = self.results.partition_point(|(settled_ms, _)| *settled_ms < since_ms);
        &self.results[since..]
    }

    fn ring(&self, id: MatchId) {
        self.bells.iter().filter_map(Weak::upgrade).for_each(|bell| bell.ring(id));
    }
}
