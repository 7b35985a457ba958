//! The bytes that headers, entries and outcomes are stored as: a version, then the fields in postcard's wire format.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The version that this build writes.
const VERSION: u8 = 1;

/// Why stored bytes can't be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StoredError {
    /// Written by a later server.
    #[error("it is stored in version {0}; this server reads version {VERSION}")]
    Version(u8),
    /// Not what it should be.
    #[error("it can't be read: {0}")]
    Malformed(String),
}

/// The bytes to store.
pub(super) fn to_bytes<T: Serialize>(what: &T) -> Vec<u8> {
    // Only a type whose lengths are unknown can't be written, and none here is.
    postcard::to_extend(what, vec![VERSION]).unwrap_or_default()
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
