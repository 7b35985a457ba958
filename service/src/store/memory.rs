//! A store that forgets: for tests, benches and throw-away servers ([`MemoryStore`]).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::sync::watch;

use super::act::KeptAct;
use super::chain::Head;
use super::content::KeptContent;
use super::create_all::CreateAll;
use super::entry::{Append, Appended, Create, MatchLog, Stored};
use super::error::{Error, Failure, Trouble};
use super::event::{self, CompetitionId, KeptEvent};
use super::faults::{Faults, Moment, NoFaults};
use super::health::{HealthTeller, StoreHealth};
use super::index::Indexes;
use super::list::{ListedMatch, Listing, Page, StoreFilter};
use super::names::{AccountId, At, MatchId, Position, RequestId, RequestScope, SecretId};
use super::quarantine::{Quarantine, StoreFault};
use super::rewrite::Rewrite;
use super::rows::{Place, Rows, RowsMut};
use super::secret::SealedSecret;
use super::store_ops::StoreOps;
use super::uptime::Outage;
use super::{Stats, Store, Ticket};
use crate::clock::{Clock, SystemClock};

/// Keeps matches in memory, with the same rules as every other store; each operation is a batch of its own.
#[derive(Debug)]
pub struct MemoryStore {
    kept: Mutex<Kept>,
    indexes: Indexes,
    health: HealthTeller,
    faults: Arc<dyn Faults>,
    clock: Arc<dyn Clock>,
}

/// The tables that are kept, and whether they still are.
#[derive(Debug, Default)]
struct Kept {
    tables: Tables,
    stats: Stats,
    closed: bool,
}

/// The data that other stores have tables for.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// Empty where one was removed.
    envelopes: Vec<Vec<u8>>,
    heads: BTreeMap<MatchId, Head>,
    overviews: BTreeMap<MatchId, Vec<u8>>,
    creations: BTreeMap<(AccountId, RequestId), MatchId>,
    quarantines: BTreeMap<MatchId, Quarantine>,
    secrets: BTreeMap<SecretId, SealedSecret>,
    /// By game and hash.
    contents: BTreeMap<(String, [u8; 32]), KeptContent>,
    acts: Vec<KeptAct>,
    events: BTreeMap<CompetitionId, Vec<KeptEvent>>,
    last_up: Option<u64>,
    outages: Vec<Outage>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Arc::new(NoFaults), Arc::new(SystemClock::new()))
    }

    /// An empty store in which `faults` decide what goes wrong.
    #[must_use]
    pub fn with(faults: Arc<dyn Faults>, clock: Arc<dyn Clock>) -> Self {
        Self {
            kept: Mutex::default(),
            indexes: Indexes::new(),
            health: HealthTeller::default(),
            faults,
            clock,
        }
    }

    fn kept(&self) -> Result<MutexGuard<'_, Kept>, Error> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.closed { Err(Error::Closed) } else { Ok(kept) }
    }

    /// One operation, as a batch of its own. Faults come first, since nothing here can be rolled back.
    fn write<T>(
        &self,
        operation: impl FnOnce(&mut StoreOps<'_, Tables>) -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        let mut kept = self.kept()?;
        for moment in [Moment::Begin { operations: 1 }, Moment::Commit { operations: 1 }] {
            if let Err(why) = self.faults.at(moment) {
                let error = Error::Unavailable { why };
                kept.stats.failures.count(&error);
                self.health.set(StoreHealth::Failing);
                return Err(error);
            }
        }
        self.health.set(StoreHealth::Writable);
        let before = kept.tables.envelopes.len();
        let unix_ms = self.clock.unix_ms();
        let mut ops = StoreOps { rows: &mut kept.tables, indexes: &self.indexes, unix_ms };
        let ended = operation(&mut ops);
        ops.note_fault(&ended)?;
        kept.stats.transactions += 1;
        kept.stats.appends += (kept.tables.envelopes.len() - before) as u64;
        Ok(ended?)
    }

    fn look<T>(
        &self,
        operation: impl FnOnce(&StoreOps<'_, Tables>) -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        let mut kept = self.kept()?;
        let ops = StoreOps { rows: &mut kept.tables, indexes: &self.indexes, unix_ms: self.clock.unix_ms() };
        Ok(operation(&ops)?)
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn create(&self, create: Create) -> Result<Ticket<Appended>, Error> {
        create.check()?;
        drop(self.kept()?);
        Ok(Ticket::ready(self.write(|ops| ops.create(&create))))
    }

    async fn create_all(&self, create: CreateAll) -> Result<Ticket<Appended>, Error> {
        create.check()?;
        drop(self.kept()?);
        Ok(Ticket::ready(self.write(|ops| ops.create_all(&create))))
    }

    async fn append(&self, append: Append) -> Result<Ticket<Appended>, Error> {
        append.check()?;
        drop(self.kept()?);
        Ok(Ticket::ready(self.write(|ops| ops.append(&append))))
    }

    async fn read(&self, id: MatchId, from: u64) -> Result<MatchLog, Error> {
        self.look(|ops| ops.read(id, from))
    }

    async fn read_stopped(&self, id: MatchId) -> Result<MatchLog, Error> {
        self.look(|ops| ops.read_stopped(id))
    }

    async fn list(&self, filter: StoreFilter, page: Page) -> Result<Listing, Error> {
        self.look(|ops| Ok(Listing::of(ops.rows.list(&filter, page)?, page)))
    }

    async fn request(&self, scope: RequestScope, id: RequestId) -> Result<Option<Stored>, Error> {
        self.look(|ops| ops.request(&scope, &id))
    }

    async fn keep_secret(&self, id: SecretId, secret: SealedSecret) -> Result<(), Error> {
        self.write(|ops| ops.keep(&id, &secret))
    }

    async fn keep_content(&self, content: KeptContent) -> Result<(), Error> {
        content.check()?;
        self.write(|ops| Ok(ops.rows.keep_content(&content)?))
    }

    async fn kept_contents(&self) -> Result<Vec<KeptContent>, Error> {
        self.look(|ops| Ok(ops.rows.kept_contents()?))
    }

    async fn keep_act(&self, act: KeptAct) -> Result<(), Error> {
        act.check()?;
        self.write(|ops| ops.keep_act(&act))
    }

    async fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Error> {
        self.look(|ops| ops.kept_acts(after, count))
    }

    async fn rewrite_acts(&self, acts: Vec<KeptAct>) -> Result<(), Error> {
        acts.iter().try_for_each(KeptAct::check)?;
        self.write(|ops| ops.rewrite_acts(&acts))
    }

    async fn keep_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        event::check(&events)?;
        self.write(|ops| ops.keep_events(&events))
    }

    async fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Error> {
        self.look(|ops| ops.kept_events(competition, after, count))
    }

    async fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Error> {
        self.look(|ops| ops.kept_competitions(after, count))
    }

    async fn rewrite_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        event::check(&events)?;
        self.write(|ops| ops.rewrite_events(&events))
    }

    async fn rewrite(&self, rewrite: Rewrite) -> Result<(), Error> {
        rewrite.check()?;
        self.write(|ops| ops.rewrite(&rewrite))
    }

    async fn compact(&self) -> Result<(), Error> {
        // Nothing is left of what is taken out of memory.
        drop(self.kept()?);
        Ok(())
    }

    async fn secret(&self, id: SecretId) -> Result<Option<SealedSecret>, Error> {
        self.look(|ops| Ok(ops.rows.secret(&id)?))
    }

    async fn quarantine(&self, id: MatchId, quarantine: Quarantine) -> Result<(), Error> {
        quarantine.check()?;
        self.write(|ops| ops.quarantine(id, &quarantine))
    }

    async fn release(&self, id: MatchId) -> Result<(), Error> {
        self.write(|ops| ops.release(id))
    }

    async fn delete(&self, matches: Vec<MatchId>, secrets: Vec<SecretId>) -> Result<(), Error> {
        self.write(|ops| ops.delete(&matches, &secrets))
    }

    async fn start_up(&self, unix_ms: u64) -> Result<Vec<Outage>, Error> {
        self.write(|ops| ops.start_up(unix_ms))?;
        self.outages().await
    }

    async fn keep_outage(&self, outage: Outage) -> Result<(), Error> {
        self.write(|ops| ops.keep_outage(outage))
    }

    async fn outages(&self) -> Result<Vec<Outage>, Error> {
        self.look(|ops| Ok(ops.rows.outages()?))
    }

    async fn note_up(&self, unix_ms: u64) -> Result<(), Error> {
        self.write(|ops| ops.note_up(unix_ms))
    }

    fn stats(&self) -> Stats {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        Stats { quarantined: kept.tables.quarantines.len() as u64, ..kept.stats }
    }

    fn health(&self) -> watch::Receiver<StoreHealth> {
        self.health.follow()
    }

    fn retry(&self) {
        // Memory holds what is written once nothing says that it fails.
        let moments = [Moment::Begin { operations: 0 }, Moment::Commit { operations: 0 }];
        if *self.health.follow().borrow() == StoreHealth::Failing
            && moments.into_iter().all(|moment| self.faults.at(moment).is_ok())
        {
            self.health.set(StoreHealth::Writable);
        }
    }

    async fn close(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
    }
}

impl Rows for Tables {
    fn head(&self, id: MatchId) -> Result<Option<Result<Head, StoreFault>>, Failure> {
        Ok(self.heads.get(&id).cloned().map(Ok))
    }

    fn overview(&self, id: MatchId) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.overviews.get(&id).cloned())
    }

    fn secrets(
        &self,
        after: Option<&SecretId>,
        count: usize,
    ) -> Result<Vec<(SecretId, SealedSecret)>, Failure> {
        let behind = |(id, _): &(&SecretId, &SealedSecret)| after.is_none_or(|after| *id > after);
        let secrets = self.secrets.iter().filter(behind).take(count);
        Ok(secrets.map(|(id, secret)| (id.clone(), secret.clone())).collect())
    }

    fn envelope(&self, _: MatchId, at: At) -> Result<Option<Vec<u8>>, Failure> {
        let index = at.position.0.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let envelope = index.and_then(|index| self.envelopes.get(index));
        Ok(envelope.filter(|bytes| !bytes.is_empty()).cloned())
    }

    fn envelopes_of(
        &self,
        id: MatchId,
        from: Position,
        take: &mut dyn FnMut(Position, &[u8]),
    ) -> Result<(), Failure> {
        let places = (1..).map(Position).zip(&self.envelopes).skip_while(|(position, _)| *position < from);
        for (position, bytes) in places.filter(|(_, bytes)| bytes.get(1..17) == Some(id.as_bytes())) {
            take(position, bytes);
        }
        Ok(())
    }

    fn all_envelopes(&self, take: &mut dyn FnMut(Position, &[u8])) -> Result<(), Failure> {
        let places = (1..).map(Position).zip(&self.envelopes).filter(|(_, bytes)| !bytes.is_empty());
        places.for_each(|(position, bytes)| take(position, bytes));
        Ok(())
    }

    fn all_heads(&self, take: &mut dyn FnMut(MatchId, Result<Head, StoreFault>)) -> Result<(), Failure> {
        self.heads.iter().for_each(|(id, head)| take(*id, Ok(head.clone())));
        Ok(())
    }

    fn created_by(&self, account: &AccountId, request: &RequestId) -> Result<Option<MatchId>, Failure> {
        Ok(self.creations.get(&(account.clone(), request.clone())).copied())
    }

    fn quarantine(&self, id: MatchId) -> Result<Option<Quarantine>, Failure> {
        Ok(self.quarantines.get(&id).cloned())
    }

    fn last_up(&self) -> Result<Option<u64>, Failure> {
        Ok(self.last_up)
    }

    fn outages(&self) -> Result<Vec<Outage>, Failure> {
        Ok(self.outages.clone())
    }

    fn kept_contents(&self) -> Result<Vec<KeptContent>, Failure> {
        Ok(self.contents.values().cloned().collect())
    }

    fn last_act(&self) -> Result<u64, Failure> {
        Ok(self.acts.len() as u64)
    }

    fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Failure> {
        Ok(self.acts.iter().filter(|act| act.number > after).take(count).cloned().collect())
    }

    fn last_event(&self, competition: CompetitionId) -> Result<u64, Failure> {
        Ok(self.events.get(&competition).map_or(0, |events| events.len() as u64))
    }

    fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Failure> {
        let events = self.events.get(&competition).into_iter().flatten();
        Ok(events.filter(|event| event.number > after).take(count).cloned().collect())
    }

    fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Failure> {
        let behind = |id: &&CompetitionId| after.is_none_or(|after| **id > after);
        Ok(self.events.keys().filter(behind).take(count).copied().collect())
    }

    fn secret(&self, id: &SecretId) -> Result<Option<SealedSecret>, Failure> {
        Ok(self.secrets.get(id).cloned())
    }

    fn list(&self, filter: &StoreFilter, page: Page) -> Result<Vec<ListedMatch>, Failure> {
        let before = |head: &&Head| page.before.is_none_or(|before| head.id < before);
        let admitted = |head: &&Head| filter.admits(head);
        let listed = |head: &Head| {
            let overview = self.overviews.get(&head.id).cloned().unwrap_or_default();
            ListedMatch::of(head.clone(), overview, self.quarantines.get(&head.id).cloned())
        };
        let heads = self.heads.values().rev().filter(before).filter(admitted);
        Ok(heads.take(page.size() + 1).map(listed).collect())
    }
}

impl RowsMut for Tables {
    fn next_position(&self, _: u64) -> Position {
        Position(self.envelopes.len() as u64 + 1)
    }

    fn push_envelope(&mut self, _: MatchId, _: At, bytes: Vec<u8>) -> Result<(), Failure> {
        self.envelopes.push(bytes);
        Ok(())
    }

    fn remove_envelope(&mut self, _: MatchId, at: At) -> Result<(), Failure> {
        let index = at.position.0.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        if let Some(envelope) = index.and_then(|index| self.envelopes.get_mut(index)) {
            *envelope = Vec::new();
        }
        Ok(())
    }

    fn insert_head(&mut self, head: &Head, overview: &[u8]) -> Result<(), Failure> {
        self.heads.insert(head.id, head.clone());
        self.overviews.insert(head.id, overview.to_vec());
        Ok(())
    }

    fn move_head(&mut self, old: Place, new: &Head, overview: Option<&[u8]>) -> Result<bool, Failure> {
        let Some(head) = self.heads.get_mut(&new.id).filter(|head| head.at == old.at) else {
            return Ok(false);
        };
        // Nothing else of a row ever changes.
        (head.at, head.hash, head.overview) = (new.at, new.hash, new.overview);
        head.summary.become_as(&new.summary);
        if let Some(overview) = overview {
            self.overviews.insert(new.id, overview.to_vec());
        }
        Ok(true)
    }

    fn note_creation(
        &mut self,
        account: &AccountId,
        request: &RequestId,
        id: MatchId,
    ) -> Result<(), Failure> {
        self.creations.insert((account.clone(), request.clone()), id);
        Ok(())
    }

    fn remove_match(&mut self, id: MatchId) -> Result<(), Failure> {
        self.heads.remove(&id);
        self.overviews.remove(&id);
        self.quarantines.remove(&id);
        Ok(())
    }

    fn forget_creation(&mut self, account: &AccountId, request: &RequestId) -> Result<(), Failure> {
        self.creations.remove(&(account.clone(), request.clone()));
        Ok(())
    }

    fn remove_secret(&mut self, id: &SecretId) -> Result<(), Failure> {
        self.secrets.remove(id);
        Ok(())
    }

    fn set_quarantine(&mut self, id: MatchId, quarantine: &Quarantine) -> Result<(), Failure> {
        self.quarantines.entry(id).or_insert_with(|| quarantine.clone());
        Ok(())
    }

    fn lift_quarantine(&mut self, id: MatchId) -> Result<(), Failure> {
        self.quarantines.remove(&id);
        Ok(())
    }

    fn set_last_up(&mut self, unix_ms: u64) -> Result<(), Failure> {
        self.last_up = Some(unix_ms);
        Ok(())
    }

    fn set_outages(&mut self, outages: &[Outage]) -> Result<(), Failure> {
        self.outages = outages.to_vec();
        Ok(())
    }

    fn keep_content(&mut self, content: &KeptContent) -> Result<(), Failure> {
        let key = (content.game.clone(), content.hash);
        self.contents.entry(key).or_insert_with(|| content.clone());
        Ok(())
    }

    fn push_act(&mut self, act: &KeptAct) -> Result<(), Failure> {
        self.acts.push(act.clone());
        Ok(())
    }

    fn replace_act(&mut self, act: &KeptAct) -> Result<bool, Failure> {
        let kept = self.acts.iter_mut().find(|kept| kept.number == act.number);
        Ok(kept.map(|kept| kept.clone_from(act)).is_some())
    }

    fn push_event(&mut self, event: &KeptEvent) -> Result<(), Failure> {
        self.events.entry(event.competition).or_default().push(event.clone());
        Ok(())
    }

    fn replace_event(&mut self, event: &KeptEvent) -> Result<bool, Failure> {
        let events = self.events.get_mut(&event.competition).into_iter().flatten();
        let kept = events.into_iter().find(|kept| kept.number == event.number);
        Ok(kept.map(|kept| kept.clone_from(event)).is_some())
    }

    fn insert_secret(&mut self, id: &SecretId, secret: &SealedSecret) -> Result<(), Failure> {
        self.secrets.insert(id.clone(), secret.clone());
        Ok(())
    }
}
