//! The ways between the servers of a cluster ([`Ways`]), and which of them a call goes ([`Directory`]).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use super::forwarding::Route;
use super::front::app;
use crate::api::{PeerApp, Peers, Whereabouts};
use crate::clock::Clock;
use crate::host::Host;
use crate::store::{MatchId, Member, Membership, ServerId, Shard, Standing};

/// The time after which those who wait for a match that moves look again.
const MOMENT: Duration = Duration::from_millis(20);

/// The servers as they are looked up to have a call answered.
pub(super) trait Directory: Peers {
    /// Where that is which belongs to no match.
    fn home(&self) -> Whereabouts;

    /// Where a new match may be made: here, if this server has a place for it.
    fn maker(&self) -> Whereabouts;

    /// Returns whether this server may answer from its memory: it has no matches, or nobody else can have taken them over yet.
    fn may_answer(&self) -> bool;

    /// The server that owns a shard; `None`: nobody is known to.
    fn owner(&self, shard: Shard) -> Option<ServerId>;
}

/// The ways to those who own matches, as far as is known.
#[derive(Debug)]
pub(super) struct Ways {
    route: Route,
    membership: Arc<Membership>,
    standing: watch::Receiver<Standing>,
    /// Empty until this server can have matches.
    host: OnceLock<Host>,
    clock: Arc<dyn Clock>,
    apps: Mutex<HashMap<ServerId, PeerApp>>,
}

impl Ways {
    pub(super) fn new(route: Route, membership: &Arc<Membership>, clock: &Arc<dyn Clock>) -> Self {
        Self {
            route,
            membership: Arc::clone(membership),
            standing: membership.standing(),
            host: OnceLock::new(),
            clock: Arc::clone(clock),
            apps: Mutex::default(),
        }
    }

    /// This server can have matches from now on.
    pub(super) fn host_is(&self, host: Host) {
        let _ = self.host.set(host);
    }

    /// Returns whether nobody else can have taken over yet what this server has.
    fn holds(&self) -> bool {
        self.standing.borrow().remaining(self.clock.elapsed()).is_some()
    }

    fn place_of(&self, shard: Shard) -> Whereabouts {
        let owner = {
            let standing = self.standing.borrow();
            standing.owners.of(shard).filter(|member| member.id != standing.id).cloned()
        };
        let is_here = self.host.get().is_some_and(|host| host.shards().contains(shard));
        match owner {
            Some(member) if !is_here => Whereabouts::There(self.to(&member)),
            _ if is_here && self.holds() => Whereabouts::Here,
            _ => Whereabouts::Nowhere,
        }
    }

    fn to(&self, member: &Member) -> PeerApp {
        let mut apps = self.apps.lock().unwrap_or_else(PoisonError::into_inner);
        let is_there = |id: &ServerId| self.standing.borrow().owners.member(*id).is_some();
        if !apps.contains_key(&member.id) {
            apps.retain(|id, _| is_there(id));
        }
        apps.entry(member.id).or_insert_with(|| app(self.route.to(&member.address))).clone()
    }
}

impl Directory for Ways {
    fn home(&self) -> Whereabouts {
        self.place_of(Shard::OF_STORE)
    }

    fn maker(&self) -> Whereabouts {
        match self.host.get() {
            Some(host) if !host.shards().is_empty() && self.holds() => Whereabouts::Here,
            _ => self.home(),
        }
    }

    fn may_answer(&self) -> bool {
        self.host.get().is_none_or(|host| host.shards().is_empty()) || self.holds()
    }

    fn owner(&self, shard: Shard) -> Option<ServerId> {
        self.standing.borrow().owners.of(shard).map(|member| member.id)
    }
}

#[async_trait]
impl Peers for Ways {
    fn own(&self) -> ServerId {
        self.standing.borrow().id
    }

    fn whereabouts(&self, id: MatchId) -> Whereabouts {
        self.place_of(Shard::of(id))
    }

    fn others(&self) -> Vec<(ServerId, PeerApp)> {
        let (me, owners) = {
            let standing = self.standing.borrow();
            (standing.id, Arc::clone(&standing.owners))
        };
        let others = owners.members().iter().filter(|member| member.id != me && !member.shards.is_empty());
        others.map(|member| (member.id, self.to(member))).collect()
    }

    async fn changed(&self) {
        let mut standing = self.standing.clone();
        standing.mark_unchanged();
        let at = self.clock.elapsed().saturating_add(MOMENT);
        tokio::select! {
            _ = self.membership.look() => {}
            _ = standing.changed() => {}
        }
        self.clock.reach(at).await;
    }
}
