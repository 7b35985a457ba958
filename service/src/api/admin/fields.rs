//! The fields of an operator's requests, read or refused.

use std::time::Duration;

use edgehill_proto::prost_types::{self, Timestamp};
use edgehill_proto::v1::{self, AccountRole};

use crate::admin;
use crate::identity::{AccountQuota, AccountRoles, LABEL_BYTES_MAX, Role, check_id};
use crate::store::AccountId;
use crate::wire::Refused;

/// The longest time that a key goes on beside the one in its place.
const OVERLAP_MAX: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Seconds from 1970 to the end of the year 9999, up to which a timestamp goes.
const TIMESTAMP_SECONDS_MAX: u64 = 253_402_300_799;

/// `account_id`.
///
/// # Errors
/// INVALID_FIELD for what no account can be called.
pub(super) fn account_id(given: &str) -> Result<AccountId, Refused> {
    check_id(given).map_err(|what| Refused::field("account_id", what.trim_start_matches("id: ")))
}

/// The roles in the field `path`; none if there is none.
///
/// # Errors
/// INVALID_FIELD for one that is none.
pub(super) fn roles(path: &str, given: &[i32]) -> Result<AccountRoles, Refused> {
    let read = given.iter().enumerate().map(|(index, &role)| {
        let what = "expected a role of `AccountRole`: player, spectator, referee or operator";
        role_of(role).ok_or_else(|| Refused::field(format!("{path}[{index}]"), what))
    });
    read.collect()
}

fn role_of(given: i32) -> Option<Role> {
    match AccountRole::try_from(given).ok()? {
        AccountRole::Unspecified => None,
        AccountRole::Player => Some(Role::Player),
        AccountRole::Spectator => Some(Role::Spectator),
        AccountRole::Referee => Some(Role::Referee),
        AccountRole::Operator => Some(Role::Operator),
    }
}

/// `label`.
///
/// # Errors
/// INVALID_FIELD for a long one, and for one with control characters.
pub(super) fn label(given: &str) -> Result<String, Refused> {
    if given.len() > LABEL_BYTES_MAX {
        let what = format!("expected at most {LABEL_BYTES_MAX} bytes, found {}", given.len());
        return Err(Refused::field("label", what));
    }
    match given.chars().any(char::is_control) {
        true => Err(Refused::field("label", "expected no control characters")),
        false => Ok(given.to_owned()),
    }
}

/// `quota`; the default if there is none.
///
/// # Errors
/// INVALID_FIELD for what is more than any caller has.
pub(super) fn quota(given: Option<v1::AccountQuota>) -> Result<AccountQuota, Refused> {
    let given = given.unwrap_or_default();
    let within = |field: &str, count: Option<u32>, (min, max): (u32, u32)| match count {
        Some(count) if !(min..=max).contains(&count) => {
            Err(Refused::field(format!("quota.{field}"), format!("expected {min} to {max}, found {count}")))
        }
        count => Ok(count),
    };
    Ok(AccountQuota {
        open_matches: within("open_matches", given.open_matches, (0, 1_000_000))?,
        bot_matches: within("bot_matches", given.bot_matches, (0, 1_000_000))?,
        streams: within("streams", given.streams, (0, 65_536))?,
        calls: within("calls", given.calls, (1, 1_000_000))?,
        calls_per_second: within("calls_per_second", given.calls_per_second, (0, 1_000_000))?,
        bytes_per_second: within("bytes_per_second", given.bytes_per_second, (0, 1_000_000_000))?,
    })
}

/// `overlap`, in milliseconds.
///
/// # Errors
/// INVALID_FIELD for a negative one, and for more than 90 days.
pub(super) fn overlap_ms(given: Option<prost_types::Duration>) -> Result<u64, Refused> {
    let overlap = given.map_or(Ok(Duration::ZERO), Duration::try_from).ok();
    let overlap = overlap.filter(|overlap| *overlap <= OVERLAP_MAX);
    let what = "expected nothing, or 0 to 7,776,000 seconds";
    let overlap = overlap.ok_or_else(|| Refused::field("overlap", what))?;
    Ok(u64::try_from(overlap.as_millis()).unwrap_or(u64::MAX))
}

/// `expire_time`, in milliseconds since 1970, as the first of a request's calls meets it at `now_ms`.
///
/// # Errors
/// [`admin::Error::Field`] for a moment that has passed, and for one that no timestamp has.
pub(super) fn expires_ms(given: Option<Timestamp>, now_ms: u64) -> Result<Option<u64>, admin::Error> {
    let Some(given) = given else { return Ok(None) };
    let seconds = u64::try_from(given.seconds).unwrap_or(0);
    let at_ms = seconds.saturating_mul(1_000) + u64::try_from(given.nanos / 1_000_000).unwrap_or(0);
    if at_ms <= now_ms || seconds > TIMESTAMP_SECONDS_MAX {
        let why = "expected a moment to come, of a year up to 9999, or nothing".to_owned();
        return Err(admin::Error::Field { field: "expire_time", why });
    }
    Ok(Some(at_ms))
}

/// `page_token`, of a page whose token was `read` from it.
///
/// # Errors
/// INVALID_FIELD for one that no page gave.
pub(super) fn page_token<T>(given: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Refused> {
    if given.is_empty() {
        return Ok(None);
    }
    let what = "expected `next_page_token` of the page before, or nothing";
    read(given).map(Some).ok_or_else(|| Refused::field("page_token", what))
}
