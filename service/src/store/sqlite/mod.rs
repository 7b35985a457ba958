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
mod failure;
mod fsck;
mod lock;
mod medium;
mod read_only;
mod readers;
mod reopen;
mod resealing;
mod schema;
mod tables;

pub use closed::ClosedStore;
pub use contents::{MatchesOf, StoreContents, contents};
pub use copying::{backup, compact};
pub use fsck::fsck;
pub use read_only::ReadOnlyStore;
pub use resealing::SealedCopy;
#[cfg(test)]
pub(super) use schema::make_schema;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use async_trait::async_trait;
use tokio::sync::watch;

use super::Stats;
use super::counters::Counters;
use super::error::Error;
use super::faults::{Faults, NoFaults};
use super::health::{HealthTeller, StoreHealth};
use super::index::Indexes;
use super::line::Line;
use super::lined::{Lined, Look, drop_apart};
use super::writer::{self, LineLimits, Shared};
use crate::clock::{Clock, SystemClock};
use lock::Lock;
use medium::FileMedium;
use readers::Readers;
#[cfg(test)]
pub(super) use tables::Tables;

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
/// Dropping it waits for what is in line, as [`Store::close`](super::Store::close) does.
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
        let (medium, quarantined) =
            FileMedium::new(connection, &path, options, Arc::clone(&indexes), Arc::clone(&lock))?;
        counters.set_quarantined(quarantined);
        let shared = Shared {
            indexes: Arc::clone(&indexes),
            counters: Arc::clone(&counters),
            health: Arc::clone(&health),
            clock: Arc::clone(&options.clock),
        };
        let limits = LineLimits {
            operations: options.line_operations,
            bytes: options.line_bytes,
            batch: options.batch_operations,
        };
        let (line, writing) = writer::start(move || Ok(medium), &path, limits, shared)?;
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
}

#[async_trait]
impl Lined for SqliteStore {
    fn line(&self) -> Result<Line, Error> {
        self.ways().map(|(line, _)| line)
    }

    fn indexes(&self) -> &Arc<Indexes> {
        &self.indexes
    }

    fn unix_ms(&self) -> u64 {
        self.clock.unix_ms()
    }

    async fn sight(&self, look: Look) -> Result<(), Error> {
        let (_, readers) = self.ways()?;
        readers.look(look).await
    }

    fn figures(&self) -> Stats {
        let (file_bytes, log_bytes) = disk::sizes(&self.path);
        let (line_operations, line_bytes) = self.ways().map(|(line, _)| line.waiting()).unwrap_or_default();
        Stats { line_operations, line_bytes, file_bytes, log_bytes, ..self.counters.stats() }
    }

    fn follow_health(&self) -> watch::Receiver<StoreHealth> {
        self.health.follow()
    }

    async fn shut_down(&self) {
        if let Some(threads) = self.shut() {
            drop_apart(threads).await;
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
