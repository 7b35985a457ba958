//! The way of the write-ahead log into the file, beside the thread that writes: [`Checkpoints`].
//!
//! Left alone, SQLite goes it within the commit that has filled the log, and whoever waits for that one waits for thousands of pages and a
//! flush of the file, too. Here a connection of its own takes what is in the log while commits go on. Then the writer takes what has come
//! meanwhile, which is little, so that all of the log is in the file and the next commit begins it anew.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use super::super::error::Error;
use super::super::threads;
use super::failure::opening;
use super::{Options, schema};

/// The log is not let grow beyond so many times of what it gathers: commits wait then.
const BEHIND_MAX: u32 = 4;

/// A log, and the thread that takes it into the file. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Checkpoints {
    /// Pages in the log after the last commit.
    logged: Arc<AtomicU32>,
    /// Pages that it gathers.
    gathered: u32,
    is_asked: bool,
    /// `None`: it is told to end.
    ask: Option<mpsc::SyncSender<()>>,
    done: mpsc::Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// Those of the file at `path`, which `connection` writes.
    pub(super) fn start(connection: &mut Connection, path: &Path, options: &Options) -> Result<Self, Error> {
        let logged = Arc::new(AtomicU32::new(0));
        let hook = {
            let logged = Arc::clone(&logged);
            move |_: &mut Wal, pages: i32| {
                logged.store(pages.unsigned_abs(), Ordering::Relaxed);
                Ok(())
            }
        };
        // In the place of the one that SQLite has, which would go the way itself.
        connection.wal_hook(Some(hook)).map_err(|error| opening(path, &error))?;
        let (ask, asked) = mpsc::sync_channel(1);
        let (tell, done) = mpsc::channel();
        let open = {
            let (path, options) = (path.to_owned(), options.clone());
            move || schema::open(&path, &options)
        };
        let work = move |connection: Connection| {
            for () in asked {
                checkpoint(&connection);
                if tell.send(()).is_err() {
                    break;
                }
            }
        };
        let thread = threads::spawn("store-log", path, open, work)?;
        let gathered = options.checkpoint_pages.max(1);
        Ok(Self { logged, gathered, is_asked: false, ask: Some(ask), done, thread: Some(thread) })
    }

    /// Has the log go into the file, if it is due after a commit of this connection.
    pub(super) fn committed(&mut self, connection: &Connection) {
        let logged = self.logged.load(Ordering::Relaxed);
        if self.is_asked {
            if logged >= self.gathered.saturating_mul(BEHIND_MAX) {
                self.settle();
            }
            if !self.is_asked || self.done.try_recv().is_ok() {
                self.is_asked = false;
                checkpoint(connection);
            }
        } else if logged >= self.gathered {
            self.is_asked = self.ask.as_ref().is_some_and(|ask| ask.send(()).is_ok());
            if !self.is_asked {
                // The thread is gone.
                checkpoint(connection);
            }
        }
    }

    /// Waits until nobody else is on that way.
    pub(super) fn settle(&mut self) {
        if std::mem::take(&mut self.is_asked) {
            // Or it is gone.
            let _ = self.done.recv();
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.ask = None;
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

/// Takes as much of the log into the file as nobody reads. What fails is in the log as before, and tried again.
fn checkpoint(connection: &Connection) {
    if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
        tracing::debug!(%error, "the write-ahead log did not go into the file");
    }
}
