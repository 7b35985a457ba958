//! The thread that writes: as many operations as wait make one transaction, whose commit answers them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::super::act::KeptAct;
use super::super::content::KeptContent;
use super::super::create_all::CreateAll;
use super::super::entry::{Append, Appended, Create};
use super::super::error::{Error, Failure, Trouble};
use super::super::event::KeptEvent;
use super::super::faults::Moment;
use super::super::health::{HealthTeller, StoreHealth};
use super::super::index::Indexes;
use super::super::names::{MatchId, SecretId};
use super::super::quarantine::Quarantine;
use super::super::rewrite::Rewrite;
use super::super::rows::RowsMut;
use super::super::secret::SealedSecret;
use super::super::store_ops::StoreOps;
use super::super::ticket::Reply;
use super::super::{Stats, StoreFailures};
use super::Options;
use super::episode::{Episode, WayOut};
use super::failure::{commit_failure, failure};
use super::lock::Lock;
use super::reopen::{empty_log, next_position, reopen, try_write};
use super::tables::Tables;

/// A task of the thread, and who waits for it.
#[derive(Debug)]
pub(super) enum Operation {
    Create(Box<Create>, Reply<Appended>),
    CreateAll(Box<CreateAll>, Reply<Appended>),
    Append(Box<Append>, Reply<Appended>),
    Keep(SecretId, SealedSecret, Reply<()>),
    KeepContent(Box<KeptContent>, Reply<()>),
    KeepAct(KeptAct, Reply<()>),
    RewriteActs(Vec<KeptAct>, Reply<()>),
    KeepEvents(Vec<KeptEvent>, Reply<()>),
    RewriteEvents(Vec<KeptEvent>, Reply<()>),
    Rewrite(Box<Rewrite>, Reply<()>),
    /// The file is written anew, apart from transactions.
    Compact(Reply<()>),
    /// The server has started at this moment.
    StartUp(u64, Reply<()>),
    /// The server is up at this moment.
    NoteUp(u64, Reply<()>),
    Quarantine(MatchId, Quarantine, Reply<()>),
    Release(MatchId, Reply<()>),
    Delete(Vec<MatchId>, Vec<SecretId>, Reply<()>),
    /// A look-up found a damaged match.
    NoteFault(MatchId, Quarantine),
    /// Somebody wants to know whether writes succeed again.
    Retry,
}

/// An operation in line, with the room that it takes there.
#[derive(Debug)]
struct Waiting {
    operation: Operation,
    /// True if it comes from the [`Home`].
    home: bool,
    room: Option<OwnedSemaphorePermit>,
}

impl Waiting {
    fn bytes(&self) -> usize {
        self.room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits)
    }
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
        place.send(Waiting { operation, home: self.is_home(), room: Some(room) });
        Ok(())
    }

    /// Operations and bytes that wait. A batch on its way to the disk is not in line any more, but has its room.
    pub(super) fn waiting(&self) -> (u64, u64) {
        let operations = self.operations.max_capacity() - self.operations.capacity();
        let bytes = (self.room_max as usize).saturating_sub(self.room.available_permits());
        (operations as u64, bytes as u64)
    }

    fn is_home(&self) -> bool {
        Handle::try_current().is_ok_and(|here| self.home.get_or_init(|| here.clone()).id() == here.id())
    }

    /// Puts the operation in line if there is room.
    pub(super) fn offer(&self, operation: Operation) {
        let _ = self.operations.try_send(Waiting { operation, home: false, room: None });
    }
}

/// The counts of what became of transactions.
#[derive(Debug, Default)]
pub(super) struct Counters {
    transactions: AtomicU64,
    appends: AtomicU64,
    failures: Mutex<StoreFailures>,
    quarantined: AtomicU64,
}

impl Counters {
    /// The counts; what waits, and how large the files are, is for others to say.
    pub(super) fn stats(&self) -> Stats {
        Stats {
            transactions: self.transactions.load(Ordering::Relaxed),
            appends: self.appends.load(Ordering::Relaxed),
            failures: *self.failures(),
            quarantined: self.quarantined.load(Ordering::Relaxed),
            ..Stats::default()
        }
    }

    fn failures(&self) -> MutexGuard<'_, StoreFailures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time between two tries to open the file anew.
const REOPEN_EVERY: Duration = Duration::from_millis(500);

/// The parts of a store that its writer changes or holds on to.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) indexes: Arc<Indexes>,
    pub(super) counters: Arc<Counters>,
    pub(super) health: Arc<HealthTeller>,
    pub(super) lock: Arc<Lock>,
}

#[derive(Debug)]
struct Writer {
    /// `None`: it was closed after a fault of the disk, and the file is not open again. It comes first, as the lock outlives it.
    connection: Option<Connection>,
    path: PathBuf,
    options: Options,
    next: u64,
    /// The time in which writes fail, if it is now.
    episode: Option<Episode>,
    home: Home,
    shared: Shared,
}

/// Starts the thread, which ends when every [`Line`] is gone and all that was in line is done.
pub(super) fn start(
    connection: Connection,
    path: &Path,
    options: &Options,
    shared: Shared,
) -> Result<(Line, JoinHandle<()>), Error> {
    let next = next_position(&connection, path).map_err(|Failure(error)| match error {
        Error::Failed { why } => Error::Open { path: path.to_owned(), why },
        other => other,
    })?;
    let quarantined = Tables::new(&connection, path, next).quarantined();
    let quarantined = quarantined.map_err(|Failure(error)| error)?;
    shared.counters.quarantined.store(quarantined, Ordering::Relaxed);
    let (operations, line) = mpsc::channel(options.line_operations.max(1));
    let room_max = options.line_bytes.max(1);
    let room = Arc::new(Semaphore::new(room_max as usize));
    let home = Home::default();
    let batch_max = options.batch_operations.max(1);
    let writer = Writer {
        connection: Some(connection),
        path: path.to_owned(),
        options: options.clone(),
        next,
        episode: None,
        home: Arc::clone(&home),
        shared,
    };
    let spawned = std::thread::Builder::new()
        .name("store-write".into())
        .spawn(move || writer.work(line, batch_max))
        .map_err(|error| Error::Open { path: path.to_owned(), why: error.to_string() })?;
    Ok((Line { operations, home, room, room_max }, spawned))
}

impl Drop for Writer {
    /// Where it panics, nobody writes any more.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.shared.health.set(StoreHealth::Lost);
        }
    }
}

impl Writer {
    fn work(mut self, mut line: mpsc::Receiver<Waiting>, batch_max: usize) {
        let mut batch = Vec::with_capacity(batch_max);
        while line.blocking_recv_many(&mut batch, batch_max) > 0 {
            self.flush(&mut batch);
        }
        if let Some(connection) = &self.connection {
            // The write-ahead log goes into the file; if it can't, the next start takes it up.
            let _ = empty_log(connection);
        }
    }

    /// Does the batch, whole or not at all, then answers. The file is written anew behind it, once for all who asked.
    fn flush(&mut self, batch: &mut Vec<Waiting>) {
        let is_compact = |waiting: &mut Waiting| matches!(waiting.operation, Operation::Compact(_));
        let compacts: Vec<Waiting> = batch.extract_if(.., is_compact).collect();
        self.flush_transaction(batch);
        if !compacts.is_empty() {
            let ended = self.compact();
            compacts.into_iter().for_each(|waiting| waiting.operation.answer(ended.clone().map(|()| DONE)));
        }
    }

    /// Writes the file anew, and empties the write-ahead log.
    fn compact(&self) -> Result<(), Error> {
        if let Some(refusal) = self.episode.as_ref().and_then(Episode::refusal) {
            return Err(refusal);
        }
        let connection = self.connection.as_ref().ok_or_else(closed)?;
        let sql = |error: rusqlite::Error| failure(&self.path, &error);
        self.options.faults.at(Moment::Begin { operations: 0 }).map_err(injected)?;
        connection.execute_batch("VACUUM").map_err(sql)?;
        match empty_log(connection).map_err(sql)? {
            true => Ok(()),
            false => Err(Error::Unavailable { why: "somebody reads the store".to_owned() }),
        }
    }

    fn flush_transaction(&mut self, batch: &mut Vec<Waiting>) {
        let all = batch.len();
        batch.retain(|waiting| !matches!(waiting.operation, Operation::Retry));
        if self.episode.is_some() {
            self.try_again(batch.len() < all);
        }
        if let Some(refusal) = self.episode.as_ref().and_then(Episode::refusal) {
            self.refuse(batch, &refusal);
            return;
        }
        if batch.is_empty() {
            return;
        }
        let bytes = batch.iter().map(Waiting::bytes).sum();
        match self.commit(batch) {
            Ok((ended, changed)) => {
                if changed && self.episode.as_ref().is_some_and(|episode| bytes >= episode.bytes()) {
                    self.recovered();
                }
                self.answer(batch.drain(..).zip(ended));
            }
            Err(Failure(error)) => {
                self.shared.counters.failures().count(&error);
                let reopen_at = self.options.clock.elapsed();
                self.failed(&error, WayOut::after(&error, reopen_at), bytes);
                let nothing_done = match error {
                    Error::Failed { why } => Error::Unavailable { why },
                    other => other,
                };
                self.refuse(batch, &nothing_done);
                // At once for the first time, since many faults pass.
                self.try_again(false);
            }
        }
    }

    /// Refuses a batch of which nothing is visible.
    fn refuse(&mut self, batch: &mut Vec<Waiting>, error: &Error) {
        if let Some(episode) = &mut self.episode {
            episode.refuse(batch.len());
        }
        for waiting in batch.drain(..) {
            // The appends that these indexes have did not happen.
            waiting.operation.matches().into_iter().for_each(|id| self.shared.indexes.forget(id));
            waiting.operation.answer(Err(error.clone()));
        }
    }

    /// Notes that a batch of so many bytes failed, or, with none, a try.
    fn failed(&mut self, error: &Error, way_out: WayOut, bytes: usize) {
        match &mut self.episode {
            Some(episode) => episode.go_on(error, way_out, bytes),
            none => {
                let now = self.options.clock.elapsed();
                *none = Some(Episode::begin(&self.path, error, way_out, bytes, now));
            }
        }
        self.shared.health.set(self.episode.as_ref().map_or(StoreHealth::Writable, Episode::health));
    }

    /// Notes that writes succeed again.
    fn recovered(&mut self) {
        if let Some(episode) = self.episode.take() {
            episode.end(self.options.clock.elapsed());
        }
        self.shared.health.set(StoreHealth::Writable);
    }

    /// Tries whether writes succeed again, if it is time to: the next operation does, too, unless the file has to be opened anew.
    /// `asked`: somebody wants to know.
    fn try_again(&mut self, asked: bool) {
        let now = self.options.clock.elapsed();
        let Some(episode) = &self.episode else { return };
        let bytes = episode.bytes();
        let (tried, reopens) = match episode.way_out() {
            WayOut::Write if asked => (self.try_write(bytes), false),
            WayOut::Reopen(at) if *at <= now => (self.reopen(bytes), true),
            _ => return,
        };
        let Err(Failure(error)) = tried else { return self.recovered() };
        let reopen_at = self.options.clock.elapsed().saturating_add(REOPEN_EVERY);
        let way_out = match WayOut::after(&error, reopen_at) {
            WayOut::Write if reopens => WayOut::Reopen(reopen_at),
            way_out => way_out,
        };
        self.failed(&error, way_out, 0);
    }

    fn try_write(&mut self, bytes: usize) -> Result<(), Failure> {
        let Some(connection) = &mut self.connection else { return Err(closed()) };
        self.options.faults.at(Moment::Begin { operations: 0 }).map_err(injected)?;
        self.options.faults.at(Moment::Commit { operations: 0 }).map_err(injected)?;
        try_write(connection, &self.path, bytes)
    }

    fn reopen(&mut self, bytes: usize) -> Result<(), Failure> {
        // First, since it may hold what another one waits for.
        self.connection = None;
        self.shared.lock.check_file(&self.path).map_err(Failure)?;
        let connection = reopen(&self.path, &self.options)?;
        // Again, lest it was exchanged in between.
        self.shared.lock.check_file(&self.path).map_err(Failure)?;
        self.next = next_position(&connection, &self.path)?;
        self.connection = Some(connection);
        self.try_write(bytes)
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

    /// Does the operations in one transaction. Returns how each ended, and whether the file has changed.
    fn commit(&mut self, batch: &[Waiting]) -> Result<(Vec<Result<Appended, Error>>, bool), Failure> {
        let operations = batch.len();
        self.options.faults.at(Moment::Begin { operations }).map_err(injected)?;
        let (path, unix_ms) = (self.path.as_path(), self.options.clock.unix_ms());
        let connection = self.connection.as_mut().ok_or_else(closed)?;
        let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(|error| failure(path, &error))?;
        let changes_before = transaction.total_changes();
        let mut rows = Tables::new(&transaction, path, self.next);
        let mut ops = StoreOps { rows: &mut rows, indexes: &self.shared.indexes, unix_ms };
        let mut ended = Vec::with_capacity(operations);
        let mut quarantines = false;
        for waiting in batch {
            let result = waiting.operation.run(&mut ops);
            ops.note_fault(&result)?;
            quarantines |= waiting.operation.is_of_quarantine() || matches!(result, Err(Trouble::Faulty(..)));
            ended.push(match result {
                Err(Trouble::Broken(failure)) => return Err(failure),
                other => other.map_err(Error::from),
            });
        }
        let quarantined = if quarantines { Some(rows.quarantined()?) } else { None };
        let next = rows.next_position().0;
        self.options.faults.at(Moment::Commit { operations }).map_err(injected)?;
        let changed = transaction.total_changes() != changes_before;
        transaction.commit().map_err(|error| commit_failure(path, &error))?;
        if let Some(quarantined) = quarantined {
            self.shared.counters.quarantined.store(quarantined, Ordering::Relaxed);
        }
        if changed {
            self.shared.counters.transactions.fetch_add(1, Ordering::Relaxed);
            self.shared.counters.appends.fetch_add(next - self.next, Ordering::Relaxed);
        }
        self.next = next;
        Ok((ended, changed))
    }
}

/// The failure that a test asked for.
fn injected(why: String) -> Failure {
    Failure(Error::Unavailable { why })
}

/// The failure of a file that is not open.
fn closed() -> Failure {
    Failure(Error::Failed { why: "the file is not open".to_owned() })
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
            Self::CreateAll(create, _) => ops.create_all(create),
            Self::Append(append, _) => ops.append(append),
            Self::Keep(id, secret, _) => ops.keep(id, secret).map(|()| DONE),
            Self::KeepContent(content, _) => Ok(ops.rows.keep_content(content)?).map(|()| DONE),
            Self::KeepAct(act, _) => ops.keep_act(act).map(|()| DONE),
            Self::RewriteActs(acts, _) => ops.rewrite_acts(acts).map(|()| DONE),
            Self::KeepEvents(events, _) => ops.keep_events(events).map(|()| DONE),
            Self::RewriteEvents(events, _) => ops.rewrite_events(events).map(|()| DONE),
            Self::Rewrite(rewrite, _) => ops.rewrite(rewrite).map(|()| DONE),
            Self::StartUp(unix_ms, _) => ops.start_up(*unix_ms).map(|()| DONE),
            Self::NoteUp(unix_ms, _) => ops.note_up(*unix_ms).map(|()| DONE),
            Self::Quarantine(id, quarantine, _) => ops.quarantine(*id, quarantine).map(|()| DONE),
            Self::NoteFault(id, quarantine) => ops.quarantine(*id, quarantine).map(|()| DONE),
            Self::Release(id, _) => ops.release(*id).map(|()| DONE),
            Self::Delete(matches, secrets, _) => ops.delete(matches, secrets).map(|()| DONE),
            // Taken out before.
            Self::Compact(_) | Self::Retry => Ok(DONE),
        }
    }

    /// A caller who has gone away wants no answer.
    fn answer(self, ended: Result<Appended, Error>) {
        match self {
            Self::Create(_, reply) | Self::CreateAll(_, reply) | Self::Append(_, reply) => reply.send(ended),
            Self::Keep(_, _, reply)
            | Self::KeepContent(_, reply)
            | Self::KeepAct(_, reply)
            | Self::RewriteActs(_, reply)
            | Self::KeepEvents(_, reply)
            | Self::RewriteEvents(_, reply)
            | Self::Rewrite(_, reply)
            | Self::Compact(reply)
            | Self::StartUp(_, reply)
            | Self::NoteUp(_, reply)
            | Self::Quarantine(_, _, reply)
            | Self::Delete(_, _, reply)
            | Self::Release(_, reply) => {
                reply.send(ended.map(|_| ()));
            }
            Self::NoteFault(..) | Self::Retry => {}
        }
    }

    /// Returns whether it puts matches into quarantine, or takes them out.
    const fn is_of_quarantine(&self) -> bool {
        matches!(self, Self::Quarantine(..) | Self::NoteFault(..) | Self::Release(..) | Self::Delete(..))
    }

    /// The matches that it may have changed.
    fn matches(&self) -> Vec<MatchId> {
        match self {
            Self::Create(create, _) => vec![create.id],
            Self::CreateAll(create, _) => create.ids().collect(),
            Self::Append(append, _) => vec![append.id],
            Self::Quarantine(id, ..) | Self::NoteFault(id, _) | Self::Release(id, _) => vec![*id],
            Self::Rewrite(rewrite, _) => vec![rewrite.id],
            // Deleted matches have no index any more.
            Self::Delete(..)
            | Self::Keep(..)
            | Self::KeepContent(..)
            | Self::KeepAct(..)
            | Self::RewriteActs(..)
            | Self::KeepEvents(..)
            | Self::RewriteEvents(..)
            | Self::Compact(_)
            | Self::StartUp(..)
            | Self::NoteUp(..)
            | Self::Retry => Vec::new(),
        }
    }
}
