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
mod client;
mod connecting;
mod failure;
mod fence;
mod lease;
mod looks;
mod medium;
mod member;
mod membership;
mod owners;
mod readers;
mod schema;
mod session;
mod tables;

pub use connecting::PostgresServer;
pub use membership::{Claims, Membership, Standing};
pub use owners::{Member, Owners, ServerId};

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::error::Error;
use super::faults::{Faults, NoFaults};
use super::fsck::{FsckReport, look_through};
use super::lined::{self, Lined};
use super::parts::Parts;
use super::writer::{self, LineLimits, Shared};
use crate::clock::{Clock, SystemClock};
use fence::HeldShards;
use medium::DatabaseMedium;

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
    parts: Parts,
}

impl PostgresStore {
    /// Opens the store in this database, makes its tables where there are none, and takes all shards over from whoever had them
    /// without a lease. Blocks until that is done.
    ///
    /// # Errors
    /// [`Error::Open`] if the database can't be reached or refuses, [`Error::NotAStore`], [`Error::SchemaTooNew`],
    /// [`Error::Corrupt`]; [`Error::Locked`] if a server has a lease on it ([`Membership`]).
    pub fn open(server: &PostgresServer, options: &PostgresOptions) -> Result<Self, Error> {
        Self::start(server, options, None)
    }

    /// Opens the store of which a server among several owns some shards, or may come to. Blocks until that is done.
    ///
    /// # Errors
    /// As [`Self::open`]; [`Error::Locked`] if it has opened it before.
    pub fn open_owned(
        server: &PostgresServer,
        options: &PostgresOptions,
        membership: &Membership,
    ) -> Result<Self, Error> {
        let shards = membership.take_held();
        let shards = shards.ok_or_else(|| Error::Locked { path: server.name().to_path_buf() })?;
        Self::start(server, options, Some(shards))
    }

    fn start(
        server: &PostgresServer,
        options: &PostgresOptions,
        shards: Option<HeldShards>,
    ) -> Result<Self, Error> {
        let (name, shared) = (server.name(), Shared::new(&options.clock));
        let settled = Arc::new(AtomicBool::new(false));
        let limits = LineLimits {
            operations: options.line_operations,
            bytes: options.line_bytes,
            batch: options.batch_operations,
        };
        let (held, is_taken) = (shards.clone().unwrap_or_default(), shards.is_some());
        let medium = {
            let (server, options, shared, settled) =
                (server.clone(), options.clone(), shared.clone(), Arc::clone(&settled));
            let held = held.clone();
            move || DatabaseMedium::open(server, options, (held, is_taken), &shared, settled)
        };
        let writing = writer::start(medium, &name, limits, shared.clone())?;
        let reading = readers::start(server, options.readers.max(1), &settled, &held)?;
        Ok(Self { name, parts: Parts::new(writing, reading, shared) })
    }

    /// Opens the store in this database to look at it, whichever servers write there. All that would write is [`Error::ReadOnly`];
    /// faults that it finds are told, and noted nowhere. Blocks until the database has answered.
    ///
    /// # Errors
    /// [`Error::Open`], also if there is no store; [`Error::SchemaTooNew`], [`Error::Corrupt`].
    pub fn open_to_read(server: &PostgresServer) -> Result<Self, Error> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let parts = Parts::to_read(readers::start_alone(server)?, Shared::new(&clock));
        Ok(Self { name: server.name(), parts })
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
}

impl Lined for PostgresStore {
    fn parts(&self) -> &Parts {
        &self.parts
    }
}
