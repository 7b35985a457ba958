//! The place of a server among those that share a database: [`Membership`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::super::error::{Error, Failure};
use super::super::threads;
use super::connecting::PostgresServer;
use super::fence::Shards;
use super::lease::{self, Candidate};
use super::schema;
use super::session::Connection;
use crate::clock::Clock;
use crate::entropy::{EntropyError, EntropySource};

/// The time between two looks of a server that owns nothing: so much later than it could it takes over.
const LOOK: Duration = Duration::from_millis(200);

/// The time until a database that did not answer is asked again.
const RETRY: Duration = Duration::from_millis(500);

/// The time between two renewals of a lease: so many of them in the time for which one holds.
const RENEWALS: u32 = 4;

/// The least time in which the database has to answer a question about the lease.
const ANSWER_MIN: Duration = Duration::from_secs(1);

/// The time in which the database has to answer a question about the lease: so that one which hangs is asked anew, at another host, while
/// the lease may yet be renewed.
fn within(server: &PostgresServer, lease: Duration) -> Duration {
    (lease / 2).max(ANSWER_MIN).min(server.answer())
}

/// The place of a server among those that share a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It owns nothing.
    Follows {
        /// The address of the server that owns the matches; `None`: none is known that does.
        owner: Option<Arc<str>>,
    },
    /// It owns all matches.
    Owns {
        /// The moment of its own steady clock until which nobody else takes them.
        until: Duration,
    },
    /// It owned all matches, and another one has taken them over: what it has of them in memory may be of the past.
    Overtaken,
}

impl Standing {
    /// Returns the time from `now` on, a moment of the server's steady clock, for which nobody else takes the matches over; `None`: it
    /// does not own them, or may do so no more.
    #[must_use]
    pub fn remaining(&self, now: Duration) -> Option<Duration> {
        match self {
            Self::Owns { until } => until.checked_sub(now).filter(|remaining| !remaining.is_zero()),
            Self::Follows { .. } | Self::Overtaken => None,
        }
    }
}

/// A server among those that share a database, as long as it lives: it follows the one that owns the matches, takes them over when nobody
/// owns them any more, and then renews its lease.
///
/// A lease is a row with a moment of the database's clock, so that the clocks of servers need not agree: only that they run as fast. What
/// is written is fenced by epochs whatever any clock says ([`super::PostgresStore`]); the lease is for what is answered from memory.
///
/// Dropping it waits until the lease is given back, as [`Membership::leave`] does.
#[derive(Debug)]
pub struct Membership {
    standing: watch::Receiver<Standing>,
    taken: Arc<Mutex<Option<Shards>>>,
    answers: Arc<AtomicBool>,
    thread: Option<Thread>,
}

/// The thread that has the connection. It ends when nobody can ask it any more.
#[derive(Debug)]
struct Thread {
    ask: Option<mpsc::SyncSender<Asked>>,
    thread: Option<JoinHandle<()>>,
}

/// To look now, and to tell when that is done.
type Asked = oneshot::Sender<()>;

impl Membership {
    /// Joins the servers that share this database, which brings its schema up to date. Others reach this one at `address`; `lease` is the
    /// time that has to pass without a word of an owner before another one takes over. Blocks until the database has answered.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::NotAStore`], [`Error::SchemaTooNew`], [`Error::Corrupt`].
    pub fn join(
        server: &PostgresServer,
        address: &str,
        lease: Duration,
        clock: &Arc<dyn Clock>,
        entropy: &dyn EntropySource,
    ) -> Result<Self, Error> {
        let no_name =
            |error: EntropyError| Error::Open { path: server.name().to_path_buf(), why: error.to_string() };
        let candidate = Candidate::new(address, lease, entropy).map_err(no_name)?;
        let (tell, standing) = watch::channel(Standing::Follows { owner: None });
        let (ask, asked) = mpsc::sync_channel(1);
        let (taken, answers) = (Arc::new(Mutex::new(None)), Arc::new(AtomicBool::new(true)));
        let member = {
            let (server, clock) = (server.clone(), Arc::clone(clock));
            let (taken, answers) = (Arc::clone(&taken), Arc::clone(&answers));
            move || {
                let name = server.name();
                let mut connection = Connection::open(&server).map_err(|error| error.opening(&name))?;
                schema::settle(&mut connection)?;
                connection.answer_within(within(&server, lease));
                let connection = Some(connection);
                Ok(Member { server, connection, candidate, lease, clock, tell, taken, answers })
            }
        };
        let work = move |member: Member| member.run(&asked);
        let thread = threads::spawn("store-lease", &server.name(), member, work)?;
        let thread = Thread { ask: Some(ask), thread: Some(thread) };
        Ok(Self { standing, taken, answers, thread: Some(thread) })
    }

    /// The server's place, now and whenever it changes.
    #[must_use]
    pub fn standing(&self) -> watch::Receiver<Standing> {
        self.standing.clone()
    }

    /// Returns how to look whether the database answered when it was last asked.
    pub fn database_answers(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let answers = Arc::clone(&self.answers);
        move || answers.load(Ordering::Relaxed)
    }

    /// Looks into the database at once, and returns what is known then.
    pub async fn look(&self) -> Standing {
        let (tell, told) = oneshot::channel();
        let ask = self.thread.as_ref().and_then(|thread| thread.ask.clone());
        // One that waits already is as good.
        if ask.is_some_and(|ask| ask.try_send(tell).is_ok()) {
            let _ = told.await;
        }
        self.standing.borrow().clone()
    }

    /// The shards with the epochs at which they were taken over, once.
    pub(super) fn take_shards(&self) -> Option<Shards> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Gives the lease back, so that another server takes over at once. What is to be durable has to be so before.
    pub async fn leave(mut self) {
        if let Some(thread) = self.thread.take() {
            threads::drop_apart(thread).await;
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.ask = None;
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

/// The thread's holdings.
struct Member {
    server: PostgresServer,
    /// `None`: it was lost.
    connection: Option<Connection>,
    candidate: Candidate,
    lease: Duration,
    clock: Arc<dyn Clock>,
    tell: watch::Sender<Standing>,
    taken: Arc<Mutex<Option<Shards>>>,
    /// True while the database answers: of the last time that it was asked.
    answers: Arc<AtomicBool>,
}

impl Member {
    /// Looks and renews, until nobody asks any more; then gives back what is left.
    fn run(mut self, asked: &mpsc::Receiver<Asked>) {
        loop {
            let wait = self.step();
            match asked.recv_timeout(wait) {
                Ok(tell) => {
                    self.step();
                    if self.connection.is_none() {
                        // It was lost, and may be there again.
                        self.step();
                    }
                    let _ = tell.send(());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if matches!(*self.tell.borrow(), Standing::Owns { .. })
            && let Some(connection) = &mut self.connection
            && let Err(Failure(error)) = self.candidate.leave(connection)
        {
            tracing::warn!(%error, "the lease was not given back: another server takes over when it has run out");
        }
    }

    /// Does what is due; returns the time until something is.
    fn step(&mut self) -> Duration {
        if *self.tell.borrow() == Standing::Overtaken {
            return self.lease;
        }
        let stepped = self.try_step();
        self.answers.store(stepped.is_ok(), Ordering::Relaxed);
        match stepped {
            Ok(wait) => wait,
            Err(Failure(error)) => {
                tracing::warn!(%error, "who owns the matches can't be looked up");
                self.connection = None;
                RETRY
            }
        }
    }

    /// Takes the shards over, if nobody owns them. A claim changes every shard: it has the time that any statement has, since one that
    /// is given up is begun again for ever where the database is busy.
    fn claim(&mut self) -> Result<Option<(Shards, Duration)>, Failure> {
        let Some(connection) = &mut self.connection else { return Ok(None) };
        connection.answer_within(self.server.answer());
        let claimed = self.candidate.claim(connection, &*self.clock);
        connection.answer_within(within(&self.server, self.lease));
        claimed
    }

    fn try_step(&mut self) -> Result<Duration, Failure> {
        let name = self.server.name();
        let connection = match &mut self.connection {
            Some(connection) => connection,
            lost @ None => {
                let connected = Connection::open(&self.server);
                let mut connected = connected.map_err(|error| Failure(error.opening(&name)))?;
                connected.answer_within(within(&self.server, self.lease));
                lost.insert(connected)
            }
        };
        // From before the question on: the database reckons from a later moment.
        let until = self.clock.elapsed().saturating_add(self.lease);
        if matches!(*self.tell.borrow(), Standing::Owns { .. }) {
            let standing = match self.candidate.renew(connection)? {
                true => Standing::Owns { until },
                false => Standing::Overtaken,
            };
            self.tell.send_replace(standing);
            return Ok(self.lease / RENEWALS);
        }
        let owner = lease::owner(connection)?;
        if owner.is_none()
            && let Some((shards, since)) = self.claim()?
        {
            let until = since.saturating_add(self.lease);
            *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = Some(shards);
            self.tell.send_replace(Standing::Owns { until });
            return Ok(self.lease / RENEWALS);
        }
        let standing = Standing::Follows { owner };
        self.tell.send_if_modified(|now| std::mem::replace(now, standing.clone()) != standing);
        Ok(LOOK)
    }
}
