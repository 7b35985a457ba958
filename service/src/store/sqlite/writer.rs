//! The thread that writes: as many operations as wait make one transaction, whose commit answers them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use rusqlite::{Connection, TransactionBehavior};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::super::Stats;
use super::super::entry::{Append, Appended, Create};
use super::super::error::{Error, Failure, Trouble};
use super::super::faults::{Faults, Moment};
use super::super::index::Indexes;
use super::super::names::{MatchId, SecretId};
use super::super::quarantine::Quarantine;
use super::super::rows::RowsMut;
use super::super::secret::SealedSecret;
use super::super::store_ops::StoreOps;
use super::super::ticket::Reply;
use super::Options;
use super::failure::{corrupt, failure, opening};
use super::tables::Tables;
use crate::clock::Clock;

/// A task of the thread, and who waits for it.
#[derive(Debug)]
pub(super) enum Operation {
    Create(Box<Create>, Reply<Appended>),
    Append(Box<Append>, Reply<Appended>),
    Keep(SecretId, SealedSecret, Reply<()>),
    /// The server has started at this moment.
    StartUp(u64, Reply<()>),
    /// The server is up at this moment.
    NoteUp(u64, Reply<()>),
    Quarantine(MatchId, Quarantine, Reply<()>),
    Release(MatchId, Reply<()>),
    /// A look-up found a damaged match.
    NoteFault(MatchId, Quarantine),
}

/// An operation in line, with the room that it takes there.
#[derive(Debug)]
struct Waiting {
    operation: Operation,
    /// True if it comes from the [`Home`].
    home: bool,
    _room: Option<OwnedSemaphorePermit>,
}

/// The runtime that the first operation came from, as most do: those that wait for a batch there are woken there, all by one
/// task, which costs less than to wake each of them from the thread that writes.
type Home = Arc<OnceLock<Handle>>;

/// The way into the line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    operations: mpsc::Sender<Waiting>,
    home: Home,
    room: Arc<Semaphore>,
    room_max: u32,
}

impl Line {
    /// Waits for room, then puts the operation in line. `weight` is in bytes.
    pub(super) async fn put(&self, weight: usize, operation: Operation) -> Result<(), Error> {
        // One operation alone may be as large as all the room.
        let weight = u32::try_from(weight).unwrap_or(u32::MAX).min(self.room_max);
        let place = self.operations.reserve().await.map_err(|_| Error::Closed)?;
        let room = Arc::clone(&self.room).acquire_many_owned(weight).await.map_err(|_| Error::Closed)?;
        place.send(Waiting { operation, home: self.is_home(), _room: Some(room) });
        Ok(())
    }

    fn is_home(&self) -> bool {
        Handle::try_current().is_ok_and(|here| self.home.get_or_init(|| here.clone()).id() == here.id())
    }

    /// Puts the operation in line if there is room.
    pub(super) fn offer(&self, operation: Operation) {
        let _ = self.operations.try_send(Waiting { operation, home: false, _room: None });
    }
}

/// The counts of what became durable.
#[derive(Debug, Default)]
pub(super) struct Counters {
    transactions: AtomicU64,
    appends: AtomicU64,
    failures: AtomicU64,
}

impl Counters {
    pub(super) fn stats(&self) -> Stats {
        Stats {
            transactions: self.transactions.load(Ordering::Relaxed),
            appends: self.appends.load(Ordering::Relaxed),
            failures: self.failures.load(Ordering::Relaxed),
        }
    }
}

#[derive(Debug)]
struct Writer {
    connection: Connection,
    path: PathBuf,
    next: u64,
    indexes: Arc<Indexes>,
    counters: Arc<Counters>,
    faults: Arc<dyn Faults>,
    clock: Arc<dyn Clock>,
    /// After a fault of the disk nothing more is written.
    failed: Option<Error>,
    home: Home,
}

/// Starts the thread, which ends when every [`Line`] is gone and all that was in line is done.
pub(super) fn start(
    connection: Connection,
    path: &Path,
    options: &Options,
    indexes: Arc<Indexes>,
    counters: Arc<Counters>,
) -> Result<(Line, JoinHandle<()>), Error> {
    let last = connection.query_row("SELECT coalesce(max(position), 0) FROM appends", [], |row| row.get(0));
    let last: i64 = last.map_err(|error| opening(path, &error))?;
    let next = u64::try_from(last).map_err(|_| corrupt(path, "its last append has no position"))? + 1;
    let (operations, line) = mpsc::channel(options.line_operations.max(1));
    let room_max = options.line_bytes.max(1);
    let room = Arc::new(Semaphore::new(room_max as usize));
    let (faults, clock) = (Arc::clone(&options.faults), Arc::clone(&options.clock));
    let (home, path) = (Home::default(), path.to_owned());
    let at_home = Arc::clone(&home);
    let writer = Writer {
        connection,
        path: path.clone(),
        next,
        indexes,
        counters,
        faults,
        clock,
        failed: None,
        home: at_home,
    };
    let batch_max = options.batch_operations.max(1);
    let spawned = std::thread::Builder::new()
        .name("store-write".into())
        .spawn(move || writer.work(line, batch_max))
        .map_err(|error| Error::Open { path, why: error.to_string() })?;
    Ok((Line { operations, home, room, room_max }, spawned))
}

impl Writer {
    fn work(mut self, mut line: mpsc::Receiver<Waiting>, batch_max: usize) {
        let mut batch = Vec::with_capacity(batch_max);
        while line.blocking_recv_many(&mut batch, batch_max) > 0 {
            self.flush(&mut batch);
        }
        // The write-ahead log goes into the file; if it can't, the next start takes it up.
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }

    /// Does the batch, whole or not at all, then answers.
    fn flush(&mut self, batch: &mut Vec<Waiting>) {
        if let Some(error) = &self.failed {
            batch.drain(..).for_each(|waiting| waiting.operation.answer(Err(error.clone())));
            return;
        }
        match self.commit(batch) {
            Ok(ended) => self.answer(batch.drain(..).zip(ended)),
            Err(Failure(error)) => {
                self.counters.failures.fetch_add(1, Ordering::Relaxed);
                for waiting in batch.iter() {
                    // The appends that these indexes have did not happen.
                    waiting.operation.matches().into_iter().for_each(|id| self.indexes.forget(id));
                }
                let (now, later) = match error {
                    Error::Failed { why } => {
                        (Error::Unavailable { why: why.clone() }, Some(Error::Failed { why }))
                    }
                    Error::Corrupt { .. } => (error.clone(), Some(error)),
                    other => (other, None),
                };
                self.failed = later;
                batch.drain(..).for_each(|waiting| waiting.operation.answer(Err(now.clone())));
            }
        }
    }

    /// Answers what was done.
    fn answer(&self, done: impl Iterator<Item = (Waiting, Result<Appended, Error>)>) {
        let (at_home, away): (Vec<_>, Vec<_>) = done.partition(|(waiting, _)| waiting.home);
        drop(Answers(away));
        let answers = Answers(at_home);
        match self.home.get() {
            Some(home) if answers.0.len() > 1 => drop(home.spawn(async move { drop(answers) })),
            _ => drop(answers),
        }
    }

    fn commit(&mut self, batch: &[Waiting]) -> Result<Vec<Result<Appended, Error>>, Failure> {
        let operations = batch.len();
        let injected = |why| Failure(Error::Unavailable { why });
        self.faults.at(Moment::Begin { operations }).map_err(injected)?;
        let (path, unix_ms) = (self.path.as_path(), self.clock.unix_ms());
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(|error| failure(path, &error))?;
        let changes_before = transaction.total_changes();
        let mut rows = Tables::new(&transaction, path, self.next);
        let mut ops = StoreOps { rows: &mut rows, indexes: &self.indexes, unix_ms };
        let mut ended = Vec::with_capacity(operations);
        for waiting in batch {
            let result = waiting.operation.run(&mut ops);
            ops.note_fault(&result)?;
            ended.push(match result {
                Err(Trouble::Broken(failure)) => return Err(failure),
                other => other.map_err(Error::from),
            });
        }
        let next = rows.next_position().0;
        self.faults.at(Moment::Commit { operations }).map_err(injected)?;
        let changed = transaction.total_changes() != changes_before;
        transaction.commit().map_err(|error| failure(path, &error))?;
        if changed {
            self.counters.transactions.fetch_add(1, Ordering::Relaxed);
            self.counters.appends.fetch_add(next - self.next, Ordering::Relaxed);
        }
        self.next = next;
        Ok(ended)
    }
}

/// The operations that were done, and how they ended. Those who wait are notified when it is dropped, so that
/// they are notified also where a runtime ends before it comes to it.
struct Answers(Vec<(Waiting, Result<Appended, Error>)>);

impl Drop for Answers {
    fn drop(&mut self) {
        for (waiting, ended) in self.0.drain(..) {
            waiting.operation.answer(ended);
        }
    }
}

/// The value that stands for "done" where an operation has no place in the log.
const DONE: Appended =
    Appended::Written(super::super::At { revision: 0, position: super::super::Position(0) });

impl Operation {
    fn run(&self, ops: &mut StoreOps<'_, Tables<'_>>) -> Result<Appended, Trouble> {
        match self {
            Self::Create(create, _) => ops.create(create),
            Self::Append(append, _) => ops.append(append),
            Self::Keep(id, secret, _) => ops.keep(id, secret).map(|()| DONE),
            Self::StartUp(unix_ms, _) => ops.start_up(*unix_ms).map(|()| DONE),
            Self::NoteUp(unix_ms, _) => ops.note_up(*unix_ms).map(|()| DONE),
            Self::Quarantine(id, quarantine, _) => ops.quarantine(*id, quarantine).map(|()| DONE),
            Self::NoteFault(id, quarantine) => ops.quarantine(*id, quarantine).map(|()| DONE),
            Self::Release(id, _) => ops.release(*id).map(|()| DONE),
        }
    }

    /// A caller who has gone away wants no answer.
    fn answer(self, ended: Result<Appended, Error>) {
        match self {
            Self::Create(_, reply) | Self::Append(_, reply) => reply.send(ended),
            Self::Keep(_, _, reply)
            | Self::StartUp(_, reply)
            | Self::NoteUp(_, reply)
            | Self::Quarantine(_, _, reply)
            | Self::Release(_, reply) => {
                reply.send(ended.map(|_| ()));
            }
            Self::NoteFault(..) => {}
        }
    }

    /// The matches that it may have changed.
    fn matches(&self) -> Option<MatchId> {
        match self {
            Self::Create(create, _) => Some(create.id),
            Self::Append(append, _) => Some(append.id),
            Self::Quarantine(id, ..) | Self::NoteFault(id, _) | Self::Release(id, _) => Some(*id),
            Self::Keep(..) | Self::StartUp(..) | Self::NoteUp(..) => None,
        }
    }
}
