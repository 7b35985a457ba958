//! The outcome of a seek that was paired ([`PairedOutcome`]), as it is kept with the match that was made.

use serde::{Deserialize, Serialize};

use super::stored::{self, StoredError};

/// The seat of one who sought a match, in the match that was made.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairedOutcome {
    /// The seat.
    pub seat: u8,
}

impl PairedOutcome {
    /// The bytes to store.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        stored::to_bytes(self, 0)
    }

    /// Reads stored bytes.
    ///
    /// # Errors
    /// If they are of another version, or no such outcome.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        stored::from_bytes(bytes)
    }
}
