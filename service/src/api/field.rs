//! Fields that many requests and answers have.

use edgehill_proto::prost_types::Timestamp;
use edgehill_proto::v1::ErrorReason;

use super::refusing;
use crate::identity::{Caller, ClientSecret};
use crate::limits::Limits;
use crate::store::{MatchId, RequestId};
use crate::wire::Refused;

/// `match_id`.
///
/// # Errors
/// INVALID_FIELD for none, UNKNOWN_MATCH for a text that is the name of no match.
pub(super) fn match_id(given: &str) -> Result<MatchId, Refused> {
    if given.is_empty() {
        return Err(Refused::field("match_id", "expected the id that `CreateMatch` gave, found nothing"));
    }
    given
        .parse()
        .ok()
        .filter(|id: &MatchId| id.is_written(given))
        .ok_or_else(|| refusing::unknown_match(given))
}

/// `request_id`.
///
/// # Errors
/// INVALID_FIELD for none, and for a long one.
pub(super) fn request_id(given: &str, limits: &Limits) -> Result<RequestId, Refused> {
    let max = limits.request_id_bytes;
    let bad = || Refused::field("request_id", format!("expected 1 to {max} bytes, found {}", given.len()));
    if given.len() > max {
        return Err(bad());
    }
    RequestId::new(given).map_err(|_| bad())
}

/// `page_size`: 0 stands for `max`.
///
/// # Errors
/// INVALID_FIELD for a negative number, and for one above `max`.
pub(super) fn page_size(given: i32, max: usize) -> Result<usize, Refused> {
    match usize::try_from(given) {
        Ok(0) => Ok(max),
        Ok(size) if size <= max => Ok(size),
        _ => Err(Refused::field("page_size", format!("expected 0 to {max}, found {given}"))),
    }
}

/// A moment, from milliseconds since 1970.
pub(super) fn timestamp(unix_ms: u64) -> Timestamp {
    // Both fit: a `u64` of milliseconds has fewer seconds than an `i64` counts.
    Timestamp { seconds: (unix_ms / 1_000) as i64, nanos: (unix_ms % 1_000) as i32 * 1_000_000 }
}

/// `client_secret`, which tells callers without an account apart.
///
/// # Errors
/// INVALID_FIELD for another number of bytes than 32, and for none where there is no account.
pub(super) fn client_secret(given: &[u8], caller: &Caller) -> Result<Option<ClientSecret>, Refused> {
    match bytes32("client_secret", given)? {
        Some(bytes) => Ok(Some(ClientSecret::from_bytes(bytes))),
        None if matches!(caller, Caller::Account { .. }) => Ok(None),
        None => {
            let what = "expected 32 random bytes, which tell callers without an account apart, found 0";
            Err(Refused::field("client_secret", what))
        }
    }
}

/// 32 bytes, or none.
///
/// # Errors
/// INVALID_FIELD for another number of bytes.
pub(super) fn bytes32(field: &str, given: &[u8]) -> Result<Option<[u8; 32]>, Refused> {
    if given.is_empty() {
        return Ok(None);
    }
    let bytes = <[u8; 32]>::try_from(given);
    bytes.map(Some).map_err(|_| Refused::field(field, format!("expected 32 bytes, found {}", given.len())))
}

/// `player`, a name for others.
///
/// # Errors
/// INVALID_FIELD for a long one, and for one with control characters.
pub(super) fn player(given: &str, limits: &Limits) -> Result<(), Refused> {
    words("player", given, (0, limits.player_bytes))
}

/// The text of a field that people read, from so many bytes to so many.
///
/// # Errors
/// INVALID_FIELD for one of another length, and for one with control characters.
pub(super) fn words(field: &str, given: &str, (min, max): (usize, usize)) -> Result<(), Refused> {
    match given.len() {
        bytes if bytes > max && min == 0 => {
            Err(Refused::field(field, format!("expected at most {max} bytes, found {bytes}")))
        }
        bytes if !(min..=max).contains(&bytes) => {
            Err(Refused::field(field, format!("expected {min} to {max} bytes, found {bytes}")))
        }
        _ if given.chars().any(char::is_control) => {
            Err(Refused::field(field, "expected no control characters"))
        }
        _ => Ok(()),
    }
}

/// A cursor against the length of its sequence.
///
/// # Errors
/// CURSOR_AHEAD.
pub(super) fn cursor(after: u64, length: u64) -> Result<(), Refused> {
    if after <= length {
        return Ok(());
    }
    let words = format!("the cursor is at {after}, and the sequence at {length}");
    let what = format!("expected at most {length}, the number of the last event");
    Err(Refused::new(ErrorReason::CursorAhead, words).with_seq(length).violation("after_seq", what))
}
