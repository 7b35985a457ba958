//! The bytes that headers, entries and outcomes are stored as: a version, then the fields in postcard's wire format.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The version that this build writes.
const VERSION: u8 = 3;

/// The version of what has something of clocks behind its fields: a build that knows no clocks does not read it.
const CLOCKED: u8 = 5;

/// The version of what has rules behind its fields that took a match up.
const REPINNED: u8 = 6;

/// The version of what has something of referees behind its fields.
const REFEREED: u8 = 7;

/// The version of what has something of adjournments behind its fields.
const ADJOURNED: u8 = 8;

/// The version of what has a delay of spectators behind its fields.
const DELAYED: u8 = 9;

/// The version of what has terms of conduct behind its fields. Version 10 is that of archives with records.
const CONDUCTED: u8 = 11;

/// The reason that stored bytes can't be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StoredError {
    /// Written by another server.
    #[error("it is stored in version {0}; this server reads version {VERSION}")]
    Version(u8),
    /// Not what it should be.
    #[error("it can't be read: {0}")]
    Malformed(String),
}

/// Room for what most headers, outcomes and entries take, published events left out.
const ROOM: usize = 64;

/// The bytes to store; `more` is how many are known to come beyond the usual.
pub(super) fn to_bytes<T: Serialize>(what: &T, more: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ROOM + more);
    bytes.push(VERSION);
    postcard::to_extend(what, bytes).expect("all that is stored knows its lengths")
}

/// The bytes to store of what may have something of clocks, which comes behind its fields.
pub(super) fn to_bytes_clocked<T: Serialize, C: Serialize>(
    what: &T,
    clocked: Option<&C>,
    more: usize,
) -> Vec<u8> {
    let mut bytes = to_bytes(what, more);
    if let Some(clocked) = clocked {
        bytes[0] = CLOCKED;
        bytes = postcard::to_extend(clocked, bytes).expect("all that is stored knows its lengths");
    }
    bytes
}

/// The bytes to store of what has rules that took a match up, which come behind its fields with the rest.
pub(super) fn to_bytes_repinned<T: Serialize, R: Serialize>(what: &T, rest: &R) -> Vec<u8> {
    to_bytes_with_rest(REPINNED, what, rest)
}

/// Reads what [`to_bytes_repinned`] has written; `None` for what something else has.
pub(super) fn from_bytes_repinned<T: DeserializeOwned, R: DeserializeOwned>(
    bytes: &[u8],
) -> Result<Option<(T, R)>, StoredError> {
    from_bytes_with_rest(REPINNED, bytes)
}

/// The bytes to store of what has something of referees, which comes behind its fields with the rest.
pub(super) fn to_bytes_refereed<T: Serialize, R: Serialize>(what: &T, rest: &R) -> Vec<u8> {
    to_bytes_with_rest(REFEREED, what, rest)
}

/// Reads what [`to_bytes_refereed`] has written; `None` for what something else has.
pub(super) fn from_bytes_refereed<T: DeserializeOwned, R: DeserializeOwned>(
    bytes: &[u8],
) -> Result<Option<(T, R)>, StoredError> {
    from_bytes_with_rest(REFEREED, bytes)
}

/// The bytes to store of what has something of adjournments, which comes behind its fields with the rest.
pub(super) fn to_bytes_adjourned<T: Serialize, R: Serialize>(what: &T, rest: &R) -> Vec<u8> {
    to_bytes_with_rest(ADJOURNED, what, rest)
}

/// Reads what [`to_bytes_adjourned`] has written; `None` for what something else has.
pub(super) fn from_bytes_adjourned<T: DeserializeOwned, R: DeserializeOwned>(
    bytes: &[u8],
) -> Result<Option<(T, R)>, StoredError> {
    from_bytes_with_rest(ADJOURNED, bytes)
}

/// The bytes to store of what has a delay of spectators, which comes behind its fields with the rest.
pub(super) fn to_bytes_delayed<T: Serialize, R: Serialize>(what: &T, rest: &R) -> Vec<u8> {
    to_bytes_with_rest(DELAYED, what, rest)
}

/// Reads what [`to_bytes_delayed`] has written; `None` for what something else has.
pub(super) fn from_bytes_delayed<T: DeserializeOwned, R: DeserializeOwned>(
    bytes: &[u8],
) -> Result<Option<(T, R)>, StoredError> {
    from_bytes_with_rest(DELAYED, bytes)
}

/// The bytes to store of what has terms of conduct, which come behind its fields with the rest.
pub(super) fn to_bytes_conducted<T: Serialize, R: Serialize>(what: &T, rest: &R) -> Vec<u8> {
    to_bytes_with_rest(CONDUCTED, what, rest)
}

/// Reads what [`to_bytes_conducted`] has written; `None` for what something else has.
pub(super) fn from_bytes_conducted<T: DeserializeOwned, R: DeserializeOwned>(
    bytes: &[u8],
) -> Result<Option<(T, R)>, StoredError> {
    from_bytes_with_rest(CONDUCTED, bytes)
}

fn to_bytes_with_rest<T: Serialize, R: Serialize>(version: u8, what: &T, rest: &R) -> Vec<u8> {
    let mut bytes = to_bytes(what, 0);
    bytes[0] = version;
    postcard::to_extend(rest, bytes).expect("all that is stored knows its lengths")
}

fn from_bytes_with_rest<T: DeserializeOwned, R: DeserializeOwned>(
    version: u8,
    bytes: &[u8],
) -> Result<Option<(T, R)>, StoredError> {
    let malformed = |error: postcard::Error| StoredError::Malformed(error.to_string());
    let Some((_, fields)) = bytes.split_first().filter(|(of, _)| **of == version) else { return Ok(None) };
    let (what, rest) = postcard::take_from_bytes(fields).map_err(malformed)?;
    Ok(Some((what, postcard::from_bytes(rest).map_err(malformed)?)))
}

/// Reads what [`to_bytes_clocked`] has written.
pub(super) fn from_bytes_clocked<T: DeserializeOwned, C: DeserializeOwned>(
    bytes: &[u8],
) -> Result<(T, Option<C>), StoredError> {
    let malformed = |error: postcard::Error| StoredError::Malformed(error.to_string());
    match bytes.split_first() {
        Some((&CLOCKED, fields)) => {
            let (what, rest) = postcard::take_from_bytes(fields).map_err(malformed)?;
            Ok((what, Some(postcard::from_bytes(rest).map_err(malformed)?)))
        }
        _ => Ok((from_bytes(bytes)?, None)),
    }
}

/// Reads stored bytes.
pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoredError> {
    match bytes.split_first() {
        Some((&VERSION, fields)) => {
            postcard::from_bytes(fields).map_err(|error| StoredError::Malformed(error.to_string()))
        }
        Some((&version, _)) => Err(StoredError::Version(version)),
        None => Err(StoredError::Malformed("there are no bytes".to_owned())),
    }
}
