//! The shards whose matches a host answers for ([`Owned`]). Of hosts that share a store each has some; a host alone has all.
//!
//! Invariant: a match is in memory only while its shard is here, and a shard is here only while nobody else has it.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{RwLock, RwLockReadGuard};

use super::Host;
use super::error::Error;
use super::open_matches::Counted;
use super::slot::Slot;
use crate::matches::{Course, Overview, Phase};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{MatchId, Outage, Page, Shard, ShardSet, StoreFilter, StoredStatus};

/// The shards of a host.
#[derive(Debug, Default)]
pub(super) struct Owned {
    shards: Mutex<ShardSet>,
    /// Held while a match is made, so that its shard does not go meanwhile.
    placing: RwLock<()>,
}

impl Owned {
    pub(super) fn shards(&self) -> ShardSet {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, ShardSet> {
        self.shards.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The shards that a new match may be in.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum NewPlace {
    /// Any that the host has.
    Anywhere,
    /// Those of what belongs to no match, which competitions are.
    Home,
    /// This one, since a match that it has to do with is there.
    In(Shard),
}

/// Matches that are not over, by their rows.
#[derive(Default)]
struct Unfinished {
    ids: Vec<MatchId>,
    /// Those that can be played here.
    counted: Vec<Counted>,
    /// Number of the others, which count with nobody.
    unplayable: u64,
    /// Those in which somebody's time runs out, and when.
    due: Vec<(MatchId, u64)>,
    /// Those that wait for callers who were paired, and until when.
    paired: Vec<(MatchId, u64)>,
    /// Those whose rows do not tell which accounts they concern.
    unknown: Vec<MatchId>,
}

impl Host {
    /// The shards whose matches the host answers for.
    #[must_use]
    pub fn shards(&self) -> ShardSet {
        self.0.owned.shards()
    }

    /// Checks that the host answers for a match.
    ///
    /// # Errors
    /// [`Error::Elsewhere`].
    pub(super) fn check_owned(&self, id: MatchId) -> Result<(), Error> {
        if self.0.owned.lock().has(id) { Ok(()) } else { Err(Error::Elsewhere(id)) }
    }

    /// Checks that the match of a slot, whose content is locked, is here.
    ///
    /// # Errors
    /// [`Error::Elsewhere`].
    pub(super) fn check_here(&self, slot: &Slot) -> Result<(), Error> {
        if slot.is_gone() { Err(Error::Elsewhere(slot.id)) } else { self.check_owned(slot.id) }
    }

    /// No shard goes while this is held: a match is being made.
    pub(super) async fn placing(&self) -> RwLockReadGuard<'_, ()> {
        self.0.owned.placing.read().await
    }

    /// A new name, which tells the time of the server's key of now although the clock may have been set back since that is held.
    ///
    /// # Errors
    /// [`Error::NothingDone`] if the host has none of the shards.
    pub(super) fn new_id(&self, place: NewPlace) -> Result<MatchId, Error> {
        let owned = self.shards();
        let among = match place {
            NewPlace::Anywhere => owned,
            NewPlace::Home => owned.and(&ShardSet::HOME),
            NewPlace::In(shard) => owned.and(&std::iter::once(shard).collect()),
        };
        let unix_ms = self.now_ms().max(self.key().since_ms());
        let id = MatchId::generate_in(&among, unix_ms, &*self.0.parts.entropy)?;
        id.ok_or(Error::NothingDone)
    }

    /// Notes that matches which it is about to take were without a server since this moment of the clock: no time of theirs has run.
    ///
    /// # Errors
    /// If the store takes nothing.
    pub async fn note_outage(&self, since: Duration) -> Result<(), Error> {
        let until_ms = self.now_ms();
        let gone = self.0.parts.clock.elapsed().saturating_sub(since);
        let gone_ms = u64::try_from(gone.as_millis()).unwrap_or(u64::MAX);
        self.store().keep_outage(Outage { from_ms: until_ms.saturating_sub(gone_ms), until_ms }).await?;
        self.0.uptime.replace(self.store().outages().await?);
        Ok(())
    }

    /// Answers for the matches of these shards, which nobody else has any more. They can be called for when this returns; what is to happen
    /// in them of itself does.
    ///
    /// # Errors
    /// If the store can't be read; nothing has changed then, and it may be tried again.
    pub async fn take(&self, shards: &ShardSet) -> Result<(), Error> {
        let taken = shards.without(&self.shards());
        if taken.contains(Shard::OF_STORE) {
            self.come_home().await?;
        }
        self.take_at_start(&taken).await
    }

    /// As [`Host::take`], of shards whose outages are known, and of which the host has none.
    ///
    /// # Errors
    /// As [`Host::take`].
    pub(super) async fn take_at_start(&self, shards: &ShardSet) -> Result<(), Error> {
        let taken = *shards;
        if taken.is_empty() {
            return Ok(());
        }
        let found = self.unfinished(&taken).await?;
        for &id in &found.unknown {
            self.index_log(id).await?;
        }
        found.counted.iter().for_each(|counted| self.0.open_matches.more(counted));
        self.0.unplayable.fetch_add(found.unplayable, Ordering::Relaxed);
        self.0.older_results.are_more(self.now_ms());
        self.0.owned.lock().extend(taken.iter());
        found.due.into_iter().for_each(|(id, due_ms)| self.0.time_outs.set(id, Some(due_ms)));
        found.paired.into_iter().for_each(|(id, at_ms)| self.expire_paired(id, at_ms));
        // Whoever had them before may have ended in the midst of telling of them.
        self.0.account_index.ring_all(&found.ids);
        self.resume_bots(taken);
        self.archive_older_in(taken);
        Ok(())
    }

    /// Answers for the matches of these shards no more: those who follow one, or call for it, are told that it is elsewhere. When this returns
    /// all of it is durable, and nothing is in memory.
    ///
    /// # Errors
    /// If the store can't be read: what was counted of these matches counts on.
    pub async fn let_go(&self, shards: &ShardSet) -> Result<(), Error> {
        let gone = shards.and(&self.shards());
        {
            let mut owned = self.0.owned.lock();
            *owned = owned.without(&gone);
        }
        // Those who make a match have found it here.
        drop(self.0.owned.placing.write().await);
        for slot in self.0.slots.of_shards(&gone) {
            let mut content = slot.content.lock().await;
            slot.line_is_empty().await;
            *content = None;
            slot.goes();
            drop(content);
            self.0.slots.let_go(&slot);
        }
        let left = self.unfinished(&gone).await?;
        left.counted.iter().for_each(|counted| self.0.open_matches.less(counted));
        self.0.unplayable.fetch_sub(left.unplayable, Ordering::Relaxed);
        for id in left.ids {
            self.0.account_index.let_go(id);
            self.0.time_outs.forget(id);
        }
        Ok(())
    }

    /// All that is to be known of the matches of shards that are not over.
    async fn unfinished(&self, shards: &ShardSet) -> Result<Unfinished, Error> {
        let mut found = Unfinished::default();
        for status in [StoredStatus::Open, StoredStatus::Running] {
            let mut before = None;
            loop {
                let filter = self.of_shards(shards, status);
                let listing = self.store().list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
                for row in listing.matches.into_iter().filter(|row| row.quarantine.is_none()) {
                    if let Ok(overview) = Overview::from_bytes(&row.overview) {
                        self.find(
                            Course::listed(row.id, row.revision, row.summary.lengths, overview),
                            &mut found,
                        );
                    }
                }
                match listing.next {
                    Some(next) => before = Some(next),
                    None => break,
                }
            }
        }
        Ok(found)
    }

    fn find(&self, course: Course, found: &mut Unfinished) {
        let id = course.id();
        found.ids.push(id);
        if !self.0.account_index.note_known(&course) {
            found.unknown.push(id);
        }
        if self.0.reader.game_of(course.header()).is_none() {
            found.unplayable += 1;
            return;
        }
        let counted = Counted::of(course.header());
        let has_begun = course.phase() == Phase::Running;
        found.counted.push(if has_begun { counted.begun() } else { counted });
        let clocked = has_begun && course.header().clock.is_some();
        found.due.extend(self.due_ms(&course).filter(|_| clocked).map(|due_ms| (id, due_ms)));
        let paired = course.header().is_paired().then(|| self.expire_ms(&course)).flatten();
        found.paired.extend(paired.map(|at_ms| (id, at_ms)));
    }

    /// The matches of a status in some shards.
    pub(super) fn of_shards(&self, shards: &ShardSet, status: StoredStatus) -> StoreFilter {
        let shards = Some(*shards).filter(|shards| *shards != ShardSet::ALL);
        StoreFilter { status: Some(status), shards, ..StoreFilter::default() }
    }

    /// The matches of a status in the shards of the host.
    pub(super) fn owned_with(&self, status: StoredStatus) -> StoreFilter {
        self.of_shards(&self.shards(), status)
    }
}
