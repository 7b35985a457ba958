//! Randomness, behind a trait: [`SystemEntropy`] in earnest, [`SeededEntropy`] where a run has to repeat.

use std::fmt::{self, Debug};
use std::sync::{Mutex, PoisonError};

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use thiserror::Error;

/// The operating system gave no random bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the operating system gives no random bytes: {0}")]
pub struct EntropyError(String);

impl EntropyError {
    /// The stable name of the reason.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        "NO_ENTROPY"
    }
}

/// A source of bytes that nobody can foresee.
pub trait EntropySource: Debug + Send + Sync {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// If the source gives nothing; `bytes` must not be used then.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError>;
}

/// The operating system's generator.
#[derive(Copy, Clone, Default, Debug)]
pub struct SystemEntropy;

impl EntropySource for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is where randomness comes in")]
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        getrandom::fill(bytes).map_err(|error| EntropyError(error.to_string()))
    }
}

/// Bytes that follow from a number: for tests and simulations, never for dice or keys.
pub struct SeededEntropy(Mutex<ChaCha20Rng>);

impl SeededEntropy {
    /// The source of this number.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(ChaCha20Rng::seed_from_u64(seed)))
    }
}

impl Debug for SeededEntropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeededEntropy")
    }
}

impl EntropySource for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(source: &dyn EntropySource) -> [u8; 32] {
        let mut bytes = [0; 32];
        source.fill(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_seeded_source_repeats_and_goes_on() {
        let (one, other) = (SeededEntropy::new(7), SeededEntropy::new(7));
        let first = draw(&one);
        assert_eq!(first, draw(&other));
        assert_ne!(first, draw(&one));
        assert_ne!(first, draw(&SeededEntropy::new(8)));
    }

    #[test]
    fn the_system_gives_something_else_each_time() {
        assert_ne!(draw(&SystemEntropy), draw(&SystemEntropy));
    }
}
