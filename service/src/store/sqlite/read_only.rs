//! A store that is looked at and not written, though a server may have it open: [`ReadOnlyStore`].

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use super::super::error::Error;
use super::super::lined::Lined;
use super::super::parts::Parts;
use super::super::readers::{self, Look, Readers};
use super::super::writer::Shared;
use super::failure::failure;
use super::schema;
use super::tables::Tables;
use crate::clock::{Clock, SystemClock};

/// Reads the matches of one SQLite file as they are durable, each look-up at one moment. All that would write is
/// [`Error::ReadOnly`]; faults that it finds are told, and noted nowhere.
#[derive(Debug)]
pub struct ReadOnlyStore(Parts);

impl ReadOnlyStore {
    /// Opens the store at `path`, which has to be there.
    ///
    /// # Errors
    /// [`Error::NotAStore`], [`Error::SchemaTooNew`], [`Error::SchemaTooOld`], [`Error::Corrupt`], [`Error::Open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        schema::check_is_there(path)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        Ok(Self(Parts::to_read(readers(path, 1)?, Shared::new(&clock))))
    }
}

impl Lined for ReadOnlyStore {
    fn parts(&self) -> &Parts {
        &self.0
    }
}

/// Starts `count` threads, each with a connection of its own. A look-up runs inside a transaction: it sees one moment, and what was
/// durable then.
pub(super) fn readers(path: &Path, count: usize) -> Result<(Readers, Vec<JoinHandle<()>>), Error> {
    let open = || {
        let path = path.to_owned();
        move || {
            let connection = schema::open_to_read(&path)?;
            Ok(move |look: Look| match connection.unchecked_transaction() {
                Ok(_transaction) => look(Ok(&mut Tables::new(&connection, &path, 0))),
                Err(error) => look(Err(failure(&path, &error).0)),
            })
        }
    };
    readers::start((0..count).map(|_| open()), path)
}
