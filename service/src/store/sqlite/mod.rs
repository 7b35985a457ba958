//! One local SQLite file: the embedded store ([`SqliteStore`]).
//!
//! Appends go through a bounded line to a thread of their own, which takes as many as wait into one transaction and
//! answers them when its commit has reached the disk (write-ahead log, `synchronous=FULL`). The log is keyed by one growing
//! number, so that appends of all matches are written side by side; each envelope points to the one before in its match,
//! so that no index by match has to be kept. Reads have threads of their own, and see what is durable.
//!
//! A batch that fails is rolled back, and its callers are told so. If the disk failed, the file is opened anew before anything
//! else is written ([`reopen`]), again and again until that succeeds; until then nothing is taken.

mod checkpoints;
mod closed;
mod contents;
mod copying;
mod disk;
mod failure;
mod fsck;
mod lock;
mod medium;
mod read_only;
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
use std::sync::Arc;

use super::error::Error;
use super::faults::{Faults, NoFaults};
use super::lined::Lined;
use super::parts::Parts;
use super::writer::{self, LineLimits, Shared};
use crate::clock::{Clock, SystemClock};
use lock::Lock;
use medium::FileMedium;
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
    parts: Parts,
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
        let shared = Shared::new(&options.clock);
        let (medium, quarantined) =
            FileMedium::new(connection, &path, options, Arc::clone(&shared.indexes), lock)?;
        shared.counters.set_quarantined(quarantined);
        let limits = LineLimits {
            operations: options.line_operations,
            bytes: options.line_bytes,
            batch: options.batch_operations,
        };
        let writing = writer::start(move || Ok(medium), &path, limits, shared.clone())?;
        let reading = read_only::readers(&path, options.readers.max(1))?;
        Ok(Self { path, parts: Parts::new(writing, reading, shared) })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Lined for SqliteStore {
    fn parts(&self) -> &Parts {
        &self.parts
    }

    fn file_sizes(&self) -> (u64, u64) {
        disk::sizes(&self.path)
    }
}
