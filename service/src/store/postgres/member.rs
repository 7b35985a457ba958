//! The thread of a server that looks after its lease: [`Member`].
//!
//! It asks the database, which may be away for as long as a failover takes. Then all leases have run out, and those who held them live: so
//! it renews its own, which it may as long as nobody has claimed what it holds, and claims nothing before the others can have done the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::super::error::{Error, Failure};
use super::super::shards::ShardSet;
use super::connecting::PostgresServer;
use super::fence::{HeldShards, behind};
use super::lease::{Candidate, Claimed};
use super::membership::{Claims, Standing};
use super::owners::ServerId;
use super::schema;
use super::session::Connection;
use crate::clock::Clock;

/// The time between two looks of a server that owns nothing, and until a database that did not answer is asked again.
const LOOK: Duration = Duration::from_millis(200);

/// The time in which others have renewed their leases, once the database answers again.
const OTHERS: Duration = Duration::from_secs(2);

/// The time between two renewals of a lease: so many of them in the time for which one holds.
const RENEWALS: u32 = 4;

/// The least time in which the database has to answer a question about the lease.
const ANSWER_MIN: Duration = Duration::from_secs(1);

/// The time in which the database has to answer a question about the lease: so that one which hangs is asked anew, at another host, while
/// the lease may yet be renewed.
fn within(server: &PostgresServer, lease: Duration) -> Duration {
    (lease / 2).max(ANSWER_MIN).min(server.answer())
}

/// To look now, and to tell when that is done.
pub(super) type Look = oneshot::Sender<()>;

/// An order to the thread, which is woken by a look.
#[derive(Debug)]
pub(super) enum Order {
    /// To have a lease from now on, and what comes with it.
    Enter(oneshot::Sender<()>),
    /// To be handed nothing any more.
    Withdraw(oneshot::Sender<()>),
    /// To hand shards over, and to tell whether that was done.
    HandOver(ShardSet, ServerId, oneshot::Sender<bool>),
}

/// The orders that wait.
pub(super) type Orders = Arc<Mutex<Vec<Order>>>;

pub(super) fn waiting(orders: &Orders) -> MutexGuard<'_, Vec<Order>> {
    orders.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The parts of a member that others have, too.
pub(super) struct Shared {
    pub(super) tell: watch::Sender<Standing>,
    pub(super) held: HeldShards,
    pub(super) orders: Orders,
    /// True while the database answers: of the last time that it was asked.
    pub(super) answers: Arc<AtomicBool>,
}

/// The thread's holdings.
pub(super) struct Member {
    server: PostgresServer,
    /// `None`: it was lost.
    connection: Option<Connection>,
    candidate: Candidate,
    lease: Duration,
    clock: Arc<dyn Clock>,
    shared: Shared,
    /// True once it is to have a lease.
    enters: bool,
    /// True once it is to be handed nothing any more.
    withdraws: bool,
    /// When the lease is to be renewed; `None`: there is none yet.
    renew_at: Option<Duration>,
    /// Since when the database does not answer, and when it is asked next; `None`: it does.
    away: Option<Away>,
    /// The moment before which nothing is claimed.
    claim_at: Duration,
}

/// A database that does not answer, by moments of the server's steady clock.
#[derive(Copy, Clone, Debug)]
struct Away {
    since: Duration,
    ask_at: Duration,
}

impl Member {
    /// Comes to the servers that share the database, and brings its schema up to date.
    ///
    /// # Errors
    /// As [`super::Membership::join`].
    pub(super) fn join(
        server: PostgresServer,
        candidate: Candidate,
        lease: Duration,
        clock: Arc<dyn Clock>,
        shared: Shared,
    ) -> Result<Self, Error> {
        let name = server.name();
        let mut connection = Connection::open(&server, &shared.held).map_err(|error| error.opening(&name))?;
        schema::settle(&mut connection)?;
        connection.answer_within(within(&server, lease));
        Ok(Self {
            server,
            connection: Some(connection),
            candidate,
            lease,
            clock,
            shared,
            enters: false,
            withdraws: false,
            renew_at: None,
            away: None,
            claim_at: Duration::ZERO,
        })
    }

    /// Looks and renews, until nobody asks any more; then gives back what is left.
    pub(super) fn run(mut self, asked: &mpsc::Receiver<Look>) {
        loop {
            let wait = self.step();
            let looked = match asked.recv_timeout(wait) {
                Ok(tell) => Some(tell),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let orders = std::mem::take(&mut *waiting(&self.shared.orders));
            for order in orders {
                match order {
                    Order::Enter(tell) => {
                        self.enters = true;
                        self.step();
                        let _ = tell.send(());
                    }
                    Order::Withdraw(tell) => {
                        self.withdraws = true;
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
        if !self.shared.tell.borrow().is_overtaken
            && let Some(connection) = &mut self.connection
            && let Err(Failure(error)) = self.candidate.leave(connection)
        {
            tracing::warn!(%error, "the lease was not given back: others take over when it has run out");
        }
    }

    /// Does what is due; returns the time until something is.
    fn step(&mut self) -> Duration {
        if self.shared.tell.borrow().is_overtaken {
            return self.lease;
        }
        let now = self.clock.elapsed();
        if let Some(away) = self.away {
            // Whoever waits for a match has it asked: that are many, at the worst of times.
            if now < away.ask_at {
                return away.ask_at.saturating_sub(now);
            }
            self.claim_at = now.saturating_add(OTHERS);
        }
        let stepped = self.try_step();
        self.shared.answers.store(stepped.is_ok(), Ordering::Relaxed);
        match (stepped, self.away) {
            (Ok(()), away) => {
                if let Some(Away { since, .. }) = away {
                    let seconds = now.saturating_sub(since).as_secs_f64();
                    tracing::info!(seconds, "who owns the matches is looked up again");
                }
                self.away = None;
                let now = self.clock.elapsed();
                self.renew_at.map_or(LOOK, |at| at.saturating_sub(now)).min(LOOK)
            }
            (Err(Failure(error)), None) => {
                tracing::warn!(%error, "who owns the matches can't be looked up");
                self.connection = None;
                // It may be that the connection was lost alone.
                self.away = Some(Away { since: now, ask_at: now });
                Duration::ZERO
            }
            (Err(Failure(error)), Some(Away { since, .. })) => {
                tracing::debug!(%error, "who owns the matches can't be looked up yet");
                self.connection = None;
                self.away = Some(Away { since, ask_at: self.clock.elapsed().saturating_add(LOOK) });
                LOOK
            }
        }
    }

    fn hand_over(&mut self, shards: &ShardSet, to: ServerId) -> bool {
        let held: Vec<_> =
            shards.iter().filter_map(|shard| Some((shard, self.shared.held.epoch(shard)?))).collect();
        if held.len() < shards.len() {
            return false;
        }
        // From here on nothing is written to them: the answer of the database may be lost.
        shards.iter().for_each(|shard| self.shared.held.let_go(shard));
        self.shared.tell.send_modify(|standing| standing.held = self.shared.held.shards());
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
                let connected = Connection::open(&self.server, &self.shared.held);
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
            let standing = self.shared.tell.borrow();
            (standing.until, standing.claims)
        };
        if self.enters && self.renew_at.is_none_or(|at| at <= now) {
            let renewed = self.renew_at.is_some() && candidate.renew(self.connection()?)?;
            if !renewed {
                if !self.shared.held.shards().is_empty() {
                    return self.overtaken();
                }
                candidate.enter(self.connection()?)?;
            }
            until = now.saturating_add(self.lease);
            self.renew_at = Some(now.saturating_add(self.lease / RENEWALS));
        }
        let (mut owners, mut owned) = candidate.owners(self.connection()?)?;
        // Said again where it was not heard, or its row has gone since: it would be handed shards that nobody has before it has left.
        if self.withdraws && owners.member(candidate.id()).is_some_and(|member| !member.leaving) {
            candidate.withdraw(self.connection()?)?;
            (owners, owned) = candidate.owners(self.connection()?)?;
        }
        if self.enters
            && now >= self.claim_at
            && !owners.to_claim(candidate.id()).is_empty()
            && let Some(Claimed { taken, since, gone_since }) = self.claim()?
        {
            let shards = taken.iter().map(|&(shard, _)| shard).collect();
            claims = Claims { count: claims.count + u64::from(!taken.is_empty()), shards, gone_since };
            self.shared.held.take(taken);
            until = since.saturating_add(self.lease);
            self.renew_at = Some(since.saturating_add(self.lease / RENEWALS));
            (owners, owned) = candidate.owners(self.connection()?)?;
        }
        let mine: ShardSet = owned.iter().map(|&(shard, _)| shard).collect();
        if !self.shared.held.shards().without(&mine).is_empty() {
            return match owners.member(candidate.id()) {
                Some(_) => self.overtaken(),
                // Its lease has run out just now, and may be renewed yet.
                None => {
                    self.renew_at = Some(Duration::ZERO);
                    self.try_step()
                }
            };
        }
        owned.retain(|&(shard, _)| self.shared.held.epoch(shard).is_none());
        if !owned.is_empty() {
            let taken = candidate.take_up(self.connection()?, &owned)?;
            let are_all = taken.len() == owned.len();
            self.shared.held.take(taken);
            if !are_all {
                // Some are others' by now: who they are is looked up first.
                return Ok(());
            }
        }
        let standing = Standing {
            id: candidate.id(),
            until,
            owners: Arc::new(owners),
            held: self.shared.held.shards(),
            claims,
            is_overtaken: false,
        };
        self.shared.tell.send_if_modified(|now| std::mem::replace(now, standing.clone()) != standing);
        Ok(())
    }

    /// Others have taken over what it holds, unless the database's node shows the past.
    fn overtaken(&mut self) -> Result<(), Failure> {
        let held = self.shared.held.clone();
        if held.is_behind(self.connection()?)? {
            return Err(behind());
        }
        self.shared.tell.send_modify(|standing| standing.is_overtaken = true);
        Ok(())
    }
}
