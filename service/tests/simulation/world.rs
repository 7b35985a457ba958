//! A world: what its seed has made of it, and all that its clients were told ([`World`]).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgehill_engine::registry::Registry;
use edgehill_service::identity::ServerKey;
use edgehill_service::store::Store;
use tokio_util::sync::CancellationToken;

use crate::date::{Date, now};
use crate::disk::Disk;
use crate::flaw::Flaw;
use crate::line::Line;
use crate::outages::Outages;
use crate::random::Random;
use crate::seat::SeatLog;
use crate::trace::Trace;

/// The name of the server in the network of the world, and its port.
pub(crate) const SERVER: &str = "server";
pub(crate) const PORT: u16 = 7400;

/// A match that was made.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) commitment: Vec<u8>,
    /// The number of its seats.
    pub(crate) players: usize,
    pub(crate) seats: Mutex<Vec<Arc<SeatLog>>>,
}

/// A world.
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) flaw: Option<Flaw>,
    pub(crate) registry: Registry,
    pub(crate) key: ServerKey,
    pub(crate) date: Arc<Date>,
    pub(crate) disk: Arc<Disk>,
    pub(crate) trace: Arc<Trace>,
    pub(crate) outages: Mutex<Outages>,
    /// Lives of the server that have begun.
    pub(crate) lives: AtomicU64,
    /// Cancelled when the server of this life is asked to stop.
    stop: Mutex<CancellationToken>,
    played: Mutex<BTreeMap<String, Arc<Played>>>,
    calls: AtomicU64,
}

impl World {
    pub(crate) fn new(seed: u64, flaw: Option<Flaw>) -> Arc<Self> {
        let (trace, date) = (Arc::new(Trace::new()), Arc::new(Date::default()));
        Arc::new(Self {
            seed,
            flaw,
            registry: Registry::built_in().unwrap(),
            key: ServerKey::from_bytes([7; 32]),
            disk: Disk::new(seed ^ 0xd15c, Arc::clone(&date), Arc::clone(&trace), flaw),
            date,
            trace,
            outages: Mutex::default(),
            lives: AtomicU64::new(0),
            stop: Mutex::default(),
            played: Mutex::default(),
            calls: AtomicU64::new(0),
        })
    }

    /// Randomness of its own for each part of the world.
    pub(crate) fn random(&self, part: u64) -> Random {
        let mut random = Random::new(self.seed ^ part.wrapping_mul(0x9e37_79b9));
        Random::new(random.next())
    }

    /// Notes what happens now, on a host of the world.
    pub(crate) fn note(&self, what: std::fmt::Arguments<'_>) {
        self.trace.note(now(), what);
    }

    /// A client's way to the server.
    pub(crate) fn line(self: &Arc<Self>, random: &mut Random) -> Line {
        Line::new(Arc::clone(self), Random::new(random.next()))
    }

    /// The store as the server's key opens it, to be looked at while no server is.
    pub(crate) fn sealed(&self, store: Arc<dyn Store>) -> Arc<dyn Store> {
        Arc::new(self.key.seal_store(store))
    }

    /// The token of a new life of the server, which is cancelled when it is asked to stop.
    pub(crate) fn begin_life(&self) -> (u64, CancellationToken) {
        let token = CancellationToken::new();
        self.stop_token().clone_from(&token);
        (self.lives.fetch_add(1, Ordering::Relaxed), token)
    }

    /// Asks the server to stop.
    pub(crate) fn ask_to_stop(&self) {
        self.stop_token().cancel();
    }

    fn stop_token(&self) -> MutexGuard<'_, CancellationToken> {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a match that was made. Made again, it is the same.
    pub(crate) fn made(&self, played: Played) -> Arc<Played> {
        let mut all = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let id = played.id.clone();
        assert!(all.insert(id.clone(), Arc::new(played)).is_none(), "match {id} was made twice");
        Arc::clone(&all[&id])
    }

    /// All matches, by id.
    pub(crate) fn played(&self) -> Vec<Arc<Played>> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    pub(crate) fn outages(&self) -> MutexGuard<'_, Outages> {
        self.outages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a call was answered.
    pub(crate) fn answered(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// The calls that were answered.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Asserts that an observer may be shown so much of a match: all of it is durable.
    pub(crate) fn assert_durable(&self, match_id: &str, seat: Option<u32>, seq: u64) {
        let durable = self.disk.truth().length(match_id, seat);
        assert!(
            seq <= durable,
            "{match_id}, seat {seat:?}: {seq} is shown, {durable} is durable, at {:?}",
            now()
        );
    }
}

/// A time as the trace has it.
pub(crate) fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}
