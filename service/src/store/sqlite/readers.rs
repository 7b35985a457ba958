//! The threads that read: [`Readers`].

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::mpsc;

use super::super::error::Error;
use super::super::lined::Look;
use super::failure::failure;
use super::schema;
use super::tables::Tables;

/// The most look-ups that wait for a thread; callers wait beyond that.
const WAITING_MAX: usize = 1_024;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// A way to the threads that read.
#[derive(Clone, Debug)]
pub(super) struct Readers {
    jobs: mpsc::Sender<Job>,
    path: Arc<Path>,
}

/// Starts `count` threads, each with a connection of its own.
pub(super) fn start(path: &Path, count: usize) -> Result<(Readers, Vec<JoinHandle<()>>), Error> {
    let (jobs, waiting) = mpsc::channel::<Job>(WAITING_MAX);
    let waiting = Arc::new(Mutex::new(waiting));
    let mut handles = Vec::new();
    for _ in 0..count {
        let connection = schema::open_to_read(path)?;
        let waiting = Arc::clone(&waiting);
        let spawned = std::thread::Builder::new().name("store-read".into()).spawn(move || {
            // The thread that holds the receiver waits for the next job, the others wait for the receiver.
            let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
            while let Some(job) = next() {
                job(&connection);
            }
        });
        let why = |error: std::io::Error| Error::Open { path: path.to_owned(), why: error.to_string() };
        handles.push(spawned.map_err(why)?);
    }
    Ok((Readers { jobs, path: path.into() }, handles))
}

impl Readers {
    /// Runs `look` on one of the threads, inside a transaction: it sees one moment, and what was durable then.
    pub(super) async fn look(&self, look: Look) -> Result<(), Error> {
        let path = Arc::clone(&self.path);
        let job: Job = Box::new(move |connection| match connection.unchecked_transaction() {
            Ok(_transaction) => look(Ok(&mut Tables::new(connection, &path, 0))),
            Err(error) => look(Err(failure(&path, &error).0)),
        });
        self.jobs.send(job).await.map_err(|_| Error::Closed)
    }
}
