//! The delay of spectators as a line of text, such as `events=20,time=10m`.

use edgehill_client::v1::SpectatorDelay;

use crate::clock_text;
use crate::error::Error;

/// Reads a delay: parts as `name=value`, separated by commas.
///
/// # Errors
/// Names the part and what would be accepted.
pub(crate) fn read(text: &str) -> Result<SpectatorDelay, Error> {
    let mut delay = SpectatorDelay::default();
    for part in text.split(',').map(str::trim) {
        let wrong =
            |expected: &str| Error::Usage(format!("--spectator-delay: expected {expected}, found `{part}`"));
        match part.split_once('=') {
            Some(("events", value)) => {
                delay.events = value.parse().map_err(|_| wrong("a number of events"))?;
            }
            Some(("time", value)) => {
                let time = clock_text::time(value)
                    .map_err(|expected| wrong(expected.trim_start_matches("expected ")))?;
                delay.hold_back = Some(time.try_into().map_err(|_| wrong("a shorter time"))?);
            }
            _ => return Err(wrong("events=N, time=T, or both with a comma between them")),
        }
    }
    Ok(delay)
}

#[cfg(test)]
mod tests {
    use edgehill_client::prost_types::Duration;

    use super::*;

    #[test]
    fn delays_are_read_and_what_is_none_is_named() {
        let hold_back = Some(Duration { seconds: 600, nanos: 0 });
        assert_eq!(read("events=20, time=10m").expect("a delay"), SpectatorDelay { events: 20, hold_back });
        assert_eq!(read("time=10m").expect("a delay"), SpectatorDelay { events: 0, hold_back });
        for (text, expected) in [
            ("", "events=N, time=T"),
            ("20", "events=N, time=T"),
            ("events=-1", "a number of events"),
            ("time=10", "a time such as"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
