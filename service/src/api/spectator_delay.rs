//! The delay of spectators, as it is asked for and shown.

use edgehill_proto::v1;

use super::clock;
use crate::matches::{HELD_EVENTS_MAX, HOLD_BACK_MS_MAX, SpectatorDelay};
use crate::wire::Refused;

/// Reads the field `spectator_delay`.
///
/// # Errors
/// INVALID_FIELD for one that holds nothing back, and for more than can be held back.
pub(super) fn read(given: &v1::SpectatorDelay) -> Result<SpectatorDelay, Refused> {
    let v1::SpectatorDelay { events, hold_back } = *given;
    if events > HELD_EVENTS_MAX {
        let what = format!("expected at most {HELD_EVENTS_MAX}, found {events}");
        return Err(Refused::field("spectator_delay.events", what));
    }
    let hold_back_ms =
        clock::time_within("spectator_delay.hold_back", hold_back.as_ref(), 0..=HOLD_BACK_MS_MAX)?;
    let delay = SpectatorDelay { events, hold_back_ms: hold_back_ms.unwrap_or(0) };
    if (delay.events, delay.hold_back_ms) == (0, 0) {
        return Err(Refused::field("spectator_delay", "expected `events` or a `hold_back`, found neither"));
    }
    Ok(delay)
}

/// The delay that a match was made with.
pub(super) fn config(delay: SpectatorDelay) -> v1::SpectatorDelay {
    let hold_back = clock::span(delay.hold_back_ms).filter(|_| delay.hold_back_ms > 0);
    v1::SpectatorDelay { events: delay.events, hold_back }
}
