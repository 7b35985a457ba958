//! A server that runs: [`Handle`].

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::certificates::{TlsError, TlsFiles};
use super::cluster::Cluster;
use super::front::Front;
use super::health::Health;
use super::traffic::{CurrentQuota, Quota};
use super::{Closing, Context};
use crate::clock::Clock;
use crate::config::Config;
use crate::identity::AccountsError;
use crate::store::StoreHealth;
use crate::telemetry::RefusedCalls;

/// The time in which a server whose store has been taken over finds out who has: its lease goes by a connection of its own, which may be
/// back later than the one that writes.
const FOUND_OUT: Duration = Duration::from_secs(10);

/// A server that runs. Dropping it leaves the server running until its runtime ends.
#[derive(Debug)]
pub struct Handle {
    running: Running,
    place: Place,
    stopping: CancellationToken,
}

/// The place of a server: by itself, or among others that share its store.
#[derive(Debug)]
pub(super) enum Place {
    /// It owns its store.
    Alone(Front),
    /// It owns some of it, and may be overtaken.
    Among(Box<Kept>),
}

/// A server of several, and what looks after its shards.
#[derive(Debug)]
pub(super) struct Kept {
    pub cluster: Box<Cluster>,
    /// Cancelled when it is to hand over what it has.
    pub leaving: CancellationToken,
    /// Cancelled when it has handed over what it can while the server takes calls.
    pub handed_over: CancellationToken,
    /// `None`: it has no matches.
    pub kept: Option<JoinHandle<()>>,
}

impl Kept {
    /// Hands over what others can have at once.
    async fn hand_over(&self) {
        self.leaving.cancel();
        if self.kept.as_ref().is_some_and(|kept| !kept.is_finished()) {
            self.handed_over.cancelled().await;
        }
    }

    /// Returns when the rest was handed over, too, after the server began to stop.
    async fn end(&mut self) {
        self.leaving.cancel();
        if let Some(kept) = self.kept.take() {
            let _ = kept.await;
        }
    }
}

impl Place {
    const fn front(&self) -> &Front {
        match self {
            Self::Alone(front) => front,
            Self::Among(kept) => &kept.cluster.front,
        }
    }
}

/// The parts of a server that its handle works with.
pub(super) struct Means {
    pub health: Health,
    pub refused: RefusedCalls,
    pub quota: CurrentQuota,
    pub closing: Closing,
}

/// The work that the end has to wait for.
struct Running {
    context: Context,
    /// Cancelled when health says NOT_SERVING for good.
    leaving: CancellationToken,
    health: JoinHandle<()>,
    refused: Logged,
    quota: CurrentQuota,
    closing: Closing,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Running")
    }
}

/// The lines about refused calls, which end with the server.
struct Logged {
    ended: CancellationToken,
    lines: JoinHandle<()>,
}

impl Logged {
    fn start(refused: RefusedCalls, clock: Arc<dyn Clock>) -> Self {
        let ended = CancellationToken::new();
        let lines = tokio::spawn(refused.log(clock, ended.clone()));
        Self { ended, lines }
    }

    /// Has those of the last calls written.
    async fn end(self) {
        self.ended.cancel();
        // It has written what there was when this returns.
        let _ = self.lines.await;
    }
}

/// The end of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All calls and streams had ended by themselves.
    Drained,
    /// Calls and streams that had not ended in time were cut off.
    CutOff,
    /// The server could not go on.
    Failed(String),
}

/// The reason that nothing was taken up of another configuration.
#[derive(Debug, Error)]
pub enum ReloadError {
    /// The accounts are not accepted.
    #[error(transparent)]
    Accounts(#[from] AccountsError),
    /// The contents of the files of TLS can't be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

impl Handle {
    pub(super) fn new(
        context: Context,
        place: Place,
        Means { health, refused, quota, closing }: Means,
    ) -> Self {
        let (stopping, leaving) = (context.stopping.clone(), CancellationToken::new());
        let (store, clock) = (Arc::clone(&context.store), Arc::clone(&context.clock));
        let health = tokio::spawn(health.follow(store, clock, leaving.clone()));
        let refused = Logged::start(refused, Arc::clone(&context.clock));
        let running = Running { context, leaving, health, refused, quota, closing };
        Self { running, place, stopping }
    }

    /// The address that the server listens on, with the port that it was given.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.place.front().local_addr()
    }

    /// Cancelled when the server begins to stop.
    #[must_use]
    pub const fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Returns the token that cuts off all connections at once, for those who won't wait for
    /// `shutdown.grace_seconds`.
    #[must_use]
    pub const fn severed(&self) -> &CancellationToken {
        &self.place.front().severed
    }

    /// Returns when the server has ended, which it does not do unasked unless something is wrong.
    pub async fn ended(&self) -> Ended {
        ended(&mut self.place.front().ended.clone()).await
    }

    /// Takes up the accounts, the limits and the files of TLS of another configuration, whose other fields are those of before.
    /// Streams of those whose accounts are gone end; connections go on with the certificate that they began with. Reads the
    /// files, which blocks.
    ///
    /// # Errors
    /// If the accounts or what the files of TLS hold are not accepted; nothing has changed then.
    pub fn reload(&self, config: &Config) -> Result<(), ReloadError> {
        let Running { context, quota, .. } = &self.running;
        let accounts = super::context::accounts(config, &context.key)?;
        if let (Some(current), Some(files)) = (&context.tls, TlsFiles::of(&config.tls)?) {
            current.reload(files)?;
        }
        context.limits.replace(config.limits);
        quota.replace(Quota::of(config, &context.clock));
        context.accounts.replace(accounts);
        Ok(())
    }

    /// Returns when the store is lost: its file is damaged, or another one stands in its place, and nothing is written any more.
    pub async fn store_lost(&self) {
        let mut health = self.running.context.store.health();
        // The store is there for as long as this is.
        let _ = health.wait_for(|health| *health == StoreHealth::Lost).await;
    }

    /// Returns when another server has taken the matches over: this one can't write any more, and what it knows is of the past.
    pub async fn overtaken(&self) {
        match &self.place {
            Place::Alone(_) => std::future::pending().await,
            Place::Among(kept) => kept.cluster.overtaken().await,
        }
    }

    /// Returns whether another server has taken the matches over, of one whose store is lost: waits until that can be known.
    pub async fn is_overtaken(&self) -> bool {
        match &self.place {
            Place::Alone(_) => false,
            Place::Among(kept) => {
                let cluster = &kept.cluster;
                let until = cluster.clock.elapsed().saturating_add(FOUND_OUT);
                tokio::select! {
                    biased;
                    () = cluster.overtaken() => true,
                    () = cluster.clock.reach(until) => false,
                }
            }
        }
    }

    /// Ends the server: health says NOT_SERVING, after a while calls that change something are refused, streams end by
    /// themselves, what has not ended in time is cut off, and the store is closed.
    pub async fn shutdown(mut self) -> Ended {
        let Running { context, leaving, health, refused, closing, .. } = self.running;
        let (mut serving, severed) = (self.place.front().ended.clone(), self.place.front().severed.clone());
        let seconds = |count: u32| Duration::from_secs(count.into());
        let shutdown = &context.config.shutdown;
        let clock = &context.clock;
        let stops_at = clock.elapsed().saturating_add(seconds(shutdown.delay_seconds));
        leaving.cancel();
        // It was told when this returns.
        let _ = health.await;
        tokio::select! {
            biased;
            () = severed.cancelled() => {}
            _ = ended(&mut serving) => {}
            () = clock.reach(stops_at) => {}
        }
        let deadline = clock.elapsed().saturating_add(seconds(shutdown.grace_seconds));
        if let Place::Among(kept) = &self.place {
            tokio::select! {
                biased;
                () = severed.cancelled() => {}
                () = clock.reach(deadline) => {}
                () = kept.hand_over() => {}
            }
        }
        self.stopping.cancel();
        let late = tokio::select! {
            _ = ended(&mut serving) => false,
            () = clock.reach(deadline) => true,
            () = severed.cancelled() => true,
        };
        // The connections may be severed faster than we hear of it.
        let late = late || severed.is_cancelled();
        if late {
            tracing::warn!("calls or streams have not ended in time, and are cut off");
            severed.cancel();
        }
        let ended = match ended(&mut serving).await {
            Ended::Drained if late => Ended::CutOff,
            ended => ended,
        };
        if let Place::Among(kept) = &mut self.place {
            kept.end().await;
        }
        closing.close().await;
        if let Place::Among(kept) = &self.place {
            kept.cluster.leave().await;
        }
        refused.end().await;
        ended
    }
}

async fn ended(serving: &mut watch::Receiver<Option<Ended>>) -> Ended {
    let told = serving.wait_for(Option::is_some).await.ok().and_then(|ended| ended.clone());
    told.unwrap_or_else(|| Ended::Failed("the server panicked".to_owned()))
}
