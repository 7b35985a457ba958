//! The keeper of a server's shards, of several servers ([`Keeper`]): it takes those that have become its own, and hands over what is more than its
//! share, one after the other.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::StartError;
use super::front::App;
use crate::admin::Administration;
use crate::clock::Clock;
use crate::host::{self, Host};
use crate::store::{Membership, SHARDS, ServerId, Shard, ShardSet};

/// The time after which something is tried again that could not be done.
const RETRY: Duration = Duration::from_millis(500);

/// The time between two looks for acts of administration that other servers have written down.
const LOOK: Duration = Duration::from_millis(250);

/// Shards that a server hands over at once when it stops.
const AT_ONCE: usize = 64;

/// Opens what belongs to no match.
pub(super) type OpenHome =
    Box<dyn Fn() -> Pin<Box<dyn Future<Output = Result<App, StartError>> + Send>> + Send + Sync>;

/// Looks after the shards of a server.
pub(super) struct Keeper {
    pub(super) membership: Arc<Membership>,
    pub(super) host: Host,
    pub(super) administration: Administration,
    pub(super) clock: Arc<dyn Clock>,
    /// Answers for what belongs to no match, once that is here.
    pub(super) home: watch::Sender<Option<App>>,
    pub(super) open_home: OpenHome,
    /// Cancelled when the server begins to stop.
    pub(super) leaving: CancellationToken,
    /// Cancelled when it has handed over what it can while it takes calls.
    pub(super) handed_over: CancellationToken,
    /// Cancelled when the server takes no more calls.
    pub(super) stopping: CancellationToken,
}

impl Keeper {
    /// Looks after the shards until the server stops, or others have taken them over. Then it hands over what it may, and once the server
    /// takes no more calls, what belongs to no match.
    pub(super) async fn run(self) {
        let leaving = self.leaving.clone();
        self.membership.enter().await;
        tokio::select! {
            () = leaving.cancelled() => {}
            () = self.keep() => return self.handed_over.cancel(),
            () = self.follow_acts() => return self.handed_over.cancel(),
        }
        // Else they hand back what they get, to whoever has the fewest.
        self.membership.withdraw().await;
        self.hand_over_all_of(&ShardSet::ALL.without(&ShardSet::HOME), AT_ONCE).await;
        self.handed_over.cancel();
        self.stopping.cancelled().await;
        // Another one opens it: what is done there from now on is none of this server's.
        self.home.send_replace(None);
        self.hand_over_all_of(&ShardSet::HOME, SHARDS).await;
    }

    async fn keep(&self) {
        let mut standing = self.membership.standing();
        loop {
            let now = standing.borrow_and_update().clone();
            if now.is_overtaken {
                return;
            }
            // Those that it could not hand over may be another's all the same.
            let gone = self.host.shards().without(&now.owned());
            if !gone.is_empty() {
                self.host.let_go(&gone).await;
            }
            let new = now.owned().without(&self.host.shards());
            if !new.is_empty() {
                let gone_since = now.claims.gone_since.filter(|_| !new.and(&now.claims.shards).is_empty());
                if let Err(error) = self.take(&new, gone_since).await {
                    tracing::warn!(%error, shards = new.len(), "shards are not taken yet");
                    self.pause(RETRY).await;
                }
                continue;
            }
            let is_not_home_yet = self.come_home().await;
            if let Some((shard, to)) =
                now.owners.to_hand_over(now.id).filter(|(shard, _)| self.host.shards().contains(*shard))
            {
                self.hand_over(&std::iter::once(shard).collect(), to).await;
                continue;
            }
            if is_not_home_yet {
                self.pause(RETRY).await;
                continue;
            }
            // Its thread lives as long as this.
            let _ = standing.changed().await;
        }
    }

    /// Takes shards; `gone_since`, a moment of the clock: they may have been without a server since.
    async fn take(&self, new: &ShardSet, gone_since: Option<Duration>) -> Result<(), host::Error> {
        self.host.take(new, gone_since).await?;
        tracing::info!(shards = new.len(), all = self.host.shards().len(), "this server has taken shards");
        Ok(())
    }

    /// Opens what belongs to no match if this server has it and has not opened it; returns whether that is to be tried again.
    async fn come_home(&self) -> bool {
        if !self.host.shards().contains(Shard::OF_STORE) || self.home.borrow().is_some() {
            return false;
        }
        match (self.open_home)().await {
            Ok(app) => {
                self.home.send_replace(Some(app));
                tracing::info!("this server is the home of what belongs to no match");
                false
            }
            Err(error) => {
                tracing::error!(%error, "what belongs to no match can't be opened yet");
                true
            }
        }
    }

    /// Hands shards over; those that could not be are taken again.
    async fn hand_over(&self, shards: &ShardSet, to: ServerId) {
        self.host.let_go(shards).await;
        if !self.membership.hand_over(shards, to).await {
            tracing::warn!(shards = shards.len(), "shards were not handed over");
        }
    }

    /// Hands over these shards, each once and so many of them together, to whoever has the fewest; keeps them where there is nobody. Among
    /// them are those that it was handed last, and has not taken.
    async fn hand_over_all_of(&self, shards: &ShardSet, at_once: usize) {
        let id = self.membership.standing().borrow().id;
        let mut left = *shards;
        loop {
            let standing = self.membership.look().await;
            let to = standing.owners.least(id);
            let some: ShardSet = standing.owned().and(&left).iter().take(at_once).collect();
            let (false, false, Some(to)) = (some.is_empty(), standing.is_overtaken, to) else { return };
            left = left.without(&some);
            self.hand_over(&some, to).await;
        }
    }

    /// Takes up acts of administration that other servers have written down.
    async fn follow_acts(&self) {
        loop {
            if let Err(error) = self.administration.catch_up().await {
                tracing::debug!(%error, "acts of administration are not taken up yet");
            }
            self.pause(LOOK).await;
        }
    }

    async fn pause(&self, time: Duration) {
        self.clock.reach(self.clock.elapsed().saturating_add(time)).await;
    }
}
