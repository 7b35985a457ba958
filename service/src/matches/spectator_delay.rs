//! The delay with which spectators see a match ([`SpectatorDelay`]), and how far they see at a moment ([`Sight`]).

use edgehill_engine::seat::Observer;
use serde::{Deserialize, Serialize};

use super::course::{Course, Phase};

/// The most of the last events that can be held back.
pub const HELD_EVENTS_MAX: u32 = 10_000;

/// The longest time for which events can be held back, in milliseconds: 30 days.
pub const HOLD_BACK_MS_MAX: u64 = 30 * 24 * 60 * 60 * 1_000;

/// The delay with which spectators see a match. It ends with the match.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpectatorDelay {
    /// Number of the last events that they don't see yet.
    pub events: u32,
    /// The time for which they don't see an event, in milliseconds.
    pub hold_back_ms: u64,
}

/// The part of an observer's sequence that they may see at a moment.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// The number of the last event that they see.
    pub seq: u64,
    /// When they will see more, in milliseconds since 1970, though nothing happen; `None`: not before something does.
    pub more_ms: Option<u64>,
}

/// The length of the spectators' sequence since a moment, in milliseconds since 1970.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ShownSince {
    pub(super) at_ms: u64,
    pub(super) length: u64,
}

impl Course {
    /// Returns the delay of its spectators, as long as they have one.
    #[must_use]
    pub fn spectator_delay(&self) -> Option<SpectatorDelay> {
        self.header().spectator_delay.filter(|_| self.phase() != Phase::Over)
    }

    /// The part of `observer`'s sequence that they see at a moment of the host's time: all of it, but for spectators with a delay.
    #[must_use]
    pub fn sight(&self, observer: Observer, now_ms: u64) -> Sight {
        let length = self.length(observer);
        let Some(delay) = self.spectator_delay().filter(|_| observer == Observer::Spectator) else {
            return Sight { seq: length, more_ms: None };
        };
        let old_enough = |since: &ShownSince| since.at_ms.saturating_add(delay.hold_back_ms) <= now_ms;
        let young = self.spectator_lengths().partition_point(old_enough);
        let by_time = young.checked_sub(1).map_or(0, |last| self.spectator_lengths()[last].length);
        let by_events = length.saturating_sub(delay.events.into());
        let next = self.spectator_lengths().get(young).filter(|_| by_time < by_events);
        Sight {
            seq: by_time.min(by_events),
            more_ms: next.map(|since| since.at_ms.saturating_add(delay.hold_back_ms)),
        }
    }
}
