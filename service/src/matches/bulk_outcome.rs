//! The outcome of a request that made several matches ([`BulkOutcome`]), as it is kept with the first of them.

use serde::{Deserialize, Serialize};

use super::stored::{self, StoredError};

/// The matches that were made with another one, in the order in which they were asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BulkOutcome {
    /// Their ids.
    pub others: Vec<[u8; 16]>,
}

impl BulkOutcome {
    /// The bytes to store; there are always some, whereas the outcome of a request that made one match has none.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        stored::to_bytes(self, 16 * self.others.len())
    }

    /// Reads stored bytes.
    ///
    /// # Errors
    /// If they are of another version, or no such outcome.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        stored::from_bytes(bytes)
    }
}
