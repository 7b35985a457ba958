//! The host of all matches of a server ([`Host`]): it executes calls, commits what came of them, and only then shows it.
//!
//! A call takes the match's lock, the match acts in memory, and its append is put in line in the store, all under the lock;
//! the reply is made then, and leaves when the append is durable. Calls on one match are thus in one total order, and
//! several of them can be on their way to the disk at once. If an append fails, the match in memory is dropped, with all
//! that came after it, and the log is read again.
//!
//! Invariant: nothing that is returned from here shows a revision that is not durable.

mod account_follow;
mod account_index;
mod account_matches;
mod archive;
mod bot_pace;
mod bot_pool;
mod bots;
mod by_shard;
mod calls;
mod commit;
mod competing;
mod create;
mod create_all;
mod erasing;
mod error;
mod exhibition;
mod expiry;
mod follow;
mod former_contents;
mod group_ends;
mod groups;
mod join;
mod leaving;
mod list;
mod listed;
mod load;
mod log_care;
mod older_results;
mod open_matches;
mod reader;
mod record;
mod referee;
mod rematch;
mod replay_all;
mod resting;
mod retention;
mod reveal;
mod seeking;
mod shards;
mod slot;
mod slots;
mod steady_time;
mod stopped_matches;
mod time_outs;
mod uptime;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::registry::Registry;
use edgehill_engine::seat::Observer;
use edgehill_engine::signing::SigningKey;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use account_follow::{AccountFollower, AccountNews};
pub use account_index::RESULTS_KEPT;
pub use account_matches::AccountMatch;
pub use calls::{HeldMatch, SeatCall};
pub use create::{CreateMatch, Created, Creator, MatchPlan, SeedWanted};
pub use create_all::{CreateMatches, PlannedSeed};
pub use erasing::MatchErasure;
pub use error::Error;
pub use follow::Follower;
pub use former_contents::FormerContents;
pub use join::{JoinMatch, Joined};
pub use leaving::AbortMatch;
pub use list::{ListEntry, ListFilter, ListPage, ListStates};
pub use listed::ListedCourse;
pub use reader::{MatchReader, ReadRecord};
pub use record::RecordReader;
pub use referee::RefereeOrder;
pub use rematch::RematchSeat;
pub use replay_all::Replayed;
pub use seeking::{PairedSeat, Seek, SeekCount, SeekMatch, SeekNews};
pub use slot::Content;

use crate::clock::Clock;
use crate::entropy::EntropySource;
use crate::identity::{CurrentAccounts, ServerKey};
use crate::limits::{CurrentLimits, Limits};
use crate::matches::{Course, Sight};
use crate::store::{Shard, ShardSet, Store};
use crate::telemetry::Metrics;

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
    /// The accounts whose seats may be played.
    pub accounts: CurrentAccounts,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness for seeds and ids.
    pub entropy: Arc<dyn EntropySource>,
    /// The limits that it keeps to.
    pub limits: CurrentLimits,
    /// The load that it takes on.
    pub capacity: HostCapacity,
    /// The metrics that are counted.
    pub metrics: Metrics,
    /// The shards whose matches it answers for at first.
    pub shards: ShardSet,
}

/// The load that a host takes on at once.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct HostCapacity {
    /// Matches that are kept in memory, besides those that somebody uses.
    pub loaded_matches: usize,
    /// Bytes of the matches that are kept in memory, besides those that somebody uses.
    pub loaded_bytes: u64,
    /// The time after which a match that nobody touches leaves the memory; `None`: it stays while there is room.
    pub rest_after: Option<Duration>,
    /// Threads on which house bots think, at least one.
    pub bot_threads: usize,
    /// Turns a second of house bots that play alone, of all matches together; `None`: as many as they like.
    pub bot_turns_per_second: Option<NonZeroU32>,
    /// The time from the end of a match until its log is archived; `None`: it never is.
    pub archive_after: Option<Duration>,
    /// The time from the end of a match, and of its seed group, until it is deleted; `None`: it never is.
    pub delete_after: Option<Duration>,
}

impl Default for HostCapacity {
    fn default() -> Self {
        Self {
            loaded_matches: 10_000,
            loaded_bytes: 512 * 1024 * 1024,
            rest_after: None,
            bot_threads: 1,
            bot_turns_per_second: None,
            archive_after: None,
            delete_after: None,
        }
    }
}

/// All matches of a server. Copies are the same host.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

struct Inner {
    parts: Parts,
    owned: shards::Owned,
    reader: MatchReader,
    signing: SigningKey,
    slots: slots::Slots,
    open_matches: open_matches::OpenMatches,
    published_rounds: competing::PublishedRounds,
    seeks: seeking::Seeks,
    groups: groups::GroupLocks,
    group_ends: group_ends::GroupEnds,
    stopped: stopped_matches::StoppedMatches,
    bots: bot_pool::BotPool,
    bot_pace: bot_pace::BotPace,
    /// House bots, timers and appends on their way.
    tasks: TaskTracker,
    closing: CancellationToken,
    uptime: uptime::Uptime,
    time: steady_time::SteadyTime,
    time_outs: time_outs::TimeOuts,
    ended: archive::Ended,
    account_index: account_index::AccountIndex,
    older_results: older_results::OlderResults,
}

impl Host {
    /// A host of what is in the store.
    ///
    /// # Errors
    /// If the store can't be read, or there are no threads.
    pub async fn open(parts: Parts) -> Result<Self, Error> {
        // Read once: a date that is set anew while the store notes it would be time that nobody had.
        let time = steady_time::SteadyTime::now(&*parts.clock);
        let outages = match parts.shards.contains(Shard::OF_STORE) {
            true => parts.store.start_up(time.begin_ms()).await?,
            false => parts.store.outages().await?,
        };
        let time = time.after(&outages);
        let former = FormerContents::keep_and_load(&parts.registry, &*parts.store).await?;
        let reader =
            MatchReader::new(parts.registry.clone(), former, Arc::clone(&parts.store), parts.key.clone());
        let inner = Inner {
            owned: shards::Owned::default(),
            reader,
            signing: parts.key.signing(),
            slots: slots::Slots::new(parts.capacity.loaded_matches, parts.capacity.loaded_bytes),
            open_matches: open_matches::OpenMatches::default(),
            seeks: seeking::Seeks::default(),
            published_rounds: competing::PublishedRounds::default(),
            groups: groups::GroupLocks::default(),
            group_ends: group_ends::GroupEnds::default(),
            stopped: stopped_matches::StoppedMatches::default(),
            bots: bot_pool::BotPool::start(parts.capacity.bot_threads)?,
            bot_pace: bot_pace::BotPace::new(parts.capacity.bot_turns_per_second),
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            time,
            uptime: uptime::Uptime::new(outages),
            time_outs: time_outs::TimeOuts::default(),
            ended: archive::Ended::default(),
            account_index: account_index::AccountIndex::default(),
            older_results: older_results::OlderResults::default(),
            parts,
        };
        let host = Self(Arc::new(inner));
        host.take_at_start(&host.0.parts.shards).await?;
        let unplayable = host.unplayable_matches();
        if unplayable > 0 {
            tracing::warn!(
                matches = unplayable,
                "matches that are not over can't be played: this build lacks their rules, or the store their content"
            );
        }
        host.note_uptime();
        host.expire_in_time();
        host.run_clocks();
        host.archive_in_time();
        host.delete_in_time();
        host.rest_in_time();
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

    /// The games with contents that new matches are not made with any more.
    #[must_use]
    pub fn former_contents(&self) -> &FormerContents {
        self.0.reader.former()
    }

    /// Returns the number of matches in memory.
    #[must_use]
    pub fn loaded_matches(&self) -> usize {
        self.0.slots.len()
    }

    /// Returns about how many bytes the matches in memory have ([`LiveMatch::memory_bytes`](crate::matches::LiveMatch)).
    #[must_use]
    pub fn loaded_bytes(&self) -> u64 {
        self.0.slots.bytes()
    }

    /// Returns how many matches have left the memory to make room, since the host was opened.
    #[must_use]
    pub fn evicted_matches(&self) -> u64 {
        self.0.slots.evicted()
    }

    /// Returns how many turns of house bots wait for a thread.
    #[must_use]
    pub fn waiting_bot_turns(&self) -> usize {
        self.0.bots.waiting()
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
    pub fn limits(&self) -> Limits {
        self.0.parts.limits.now()
    }

    /// Does something of the host's own until it is done: again where it could not be, for now, and no more once another host has its match
    /// or this one closes.
    ///
    /// # Errors
    /// Those of `act` that do not pass.
    async fn insist<Acting>(&self, act: impl Fn() -> Acting) -> Result<(), Error>
    where
        Acting: Future<Output = Result<(), Error>>,
    {
        loop {
            match act().await {
                Err(Error::Elsewhere(_)) => return Ok(()),
                Err(error) if error.passes() => {}
                ended => return ended,
            }
            if !self.wait_to_repeat().await {
                return Ok(());
            }
        }
    }

    /// Waits before the host repeats something of its own that could not be made durable; `false` if it closes.
    async fn wait_to_repeat(&self) -> bool {
        let clock = &self.0.parts.clock;
        tokio::select! {
            () = self.0.closing.cancelled() => false,
            () = clock.reach(clock.elapsed().saturating_add(REPEAT_AFTER)) => true,
        }
    }

    /// The time since some moment before the start, which no date that is set anew changes.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.parts.clock.elapsed()
    }

    /// Milliseconds since 1970, in a time that goes on whatever becomes of the date.
    fn now_ms(&self) -> u64 {
        self.0.time.now_ms(&*self.0.parts.clock)
    }

    /// The part of a sequence that an observer sees now.
    #[must_use]
    pub fn sight(&self, course: &Course, observer: Observer) -> Sight {
        course.sight(observer, self.now_ms())
    }

    /// Returns at that moment of the host's time, in milliseconds since 1970; never for `None`.
    pub async fn reach(&self, at_ms: Option<u64>) {
        let Some(at_ms) = at_ms else { return std::future::pending().await };
        let clock = &self.0.parts.clock;
        let wait = Duration::from_millis(at_ms.saturating_sub(self.now_ms()));
        clock.reach(clock.elapsed().saturating_add(wait)).await;
    }

    fn store(&self) -> &dyn Store {
        &*self.0.parts.store
    }

    fn metrics(&self) -> &Metrics {
        &self.0.parts.metrics
    }

    /// The time since that moment of the clock.
    fn since(&self, begun: Duration) -> Duration {
        self.0.parts.clock.elapsed().saturating_sub(begun)
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("registry", &self.0.parts.registry).finish_non_exhaustive()
    }
}
