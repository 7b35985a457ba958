//! The parts of an open store that has a line and readers: [`Parts`].

use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use super::Stats;
use super::error::Error;
use super::line::Line;
use super::readers::{Look, Readers};
use super::threads::drop_apart;
use super::writer::Shared;

/// The ways into a store, what its threads share, and the threads themselves until it is closed.
///
/// Dropping it waits for what is in line, as closing does.
#[derive(Debug)]
pub(super) struct Parts {
    open: Mutex<Option<Open>>,
    pub(super) shared: Shared,
}

/// The parts that closing takes away.
#[derive(Debug)]
struct Open {
    /// `None`: the store is only looked at.
    line: Option<Line>,
    readers: Readers,
    threads: Threads,
}

#[derive(Debug)]
struct Threads {
    reading: Vec<JoinHandle<()>>,
    writing: Option<JoinHandle<()>>,
    /// Keeps the writer waiting until the readers have ended: the last to end puts away what is open.
    line: Option<Line>,
}

impl Parts {
    /// Those of a store that is written by one thread and read by others.
    pub(super) fn new(
        (line, writing): (Line, JoinHandle<()>),
        (readers, reading): (Readers, Vec<JoinHandle<()>>),
        shared: Shared,
    ) -> Self {
        let threads = Threads { reading, writing: Some(writing), line: Some(line.clone()) };
        Self { open: Mutex::new(Some(Open { line: Some(line), readers, threads })), shared }
    }

    /// Those of a store that is only looked at.
    pub(super) fn to_read((readers, reading): (Readers, Vec<JoinHandle<()>>), shared: Shared) -> Self {
        let threads = Threads { reading, writing: None, line: None };
        Self { open: Mutex::new(Some(Open { line: None, readers, threads })), shared }
    }

    fn look_at<T>(&self, part: impl FnOnce(&Open) -> Result<T, Error>) -> Result<T, Error> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.as_ref().ok_or(Error::Closed).and_then(part)
    }

    /// The way into the line.
    ///
    /// # Errors
    /// [`Error::Closed`]; [`Error::ReadOnly`] of a store that is only looked at.
    pub(super) fn line(&self) -> Result<Line, Error> {
        self.look_at(|open| open.line.clone().ok_or(Error::ReadOnly))
    }

    /// Runs a look-up on a reader's thread, on one durable sight of what is kept.
    pub(super) async fn look(&self, look: Look) -> Result<(), Error> {
        let readers = self.look_at(|open| Ok(open.readers.clone()))?;
        readers.look(look).await
    }

    /// The figures of the line and of what went through it.
    pub(super) fn stats(&self) -> Stats {
        let (line_operations, line_bytes) = self.line().map(|line| line.waiting()).unwrap_or_default();
        Stats { line_operations, line_bytes, ..self.shared.counters.stats() }
    }

    /// Closes the ways in, and waits until the threads have ended.
    pub(super) async fn close(&self) {
        if let Some(threads) = self.shut() {
            drop_apart(threads).await;
        }
    }

    fn shut(&self) -> Option<Threads> {
        // Without the ends that go with it, the threads finish what is in line and end.
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(open.threads)
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        drop(self.shut());
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A thread that panicked has left what is kept as its last commit made it.
        self.reading.drain(..).for_each(|thread| drop(thread.join()));
        self.line = None;
        self.writing.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}
