//! One local SQLite file: the embedded store ([`SqliteStore`]).
//!
//! Appends go through a bounded line to a thread of their own, which takes as many as wait into one transaction and
//! answers them when its commit has reached the disk (write-ahead log, `synchronous=FULL`). The log is keyed by one growing
//! number, so that appends of all matches are written side by side; each envelope points to the one before in its match,
//! so that no index by match has to be kept. Reads have threads of their own, and see what is durable.
//!
//! A batch that fails is rolled back, and its callers are told so. If the disk failed, the file is opened anew before anything
//! else is written ([`reopen`]), again and again until that succeeds; until then nothing is taken.

mod closed;
mod contents;
mod copying;
mod disk;
mod episode;
mod failure;
mod fsck;
mod lock;
mod read_only;
mod readers;
mod reopen;
mod resealing;
mod schema;
mod tables;
mod writer;

pub use closed::ClosedStore;
pub use contents::{MatchesOf, StoreContents, contents};
pub use copying::{backup, compact};
pub use fsck::{FsckReport, ReportedMatch, fsck};
pub use read_only::ReadOnlyStore;
pub use resealing::SealedCopy;
#[cfg(test)]
pub(super) use schema::make_schema;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use async_trait::async_trait;
use tokio::sync::watch;

use super::act::KeptAct;
use super::content::KeptContent;
use super::create_all::CreateAll;
use super::entry::{Append, Appended, Create, MatchLog, Stored};
use super::error::{Error, Trouble};
use super::event::{self, CompetitionId, KeptEvent};
use super::faults::{Faults, NoFaults};
use super::health::{HealthTeller, StoreHealth};
use super::index::Indexes;
use super::list::{Listing, Page, StoreFilter};
use super::names::{MatchId, RequestId, RequestScope, SecretId};
use super::quarantine::Quarantine;
use super::rewrite::Rewrite;
use super::rows::Rows;
use super::secret::SealedSecret;
use super::store_ops::StoreOps;
use super::ticket::Reply;
use super::uptime::Outage;
use super::{Stats, Store, Ticket};
use crate::clock::{Clock, SystemClock};
use lock::Lock;
use readers::Readers;
pub(super) use tables::Tables;
use writer::{Counters, Line, Operation, Shared};

/// The options by which a file is used. Zeros are taken as ones.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most operations that wait to be written; callers wait beyond that.
    pub line_operations: usize,
    /// The most bytes that wait to be written.
    pub line_bytes: u32,
    /// The most operations of one transaction.
    pub batch_operations: usize,
    /// Threads that read.
    pub readers: usize,
    /// Pages of 4 KiB that the write-ahead log gathers before they go into the file.
    pub checkpoint_pages: u32,
    /// The most bytes of the file, if it is bounded: appends beyond are [`Error::Unavailable`].
    pub file_bytes_max: Option<u64>,
    /// The faults to inject.
    pub faults: Arc<dyn Faults>,
    /// The date, for quarantines.
    pub clock: Arc<dyn Clock>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            line_operations: 1_024,
            line_bytes: 64 * 1024 * 1024,
            batch_operations: 256,
            readers: 2,
            checkpoint_pages: 4_096,
            file_bytes_max: None,
            faults: Arc::new(NoFaults),
            clock: Arc::new(SystemClock::new()),
        }
    }
}

/// Keeps matches in one SQLite file, which one process has open at a time.
///
/// Dropping it waits for what is in line, as [`Store::close`] does.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    open: Mutex<Option<Open>>,
    counters: Arc<Counters>,
    indexes: Arc<Indexes>,
    health: Arc<HealthTeller>,
    clock: Arc<dyn Clock>,
}

/// The parts that closing takes away.
#[derive(Debug)]
struct Open {
    line: Line,
    readers: Readers,
    threads: Threads,
}

/// The threads, and the lock that must outlive them.
#[derive(Debug)]
struct Threads {
    reading: Vec<JoinHandle<()>>,
    writing: Option<JoinHandle<()>>,
    /// Keeps the writer waiting until the readers have ended: the last to end puts the write-ahead log away.
    line: Option<Line>,
    _lock: Arc<Lock>,
}

impl SqliteStore {
    /// Opens the store at `path`, or makes a new one there. Blocks until the file is ready, which after a crash means
    /// until the write-ahead log is taken up.
    ///
    /// # Errors
    /// [`Error::Locked`], [`Error::NotAStore`], [`Error::SchemaTooNew`], [`Error::SchemaTooOld`], [`Error::Corrupt`], [`Error::Open`].
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let mut lock = Lock::take(&path)?;
        if !schema::is_there(&path)? {
            schema::make(&path)?;
        }
        lock.take_file(&path)?;
        let connection = schema::open(&path, options)?;
        // The log of a process that died while its disk failed may be in the system's memory alone. Whoever reads it meanwhile, as
        // fsck does, keeps nobody from starting.
        reopen::empty_log(&connection).map_err(|error| failure::opening(&path, &error))?;
        let lock = Arc::new(lock);
        let (indexes, counters) = (Arc::new(Indexes::new()), Arc::new(Counters::default()));
        let health = Arc::new(HealthTeller::default());
        let shared = Shared {
            indexes: Arc::clone(&indexes),
            counters: Arc::clone(&counters),
            health: Arc::clone(&health),
            lock: Arc::clone(&lock),
        };
        let (line, writing) = writer::start(connection, &path, options, shared)?;
        let (readers, reading) = readers::start(&path, options.readers.max(1))?;
        let threads = Threads { reading, writing: Some(writing), line: Some(line.clone()), _lock: lock };
        let open = Open { line, readers, threads };
        let clock = Arc::clone(&options.clock);
        Ok(Self { path, open: Mutex::new(Some(open)), counters, indexes, health, clock })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A way into the line and to the readers.
    fn ways(&self) -> Result<(Line, Readers), Error> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.as_ref().map(|open| (open.line.clone(), open.readers.clone())).ok_or(Error::Closed)
    }

    fn shut(&self) -> Option<Threads> {
        // Without the ends that go with it, the threads finish what is in line and end.
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(open.threads)
    }

    async fn put(
        &self,
        weight: usize,
        operation: impl FnOnce(Reply<Appended>) -> Operation,
    ) -> Result<Ticket<Appended>, Error> {
        let (line, _) = self.ways()?;
        let (reply, ticket) = Ticket::new();
        line.put(weight, operation(reply)).await?;
        Ok(ticket)
    }

    async fn do_now(&self, operation: impl FnOnce(Reply<()>) -> Operation) -> Result<(), Error> {
        let (line, _) = self.ways()?;
        let (reply, ticket) = Ticket::new();
        line.put(1024, operation(reply)).await?;
        ticket.await
    }

    /// Runs a look-up on a reader's thread, on one durable sight of the file.
    async fn look<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&StoreOps<'_, Tables<'_>>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Error> {
        let (line, readers) = self.ways()?;
        let (indexes, unix_ms) = (Arc::clone(&self.indexes), self.clock.unix_ms());
        let ended = readers
            .run(move |mut rows| {
                let ops = StoreOps { rows: &mut rows, indexes: &indexes, unix_ms };
                operation(&ops)
            })
            .await?;
        if let Err(Trouble::Faulty(id, quarantine)) = &ended {
            quarantine.log(*id);
            // A look-up's finding is kept if there is room in the line; the next one finds it again.
            line.offer(Operation::NoteFault(*id, quarantine.clone()));
        }
        ended.map_err(|trouble| match Error::from(trouble) {
            // Only the writer waits after a fault of the disk.
            Error::Failed { why } => Error::Unavailable { why },
            other => other,
        })
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn create(&self, create: Create) -> Result<Ticket<Appended>, Error> {
        create.check()?;
        self.put(create.weight(), |reply| Operation::Create(Box::new(create), reply)).await
    }

    async fn create_all(&self, create: CreateAll) -> Result<Ticket<Appended>, Error> {
        create.check()?;
        self.put(create.weight(), |reply| Operation::CreateAll(Box::new(create), reply)).await
    }

    async fn append(&self, append: Append) -> Result<Ticket<Appended>, Error> {
        append.check()?;
        let id = append.id;
        if !self.indexes.contains(id) {
            // A reader can check the log meanwhile, so that the writer need not. What it finds, the writer says.
            let indexes = Arc::clone(&self.indexes);
            let _ = self.look(move |ops| ops.load(id).map(|index| indexes.offer(Box::new(index)))).await;
        }
        self.put(append.weight(), |reply| Operation::Append(Box::new(append), reply)).await
    }

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

    async fn keep_secret(&self, id: SecretId, secret: SealedSecret) -> Result<(), Error> {
        self.do_now(|reply| Operation::Keep(id, secret, reply)).await
    }

    async fn secret(&self, id: SecretId) -> Result<Option<SealedSecret>, Error> {
        self.look(move |ops| Ok(ops.rows.secret(&id)?)).await
    }

    async fn keep_content(&self, content: KeptContent) -> Result<(), Error> {
        content.check()?;
        let (line, _) = self.ways()?;
        let (reply, ticket) = Ticket::new();
        line.put(content.files.len(), Operation::KeepContent(Box::new(content), reply)).await?;
        ticket.await
    }

    async fn kept_contents(&self) -> Result<Vec<KeptContent>, Error> {
        self.look(|ops| Ok(ops.rows.kept_contents()?)).await
    }

    async fn keep_act(&self, act: KeptAct) -> Result<(), Error> {
        act.check()?;
        self.do_now(|reply| Operation::KeepAct(act, reply)).await
    }

    async fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Error> {
        self.look(move |ops| ops.kept_acts(after, count)).await
    }

    async fn rewrite_acts(&self, acts: Vec<KeptAct>) -> Result<(), Error> {
        acts.iter().try_for_each(KeptAct::check)?;
        self.do_now(|reply| Operation::RewriteActs(acts, reply)).await
    }

    async fn keep_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        event::check(&events)?;
        let (line, _) = self.ways()?;
        let (reply, ticket) = Ticket::new();
        let bytes = events.iter().map(|event| event.bytes.len()).sum();
        line.put(bytes, Operation::KeepEvents(events, reply)).await?;
        ticket.await
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

    async fn rewrite_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        event::check(&events)?;
        let (line, _) = self.ways()?;
        let (reply, ticket) = Ticket::new();
        let bytes = events.iter().map(|event| event.bytes.len()).sum();
        line.put(bytes, Operation::RewriteEvents(events, reply)).await?;
        ticket.await
    }

    async fn rewrite(&self, rewrite: Rewrite) -> Result<(), Error> {
        rewrite.check()?;
        let (line, _) = self.ways()?;
        let (reply, ticket) = Ticket::new();
        line.put(rewrite.weight(), Operation::Rewrite(Box::new(rewrite), reply)).await?;
        ticket.await
    }

    async fn compact(&self) -> Result<(), Error> {
        self.do_now(Operation::Compact).await
    }

    async fn quarantine(&self, id: MatchId, quarantine: Quarantine) -> Result<(), Error> {
        quarantine.check()?;
        self.do_now(|reply| Operation::Quarantine(id, quarantine, reply)).await
    }

    async fn release(&self, id: MatchId) -> Result<(), Error> {
        self.do_now(|reply| Operation::Release(id, reply)).await
    }

    async fn delete(&self, matches: Vec<MatchId>, secrets: Vec<SecretId>) -> Result<(), Error> {
        self.do_now(|reply| Operation::Delete(matches, secrets, reply)).await
    }

    async fn start_up(&self, unix_ms: u64) -> Result<Vec<Outage>, Error> {
        self.do_now(|reply| Operation::StartUp(unix_ms, reply)).await?;
        self.look(|ops| Ok(ops.rows.outages()?)).await
    }

    async fn note_up(&self, unix_ms: u64) -> Result<(), Error> {
        self.do_now(|reply| Operation::NoteUp(unix_ms, reply)).await
    }

    fn stats(&self) -> Stats {
        let (file_bytes, log_bytes) = disk::sizes(&self.path);
        let (line_operations, line_bytes) = self.ways().map(|(line, _)| line.waiting()).unwrap_or_default();
        Stats { line_operations, line_bytes, file_bytes, log_bytes, ..self.counters.stats() }
    }

    fn health(&self) -> watch::Receiver<StoreHealth> {
        self.health.follow()
    }

    fn retry(&self) {
        if let Ok((line, _)) = self.ways() {
            // Where there is no room in the line, what is in it is tried.
            line.offer(Operation::Retry);
        }
    }

    async fn close(&self) {
        let Some(threads) = self.shut() else { return };
        let (done, wait) = tokio::sync::oneshot::channel();
        let waiting = std::thread::Builder::new().name("store-close".into()).spawn(move || {
            drop(threads);
            let _ = done.send(());
        });
        if waiting.is_ok() {
            let _ = wait.await;
        }
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        drop(self.shut());
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A thread that panicked has left the file as its last commit made it.
        self.reading.drain(..).for_each(|thread| drop(thread.join()));
        self.line = None;
        self.writing.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}
