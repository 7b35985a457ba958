//! The clocks of matches as they are settled ([`ClockSettings`]).

use core::time::Duration;
use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::SettingsError;
use crate::encounter::ParseWordError;

/// The longest time that a clock may have, in milliseconds: ten years.
const TIME_MS_MAX: u64 = 10 * 366 * 24 * 60 * 60 * 1_000;
/// The least limit of a question, in milliseconds.
const QUESTION_MS_MIN: u64 = 1_000;

/// The clocks of matches, in milliseconds: written `bank=10m,increment=5s,delay=1s,limit=1m,window=30s`, in the words of `edgehill new --clock`. The
/// policy says what happens when a time has run out ([`super::TimeoutCost`]).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ClockSettings {
    /// Time for all questions together; [`None`] for none.
    pub bank_ms: Option<u64>,
    /// Time that comes to the bank with each answer.
    pub increment_ms: u64,
    /// Time of each question that the bank is not charged for.
    pub delay_ms: u64,
    /// The most time for one question.
    pub limit_ms: Option<u64>,
    /// The same for a window; [`None`] for the limit of any question.
    pub window_ms: Option<u64>,
}

impl ClockSettings {
    /// The fields with their names, in the order in which they are written.
    fn fields(&self) -> [(&'static str, Option<u64>); 5] {
        let some = |ms: u64| Some(ms).filter(|&ms| ms > 0);
        [
            ("bank", self.bank_ms),
            ("increment", some(self.increment_ms)),
            ("delay", some(self.delay_ms)),
            ("limit", self.limit_ms),
            ("window", self.window_ms),
        ]
    }

    pub(super) fn check(&self) -> Result<(), SettingsError> {
        let refuse = |given: String, accepted: &str| {
            Err(SettingsError { field: "terms.clock", given, accepted: accepted.to_owned() })
        };
        if self.bank_ms.is_none() && self.limit_ms.is_none() {
            return refuse("without a bank and without a limit".to_owned(), "a bank, a limit, or both");
        }
        if self.bank_ms.is_none() && (self.increment_ms > 0 || self.delay_ms > 0) {
            return refuse(format!("{self}"), "an increment or a delay with a bank alone");
        }
        for (name, ms) in self.fields() {
            let least = if matches!(name, "limit" | "window") { QUESTION_MS_MIN } else { 1 };
            if ms.is_some_and(|ms| !(least..=TIME_MS_MAX).contains(&ms)) {
                return refuse(format!("{self}"), "times from 1 ms (limit and window: 1 s) to ten years");
            }
        }
        Ok(())
    }
}

impl fmt::Display for ClockSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.fields().into_iter().filter_map(|(name, ms)| Some((name, ms?)));
        for (index, (name, ms)) in given.enumerate() {
            let time = humantime::format_duration(Duration::from_millis(ms));
            write!(f, "{}{name}={time}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl FromStr for ClockSettings {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        let wrong = ParseWordError {
            expected: "clocks such as bank=10m,increment=5s, of bank, increment, delay, limit and window, each once",
        };
        let mut clock = Self::default();
        let mut seen = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (name, value) = part.split_once('=').ok_or(wrong)?;
            let time = humantime::parse_duration(value).map_err(|_| wrong)?;
            let ms = u64::try_from(time.as_millis()).map_err(|_| wrong)?;
            // No part of what is written gets lost.
            if seen.contains(&name) || Duration::from_millis(ms) != time || ms == 0 {
                return Err(wrong);
            }
            seen.push(name);
            match name {
                "bank" => clock.bank_ms = Some(ms),
                "increment" => clock.increment_ms = ms,
                "delay" => clock.delay_ms = ms,
                "limit" => clock.limit_ms = Some(ms),
                "window" => clock.window_ms = Some(ms),
                _ => return Err(wrong),
            }
        }
        Ok(clock)
    }
}

/// The fields, as they are stored.
#[derive(Serialize, Deserialize)]
struct Stored(Option<u64>, u64, u64, Option<u64>, Option<u64>);

impl Serialize for ClockSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_str(self);
        }
        let Self { bank_ms, increment_ms, delay_ms, limit_ms, window_ms } = *self;
        Stored(bank_ms, increment_ms, delay_ms, limit_ms, window_ms).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ClockSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return String::deserialize(deserializer)?.parse().map_err(D::Error::custom);
        }
        let Stored(bank_ms, increment_ms, delay_ms, limit_ms, window_ms) = Stored::deserialize(deserializer)?;
        Ok(Self { bank_ms, increment_ms, delay_ms, limit_ms, window_ms })
    }
}
