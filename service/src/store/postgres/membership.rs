//! The place of a server among those that share a database: [`Membership`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::super::error::{Error, Failure};
use super::super::shards::{Shard, ShardSet};
use super::super::threads;
use super::connecting::PostgresServer;
use super::fence::HeldShards;
use super::lease::{Candidate, Claimed};
use super::owners::{Owners, ServerId};
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

/// Shards that a server has claimed, since nobody owned them.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Claims {
    /// How often it has claimed some.
    pub count: u64,
    /// Those that it has claimed last.
    pub shards: ShardSet,
    /// The moment of its steady clock since which these may have been without a server; `None`: they were given back.
    pub gone_since: Option<Duration>,
}

/// The place of a server among those that share a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The server's own name.
    pub id: ServerId,
    /// The moment of its own steady clock until which nobody else takes its shards.
    pub until: Duration,
    /// The servers, and what each owns, as it was when the database was last asked.
    pub owners: Arc<Owners>,
    /// The shards that it owns itself, and has not let go.
    pub held: ShardSet,
    /// The shards that it has claimed.
    pub claims: Claims,
    /// True if others have taken its shards over: what it has of them in memory may be of the past.
    pub is_overtaken: bool,
}

impl Standing {
    /// Returns the time from `now` on, a moment of the server's steady clock, for which nobody else takes its shards over; `None`: it
    /// owns none, or may do so no more.
    #[must_use]
    pub fn remaining(&self, now: Duration) -> Option<Duration> {
        let owns = !self.is_overtaken && !self.owned().is_empty();
        self.until.checked_sub(now).filter(|remaining| owns && !remaining.is_zero())
    }

    /// The shards that it owns.
    #[must_use]
    pub const fn owned(&self) -> ShardSet {
        self.held
    }

    /// The address of the server that owns a shard; `None`: nobody is known to.
    #[must_use]
    pub fn owner(&self, shard: Shard) -> Option<&Arc<str>> {
        self.owners.of(shard).map(|member| &member.address)
    }
}

/// A server among those that share a database, as long as it lives: it has a lease, takes shards over that nobody owns any more, and hands
/// over what is more than its share.
///
/// A lease is a row with a moment of the database's clock, so that the clocks of servers need not agree: only that they run as fast. What
/// is written is fenced by epochs whatever any clock says ([`super::PostgresStore`]); the lease is for what is answered from memory.
///
/// Dropping it waits until the lease is given back, as [`Membership::leave`] does.
#[derive(Debug)]
pub struct Membership {
    standing: watch::Receiver<Standing>,
    held: HeldShards,
    /// True once a store was opened with what it holds.
    is_open: AtomicBool,
    answers: Arc<AtomicBool>,
    orders: Orders,
    /// `None`: it has left.
    thread: Mutex<Option<Thread>>,
}

/// The thread that has the connection. It ends when nobody can ask it any more.
#[derive(Debug)]
struct Thread {
    ask: Option<mpsc::SyncSender<Look>>,
    thread: Option<JoinHandle<()>>,
}

/// To look now, and to tell when that is done.
type Look = oneshot::Sender<()>;

/// An order to the thread, which is woken by a look.
#[derive(Debug)]
enum Order {
    /// To have a lease from now on, and what comes with it.
    Enter(oneshot::Sender<()>),
    /// To hand shards over, and to tell whether that was done.
    HandOver(ShardSet, ServerId, oneshot::Sender<bool>),
}

/// The orders that wait.
type Orders = Arc<Mutex<Vec<Order>>>;

impl Membership {
    /// Comes to the servers that share this database, which brings its schema up to date: at first it only looks. Others reach this one at
    /// `address`; `lease` is the time that has to pass without a word of an owner before others take its shards over. Blocks until the
    /// database has answered.
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
        let standing = Standing {
            id: candidate.id(),
            until: Duration::ZERO,
            owners: Arc::default(),
            held: ShardSet::NONE,
            claims: Claims::default(),
            is_overtaken: false,
        };
        let (tell, standing) = watch::channel(standing);
        let (ask, asked) = mpsc::sync_channel(1);
        let (held, answers) = (HeldShards::default(), Arc::new(AtomicBool::new(true)));
        let orders = Orders::default();
        let member = {
            let (server, clock) = (server.clone(), Arc::clone(clock));
            let (held, answers, orders) = (held.clone(), Arc::clone(&answers), Arc::clone(&orders));
            move || {
                let name = server.name();
                let mut connection = Connection::open(&server).map_err(|error| error.opening(&name))?;
                schema::settle(&mut connection)?;
                connection.answer_within(within(&server, lease));
                let connection = Some(connection);
                let (enters, renew_at) = (false, None);
                Ok(Member {
                    server,
                    connection,
                    candidate,
                    lease,
                    clock,
                    tell,
                    held,
                    orders,
                    enters,
                    renew_at,
                    answers,
                })
            }
        };
        let work = move |member: Member| member.run(&asked);
        let thread = threads::spawn("store-lease", &server.name(), member, work)?;
        let thread = Thread { ask: Some(ask), thread: Some(thread) };
        Ok(Self {
            standing,
            held,
            is_open: AtomicBool::new(false),
            answers,
            orders,
            thread: Mutex::new(Some(thread)),
        })
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

    /// Has a lease from now on: takes shards over that are free, and is handed its share of the others.
    pub async fn enter(&self) {
        self.order(Order::Enter).await;
    }

    /// Has the thread do something, and waits until it has; `None` if it has ended.
    async fn order<T>(&self, order: impl FnOnce(oneshot::Sender<T>) -> Order) -> Option<T> {
        let (tell, told) = oneshot::channel();
        waiting(&self.orders).push(order(tell));
        // One that waits already finds the order as well.
        let _ = self.asking()?.try_send(oneshot::channel().0);
        told.await.ok()
    }

    /// Looks into the database at once, and returns what is known then.
    pub async fn look(&self) -> Standing {
        let (tell, told) = oneshot::channel();
        let ask = self.asking();
        // One that waits already is as good.
        if ask.is_some_and(|ask| ask.try_send(tell).is_ok()) {
            let _ = told.await;
        }
        self.standing.borrow().clone()
    }

    /// Hands shards over to another server; returns whether that was done. Nothing of them may be in anybody's memory here any more: what
    /// is on its way to the database ends before.
    pub async fn hand_over(&self, shards: &ShardSet, to: ServerId) -> bool {
        let shards = *shards;
        self.order(|tell| Order::HandOver(shards, to, tell)).await.unwrap_or(false)
    }

    /// The shards that it holds, for the store that is opened with them, of which there is one.
    pub(super) fn take_held(&self) -> Option<HeldShards> {
        (!self.is_open.swap(true, Ordering::Relaxed)).then(|| self.held.clone())
    }

    /// Gives the lease back, so that other servers take over at once. What is to be durable has to be so before.
    pub async fn leave(&self) {
        let thread = self.thread().take();
        if let Some(thread) = thread {
            threads::drop_apart(thread).await;
        }
        // Nobody does what is left.
        waiting(&self.orders).clear();
    }

    fn asking(&self) -> Option<mpsc::SyncSender<Look>> {
        self.thread().as_ref().and_then(|thread| thread.ask.clone())
    }

    fn thread(&self) -> MutexGuard<'_, Option<Thread>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn waiting(orders: &Orders) -> MutexGuard<'_, Vec<Order>> {
    orders.lock().unwrap_or_else(PoisonError::into_inner)
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
    held: HeldShards,
    orders: Orders,
    /// True once it is to have a lease.
    enters: bool,
    /// When the lease is to be renewed; `None`: there is none yet.
    renew_at: Option<Duration>,
    /// True while the database answers: of the last time that it was asked.
    answers: Arc<AtomicBool>,
}

impl Member {
    /// Looks and renews, until nobody asks any more; then gives back what is left.
    fn run(mut self, asked: &mpsc::Receiver<Look>) {
        loop {
            let wait = self.step();
            let looked = match asked.recv_timeout(wait) {
                Ok(tell) => Some(tell),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let orders = std::mem::take(&mut *waiting(&self.orders));
            for order in orders {
                match order {
                    Order::Enter(tell) => {
                        self.enters = true;
                        self.step();
                        let _ = tell.send(());
                    }
                    Order::HandOver(shards, to, tell) => {
                        let _ = tell.send(self.hand_over(&shards, to));
                    }
                }
            }
            if let Some(tell) = looked {
                self.step();
                if self.connection.is_none() {
                    // It was lost, and may be there again.
                    self.step();
                }
                let _ = tell.send(());
            }
        }
        if !self.tell.borrow().is_overtaken
            && let Some(connection) = &mut self.connection
            && let Err(Failure(error)) = self.candidate.leave(connection)
        {
            tracing::warn!(%error, "the lease was not given back: others take over when it has run out");
        }
    }

    /// Does what is due; returns the time until something is.
    fn step(&mut self) -> Duration {
        if self.tell.borrow().is_overtaken {
            return self.lease;
        }
        let stepped = self.try_step();
        self.answers.store(stepped.is_ok(), Ordering::Relaxed);
        match stepped {
            Ok(()) => {
                let now = self.clock.elapsed();
                self.renew_at.map_or(LOOK, |at| at.saturating_sub(now)).min(LOOK)
            }
            Err(Failure(error)) => {
                tracing::warn!(%error, "who owns the matches can't be looked up");
                self.connection = None;
                RETRY
            }
        }
    }

    fn hand_over(&mut self, shards: &ShardSet, to: ServerId) -> bool {
        let held: Vec<_> = shards.iter().filter_map(|shard| Some((shard, self.held.epoch(shard)?))).collect();
        if held.len() < shards.len() {
            return false;
        }
        // From here on nothing is written to them: the answer of the database may be lost.
        shards.iter().for_each(|shard| self.held.let_go(shard));
        self.tell.send_modify(|standing| standing.held = self.held.shards());
        let handed = match &mut self.connection {
            Some(connection) => self.candidate.hand_over(connection, &held, to),
            None => Ok(false),
        };
        if let Err(Failure(error)) = &handed {
            tracing::warn!(%error, "nobody knows whether shards were handed over: it is looked up");
            self.connection = None;
        }
        // A shard that was not handed over is found to be this server's still.
        self.step();
        handed.unwrap_or(false)
    }

    /// Claims the shards that nobody owns. That may change every shard: it has the time that any statement has, since one that is given up
    /// is begun again for ever where the database is busy.
    fn claim(&mut self) -> Result<Option<Claimed>, Failure> {
        let Some(connection) = &mut self.connection else { return Ok(None) };
        connection.answer_within(self.server.answer());
        let claimed = self.candidate.claim(connection, &*self.clock);
        connection.answer_within(within(&self.server, self.lease));
        claimed
    }

    fn connection(&mut self) -> Result<&mut Connection, Failure> {
        let name = self.server.name();
        match &mut self.connection {
            Some(connection) => Ok(connection),
            lost @ None => {
                let connected = Connection::open(&self.server);
                let mut connected = connected.map_err(|error| Failure(error.opening(&name)))?;
                connected.answer_within(within(&self.server, self.lease));
                Ok(lost.insert(connected))
            }
        }
    }

    fn try_step(&mut self) -> Result<(), Failure> {
        let candidate = self.candidate.clone();
        // From before the question on: the database reckons from a later moment.
        let now = self.clock.elapsed();
        let (mut until, mut claims) = {
            let standing = self.tell.borrow();
            (standing.until, standing.claims)
        };
        if self.enters && self.renew_at.is_none_or(|at| at <= now) {
            let renewed = self.renew_at.is_some() && candidate.renew(self.connection()?)?;
            if !renewed {
                if !self.held.shards().is_empty() {
                    self.overtaken();
                    return Ok(());
                }
                candidate.enter(self.connection()?)?;
            }
            until = now.saturating_add(self.lease);
            self.renew_at = Some(now.saturating_add(self.lease / RENEWALS));
        }
        let (mut owners, mut owned) = candidate.owners(self.connection()?)?;
        if self.enters
            && !owners.to_claim(candidate.id()).is_empty()
            && let Some(Claimed { taken, since, gone_since }) = self.claim()?
        {
            let shards = taken.iter().map(|&(shard, _)| shard).collect();
            claims = Claims { count: claims.count + u64::from(!taken.is_empty()), shards, gone_since };
            self.held.take(taken);
            until = since.saturating_add(self.lease);
            self.renew_at = Some(since.saturating_add(self.lease / RENEWALS));
            (owners, owned) = candidate.owners(self.connection()?)?;
        }
        let mine: ShardSet = owned.iter().map(|&(shard, _)| shard).collect();
        if !self.held.shards().without(&mine).is_empty() {
            match owners.member(candidate.id()) {
                Some(_) => self.overtaken(),
                // Its lease has run out just now, and may be renewed yet.
                None => {
                    self.renew_at = Some(Duration::ZERO);
                    return self.try_step();
                }
            }
            return Ok(());
        }
        owned.retain(|&(shard, _)| self.held.epoch(shard).is_none());
        if !owned.is_empty() {
            let taken = candidate.take_up(self.connection()?, &owned)?;
            let are_all = taken.len() == owned.len();
            self.held.take(taken);
            if !are_all {
                // Some are others' by now: who they are is looked up first.
                return Ok(());
            }
        }
        let standing = Standing {
            id: candidate.id(),
            until,
            owners: Arc::new(owners),
            held: self.held.shards(),
            claims,
            is_overtaken: false,
        };
        self.tell.send_if_modified(|now| std::mem::replace(now, standing.clone()) != standing);
        Ok(())
    }

    fn overtaken(&self) {
        self.tell.send_modify(|standing| standing.is_overtaken = true);
    }
}
