//! The shards whose matches a host answers for ([`Owned`]). Of hosts that share a store each has some; a host alone has all.
//!
//! Invariant: a match is in memory only while its shard is here, and a shard is here only while nobody else has it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgehill_engine::seat::Seat;
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

use super::Host;
use super::account_index::Concerned;
use super::error::Error;
use super::open_matches::Counted;
use super::slot::Slot;
use crate::matches::{Course, Overview, Phase};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{MatchId, Outage, Page, Shard, ShardSet, StoreFilter, StoredStatus};

/// The shards of a host.
#[derive(Debug, Default)]
pub(super) struct Owned {
    here: Mutex<Here>,
    /// Held while a match is made, so that its shard does not go meanwhile.
    placing: Arc<RwLock<()>>,
}

#[derive(Debug, Default)]
struct Here {
    shards: ShardSet,
    /// Matches that were not over when their shards were taken, and can't be played.
    unplayable: HashMap<Shard, u64>,
}

/// No shard goes while somebody has this: a match is being made.
pub(super) type Placing = OwnedRwLockReadGuard<()>;

impl Owned {
    pub(super) fn shards(&self) -> ShardSet {
        self.here().shards
    }

    fn here(&self) -> MutexGuard<'_, Here> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// The accounts that they concern.
    concerned: Vec<(MatchId, Concerned)>,
    /// Those that can be played here.
    counted: Vec<(MatchId, Counted)>,
    /// Number of the others, which count with nobody.
    unplayable: HashMap<Shard, u64>,
    /// Those in which somebody's time runs out, and when.
    due: Vec<(MatchId, u64)>,
    /// Those in which a house bot is waited for whom no call may come to wake: nobody else plays, or the bot's time runs.
    of_bots: Vec<MatchId>,
    /// Those whose seats are to reveal their entropy, and by when.
    revealing: Vec<(MatchId, u64)>,
    /// Those whose seats are all taken, and that have not begun: their groups may have to go on.
    full: Vec<Course>,
    /// Those that wait for callers who were paired, and until when.
    paired: Vec<(MatchId, u64)>,
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
        if self.shards().has(id) { Ok(()) } else { Err(Error::Elsewhere(id)) }
    }

    /// Checks that the match of a slot, whose content is locked, is here.
    ///
    /// # Errors
    /// [`Error::Elsewhere`].
    pub(super) fn check_here(&self, slot: &Slot) -> Result<(), Error> {
        if slot.is_gone() { Err(Error::Elsewhere(slot.id)) } else { self.check_owned(slot.id) }
    }

    /// Waits until a match may be made.
    pub(super) async fn placing(&self) -> Placing {
        Arc::clone(&self.0.owned.placing).read_owned().await
    }

    /// Returns the number of matches that were not over when their shards were taken, and can't be played: this build lacks their rules,
    /// or the store their content.
    #[must_use]
    pub fn unplayable_matches(&self) -> u64 {
        self.0.owned.here().unplayable.values().sum()
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

    /// Answers for the matches of these shards, which nobody else has any more. They can be called for when this returns; what is to happen
    /// in them of itself does. `gone_since`: the moment of the clock since which they were without a server, if they were; no time of theirs has
    /// run since.
    ///
    /// # Errors
    /// If the store can't be read, or takes nothing; the shards are not here then, and it may be tried again.
    pub async fn take(&self, shards: &ShardSet, gone_since: Option<Duration>) -> Result<(), Error> {
        let taken = shards.without(&self.shards());
        if let Some(since) = gone_since {
            self.note_outage(since).await?;
        }
        if taken.contains(Shard::OF_STORE) {
            self.come_home().await?;
        }
        let gone_ms = gone_since.map_or(0, |since| self.since(since).as_millis() as u64);
        self.take_with(&taken, Some(self.untold_ms(gone_ms))).await?;
        self.tell_older_results();
        Ok(())
    }

    /// As [`Host::take`], of shards whose outages are known, and of which the host has none: nobody watches it yet.
    ///
    /// # Errors
    /// As [`Host::take`].
    pub(super) async fn take_at_start(&self, shards: &ShardSet) -> Result<(), Error> {
        self.take_with(shards, None).await
    }

    async fn note_outage(&self, since: Duration) -> Result<(), Error> {
        let until_ms = self.now_ms();
        let gone_ms = self.since(since).as_millis() as u64;
        self.store().keep_outage(Outage { from_ms: until_ms.saturating_sub(gone_ms), until_ms }).await?;
        self.0.uptime.replace(self.store().outages().await?);
        Ok(())
    }

    /// `untold_ms`: the moment since which results may not have been told, in milliseconds since 1970.
    async fn take_with(&self, taken: &ShardSet, untold_ms: Option<u64>) -> Result<(), Error> {
        if taken.is_empty() {
            return Ok(());
        }
        let found = self.unfinished(taken).await?;
        self.0.open_matches.take(taken, &found.counted);
        self.0.older_results.are_more(taken, self.now_ms(), untold_ms);
        let ids: Vec<MatchId> = found.concerned.iter().map(|&(id, _)| id).collect();
        for (id, concerned) in found.concerned {
            self.0.account_index.note_older(id, concerned);
        }
        {
            let mut here = self.0.owned.here();
            here.shards.extend(taken.iter());
            here.unplayable.extend(found.unplayable);
        }
        found.due.into_iter().for_each(|(id, due_ms)| self.0.time_outs.set(id, Some(due_ms)));
        found.paired.into_iter().for_each(|(id, at_ms)| self.expire_paired(id, at_ms));
        found.revealing.into_iter().for_each(|(id, by_ms)| self.time_reveal(id, by_ms));
        found.full.iter().for_each(|course| self.wake_group(course));
        // Whoever had them before may have ended in the midst of telling of them.
        ids.into_iter().for_each(|id| self.0.account_index.ring(id));
        self.resume_bots(found.of_bots);
        self.archive_older_in(*taken, untold_ms.map_or(0, |untold_ms| self.unarchived_ms(untold_ms)));
        Ok(())
    }

    /// Answers for the matches of these shards no more: those who follow one, or call for it, are told that it is elsewhere. When this returns
    /// all of it is durable, and nothing is in memory.
    pub async fn let_go(&self, shards: &ShardSet) {
        let gone = {
            let mut here = self.0.owned.here();
            let gone = shards.and(&here.shards);
            here.shards = here.shards.without(&gone);
            here.unplayable.retain(|shard, _| !gone.contains(*shard));
            gone
        };
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
        if gone.contains(Shard::OF_STORE) {
            self.note_last_up().await;
        }
        self.0.open_matches.let_go(&gone);
        self.0.older_results.let_go(&gone);
        self.0.account_index.let_go(&gone);
        self.0.time_outs.let_go(&gone);
    }

    /// All that is to be known of the matches of shards that are not over.
    async fn unfinished(&self, shards: &ShardSet) -> Result<Unfinished, Error> {
        let mut found = Unfinished::default();
        for status in [StoredStatus::Open, StoredStatus::Running] {
            let mut before = None;
            loop {
                let filter = self.of_shards(shards, status);
                let listing = self.store().list(filter, Page { before, limit: PAGE_MATCHES_MAX }).await?;
                for row in listing.matches {
                    let Ok(overview) = Overview::from_bytes(&row.overview) else { continue };
                    let course = Course::listed(row.id, row.revision, row.summary.lengths, overview);
                    let is_playable = self.count(&course, &mut found);
                    // Nothing happens in one that is stopped, and nobody is told of it.
                    if row.quarantine.is_some() {
                        continue;
                    }
                    let concerned = self.concerned(&course).await?;
                    found.concerned.extend(concerned.map(|concerned| (row.id, concerned)));
                    if is_playable {
                        self.expect(course, &mut found);
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

    /// Counts a match; returns whether it can be played here.
    fn count(&self, course: &Course, found: &mut Unfinished) -> bool {
        let is_playable = self.0.reader.game_of(course.header()).is_some();
        if is_playable {
            let counted = Counted::of(course.header());
            let has_begun = course.phase() == Phase::Running;
            found.counted.push((course.id(), if has_begun { counted.begun() } else { counted }));
        } else {
            *found.unplayable.entry(Shard::of(course.id())).or_default() += 1;
        }
        is_playable
    }

    /// Notes what is to happen in a match of itself.
    fn expect(&self, course: Course, found: &mut Unfinished) {
        let (id, header) = (course.id(), course.header());
        match course.phase() {
            Phase::Running => {
                let is_asked = |seat: Seat| course.clocks().get(seat.index())?.question;
                if header.is_of_bots() || course.bot_seats().iter().any(|seat| is_asked(seat).is_some()) {
                    found.of_bots.push(id);
                }
                let due_ms = self.due_ms(&course).filter(|_| header.clock.is_some());
                found.due.extend(due_ms.map(|due_ms| (id, due_ms)));
            }
            Phase::Revealing => {
                found.revealing.extend(self.reveal_by_ms(&course).map(|by_ms| (id, by_ms)));
            }
            Phase::Waiting => {
                let paired = header.is_paired().then(|| self.expire_ms(&course)).flatten();
                found.paired.extend(paired.map(|at_ms| (id, at_ms)));
                if course.is_full() {
                    found.full.push(course);
                }
            }
            Phase::Over => {}
        }
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
