//! Stores that fail at moments, wait until they are let, or take long.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use async_trait::async_trait;
use edgehill_service::store::{
    Append, Appended, CompetitionId, Create, CreateAll, Error, Faults, KeptAct, KeptContent, KeptEvent,
    Listing, MatchId, MatchLog, Moment, Outage, Page, Quarantine, RequestId, RequestScope, Rewrite,
    SealedSecret, SecretId, Stats, Store, StoreFilter, StoreHealth, Stored, Ticket,
};
use tokio::sync::watch;

/// Fails commits at moments that follow from a number, while it is told to.
#[derive(Debug)]
pub(crate) struct Flaky {
    state: AtomicU64,
    on: AtomicBool,
    /// The next commit fails whatever the dice say: of a few that go in one transaction none might.
    first: AtomicBool,
    pub(crate) failed: AtomicU64,
}

impl Flaky {
    pub(crate) fn new(seed: u64) -> Arc<Self> {
        let [on, first] = [false; 2].map(AtomicBool::new);
        Arc::new(Self { state: AtomicU64::new(seed), on, first, failed: AtomicU64::new(0) })
    }

    pub(crate) fn set(&self, on: bool) {
        self.first.store(on, Ordering::SeqCst);
        self.on.store(on, Ordering::SeqCst);
    }
}

impl Faults for Flaky {
    fn at(&self, moment: Moment) -> Result<(), String> {
        let next = |state: u64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let before = self.state.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |state| Some(next(state)));
        let commits = matches!(moment, Moment::Commit { .. });
        let unlucky = before.unwrap_or(0) >> 40 & 3 == 0;
        if commits && self.on.load(Ordering::SeqCst) && (self.first.swap(false, Ordering::SeqCst) || unlucky)
        {
            self.failed.fetch_add(1, Ordering::SeqCst);
            return Err("a fault of the test".to_owned());
        }
        Ok(())
    }
}

/// Holds the thread that writes, while it is told to.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    held: Mutex<bool>,
    opened: Condvar,
    waits: AtomicBool,
}

impl Gate {
    pub(crate) fn hold(&self) {
        *self.held.lock().unwrap() = true;
    }

    /// Returns whether the thread waits here, with what was in line.
    pub(crate) fn has_writer(&self) -> bool {
        self.waits.load(Ordering::SeqCst)
    }

    pub(crate) fn open(&self) {
        *self.held.lock().unwrap() = false;
        self.opened.notify_all();
    }
}

impl Faults for Gate {
    fn at(&self, _: Moment) -> Result<(), String> {
        let held = self.held.lock().unwrap();
        self.waits.store(*held, Ordering::SeqCst);
        drop(self.opened.wait_while(held, |held| *held).unwrap());
        Ok(())
    }
}

/// A store in whose line appends find no room while it is told so, and from which a match can go while it is read.
pub(crate) struct Full {
    inner: Arc<dyn Store>,
    full: watch::Sender<bool>,
    /// Number of logs asked for.
    pub(crate) reads: AtomicU64,
    /// Number of appends that came.
    pub(crate) appends: AtomicU64,
    /// A match that is deleted with its secret before that is read.
    pub(crate) going: Mutex<Option<MatchId>>,
}

impl Full {
    pub(crate) fn new(inner: Arc<dyn Store>) -> Self {
        let (reads, appends) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { inner, full: watch::Sender::new(false), reads, appends, going: Mutex::new(None) }
    }

    pub(crate) fn set(&self, full: bool) {
        self.full.send_replace(full);
    }
}

#[async_trait]
impl Store for Full {
    async fn append(&self, append: Append) -> Result<Ticket<Appended>, Error> {
        self.appends.fetch_add(1, Ordering::SeqCst);
        let _ = self.full.subscribe().wait_for(|full| !full).await;
        // Gives way now and then, so that the caller who waits can be dropped here.
        for _ in 0..append.expected % 4 {
            tokio::task::yield_now().await;
        }
        self.inner.append(append).await
    }

    async fn create(&self, create: Create) -> Result<Ticket<Appended>, Error> {
        self.inner.create(create).await
    }

    async fn create_all(&self, create: CreateAll) -> Result<Ticket<Appended>, Error> {
        self.inner.create_all(create).await
    }

    async fn read(&self, id: MatchId, from: u64) -> Result<MatchLog, Error> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        self.inner.read(id, from).await
    }

    async fn read_stopped(&self, id: MatchId) -> Result<MatchLog, Error> {
        self.inner.read_stopped(id).await
    }

    async fn list(&self, filter: StoreFilter, page: Page) -> Result<Listing, Error> {
        self.inner.list(filter, page).await
    }

    async fn request(&self, scope: RequestScope, id: RequestId) -> Result<Option<Stored>, Error> {
        self.inner.request(scope, id).await
    }

    async fn keep_act(&self, act: KeptAct) -> Result<(), Error> {
        self.inner.keep_act(act).await
    }

    async fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Error> {
        self.inner.kept_acts(after, count).await
    }

    async fn keep_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        self.inner.keep_events(events).await
    }

    async fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Error> {
        self.inner.kept_events(competition, after, count).await
    }

    async fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Error> {
        self.inner.kept_competitions(after, count).await
    }

    async fn rewrite_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        self.inner.rewrite_events(events).await
    }

    async fn keep_secret(&self, id: SecretId, secret: SealedSecret) -> Result<(), Error> {
        self.inner.keep_secret(id, secret).await
    }

    async fn keep_content(&self, content: KeptContent) -> Result<(), Error> {
        self.inner.keep_content(content).await
    }

    async fn kept_contents(&self) -> Result<Vec<KeptContent>, Error> {
        self.inner.kept_contents().await
    }

    async fn secret(&self, id: SecretId) -> Result<Option<SealedSecret>, Error> {
        let going = self
            .going
            .lock()
            .unwrap()
            .take_if(|going| id == SecretId::new(format!("match:{going}")).unwrap());
        if let Some(going) = going {
            self.inner.delete(vec![going], vec![id.clone()]).await?;
        }
        self.inner.secret(id).await
    }

    async fn rewrite_acts(&self, acts: Vec<KeptAct>) -> Result<(), Error> {
        self.inner.rewrite_acts(acts).await
    }

    async fn rewrite(&self, rewrite: Rewrite) -> Result<(), Error> {
        self.inner.rewrite(rewrite).await
    }

    async fn compact(&self) -> Result<(), Error> {
        self.inner.compact().await
    }

    async fn quarantine(&self, id: MatchId, quarantine: Quarantine) -> Result<(), Error> {
        self.inner.quarantine(id, quarantine).await
    }

    async fn release(&self, id: MatchId) -> Result<(), Error> {
        self.inner.release(id).await
    }

    async fn delete(&self, matches: Vec<MatchId>, secrets: Vec<SecretId>) -> Result<(), Error> {
        self.inner.delete(matches, secrets).await
    }

    async fn start_up(&self, unix_ms: u64) -> Result<Vec<Outage>, Error> {
        self.inner.start_up(unix_ms).await
    }

    async fn keep_outage(&self, outage: Outage) -> Result<(), Error> {
        self.inner.keep_outage(outage).await
    }

    async fn outages(&self) -> Result<Vec<Outage>, Error> {
        self.inner.outages().await
    }

    async fn note_up(&self, unix_ms: u64) -> Result<(), Error> {
        self.inner.note_up(unix_ms).await
    }

    fn stats(&self) -> Stats {
        self.inner.stats()
    }

    fn health(&self) -> watch::Receiver<StoreHealth> {
        self.inner.health()
    }

    fn retry(&self) {
        self.inner.retry();
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}
