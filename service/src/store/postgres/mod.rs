//! Matches in PostgreSQL: the store of several machines ([`PostgresStore`]).
//!
//! Appends go through a bounded line to a thread of their own, which takes as many as wait, and puts them into one statement:
//! its commit answers them, and waits for the quorum where the database is replicated synchronously. A match's appends are
//! keyed by match and revision, so that no number is the whole store's. Each batch holds that the server still owns the shards of
//! its matches ([`fence`]); look-ups have threads and connections of their own, to the primary alone.
//!
//! A commit of which the answer was lost may have happened, and may vanish yet: the primary shows what its standbys do not have.
//! So nothing is written or read before a later commit was answered ([`medium`]): the log is linear, and what stood before that
//! commit is then known to stay.

mod appends;
mod connecting;
mod failure;
mod fence;
mod looks;
mod medium;
mod readers;
mod schema;
mod session;
mod tables;

pub use connecting::PostgresServer;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use async_trait::async_trait;
use tokio::sync::watch;

use super::Stats;
use super::counters::Counters;
use super::error::Error;
use super::faults::{Faults, NoFaults};
use super::fsck::{FsckReport, look_through};
use super::health::{HealthTeller, StoreHealth};
use super::index::Indexes;
use super::line::Line;
use super::lined::{self, Lined, Look, drop_apart};
use super::writer::{self, LineLimits, Shared};
use crate::clock::{Clock, SystemClock};
use medium::DatabaseMedium;
use readers::Readers;

/// The options by which a database is used. Zeros are taken as ones.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    /// The most operations that wait to be written; callers wait beyond that.
    pub line_operations: usize,
    /// The most bytes that wait to be written.
    pub line_bytes: u32,
    /// The most operations of one transaction.
    pub batch_operations: usize,
    /// Connections that read.
    pub readers: usize,
    /// The faults to inject.
    pub faults: Arc<dyn Faults>,
    /// The date, for quarantines.
    pub clock: Arc<dyn Clock>,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            line_operations: 4_096,
            line_bytes: 64 * 1024 * 1024,
            batch_operations: 512,
            readers: 4,
            faults: Arc::new(NoFaults),
            clock: Arc::new(SystemClock::new()),
        }
    }
}

/// Keeps matches in a database of PostgreSQL, of which one server writes each shard at a time.
///
/// Dropping it waits for what is in line, as [`super::Store::close`] does.
#[derive(Debug)]
pub struct PostgresStore {
    name: Arc<Path>,
    open: Mutex<Option<Open>>,
    counters: Arc<Counters>,
    indexes: Arc<Indexes>,
    health: Arc<HealthTeller>,
    clock: Arc<dyn Clock>,
}

/// The parts that closing takes away.
#[derive(Debug)]
struct Open {
    /// `None`: it is only looked at.
    line: Option<Line>,
    readers: Readers,
    threads: Threads,
}

#[derive(Debug)]
struct Threads {
    reading: Vec<JoinHandle<()>>,
    writing: Option<JoinHandle<()>>,
}

impl PostgresStore {
    /// Opens the store in this database, makes its tables where there are none, and takes all shards over from whoever had them.
    /// Blocks until that is done.
    ///
    /// # Errors
    /// [`Error::Open`] if the database can't be reached or refuses, [`Error::NotAStore`], [`Error::SchemaTooNew`],
    /// [`Error::Corrupt`].
    pub fn open(server: &PostgresServer, options: &PostgresOptions) -> Result<Self, Error> {
        let (indexes, counters) = (Arc::new(Indexes::new()), Arc::new(Counters::default()));
        let (health, settled) = (Arc::new(HealthTeller::default()), Arc::new(AtomicBool::new(false)));
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
        let medium = {
            let (server, options, shared, settled) =
                (server.clone(), options.clone(), shared.clone(), Arc::clone(&settled));
            move || DatabaseMedium::open(server, options, &shared, settled)
        };
        let name = server.name();
        let (line, writing) = writer::start(medium, &name, limits, shared)?;
        let (readers, reading) = readers::start(server, options.readers.max(1), &settled)?;
        let threads = Threads { reading, writing: Some(writing) };
        let open = Mutex::new(Some(Open { line: Some(line), readers, threads }));
        let clock = Arc::clone(&options.clock);
        Ok(Self { name, open, counters, indexes, health, clock })
    }

    /// Opens the store in this database to look at it, whichever servers write there. All that would write is [`Error::ReadOnly`];
    /// faults that it finds are told, and noted nowhere. Blocks until the database has answered.
    ///
    /// # Errors
    /// [`Error::Open`], also if there is no store; [`Error::SchemaTooNew`], [`Error::Corrupt`].
    pub fn open_to_read(server: &PostgresServer) -> Result<Self, Error> {
        let (readers, reading) = readers::start_alone(server)?;
        let open = Open { line: None, readers, threads: Threads { reading, writing: None } };
        Ok(Self {
            name: server.name(),
            open: Mutex::new(Some(open)),
            counters: Arc::default(),
            indexes: Arc::new(Indexes::new()),
            health: Arc::default(),
            clock: Arc::new(SystemClock::new()),
        })
    }

    /// Reads all of the store, and changes nothing.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Unavailable`], [`Error::Closed`].
    pub async fn fsck(&self) -> Result<FsckReport, Error> {
        let looked = lined::look(self, |ops| Ok(look_through(ops.rows)?));
        let (matches, strays) = looked.await?;
        Ok(FsckReport { schema: schema::KNOWN, complaints: Vec::new(), matches, strays })
    }

    /// The database's address, without what is secret of it.
    #[must_use]
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// A way into the line, if there is one, and to the readers.
    fn ways(&self) -> Result<(Option<Line>, Readers), Error> {
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
impl Lined for PostgresStore {
    fn line(&self) -> Result<Line, Error> {
        self.ways().and_then(|(line, _)| line.ok_or(Error::ReadOnly))
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
        let (line_operations, line_bytes) = self.line().map(|line| line.waiting()).unwrap_or_default();
        Stats { line_operations, line_bytes, ..self.counters.stats() }
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

impl Drop for PostgresStore {
    fn drop(&mut self) {
        drop(self.shut());
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A thread that panicked has left the database as its last commit made it.
        self.writing.take().into_iter().for_each(|thread| drop(thread.join()));
        self.reading.drain(..).for_each(|thread| drop(thread.join()));
    }
}
