//! A store that is looked at and not written, though a server may have it open: [`ReadOnlyStore`].

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use async_trait::async_trait;
use tokio::sync::watch;

use super::super::Stats;
use super::super::error::Error;
use super::super::health::{HealthTeller, StoreHealth};
use super::super::index::Indexes;
use super::super::line::Line;
use super::super::lined::{Lined, Look};
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
impl Lined for ReadOnlyStore {
    fn line(&self) -> Result<Line, Error> {
        Err(Error::ReadOnly)
    }

    fn indexes(&self) -> &Arc<Indexes> {
        &self.indexes
    }

    fn unix_ms(&self) -> u64 {
        self.clock.unix_ms()
    }

    async fn sight(&self, look: Look) -> Result<(), Error> {
        let readers = {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.as_ref().map(|open| open.readers.clone()).ok_or(Error::Closed)?
        };
        readers.look(look).await
    }

    fn figures(&self) -> Stats {
        Stats::default()
    }

    fn follow_health(&self) -> watch::Receiver<StoreHealth> {
        self.health.follow()
    }

    async fn shut_down(&self) {
        self.shut();
    }
}
