//! A store that is looked at and not written, though a server may have it open: [`ReadOnlyStore`].

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use async_trait::async_trait;
use tokio::sync::watch;

use super::super::act::KeptAct;
use super::super::content::KeptContent;
use super::super::create_all::CreateAll;
use super::super::entry::{Append, Appended, Create, MatchLog, Stored};
use super::super::error::{Error, Trouble};
use super::super::event::{CompetitionId, KeptEvent};
use super::super::health::{HealthTeller, StoreHealth};
use super::super::index::Indexes;
use super::super::list::{Listing, Page, StoreFilter};
use super::super::names::{MatchId, RequestId, RequestScope, SecretId};
use super::super::quarantine::Quarantine;
use super::super::rewrite::Rewrite;
use super::super::rows::Rows;
use super::super::secret::SealedSecret;
use super::super::store_ops::StoreOps;
use super::super::uptime::Outage;
use super::super::{Stats, Store, Ticket};
use super::Tables;
use super::readers::{self, Readers};
use super::schema;
use crate::clock::{Clock, SystemClock};

/// Reads the matches of one SQLite file as they are durable, each look-up at one moment. All that would write is
/// [`Error::ReadOnly`]; faults that it finds are told, and noted nowhere.
#[derive(Debug)]
pub struct ReadOnlyStore {
    open: Mutex<Option<Open>>,
    indexes: Arc<Indexes>,
    health: HealthTeller,
    clock: SystemClock,
}

#[derive(Debug)]
struct Open {
    readers: Readers,
    reading: Vec<JoinHandle<()>>,
}

impl ReadOnlyStore {
    /// Opens the store at `path`, which has to be there.
    ///
    /// # Errors
    /// [`Error::NotAStore`], [`Error::SchemaTooNew`], [`Error::SchemaTooOld`], [`Error::Corrupt`], [`Error::Open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        schema::check_is_there(path)?;
        let (readers, reading) = readers::start(path, 1)?;
        Ok(Self {
            open: Mutex::new(Some(Open { readers, reading })),
            indexes: Arc::new(Indexes::new()),
            health: HealthTeller::default(),
            clock: SystemClock::new(),
        })
    }

    async fn look<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&StoreOps<'_, Tables<'_>>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Error> {
        let readers = {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.as_ref().map(|open| open.readers.clone()).ok_or(Error::Closed)?
        };
        let (indexes, unix_ms) = (Arc::clone(&self.indexes), self.clock.unix_ms());
        let ended = readers
            .run(move |mut rows| operation(&StoreOps { rows: &mut rows, indexes: &indexes, unix_ms }))
            .await?;
        ended.map_err(Error::from)
    }

    fn shut(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Open { readers, reading }) = open else { return };
        // Without a way to it, the thread ends.
        drop(readers);
        // One that panicked has written nothing.
        reading.into_iter().for_each(|thread| drop(thread.join()));
    }
}

impl Drop for ReadOnlyStore {
    fn drop(&mut self) {
        self.shut();
    }
}

#[async_trait]
impl Store for ReadOnlyStore {
    async fn read(&self, id: MatchId, from: u64) -> Result<MatchLog, Error> {
        self.look(move |ops| ops.read(id, from)).await
    }

    async fn read_stopped(&self, id: MatchId) -> Result<MatchLog, Error> {
        self.look(move |ops| ops.read_stopped(id)).await
    }

    async fn list(&self, filter: StoreFilter, page: Page) -> Result<Listing, Error> {
        self.look(move |ops| Ok(Listing::of(ops.rows.list(&filter, page)?, page))).await
    }

    async fn request(&self, scope: RequestScope, id: RequestId) -> Result<Option<Stored>, Error> {
        self.look(move |ops| ops.request(&scope, &id)).await
    }

    async fn secret(&self, id: SecretId) -> Result<Option<SealedSecret>, Error> {
        self.look(move |ops| Ok(ops.rows.secret(&id)?)).await
    }

    async fn kept_contents(&self) -> Result<Vec<KeptContent>, Error> {
        self.look(|ops| Ok(ops.rows.kept_contents()?)).await
    }

    async fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Error> {
        self.look(move |ops| ops.kept_acts(after, count)).await
    }

    async fn create(&self, _: Create) -> Result<Ticket<Appended>, Error> {
        Err(Error::ReadOnly)
    }

    async fn create_all(&self, _: CreateAll) -> Result<Ticket<Appended>, Error> {
        Err(Error::ReadOnly)
    }

    async fn append(&self, _: Append) -> Result<Ticket<Appended>, Error> {
        Err(Error::ReadOnly)
    }

    async fn keep_secret(&self, _: SecretId, _: SealedSecret) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn keep_content(&self, _: KeptContent) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn keep_act(&self, _: KeptAct) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn rewrite_acts(&self, _: Vec<KeptAct>) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn keep_events(&self, _: Vec<KeptEvent>) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Error> {
        self.look(move |ops| ops.kept_events(competition, after, count)).await
    }

    async fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Error> {
        self.look(move |ops| ops.kept_competitions(after, count)).await
    }

    async fn rewrite_events(&self, _: Vec<KeptEvent>) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn rewrite(&self, _: Rewrite) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn compact(&self) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn quarantine(&self, _: MatchId, _: Quarantine) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn release(&self, _: MatchId) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn delete(&self, _: Vec<MatchId>, _: Vec<SecretId>) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    async fn start_up(&self, _: u64) -> Result<Vec<Outage>, Error> {
        Err(Error::ReadOnly)
    }

    async fn note_up(&self, _: u64) -> Result<(), Error> {
        Err(Error::ReadOnly)
    }

    fn stats(&self) -> Stats {
        Stats::default()
    }

    fn health(&self) -> watch::Receiver<StoreHealth> {
        self.health.follow()
    }

    fn retry(&self) {}

    async fn close(&self) {
        self.shut();
    }
}
