//! Counts and times: [`Figures`] while a load lasts, and all of them at its end ([`Counted`]).

use std::collections::BTreeMap;
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
    /// A spectator who comes back, until they are told something.
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
            Self::Resume => "resume",
            Self::Echo => "echo",
        }
    }

    /// Returns whether it is one of the calls that play a match.
    const fn is_played(self) -> bool {
        !matches!(self, Self::Resume | Self::Echo)
    }
}

/// The longest time that is told apart, in microseconds: longer ones count as it.
const LONGEST_US: u64 = 120_000_000;

/// Times in microseconds, to three digits.
pub(super) type Times = Histogram<u64>;

pub(super) fn no_times() -> Times {
    Histogram::new_with_bounds(1, LONGEST_US, 3).expect("bounds that a histogram has")
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
    /// Events that spectators were told.
    pub(super) events: u64,
    /// Events that came twice, or in the place of others.
    pub(super) gaps: u64,
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
        let mut all = no_times();
        for (_, times) in self.times.iter().filter(|(kind, _)| kind.is_played()) {
            // Both have the same bounds.
            all.add(times).expect("times within the bounds");
        }
        all
    }
}

/// The figures of a load, to which all of its tasks add. Copies are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures(Arc<Mutex<Counting>>);

#[derive(Debug, Default)]
struct Counting {
    /// Before that nothing is kept.
    is_measured: bool,
    kept: Counted,
    /// Since somebody looked last.
    lately: Option<Times>,
    lately_events: u64,
}

/// Answers and events since the last look.
#[derive(Debug)]
pub(super) struct Lately {
    pub(super) times: Times,
    pub(super) events: u64,
    pub(super) refusals: u64,
}

impl Figures {
    fn lock(&self) -> MutexGuard<'_, Counting> {
        // Each change leaves it whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From here on what is counted is kept.
    pub(super) fn measure(&self) {
        let mut counting = self.lock();
        counting.is_measured = true;
        counting.kept = Counted::default();
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
        if kind.is_played() {
            counting.lately.get_or_insert_with(no_times).saturating_record(us);
        }
        if counting.is_measured {
            counting.kept.times.entry(kind).or_insert_with(no_times).saturating_record(us);
        }
    }

    /// Notes a call that was not answered well.
    pub(super) fn failed(&self, error: &Error) {
        match error.refusal() {
            Some(refusal) => self.refused(&refusal.reason_name()),
            None => self.refused(&error.to_string()),
        }
    }

    /// Notes a call that was refused for this reason, or not made.
    pub(super) fn refused(&self, reason: &str) {
        *self.lock().kept.refusals.entry(reason.to_owned()).or_default() += 1;
    }

    /// Notes a match that has ended.
    pub(super) fn ended(&self) {
        self.lock().kept.ended += 1;
    }

    /// Notes events that a spectator was told, and how many of them did not follow the one before.
    pub(super) fn told(&self, events: u64, gaps: u64) {
        let mut counting = self.lock();
        counting.lately_events += events;
        counting.kept.events += events;
        counting.kept.gaps += gaps;
    }

    /// Returns what has come since the last look, and begins another second, in which the server has so many bytes in memory.
    pub(super) fn lately(&self, server_bytes: Option<u64>) -> Lately {
        let mut counting = self.lock();
        let times = counting.lately.take().unwrap_or_else(no_times);
        if counting.is_measured {
            counting.kept.seconds.push(times.len());
            counting.kept.server_bytes.extend(server_bytes);
        }
        let events = std::mem::take(&mut counting.lately_events);
        Lately { times, events, refusals: counting.kept.refusals.values().sum() }
    }
}
