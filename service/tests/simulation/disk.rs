//! The disk of a world ([`Disk`]): what is durable, since when, and the weather that flushes meet.
//!
//! It outlives the server. What a store has in line or on its way is the server's, and is lost with it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgehill_service::store::{MatchId, MemoryStore, NoFaults};

use crate::date::{Date, LifeClock, now};
use crate::flaw::Flaw;
use crate::random::Random;
use crate::trace::Trace;

/// The longest flush of a disk that is well, and of one that is slow.
const FLUSH_MAX: Duration = Duration::from_millis(8);
const SLOW_FLUSH_MAX: Duration = Duration::from_millis(1_500);

/// An append, by the time of the world.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Written {
    /// When it was put in line.
    pub(crate) put: Duration,
    /// When it was durable.
    pub(crate) durable: Duration,
}

/// The part that is durable, as nobody but the tests knows it.
#[derive(Debug, Default)]
pub(crate) struct Truth {
    /// The length of each observer's sequence.
    lengths: BTreeMap<String, Vec<u64>>,
    /// By match and revision.
    pub(crate) written: BTreeMap<(MatchId, u64), Written>,
}

impl Truth {
    /// The events of a match that an observer may have been shown: of a seat, or of the spectators.
    pub(crate) fn length(&self, match_id: &str, seat: Option<u32>) -> u64 {
        let lengths = self.lengths.get(match_id);
        let length = lengths.and_then(|lengths| match seat {
            Some(seat) => lengths.get(seat as usize),
            None => lengths.last(),
        });
        length.copied().unwrap_or(0)
    }
}

/// The fate of a flush.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// All of it is durable.
    Lands,
    /// Nothing of it is, and the store knows.
    Fails,
    /// Nobody is told; it is so.
    Unknown { lands: bool },
}

/// A flush as it will go, unless the server crashes first.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Flush {
    pub(crate) before: Duration,
    pub(crate) fate: Fate,
    /// The time from the moment at which it is durable until the store hears of it.
    pub(crate) after: Duration,
}

/// The weather that flushes meet.
#[derive(Debug)]
struct Weather {
    random: Random,
    fails_until: Duration,
    slow_until: Duration,
    /// The next flushes whose outcome nobody is told.
    unknown: u32,
}

/// The disk of a world.
pub(crate) struct Disk {
    /// The rows of a store, with all its rules.
    pub(crate) rows: Arc<MemoryStore>,
    pub(crate) trace: Arc<Trace>,
    pub(crate) flaw: Option<Flaw>,
    truth: Mutex<Truth>,
    weather: Mutex<Weather>,
}

impl Disk {
    pub(crate) fn new(seed: u64, date: Arc<Date>, trace: Arc<Trace>, flaw: Option<Flaw>) -> Arc<Self> {
        let weather = Weather {
            random: Random::new(seed),
            fails_until: Duration::ZERO,
            slow_until: Duration::ZERO,
            unknown: 0,
        };
        Arc::new(Self {
            rows: Arc::new(MemoryStore::with(Arc::new(NoFaults), Arc::new(LifeClock::new(date, false)))),
            trace,
            flaw,
            truth: Mutex::default(),
            weather: Mutex::new(weather),
        })
    }

    pub(crate) fn truth(&self) -> MutexGuard<'_, Truth> {
        self.truth.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn weather(&self) -> MutexGuard<'_, Weather> {
        self.weather.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every flush fails until then.
    pub(crate) fn fails_until(&self, until: Duration) {
        self.weather().fails_until = until;
    }

    /// Every flush is slow until then.
    pub(crate) fn slow_until(&self, until: Duration) {
        self.weather().slow_until = until;
    }

    /// Nobody is told what becomes of the next flushes.
    pub(crate) fn next_unknown(&self, flushes: u32) {
        self.weather().unknown = flushes;
    }

    /// The weather is fair from now on.
    pub(crate) fn calm(&self) {
        let mut weather = self.weather();
        (weather.fails_until, weather.slow_until, weather.unknown) = (Duration::ZERO, Duration::ZERO, 0);
    }

    /// A flush that begins now.
    pub(crate) fn flush(&self) -> Flush {
        let mut weather = self.weather();
        let longest = if now() < weather.slow_until { SLOW_FLUSH_MAX } else { FLUSH_MAX };
        let mut time = || Duration::from_micros(weather.random.next() % longest.as_micros() as u64);
        let (before, after) = (time(), time() / 4);
        let fate = match () {
            () if now() < weather.fails_until => Fate::Fails,
            () if weather.unknown > 0 => {
                weather.unknown -= 1;
                Fate::Unknown { lands: weather.random.percent(50) }
            }
            () => Fate::Lands,
        };
        Flush { before, fate, after }
    }

    /// A short time, in which somebody reads.
    pub(crate) fn look(&self) -> Duration {
        Duration::from_micros(self.weather().random.next() % 3_000)
    }

    /// Notes that a revision of a match is durable, with so many events of each observer.
    pub(crate) fn note(&self, id: MatchId, revision: u64, put: Duration, lengths: &[u64]) {
        let durable = now();
        self.trace.note(durable, format_args!("durable {id} {revision} {lengths:?}"));
        let mut truth = self.truth();
        truth.lengths.insert(id.to_string(), lengths.to_vec());
        truth.written.entry((id, revision)).or_insert(Written { put, durable });
    }
}
