//! The threads on which house bots think ([`BotPool`]), and the queue before them.
//!
//! Invariant: bots have no more processors than the pool has threads, however many matches they play, and whoever plays
//! against one waits for no match in which bots play alone, and for one turn at most of each other creator's matches.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::error::Error;

/// The threads' niceness, of 0 to 19: calls come first where there are not enough processors.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

type Job = Box<dyn FnOnce() + Send>;

/// The matches that a bot's turn is queued with.
#[derive(Clone, Debug)]
pub(super) struct Share {
    /// Nobody but house bots plays.
    pub(super) alone: bool,
    /// Those with whose matches it counts, who take turns ([`crate::matches::MatchHeader::counted_as`]).
    pub(super) counted_as: Vec<u8>,
}

/// The way to the threads. They end when this is dropped.
pub(super) struct BotPool(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// A job came, or no more do.
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Turns against somebody: they come first.
    opponents: Lane,
    /// Turns of bots that play alone.
    alone: Lane,
    closed: bool,
}

/// Jobs by creator, who take turns.
#[derive(Default)]
struct Lane {
    /// Those who have jobs, the next first.
    creators: VecDeque<Arc<[u8]>>,
    jobs: HashMap<Arc<[u8]>, VecDeque<Job>>,
}

impl Lane {
    fn push(&mut self, creator: Vec<u8>, job: Job) {
        let creator: Arc<[u8]> = creator.into();
        let jobs = self.jobs.entry(Arc::clone(&creator)).or_default();
        if jobs.is_empty() {
            self.creators.push_back(creator);
        }
        jobs.push_back(job);
    }

    fn len(&self) -> usize {
        self.jobs.values().map(VecDeque::len).sum()
    }

    fn pop(&mut self) -> Option<Job> {
        let creator = self.creators.pop_front()?;
        let jobs = self.jobs.get_mut(&creator)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&creator);
        } else {
            self.creators.push_back(creator);
        }
        job
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job, as soon as there is one; `None` if there will be none.
    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(job) = queue.opponents.pop().or_else(|| queue.alone.pop()) {
                return Some(job);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        #[cfg(target_os = "linux")]
        if let Err(error) = rustix::process::nice(NICENESS) {
            tracing::warn!(%error, "house bots think at the priority of calls");
        }
        while let Some(job) = self.next() {
            // The caller that waits for the job hears of a panic by its end.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }
}

impl BotPool {
    /// Starts so many threads, at least one.
    ///
    /// # Errors
    /// [`Error::Fault`] if the system gives none.
    pub(super) fn start(threads: usize) -> Result<Self, Error> {
        let pool = Self(Arc::default());
        for _ in 0..threads.max(1) {
            let shared = Arc::clone(&pool.0);
            let spawned = std::thread::Builder::new().name("house-bots".into()).spawn(move || shared.work());
            spawned.map_err(|why| Error::Fault(format!("no thread for house bots: {why}")))?;
        }
        Ok(pool)
    }

    /// Number of jobs that wait for a thread.
    pub(super) fn waiting(&self) -> usize {
        let queue = self.0.queue();
        queue.opponents.len() + queue.alone.len()
    }

    /// Runs `job` when it is its turn; `None` if it panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        share: Share,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move || {
            // Nobody waits any more: it need not be done.
            if !reply.is_closed() {
                let _ = reply.send(job());
            }
        });
        {
            let mut queue = self.0.queue();
            let lane = if share.alone { &mut queue.alone } else { &mut queue.opponents };
            lane.push(share.counted_as, job);
        }
        self.0.changed.notify_one();
        answer.await.ok()
    }
}

impl Drop for BotPool {
    fn drop(&mut self) {
        self.0.queue().closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn creators_take_turns_and_those_who_play_against_somebody_come_first() {
        let pool = BotPool::start(1).unwrap();
        let share = |alone, creator: &str| Share { alone, counted_as: creator.into() };
        // The only thread is held until all are in line.
        let (let_go, held) = std::sync::mpsc::channel::<()>();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = vec![Box::pin(pool.run(share(true, "x"), move || held.recv().unwrap()))
            as std::pin::Pin<Box<dyn Future<Output = Option<()>>>>];
        for (alone, creator, name) in [
            (true, "a", "a1"),
            (true, "a", "a2"),
            (true, "a", "a3"),
            (true, "b", "b1"),
            (false, "c", "c1"),
            (false, "c", "c2"),
            (false, "d", "d1"),
        ] {
            let order = Arc::clone(&order);
            waiting.push(Box::pin(pool.run(share(alone, creator), move || order.lock().unwrap().push(name))));
        }
        // Each is in line once it was asked for its result.
        for one in &mut waiting {
            std::future::poll_fn(|context| std::task::Poll::Ready(one.as_mut().poll(context).is_ready()))
                .await;
        }
        let_go.send(()).unwrap();
        for one in waiting {
            assert_eq!(one.await, Some(()));
        }
        assert_eq!(*order.lock().unwrap(), ["c1", "d1", "c2", "a1", "b1", "a2", "a3"]);
    }

    #[tokio::test]
    async fn a_job_that_panics_does_not_take_its_thread_along() {
        let pool = BotPool::start(1).unwrap();
        let share = Share { alone: false, counted_as: Vec::new() };
        assert_eq!(pool.run(share.clone(), || panic!("as the test wants")).await, None::<()>);
        assert_eq!(pool.run(share, || 7).await, Some(7));
    }
}
