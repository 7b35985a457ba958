//! Secrets at rest: sealed with the server's key before they reach a store.
//!
//! Invariant: a store, its file and a backup of it hold no seed that anyone without the server's key could play with.

use std::fmt;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use super::error::Error;
use super::limits::SECRET_BYTES_MAX;
use super::names::SecretId;
use crate::entropy::{EntropyError, EntropySource};

const VERSION: u8 = 1;
const NONCE_BYTES: usize = 24;

/// A key that the store's secrets are sealed with. It stands outside the store.
#[derive(Clone)]
pub struct SealingKey([u8; 32]);

/// A secret as the store keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSecret(Vec<u8>);

impl SealingKey {
    /// The sealing key that follows from the server's key.
    #[must_use]
    pub fn derive(server_key: &[u8; 32]) -> Self {
        Self(blake3::derive_key("edgehill store secrets v1", server_key))
    }

    /// Seals `plain` (XChaCha20-Poly1305, with the name as associated data: it can't be passed off as another's).
    ///
    /// # Errors
    /// If `entropy` gives nothing.
    pub fn seal(
        &self,
        id: &SecretId,
        plain: &[u8],
        entropy: &dyn EntropySource,
    ) -> Result<SealedSecret, EntropyError> {
        let mut nonce = [0; NONCE_BYTES];
        entropy.fill(&mut nonce)?;
        let mut sealed = vec![VERSION];
        sealed.extend_from_slice(&nonce);
        let payload = Payload { msg: plain, aad: id.as_bytes() };
        let closed = self.cipher().encrypt(&XNonce::from(nonce), payload);
        sealed.extend(closed.expect("sealing fails beyond 256 GiB alone"));
        Ok(SealedSecret(sealed))
    }

    /// Opens what was sealed under this name.
    ///
    /// # Errors
    /// [`Error::SecretUnreadable`] if it was sealed with another key or under another name, or is damaged.
    pub fn open(&self, id: &SecretId, sealed: &SealedSecret) -> Result<Vec<u8>, Error> {
        let (&version, rest) = sealed.0.split_first().ok_or(Error::SecretUnreadable)?;
        let (nonce, msg) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(Error::SecretUnreadable)?;
        if version != VERSION {
            return Err(Error::SecretUnreadable);
        }
        let payload = Payload { msg, aad: id.as_bytes() };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| Error::SecretUnreadable)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }
}

impl SealedSecret {
    /// Takes bytes that [`SealedSecret::as_bytes`] gave.
    ///
    /// # Errors
    /// [`Error::TooLarge`] beyond [`SECRET_BYTES_MAX`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Error::bound("a sealed secret", bytes.len(), SECRET_BYTES_MAX)?;
        Ok(Self(bytes))
    }

    /// The sealed bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealingKey(<secret>)")
    }
}

impl fmt::Debug for SealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedSecret(<secret>)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    #[test]
    fn a_secret_opens_with_its_key_and_name_only_and_not_when_damaged() {
        let (key, entropy) = (SealingKey::derive(&[1; 32]), SeededEntropy::new(1));
        let name = |text| SecretId::new(text).unwrap();
        let sealed = key.seal(&name("match/a"), b"the seed", &entropy).unwrap();
        assert_eq!(key.open(&name("match/a"), &sealed), Ok(b"the seed".to_vec()));
        assert_eq!(key.open(&name("match/b"), &sealed), Err(Error::SecretUnreadable));
        let other = SealingKey::derive(&[2; 32]);
        assert_eq!(other.open(&name("match/a"), &sealed), Err(Error::SecretUnreadable));
        for bit in 0..sealed.0.len() * 8 {
            let mut damaged = sealed.clone();
            damaged.0[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(key.open(&name("match/a"), &damaged), Err(Error::SecretUnreadable), "bit {bit}");
        }
        for len in 0..sealed.0.len() {
            let cut = SealedSecret(sealed.0[..len].to_vec());
            assert_eq!(key.open(&name("match/a"), &cut), Err(Error::SecretUnreadable), "cut at {len}");
        }
    }

    #[test]
    fn the_same_secret_is_never_sealed_to_the_same_bytes() {
        let (key, entropy) = (SealingKey::derive(&[1; 32]), SeededEntropy::new(1));
        let name = SecretId::new("match/a").unwrap();
        assert_ne!(key.seal(&name, b"x", &entropy).unwrap(), key.seal(&name, b"x", &entropy).unwrap());
    }
}
