//! The secret that tells a client's requests from everybody else's: [`ClientSecret`].

use std::fmt;

use crate::entropy;

/// 32 random bytes that a client keeps to itself: matches and seats that were asked for with it are given to nobody who guesses the
/// request's id. A program that repeats requests after a restart keeps it as it keeps its tokens.
#[derive(Clone)]
pub struct ClientSecret([u8; 32]);

impl ClientSecret {
    /// A new one.
    ///
    /// # Errors
    /// If the operating system gives no randomness.
    pub fn fresh() -> Result<Self, getrandom::Error> {
        entropy::fresh().map(Self)
    }

    /// One that was made before.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(<secret>)")
    }
}
