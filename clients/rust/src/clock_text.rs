//! Clocks of a match as a line of text, such as `bank=10m,increment=5s,end=forfeit`, and times in words.

use edgehill_client::prost_types::Duration;
use edgehill_client::v1::{ClockConfig, TimeoutRule};

use crate::error::Error;

/// The units of times, longest first.
const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Reads clocks: parts as `name=value`, separated by commas.
///
/// # Errors
/// Names the part and what would be accepted.
pub(crate) fn read(text: &str) -> Result<ClockConfig, Error> {
    let mut clock = ClockConfig::default();
    for part in text.split(',').map(str::trim) {
        let wrong = |expected: &str| Error::Usage(format!("--clock: expected {expected}, found `{part}`"));
        let Some((name, value)) = part.split_once('=') else {
            return Err(wrong("parts such as bank=10m, separated by commas"));
        };
        let time = || duration(value).map(Some).ok_or_else(|| wrong("a time such as 90s, 10m, 1h or 3d"));
        match name {
            "bank" => clock.bank = time()?,
            "increment" => clock.increment = time()?,
            "delay" => clock.delay = time()?,
            "limit" => clock.decision_limit = time()?,
            "window" => clock.window_limit = time()?,
            "end" => {
                clock.at_end = match value {
                    "default" => TimeoutRule::DefaultAction,
                    "forfeit" => TimeoutRule::Forfeit,
                    _ => return Err(wrong("end=default or end=forfeit")),
                }
                .into();
            }
            "strikes" => clock.strikes = value.parse().map_err(|_| wrong("a number of strikes"))?,
            _ => return Err(wrong("bank, increment, delay, limit, window, end or strikes")),
        }
    }
    Ok(clock)
}

fn duration(text: &str) -> Option<Duration> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let (_, unit_ms) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let ms = number.parse::<u64>().ok()?.checked_mul(*unit_ms)?;
    Some(Duration { seconds: i64::try_from(ms / 1_000).ok()?, nanos: (ms % 1_000) as i32 * 1_000_000 })
}

/// A time in words, in its two largest units: `3d 4h`, `9m 58s`.
pub(crate) fn words(time: &Duration) -> String {
    let mut left =
        u64::try_from(time.seconds).unwrap_or(0) * 1_000 + u64::try_from(time.nanos).unwrap_or(0) / 1_000_000;
    let mut parts = Vec::new();
    for (name, unit_ms) in UNITS {
        if left >= unit_ms && parts.len() < 2 {
            parts.push(format!("{}{name}", left / unit_ms));
            left %= unit_ms;
        }
    }
    if parts.is_empty() { "0s".to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: i64) -> Duration {
        Duration { seconds, nanos: 0 }
    }

    #[test]
    fn clocks_are_read() {
        let clock = read("bank=10m, increment=5s,window=30s,end=forfeit").expect("clocks");
        let expected = ClockConfig {
            bank: Some(seconds(600)),
            increment: Some(seconds(5)),
            window_limit: Some(seconds(30)),
            at_end: TimeoutRule::Forfeit.into(),
            ..ClockConfig::default()
        };
        assert_eq!(clock, expected);
        let days = read("limit=3d,strikes=2").expect("clocks");
        assert_eq!((days.decision_limit, days.strikes), (Some(seconds(3 * 86_400)), 2));
    }

    #[test]
    fn what_is_no_clock_is_named() {
        for (text, expected) in [
            ("", "separated by commas"),
            ("bank", "separated by commas"),
            ("bank=", "a time such as"),
            ("bank=10", "a time such as"),
            ("bank=10y", "a time such as"),
            ("bank=-1s", "a time such as"),
            ("delay=99999999999999999999d", "a time such as"),
            ("end=never", "end=default or end=forfeit"),
            ("strikes=many", "a number of strikes"),
            ("time=5s", "bank, increment, delay"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn times_are_told_in_their_two_largest_units() {
        for (time, expected) in [
            (seconds(0), "0s"),
            (seconds(598), "9m 58s"),
            (seconds(3 * 86_400 + 4 * 3_600 + 59), "3d 4h"),
            (Duration { seconds: 1, nanos: 500_000_000 }, "1s 500ms"),
            (seconds(-5), "0s"),
        ] {
            assert_eq!(words(&time), expected);
        }
    }
}
