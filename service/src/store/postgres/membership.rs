//! The place of a server among those that share a database: [`Membership`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::super::error::Error;
use super::super::shards::{Shard, ShardSet};
use super::super::threads;
use super::connecting::PostgresServer;
use super::fence::HeldShards;
use super::lease::Candidate;
use super::member::{Look, Member, Order, Orders, Shared, waiting};
use super::owners::{Owners, ServerId};
use crate::clock::Clock;
use crate::entropy::{EntropyError, EntropySource};

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
        let shared =
            Shared { tell, held: held.clone(), orders: Arc::clone(&orders), answers: Arc::clone(&answers) };
        let member = {
            let (server, clock) = (server.clone(), Arc::clone(clock));
            move || Member::join(server, candidate, lease, clock, shared)
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

    /// Has the others hand nothing to this server any more, which is to stop: as long as it owns less than its share, they would. It claims
    /// nothing, either.
    pub async fn withdraw(&self) {
        self.order(Order::Withdraw).await;
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

impl Drop for Thread {
    fn drop(&mut self) {
        self.ask = None;
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}
