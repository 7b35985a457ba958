//! Counts and times: [`Figures`] while a load lasts, and all of them at its end ([`Counted`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgehill_client::Error;
use hdrhistogram::Histogram;

/// Kinds of calls.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// An action.
    Apply,
    /// The legal actions of a seat.
    List,
    /// A new match.
    Create,
    /// A seat of it.
    Join,
    /// A match that is given up.
    Resign,
    /// A spectator who comes to a match, until they are told something.
    Watch,
    /// A spectator who comes back to it, until they are told something.
    Resume,
    /// A call that asks for nothing of a match.
    Echo,
}

impl Kind {
    /// Its name, for people and programs.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Apply => "apply",
            Self::List => "list",
            Self::Create => "create",
            Self::Join => "join",
            Self::Resign => "resign",
            Self::Watch => "watch",
            Self::Resume => "resume",
            Self::Echo => "echo",
        }
    }

    /// Returns whether it is one of the calls that play a match.
    pub(super) const fn is_played(self) -> bool {
        !matches!(self, Self::Watch | Self::Resume | Self::Echo)
    }
}

/// The longest time that is told apart, in microseconds: longer ones count as it.
const LONGEST_US: u64 = 120_000_000;

/// Times in microseconds, to three digits.
pub(super) type Times = Histogram<u64>;

pub(super) fn no_times() -> Times {
    Histogram::new_with_bounds(1, LONGEST_US, 3).expect("bounds that a histogram has")
}

/// A spectator, and the place of the match that they watch among those that are played, both by number.
#[derive(Copy, Clone, Debug)]
pub(super) struct Watching {
    pub(super) spectator: u32,
    pub(super) played: u32,
    /// True if they read one message a second.
    pub(super) is_slow: bool,
}

/// Messages to spectators, and the events in them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Told {
    pub(super) messages: u64,
    pub(super) events: u64,
}

impl Told {
    fn add(&mut self, events: u64) {
        self.messages += 1;
        self.events += events;
    }
}

/// All that was counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted {
    /// The times of answers, by kind.
    pub(super) times: BTreeMap<Kind, Times>,
    /// Calls that were not answered well, by reason.
    pub(super) refusals: BTreeMap<String, u64>,
    /// Matches that were played to an end or given up.
    pub(super) ended: u64,
    /// Messages that all spectators have read.
    pub(super) told: Told,
    /// Those of them that the slow ones have read.
    pub(super) slow: Told,
    /// The spectators who were told something, by the place of their match.
    pub(super) spectators: BTreeMap<u32, BTreeSet<u32>>,
    /// Events that came twice, or in the place of others.
    pub(super) gaps: u64,
    /// Connections that were made after a storm, and over which there was an answer.
    pub(super) reconnections: u64,
    /// Calls that play a match, in each second.
    pub(super) seconds: Vec<u64>,
    /// Bytes of the server that were in memory, in each second; none if nobody knows.
    pub(super) server_bytes: Vec<u64>,
}

impl Counted {
    /// Answers to calls of a kind.
    pub(super) fn count(&self, kind: Kind) -> u64 {
        self.times.get(&kind).map_or(0, Times::len)
    }

    /// The times of all calls that play matches.
    pub(super) fn played(&self) -> Times {
        let played = self.times.iter().filter(|(kind, _)| kind.is_played());
        all(played.map(|(_, times)| times))
    }
}

/// These times as one.
pub(super) fn all<'a>(times: impl Iterator<Item = &'a Times>) -> Times {
    times.fold(no_times(), |mut all, times| {
        // Both have the same bounds.
        all.add(times).expect("times within the bounds");
        all
    })
}

/// The figures of a load, to which all of its tasks add. Copies are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures(Arc<Mutex<Counting>>);

#[derive(Debug, Default)]
struct Counting {
    /// Before that nothing is kept.
    is_measured: bool,
    kept: Counted,
    now: Now,
}

/// Counts for people to look at while the load lasts: since its warm-up began or ended, and since the last look.
#[derive(Clone, Debug, Default)]
pub(super) struct Now {
    pub(super) kinds: BTreeMap<Kind, KindNow>,
    /// Calls of no kind: those that were due and were not made.
    pub(super) not_made: u64,
    /// Connections that were made after a storm.
    pub(super) reconnections: u64,
    /// Events that spectators were told since the last look.
    pub(super) events: u64,
}

/// Counts of one kind of calls.
#[derive(Clone, Debug)]
pub(super) struct KindNow {
    /// Answers.
    pub(super) calls: u64,
    /// Calls that were not answered well.
    pub(super) refusals: u64,
    /// The times of the answers since the last look.
    pub(super) lately: Times,
}

impl Default for KindNow {
    fn default() -> Self {
        Self { calls: 0, refusals: 0, lately: no_times() }
    }
}

impl Figures {
    fn lock(&self) -> MutexGuard<'_, Counting> {
        // Each change leaves it whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From here on what is counted is kept.
    pub(super) fn measure(&self) {
        *self.lock() = Counting { is_measured: true, ..Counting::default() };
    }

    /// All that was counted; nothing is from here on.
    pub(super) fn take(&self) -> Counted {
        let mut counting = self.lock();
        counting.is_measured = false;
        std::mem::take(&mut counting.kept)
    }

    /// Notes an answer.
    pub(super) fn answered(&self, kind: Kind, after: Duration) {
        let us = u64::try_from(after.as_micros()).unwrap_or(LONGEST_US).clamp(1, LONGEST_US);
        let mut counting = self.lock();
        let now = counting.now.kinds.entry(kind).or_default();
        now.calls += 1;
        now.lately.saturating_record(us);
        if counting.is_measured {
            counting.kept.times.entry(kind).or_insert_with(no_times).saturating_record(us);
        }
    }

    /// Notes a call of this kind that was not answered well or, without a kind, was not made.
    pub(super) fn failed(&self, kind: Option<Kind>, error: &Error) {
        match error.refusal() {
            Some(refusal) => self.refused(kind, &refusal.reason_name()),
            None => self.refused(kind, &error.to_string()),
        }
    }

    /// Notes a call of this kind that was refused for this reason or, without a kind, was not made.
    pub(super) fn refused(&self, kind: Option<Kind>, reason: &str) {
        let mut counting = self.lock();
        match kind {
            Some(kind) => counting.now.kinds.entry(kind).or_default().refusals += 1,
            None => counting.now.not_made += 1,
        }
        *counting.kept.refusals.entry(reason.to_owned()).or_default() += 1;
    }

    /// Notes a match that has ended.
    pub(super) fn ended(&self) {
        self.lock().kept.ended += 1;
    }

    /// Notes an answer over a connection that was made after a storm.
    pub(super) fn reconnected(&self) {
        let mut counting = self.lock();
        counting.now.reconnections += 1;
        counting.kept.reconnections += 1;
    }

    /// Notes a message that a spectator has read: its events, and how many of them did not follow the one before.
    pub(super) fn told(&self, watching: &Watching, events: u64, gaps: u64) {
        let mut counting = self.lock();
        counting.now.events += events;
        let kept = &mut counting.kept;
        kept.told.add(events);
        if watching.is_slow {
            kept.slow.add(events);
        }
        kept.gaps += gaps;
        kept.spectators.entry(watching.played).or_default().insert(watching.spectator);
    }

    /// Returns the counts of now, and begins another second, in which the server has so many bytes in memory.
    pub(super) fn look(&self, server_bytes: Option<u64>) -> Now {
        let mut counting = self.lock();
        let looked = counting.now.clone();
        counting.now.events = 0;
        counting.now.kinds.values_mut().for_each(|kind| kind.lately.reset());
        if counting.is_measured {
            let played = looked.kinds.iter().filter(|(kind, _)| kind.is_played());
            counting.kept.seconds.push(played.map(|(_, kind)| kind.lately.len()).sum());
            counting.kept.server_bytes.extend(server_bytes);
        }
        looked
    }
}
