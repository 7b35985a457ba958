//! The bytes that headers, entries and outcomes are stored as: a version, then the fields in postcard's wire format.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The version that this build writes.
const VERSION: u8 = 3;

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
