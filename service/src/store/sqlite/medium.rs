//! The file as what is written to: [`FileMedium`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};

use super::super::error::{Error, Failure};
use super::super::faults::Moment;
use super::super::index::Indexes;
use super::super::line::Waiting;
use super::super::store_ops::StoreOps;
use super::super::writer::{self, Committed, Medium, injected};
use super::Options;
use super::checkpoints::Checkpoints;
use super::disk;
use super::failure::{commit_failure, failure};
use super::lock::Lock;
use super::reopen::{empty_log, next_position, reopen, try_write};
use super::tables::Tables;

/// An open file.
#[derive(Debug)]
pub(super) struct FileMedium {
    /// `None`: it was closed after a fault of the disk, and the file is not open again. It comes first, as the lock outlives it.
    open: Option<Open>,
    path: PathBuf,
    options: Options,
    next: u64,
    indexes: Arc<Indexes>,
    lock: Lock,
}

/// The connections that write.
#[derive(Debug)]
struct Open {
    checkpoints: Checkpoints,
    connection: Connection,
}

impl Open {
    fn new(mut connection: Connection, path: &Path, options: &Options) -> Result<Self, Error> {
        let checkpoints = Checkpoints::start(&mut connection, path, options)?;
        Ok(Self { checkpoints, connection })
    }
}

impl FileMedium {
    /// The file to which this connection leads, and the number of its matches in quarantine.
    pub(super) fn new(
        connection: Connection,
        path: &Path,
        options: &Options,
        indexes: Arc<Indexes>,
        lock: Lock,
    ) -> Result<(Self, u64), Error> {
        let next = next_position(&connection, path).map_err(|Failure(error)| match error {
            Error::Failed { why } => Error::Open { path: path.to_owned(), why },
            other => other,
        })?;
        let quarantined = Tables::new(&connection, path, next).quarantined();
        let quarantined = quarantined.map_err(|Failure(error)| error)?;
        let open = Some(Open::new(connection, path, options)?);
        let (path, options) = (path.to_owned(), options.clone());
        Ok((Self { open, path, options, next, indexes, lock }, quarantined))
    }
}

impl Medium for FileMedium {
    fn name(&self) -> &Path {
        &self.path
    }

    fn commit(&mut self, batch: &[Waiting]) -> Result<Committed, Failure> {
        let operations = batch.len();
        self.options.faults.at(Moment::Begin { operations }).map_err(injected)?;
        let (path, unix_ms) = (self.path.as_path(), self.options.clock.unix_ms());
        let Open { checkpoints, connection } = self.open.as_mut().ok_or_else(closed)?;
        let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(|error| failure(path, &error))?;
        let changes_before = transaction.total_changes();
        let mut rows = Tables::new(&transaction, path, self.next);
        let mut ops = StoreOps { rows: &mut rows, indexes: &self.indexes, unix_ms };
        let (ended, quarantines) = writer::run(&mut ops, batch, |_| None)?;
        let quarantined = if quarantines { Some(rows.quarantined()?) } else { None };
        let next = rows.next();
        self.options.faults.at(Moment::Commit { operations }).map_err(injected)?;
        let is_changed = transaction.total_changes() != changes_before;
        transaction.commit().map_err(|error| commit_failure(path, &error))?;
        checkpoints.committed(connection);
        let appends = next - self.next;
        self.next = next;
        Ok(Committed { ended, is_changed, appends, quarantined })
    }

    /// Empties the write-ahead log, too.
    fn compact(&mut self) -> Result<(), Failure> {
        let Open { checkpoints, connection } = self.open.as_mut().ok_or_else(closed)?;
        let sql = |error: rusqlite::Error| failure(&self.path, &error);
        self.options.faults.at(Moment::Begin { operations: 0 }).map_err(injected)?;
        checkpoints.settle();
        connection.execute_batch("VACUUM").map_err(sql)?;
        match empty_log(connection).map_err(sql)? {
            true => Ok(()),
            false => Err(Failure(Error::Unavailable { why: "somebody reads the store".to_owned() })),
        }
    }

    fn try_write(&mut self, bytes: usize) -> Result<(), Failure> {
        let Some(Open { connection, .. }) = &mut self.open else { return Err(closed()) };
        self.options.faults.at(Moment::Begin { operations: 0 }).map_err(injected)?;
        self.options.faults.at(Moment::Commit { operations: 0 }).map_err(injected)?;
        try_write(connection, &self.path, bytes)
    }

    fn reopen(&mut self) -> Result<(), Failure> {
        // First, since it may hold what another one waits for.
        self.open = None;
        self.lock.check_file(&self.path).map_err(Failure)?;
        let connection = reopen(&self.path, &self.options)?;
        // Again, lest it was exchanged in between.
        self.lock.check_file(&self.path).map_err(Failure)?;
        self.next = next_position(&connection, &self.path)?;
        self.open = Some(Open::new(connection, &self.path, &self.options).map_err(Failure)?);
        Ok(())
    }

    fn fault_below(&self) -> Option<String> {
        disk::error_now(&self.path).map(|error| error.to_string())
    }

    fn end(&mut self) {
        if let Some(Open { checkpoints, connection }) = &mut self.open {
            checkpoints.settle();
            // The write-ahead log goes into the file; if it can't, the next start takes it up.
            let _ = empty_log(connection);
        }
    }
}

/// The failure of a file that is not open.
fn closed() -> Failure {
    Failure(Error::Failed { why: "the file is not open".to_owned() })
}
