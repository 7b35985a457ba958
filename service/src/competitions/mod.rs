//! Competitions on a server ([`Competitions`]): their logs in the store, and what is due of them done.
//!
//! A competition is the fold of its log ([`edgehill_competition::Competition`]). Calls write events into it, and a driver for each
//! that is running does what is due: it pairs rounds, makes matches, watches them to their end, and writes that down. Matches are made under requests whose names
//! follow from their places in the competition, so that a driver which was stopped between a match and its event makes it once.
//!
//! Invariants: what a reader sees is durable; what is in memory is the fold of what is in the store; whatever is cut short goes on with
//! the next start.

mod driver;
mod ending;
mod erasing;
mod error;
mod figures;
mod hosted;
mod logged_event;
mod matchmaking;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edgehill_competition::{CompetitionEvent, CompetitionPhase, CompetitionSettings};
use lru::LruCache;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

pub use error::Error;
pub use hosted::{CompetitionOverview, HostedCompetition};
pub use logged_event::{EntrantParty, LoggedEvent};

use figures::VerdictCounts;

use crate::clock::Clock;
use crate::host::Host;
use crate::identity::{HOUSE_ID, ServerKey};
use crate::matches::{Ask, PinNote};
use crate::store::limits::{EVENTS_KEPT_MAX, EVENTS_READ_MAX};
use crate::store::{self, AccountId, CompetitionId, Store};

/// Number of competitions that are over and kept in memory: those that were looked at last.
const RECENT_MAX: NonZeroUsize = NonZeroUsize::new(32).unwrap();

/// The competitions of a server. Copies are the same.
#[derive(Clone)]
pub struct Competitions(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    key: ServerKey,
    clock: Arc<dyn Clock>,
    host: Host,
    verdicts: VerdictCounts,
    closing: CancellationToken,
    /// Locked while one is created.
    creating: tokio::sync::Mutex<()>,
    shelf: Mutex<Shelf>,
}

struct Shelf {
    slots: HashMap<CompetitionId, Arc<Slot>>,
    /// Those that are over and in memory.
    recent: LruCache<CompetitionId, ()>,
    /// The number of those in the store that can't be read.
    unreadable: usize,
}

/// The place of a competition.
struct Slot {
    id: CompetitionId,
    overview: Mutex<CompetitionOverview>,
    /// The competition, if it is in memory.
    state: tokio::sync::Mutex<Option<Arc<HostedCompetition>>>,
    /// The number of its last event.
    last_event: watch::Sender<u64>,
    /// Wakes its driver.
    changed: Notify,
}

/// An event to write, with who plays, if somebody enrols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEvent {
    /// The event.
    pub event: CompetitionEvent,
    /// Of an enrolment, who plays.
    pub party: Option<EntrantParty>,
}

impl From<CompetitionEvent> for NewEvent {
    fn from(event: CompetitionEvent) -> Self {
        Self { event, party: None }
    }
}

/// An event that a call has come to, and the competition as it is now.
#[derive(Clone, Debug)]
pub struct Written {
    /// The event.
    pub event: LoggedEvent,
    /// The competition.
    pub hosted: Arc<HostedCompetition>,
}

impl Competitions {
    /// The competitions in the store, of which those that are running go on, until `closing` is cancelled.
    ///
    /// # Errors
    /// If the store can't be read. One whose log leads nowhere is left alone, and told in the log.
    pub async fn open(
        host: Host,
        store: Arc<dyn Store>,
        key: ServerKey,
        clock: Arc<dyn Clock>,
        closing: CancellationToken,
    ) -> Result<Self, Error> {
        let shelf = Shelf { slots: HashMap::new(), recent: LruCache::new(RECENT_MAX), unreadable: 0 };
        let inner = Inner {
            store,
            key,
            clock,
            host,
            verdicts: VerdictCounts::default(),
            closing,
            creating: tokio::sync::Mutex::default(),
            shelf: Mutex::new(shelf),
        };
        let competitions = Self(Arc::new(inner));
        let mut after = None;
        loop {
            let ids = competitions.0.store.kept_competitions(after, EVENTS_READ_MAX).await?;
            let Some(&last) = ids.last() else { break };
            after = Some(last);
            for id in ids {
                match competitions.0.load(id).await {
                    Ok(hosted) => competitions.0.take_up(hosted),
                    Err(error @ (Error::Unreadable { .. } | Error::Unreplayable { .. })) => {
                        tracing::error!(competition = %id, %error, "a competition can't be read, and does not go on");
                        competitions.0.shelf().unreadable += 1;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(competitions)
    }

    /// Creates a competition, unless the request did so before.
    ///
    /// # Errors
    /// If the request id was used for something else, the settings are not accepted, or the account has `max` that are not over.
    pub async fn create(
        &self,
        organizer: AccountId,
        ask: Ask,
        settings: CompetitionSettings,
        rules: PinNote,
        max: usize,
    ) -> Result<Written, Error> {
        let inner = Arc::clone(&self.0);
        finished(tokio::spawn(async move { inner.create(organizer, ask, settings, rules, max).await })).await
    }

    /// Writes what `make` makes of a competition as it is, unless the request was answered before. It is done also where nobody waits
    /// for it any more.
    ///
    /// # Errors
    /// [`Error`](enum@Error); nothing was done then, unless it is a store's that says that nobody knows: the same request tells.
    pub async fn perform(
        &self,
        id: CompetitionId,
        actor: AccountId,
        ask: Ask,
        make: impl FnOnce(&HostedCompetition) -> Result<NewEvent, Error> + Send + 'static,
    ) -> Result<Written, Error> {
        let inner = Arc::clone(&self.0);
        finished(tokio::spawn(async move { inner.perform(id, actor, ask, make).await })).await
    }

    /// A competition, as it is now.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Store`], [`Error::Unreadable`], [`Error::Unreplayable`].
    pub async fn get(&self, id: CompetitionId) -> Result<Arc<HostedCompetition>, Error> {
        self.0.state(&*self.0.slot(id)?).await
    }

    /// A competition, as lists show it.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub fn overview(&self, id: CompetitionId) -> Result<CompetitionOverview, Error> {
        Ok(self.0.slot(id)?.overview().clone())
    }

    /// All competitions as lists show them, last made first.
    #[must_use]
    pub fn overviews(&self) -> Vec<CompetitionOverview> {
        let mut overviews: Vec<_> = {
            let shelf = self.0.shelf();
            shelf.slots.values().map(|slot| slot.overview().clone()).collect()
        };
        overviews.sort_unstable_by_key(|one| Reverse((one.created_ms, one.id)));
        overviews
    }

    /// The number of competitions that are being played.
    #[must_use]
    pub fn running(&self) -> usize {
        self.0
            .shelf()
            .slots
            .values()
            .filter(|slot| slot.overview().phase == CompetitionPhase::Running)
            .count()
    }

    /// The number of competitions that do not go on: something hinders them, or their log can't be read.
    #[must_use]
    pub fn hindered(&self) -> usize {
        let shelf = self.0.shelf();
        shelf.unreadable + shelf.slots.values().filter(|slot| !slot.overview().trouble.is_empty()).count()
    }

    /// The numbers of verdicts that were written since the server started, by kind.
    #[must_use]
    pub fn verdicts(&self) -> Vec<(&'static str, u64)> {
        self.0.verdicts.counts().to_vec()
    }

    /// The number of a competition's last event, as it grows.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub fn follow(&self, id: CompetitionId) -> Result<watch::Receiver<u64>, Error> {
        Ok(self.0.slot(id)?.last_event.subscribe())
    }
}

/// The outcome of something that goes on where its caller has gone.
async fn finished<T>(done: tokio::task::JoinHandle<Result<T, Error>>) -> Result<T, Error> {
    match done.await {
        Ok(done) => done,
        // It costs this call, as it would have here.
        Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
        Err(_) => Err(store::Error::Closed.into()),
    }
}

impl Slot {
    fn overview(&self) -> MutexGuard<'_, CompetitionOverview> {
        self.overview.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_trouble(&self, trouble: &str) {
        let mut overview = self.overview();
        if overview.trouble != trouble {
            trouble.clone_into(&mut overview.trouble);
        }
    }

    /// Shows others what the competition has become.
    fn show(&self, hosted: &HostedCompetition) {
        {
            let mut overview = self.overview();
            let trouble = std::mem::take(&mut overview.trouble);
            *overview = CompetitionOverview { trouble, ..hosted.overview() };
        }
        self.last_event.send_replace(hosted.last_event());
        self.changed.notify_one();
    }
}

impl Inner {
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        // Its parts go together between any two statements.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, id: CompetitionId) -> Result<Arc<Slot>, Error> {
        self.shelf().slots.get(&id).cloned().ok_or(Error::Unknown(id))
    }

    /// Reads a competition from the store.
    async fn load(&self, id: CompetitionId) -> Result<HostedCompetition, Error> {
        let mut log = Vec::new();
        loop {
            let kept = self.store.kept_events(id, log.len() as u64, EVENTS_READ_MAX).await?;
            if kept.is_empty() {
                return HostedCompetition::replay(id, log);
            }
            for event in &kept {
                log.push(LoggedEvent::read(event)?);
            }
        }
    }

    /// Puts a competition on the shelf, and has it driven if it is running.
    fn take_up(self: &Arc<Self>, hosted: HostedCompetition) {
        let (id, phase) = (hosted.id(), hosted.competition().phase());
        self.host.publish(id, hosted.published_rounds());
        let is_over = matches!(phase, CompetitionPhase::Finished | CompetitionPhase::Cancelled);
        let slot = Arc::new(Slot {
            id,
            overview: Mutex::new(hosted.overview()),
            last_event: watch::Sender::new(hosted.last_event()),
            state: tokio::sync::Mutex::new((!is_over).then(|| Arc::new(hosted))),
            changed: Notify::new(),
        });
        self.shelf().slots.insert(id, Arc::clone(&slot));
        // One that was cancelled may have matches that are not ended yet.
        if phase != CompetitionPhase::Enrolling && phase != CompetitionPhase::Finished {
            driver::start(Arc::clone(self), slot);
        }
    }

    /// A competition, read from the store if it is not in memory.
    async fn state(&self, slot: &Slot) -> Result<Arc<HostedCompetition>, Error> {
        let mut state = slot.state.lock().await;
        self.loaded(slot, &mut state).await
    }

    async fn loaded(
        &self,
        slot: &Slot,
        state: &mut Option<Arc<HostedCompetition>>,
    ) -> Result<Arc<HostedCompetition>, Error> {
        if let Some(hosted) = state {
            return Ok(Arc::clone(hosted));
        }
        let hosted = Arc::new(self.load(slot.id).await?);
        // An event of which nobody knew whether it was durable may be there.
        if hosted.last_event() != *slot.last_event.borrow() {
            self.host.publish(slot.id, hosted.published_rounds());
            slot.show(&hosted);
        }
        *state = Some(Arc::clone(&hosted));
        if matches!(hosted.competition().phase(), CompetitionPhase::Finished | CompetitionPhase::Cancelled) {
            self.keep_recent(slot.id);
        }
        Ok(hosted)
    }

    /// Notes that a competition that is over is in memory; another one has to make room.
    fn keep_recent(&self, id: CompetitionId) {
        let mut shelf = self.shelf();
        let leaving = shelf.recent.push(id, ()).map(|(leaving, ())| leaving).filter(|leaving| *leaving != id);
        if let Some(slot) = leaving.and_then(|leaving| shelf.slots.get(&leaving))
            && let Ok(mut state) = slot.state.try_lock()
        {
            *state = None;
        }
    }

    async fn create(
        self: &Arc<Self>,
        organizer: AccountId,
        ask: Ask,
        settings: CompetitionSettings,
        rules: PinNote,
        max: usize,
    ) -> Result<Written, Error> {
        let _creating = self.creating.lock().await;
        let id = self.key.competition_id(&organizer, &ask.id);
        if let Ok(slot) = self.slot(id) {
            return self.repeated(&slot, &organizer, &ask).await;
        }
        settings.check().map_err(edgehill_competition::CompetitionRefusal::from)?;
        let is_open = |overview: &CompetitionOverview| {
            overview.organizer == organizer
                && matches!(overview.phase, CompetitionPhase::Enrolling | CompetitionPhase::Running)
        };
        let count = self.shelf().slots.values().filter(|slot| is_open(&slot.overview())).count();
        if count >= max {
            return Err(Error::TooMany { max });
        }
        let event = LoggedEvent {
            number: 1,
            at_ms: self.clock.unix_ms(),
            actor: organizer.clone(),
            ask: Some(ask.clone()),
            party: None,
            rules: Some(rules),
            event: CompetitionEvent::Created(Box::new(settings)),
        };
        let kept = self.store.keep_events(vec![event.to_kept(id)]).await;
        // Of one that nobody knew to be durable the store tells.
        if !matches!(kept, Ok(()) | Err(store::Error::EventConflict { .. })) {
            kept?;
        }
        self.take_up(self.load(id).await?);
        self.repeated(&*self.slot(id)?, &organizer, &ask).await
    }

    /// The event that a request has come to.
    async fn repeated(&self, slot: &Slot, actor: &AccountId, ask: &Ask) -> Result<Written, Error> {
        let hosted = self.state(slot).await?;
        let event = hosted.answered(actor, ask)?.and_then(|number| hosted.event(number)).cloned();
        Ok(Written { event: event.ok_or(Error::RequestReused)?, hosted })
    }

    async fn perform(
        self: &Arc<Self>,
        id: CompetitionId,
        actor: AccountId,
        ask: Ask,
        make: impl FnOnce(&HostedCompetition) -> Result<NewEvent, Error>,
    ) -> Result<Written, Error> {
        let slot = self.slot(id)?;
        let mut state = slot.state.lock().await;
        let hosted = self.loaded(&slot, &mut state).await?;
        if let Some(number) = hosted.answered(&actor, &ask)? {
            let event = hosted.event(number).cloned().ok_or(Error::RequestReused)?;
            return Ok(Written { event, hosted });
        }
        let NewEvent { event, party } = make(&hosted)?;
        let starts = event == CompetitionEvent::Started;
        let number = hosted.last_event() + 1;
        let at_ms = self.clock.unix_ms();
        let event = LoggedEvent { number, at_ms, actor, ask: Some(ask), party, rules: None, event };
        let hosted = self.write(&slot, &mut state, &hosted, vec![event.clone()]).await?;
        drop(state);
        if starts {
            driver::start(Arc::clone(self), slot);
        }
        Ok(Written { event, hosted })
    }

    /// Writes what a driver has done. What the competition does not take any more, since something else came first, is left out.
    async fn append(&self, slot: &Slot, events: Vec<CompetitionEvent>) -> Result<(), Error> {
        let actor = AccountId::new(HOUSE_ID)?;
        for events in events.chunks(EVENTS_KEPT_MAX) {
            let mut state = slot.state.lock().await;
            let hosted = self.loaded(slot, &mut state).await?;
            let (mut next, at_ms) = (hosted.competition().clone(), self.clock.unix_ms());
            let mut logged = Vec::with_capacity(events.len());
            for event in events {
                if let Err(refusal) = next.apply(event) {
                    tracing::debug!(competition = %slot.id, %refusal, "an event has come too late");
                    continue;
                }
                logged.push(LoggedEvent {
                    number: hosted.last_event() + 1 + logged.len() as u64,
                    at_ms,
                    actor: actor.clone(),
                    ask: None,
                    party: None,
                    rules: None,
                    event: event.clone(),
                });
            }
            if !logged.is_empty() {
                self.write(slot, &mut state, &hosted, logged).await?;
            }
        }
        Ok(())
    }

    /// Makes events durable, and shows others what the competition has become.
    async fn write(
        &self,
        slot: &Slot,
        state: &mut Option<Arc<HostedCompetition>>,
        hosted: &HostedCompetition,
        events: Vec<LoggedEvent>,
    ) -> Result<Arc<HostedCompetition>, Error> {
        let next = Arc::new(hosted.with(&events)?);
        let kept = events.iter().map(|event| event.to_kept(slot.id)).collect();
        if let Err(error) = self.store.keep_events(kept).await {
            // It may be there all the same: the next look reads it.
            *state = None;
            return Err(error.into());
        }
        *state = Some(Arc::clone(&next));
        events.iter().for_each(|event| self.verdicts.count(&event.event));
        self.host.publish(slot.id, next.published_rounds());
        slot.show(&next);
        Ok(next)
    }
}

impl std::fmt::Debug for Competitions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Competitions").field("host", &self.0.host).finish_non_exhaustive()
    }
}
