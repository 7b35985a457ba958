//! The thread that writes: as many operations as wait make one transaction, whose commit answers them ([`Writer`]). What they
//! are written to is a [`Medium`].

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::mpsc;

use super::counters::Counters;
use super::entry::Appended;
use super::episode::{Episode, WayOut};
use super::error::{Error, Failure, Trouble};
use super::health::{HealthTeller, StoreHealth};
use super::index::Indexes;
use super::line::{self, Home, Line, Waiting};
use super::operation::{DONE, Operation};
use super::rows::RowsMut;
use super::store_ops::StoreOps;
use super::threads;
use crate::clock::Clock;

/// The time between two tries to open what is written to anew.
const REOPEN_EVERY: Duration = Duration::from_millis(500);

/// The thing that operations are written to.
pub(super) trait Medium: Debug + Send + 'static {
    /// Its name, for the log.
    fn name(&self) -> &Path;

    /// Does the operations in one transaction, whole or not at all.
    fn commit(&mut self, batch: &[Waiting]) -> Result<Committed, Failure>;

    /// Writes its own files anew, without what was taken out of them.
    fn compact(&mut self) -> Result<(), Failure>;

    /// Tries whether so many bytes can be written.
    fn try_write(&mut self, bytes: usize) -> Result<(), Failure>;

    /// Opens itself anew, as what it is known to hold.
    fn reopen(&mut self) -> Result<(), Failure>;

    /// The operating system's word on why a write failed, if there is one.
    fn fault_below(&self) -> Option<String>;

    /// Puts away what is open, once nothing is in line any more.
    fn end(&mut self);
}

/// The end of a batch that is durable.
#[derive(Debug)]
pub(super) struct Committed {
    /// The end of each of its operations.
    pub(super) ended: Vec<Result<Appended, Error>>,
    /// True if anything was written.
    pub(super) is_changed: bool,
    /// Creates and appends that were written.
    pub(super) appends: u64,
    /// The number of matches in quarantine, where that may have changed.
    pub(super) quarantined: Option<u64>,
}

/// Does a batch's operations on rows, but for those that `refused` has an error for; returns how each ended, and whether matches went into
/// quarantine or came out.
pub(super) fn run<R: RowsMut>(
    ops: &mut StoreOps<'_, R>,
    batch: &[Waiting],
    refused: impl Fn(&Operation) -> Option<Error>,
) -> Result<(Vec<Result<Appended, Error>>, bool), Failure> {
    let (mut ended, mut quarantines) = (Vec::with_capacity(batch.len()), false);
    for waiting in batch {
        if let Some(error) = refused(&waiting.operation) {
            ended.push(Err(error));
            continue;
        }
        let result = waiting.operation.run(ops);
        ops.note_fault(&result)?;
        quarantines |= waiting.operation.is_of_quarantine() || matches!(result, Err(Trouble::Faulty(..)));
        ended.push(match result {
            Err(Trouble::Broken(failure)) => return Err(failure),
            other => other.map_err(Error::from),
        });
    }
    Ok((ended, quarantines))
}

/// The failure that a test asked for.
pub(super) fn injected(why: String) -> Failure {
    Failure(Error::Unavailable { why })
}

/// The things that a store's threads share.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) indexes: Arc<Indexes>,
    pub(super) counters: Arc<Counters>,
    pub(super) health: Arc<HealthTeller>,
    pub(super) clock: Arc<dyn Clock>,
}

impl Shared {
    /// With nothing in it yet.
    pub(super) fn new(clock: &Arc<dyn Clock>) -> Self {
        let (indexes, counters) = (Arc::new(Indexes::new()), Arc::default());
        Self { indexes, counters, health: Arc::default(), clock: Arc::clone(clock) }
    }
}

/// The most that waits, and that is written at once.
#[derive(Copy, Clone, Debug)]
pub(super) struct LineLimits {
    pub(super) operations: usize,
    pub(super) bytes: u32,
    pub(super) batch: usize,
}

#[derive(Debug)]
struct Writer<M> {
    medium: M,
    /// The time in which writes fail, if it is now.
    episode: Option<Episode>,
    home: Home,
    shared: Shared,
}

/// Starts the thread with what `open` gives it there, and waits for that. It ends when every [`Line`] is gone and all that was in
/// line is done.
pub(super) fn start<M: Medium>(
    open: impl FnOnce() -> Result<M, Error> + Send + 'static,
    name: &Path,
    limits: LineLimits,
    shared: Shared,
) -> Result<(Line, JoinHandle<()>), Error> {
    let (line, waiting) = Line::new(limits.operations, limits.bytes);
    let (home, batch_max) = (line.home(), limits.batch.max(1));
    let writing = threads::spawn("store-write", name, open, move |medium| {
        Writer { medium, episode: None, home, shared }.work(waiting, batch_max);
    });
    Ok((line, writing?))
}

impl<M> Drop for Writer<M> {
    /// Where it panics, nobody writes any more.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.shared.health.set(StoreHealth::Lost);
        }
    }
}

impl<M: Medium> Writer<M> {
    fn work(mut self, mut line: mpsc::Receiver<Waiting>, batch_max: usize) {
        let mut batch = Vec::with_capacity(batch_max);
        while line.blocking_recv_many(&mut batch, batch_max) > 0 {
            self.flush(&mut batch);
        }
        self.medium.end();
    }

    /// Does the batch, whole or not at all, then answers. Files are written anew behind it, once for all who asked.
    fn flush(&mut self, batch: &mut Vec<Waiting>) {
        let is_compact = |waiting: &mut Waiting| matches!(waiting.operation, Operation::Compact(_));
        let compacts: Vec<Waiting> = batch.extract_if(.., is_compact).collect();
        self.flush_transaction(batch);
        if !compacts.is_empty() {
            let ended = match self.episode.as_ref().and_then(Episode::refusal) {
                Some(refusal) => Err(refusal),
                None => self.medium.compact().map_err(|Failure(error)| error),
            };
            compacts.into_iter().for_each(|waiting| waiting.operation.answer(ended.clone().map(|()| DONE)));
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
        match self.medium.commit(batch) {
            Ok(Committed { ended, is_changed, appends, quarantined }) => {
                if let Some(quarantined) = quarantined {
                    self.shared.counters.set_quarantined(quarantined);
                }
                if is_changed {
                    self.shared.counters.committed(appends);
                    if self.episode.as_ref().is_some_and(|episode| bytes >= episode.bytes()) {
                        self.recovered();
                    }
                }
                line::answer(&self.home, batch.drain(..).zip(ended));
            }
            Err(Failure(error)) => {
                self.shared.counters.failed(&error);
                let reopen_at = self.shared.clock.elapsed();
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
                let (now, below) = (self.shared.clock.elapsed(), self.medium.fault_below());
                *none = Some(Episode::begin(self.medium.name(), error, below, way_out, bytes, now));
            }
        }
        self.shared.health.set(self.episode.as_ref().map_or(StoreHealth::Writable, Episode::health));
    }

    /// Notes that writes succeed again.
    fn recovered(&mut self) {
        if let Some(episode) = self.episode.take() {
            episode.end(self.shared.clock.elapsed());
        }
        self.shared.health.set(StoreHealth::Writable);
    }

    /// Tries whether writes succeed again, if it is time to: the next operation does, too, unless the medium has to be opened anew.
    /// `asked`: somebody wants to know.
    fn try_again(&mut self, asked: bool) {
        let now = self.shared.clock.elapsed();
        let Some(episode) = &self.episode else { return };
        let bytes = episode.bytes();
        let (tried, reopens) = match episode.way_out() {
            WayOut::Write if asked => (self.medium.try_write(bytes), false),
            WayOut::Reopen(at) if *at <= now => {
                (self.medium.reopen().and_then(|()| self.medium.try_write(bytes)), true)
            }
            _ => return,
        };
        let Err(Failure(error)) = tried else { return self.recovered() };
        let reopen_at = self.shared.clock.elapsed().saturating_add(REOPEN_EVERY);
        let way_out = match WayOut::after(&error, reopen_at) {
            WayOut::Write if reopens => WayOut::Reopen(reopen_at),
            way_out => way_out,
        };
        self.failed(&error, way_out, 0);
    }
}
