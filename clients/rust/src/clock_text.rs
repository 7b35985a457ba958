//! Clocks of a match as a line of text, such as `bank=10m,increment=5s,end=forfeit`, and times in words.

use edgehill_client::prost_types::{Duration, Timestamp};
use edgehill_client::v1::{ClockConfig, TimeoutRule};

use crate::error::Error;

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

/// Reads a time, such as 90s, 10m, 1h or 3d.
///
/// # Errors
/// Says what would be accepted.
pub(crate) fn time(text: &str) -> Result<std::time::Duration, String> {
    humantime::parse_duration(text).map_err(|_| "expected a time such as 90s, 10m, 1h or 3d".to_owned())
}

fn duration(text: &str) -> Option<Duration> {
    Duration::try_from(humantime::parse_duration(text).ok()?).ok()
}

/// A moment as RFC 3339 has it, in whole seconds.
pub(crate) fn moment(at: &Timestamp) -> String {
    // Nothing that a server tells is before 1970.
    let at = std::time::SystemTime::try_from(*at).unwrap_or(std::time::UNIX_EPOCH);
    humantime::format_rfc3339_seconds(at).to_string()
}

/// A time in words, such as `9m 58s`.
pub(crate) fn words(time: &Duration) -> String {
    // None is less than nothing.
    humantime::format_duration(std::time::Duration::try_from(*time).unwrap_or_default()).to_string()
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
            ("bank=10q", "a time such as"),
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
    fn times_are_told() {
        for (time, expected) in [(0, "0s"), (598, "9m 58s"), (3 * 86_400 + 4 * 3_600, "3days 4h"), (-5, "0s")]
        {
            assert_eq!(words(&seconds(time)), expected);
        }
    }
}
