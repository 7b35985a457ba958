//! One key of a server, of now or of before: [`KeySecret`].

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// 32 secret bytes that tokens and hashes follow from.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct KeySecret([u8; 32]);

impl KeySecret {
    pub(super) const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// HMAC-SHA256 over the domain and the parts, each after its length, so that no two lists of parts read alike.
    pub(super) fn mac(&self, domain: &str, parts: &[&[u8]]) -> [u8; 32] {
        // HMAC fills a short key up with zeros to its block; filled up here, no length can be wrong.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        for part in std::iter::once(domain.as_bytes()).chain(parts.iter().copied()) {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}
