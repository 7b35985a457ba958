//! The host of all matches of a server ([`Host`]): it carries calls out, makes them durable, and only then shows what came
//! of them.
//!
//! A call takes the match's lock, is carried out in memory, and its append is put in line in the store, all under the lock;
//! the reply is made then, and leaves when the append is durable. Calls on one match are thus in one total order, and
//! several of them can be on their way to the disk at once. If an append fails, the match in memory is dropped, with all
//! that came after it, and the log is read again.
//!
//! Invariant: nothing that is returned from here shows a revision that is not durable.

mod bots;
mod calls;
mod commit;
mod create;
mod error;
mod exhibition;
mod expiry;
mod follow;
mod group_ends;
mod groups;
mod join;
mod leaving;
mod list;
mod load;
mod open_matches;
mod record;
mod reveal;
mod slot;
mod slots;

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::registry::Registry;
use edgehill_engine::signing::SigningKey;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use calls::{HeldMatch, SeatCall};
pub use create::{CreateMatch, Created, SeedWanted};
pub use error::Error;
pub use follow::Follower;
pub use join::{JoinMatch, Joined};
pub use leaving::AbortMatch;
pub use list::{ListEntry, ListFilter, ListPage, ListStates};
pub use slot::Content;

use crate::clock::Clock;
use crate::entropy::EntropySource;
use crate::identity::ServerKey;
use crate::limits::Limits;
use crate::store::{SealingKey, Store};

/// The time that the host waits before it repeats something of its own.
const REPEAT_AFTER: Duration = Duration::from_millis(100);

/// The parts that a host is made of.
#[derive(Clone)]
pub struct Parts {
    /// The games.
    pub registry: Registry,
    /// The store in which matches are kept.
    pub store: Arc<dyn Store>,
    /// The server's key.
    pub key: ServerKey,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness for seeds and ids.
    pub entropy: Arc<dyn EntropySource>,
    /// The limits that it keeps to.
    pub limits: Limits,
    /// Number of matches that are kept in memory, besides those that somebody follows.
    pub loaded_matches_max: usize,
}

/// All matches of a server. Copies are the same host.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

struct Inner {
    parts: Parts,
    sealing: SealingKey,
    signing: SigningKey,
    slots: slots::Slots,
    open_matches: open_matches::OpenMatches,
    groups: groups::GroupLocks,
    group_ends: group_ends::GroupEnds,
    /// House bots, timers and appends on their way.
    tasks: TaskTracker,
    closing: CancellationToken,
}

impl Host {
    /// A host of what is in the store.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn open(parts: Parts) -> Result<Self, Error> {
        let open_matches = open_matches::OpenMatches::count(&*parts.store).await?;
        let inner = Inner {
            sealing: parts.key.sealing(),
            signing: parts.key.signing(),
            slots: slots::Slots::new(parts.loaded_matches_max),
            open_matches,
            groups: groups::GroupLocks::default(),
            group_ends: group_ends::GroupEnds::default(),
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            parts,
        };
        let host = Self(Arc::new(inner));
        host.expire_in_time();
        Ok(host)
    }

    /// The games.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.0.parts.registry
    }

    /// The server's key.
    #[must_use]
    pub fn key(&self) -> &ServerKey {
        &self.0.parts.key
    }

    /// Returns the number of matches in memory.
    #[must_use]
    pub fn loaded_matches(&self) -> usize {
        self.0.slots.len()
    }

    /// Lets house bots stop, makes durable what is on its way, and closes the store. Calls that come later are refused.
    pub async fn close(&self) {
        self.0.closing.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.parts.store.close().await;
    }

    /// The limits that it keeps to.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.parts.limits
    }

    /// Waits before the host repeats something of its own that could not be made durable; `false` if it closes.
    async fn wait_to_repeat(&self) -> bool {
        let clock = &self.0.parts.clock;
        tokio::select! {
            () = self.0.closing.cancelled() => false,
            () = clock.reach(clock.elapsed().saturating_add(REPEAT_AFTER)) => true,
        }
    }

    fn now_ms(&self) -> u64 {
        self.0.parts.clock.unix_ms()
    }

    fn store(&self) -> &dyn Store {
        &*self.0.parts.store
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("registry", &self.0.parts.registry).finish_non_exhaustive()
    }
}
