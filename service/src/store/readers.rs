//! The threads that look things up: [`Readers`].

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::mpsc;

use super::error::Error;
use super::rows::Rows;
use super::threads;

/// The most look-ups that wait for a thread; callers wait beyond that.
const WAITING_MAX: usize = 1_024;

/// A look-up, which is given a durable sight of what is kept, or the reason that there is none.
pub(super) type Look = Box<dyn FnOnce(Result<&mut dyn Rows, Error>) + Send>;

/// A way to the threads that read.
#[derive(Clone, Debug)]
pub(super) struct Readers(mpsc::Sender<Look>);

/// Starts a thread for each of these, which opens what it reads: what comes of that runs the look-ups, one after another. They end when
/// every way to them is gone.
pub(super) fn start<R: FnMut(Look)>(
    opens: impl IntoIterator<Item = impl FnOnce() -> Result<R, Error> + Send + 'static>,
    store: &Path,
) -> Result<(Readers, Vec<JoinHandle<()>>), Error> {
    let (looks, waiting) = mpsc::channel(WAITING_MAX);
    let waiting = Arc::new(Mutex::new(waiting));
    let start = |open| {
        let waiting: Arc<Mutex<mpsc::Receiver<Look>>> = Arc::clone(&waiting);
        threads::spawn("store-read", store, open, move |mut read: R| {
            // The thread that holds the receiver waits for the next look-up, the others wait for the receiver.
            let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
            while let Some(look) = next() {
                read(look);
            }
        })
    };
    let threads = opens.into_iter().map(start).collect::<Result<_, _>>()?;
    Ok((Readers(looks), threads))
}

impl Readers {
    /// Runs a look-up on one of the threads.
    pub(super) async fn look(&self, look: Look) -> Result<(), Error> {
        self.0.send(look).await.map_err(|_| Error::Closed)
    }
}
