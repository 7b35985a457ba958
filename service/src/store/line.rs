//! The line in which operations wait for the thread that writes ([`Line`]), and the way back to those who wait ([`answer`]).

use std::sync::{Arc, OnceLock};

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::entry::Appended;
use super::error::Error;
use super::operation::Operation;

/// An operation in line, with the room that it takes there.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) operation: Operation,
    /// True if it comes from the [`Home`].
    home: bool,
    room: Option<OwnedSemaphorePermit>,
}

impl Waiting {
    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits)
    }
}

/// The runtime that the first operation came from, as most do: those that wait for a batch there are woken there, all by one
/// task, which costs less than to wake each of them from the thread that writes.
pub(super) type Home = Arc<OnceLock<Handle>>;

/// The way into the line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    operations: mpsc::Sender<Waiting>,
    home: Home,
    room: Arc<Semaphore>,
    room_max: u32,
}

impl Line {
    /// A line for so many operations and bytes, and its other end.
    pub(super) fn new(operations_max: usize, bytes_max: u32) -> (Self, mpsc::Receiver<Waiting>) {
        let (operations, waiting) = mpsc::channel(operations_max.max(1));
        let room_max = bytes_max.max(1);
        let room = Arc::new(Semaphore::new(room_max as usize));
        (Self { operations, home: Home::default(), room, room_max }, waiting)
    }

    /// The runtime to which most of its answers go.
    pub(super) fn home(&self) -> Home {
        Arc::clone(&self.home)
    }

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

/// Answers what was done: those of a batch who wait at home all at once there.
pub(super) fn answer(home: &Home, done: impl Iterator<Item = (Waiting, Result<Appended, Error>)>) {
    let (at_home, away): (Vec<_>, Vec<_>) = done.partition(|(waiting, _)| waiting.home);
    drop(Answers(away));
    let answers = Answers(at_home);
    match home.get() {
        Some(home) if answers.0.len() > 1 => drop(home.spawn(async move { drop(answers) })),
        _ => drop(answers),
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
