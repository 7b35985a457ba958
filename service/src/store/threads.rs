//! A store's threads, each of which opens what it works with before it is taken for started: [`spawn`].

use std::path::Path;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use super::error::Error;

/// Starts a thread of this name that opens something and then works with it. Waits until it is open: a client of a database has to be
/// opened, used and dropped away from those who serve.
pub(super) fn spawn<T>(
    thread: &str,
    store: &Path,
    open: impl FnOnce() -> Result<T, Error> + Send + 'static,
    work: impl FnOnce(T) + Send + 'static,
) -> Result<JoinHandle<()>, Error> {
    let (tell, told) = mpsc::sync_channel(1);
    let run = move || match open() {
        Ok(opened) => {
            if tell.send(Ok(())).is_ok() {
                work(opened);
            }
        }
        Err(error) => drop(tell.send(Err(error))),
    };
    let cant = |why: String| Error::Open { path: store.to_owned(), why };
    let spawned = thread::Builder::new().name(thread.to_owned()).spawn(run);
    let spawned = spawned.map_err(|error| cant(error.to_string()))?;
    told.recv().map_err(|_| cant(format!("the thread {thread} ended")))??;
    Ok(spawned)
}

/// Drops what waits for its threads to end, on a thread of its own.
pub(super) async fn drop_apart<T: Send + 'static>(threads: T) {
    let (done, wait) = tokio::sync::oneshot::channel();
    let waiting = thread::Builder::new().name("store-close".into()).spawn(move || {
        drop(threads);
        let _ = done.send(());
    });
    if waiting.is_ok() {
        let _ = wait.await;
    }
}
