//! The secret that tells a caller's requests from everybody else's: [`ClientSecret`].

use std::fmt;

/// 32 bytes that a client draws and keeps to itself. It makes requests with ids that anybody can guess a caller's own where
/// there is no account to do so. The server keeps keyed hashes of it alone.
#[derive(Copy, Clone)]
pub struct ClientSecret([u8; 32]);

impl ClientSecret {
    /// The secret of these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes to hash: none, where no secret was needed.
    pub(super) fn bytes(secret: Option<&Self>) -> &[u8] {
        secret.map_or(&[], |secret| &secret.0)
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(<secret>)")
    }
}
