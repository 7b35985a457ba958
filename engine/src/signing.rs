//! Signatures of a host (Ed25519, RFC 8032): what is signed is a name for the kind of thing, and a digest of the thing.
//!
//! Invariant: no message of one kind reads as a message of another. A digest has 32 bytes, so a message's length tells its
//! name's, and with it the name.

use std::fmt;
use std::str::FromStr;

use ed25519_dalek::{Signer as _, ed25519};
use thiserror::Error;

/// A secret key to sign with. It prints nothing of itself.
#[derive(Clone)]
pub struct SigningKey(ed25519_dalek::SigningKey);

/// The public half of a [`SigningKey`]: 32 bytes, written as 64 hexadecimal digits.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct VerifyingKey([u8; 32]);

/// A signature: 64 bytes, written as 128 hexadecimal digits.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Signature([u8; ed25519_dalek::SIGNATURE_LENGTH]);

/// The error of a text that is no key or no signature.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
pub enum SigningTextError {
    /// Not the digits of a key, or of no point of the curve.
    #[error("an Ed25519 public key of 64 hexadecimal digits expected")]
    VerifyingKey,
    /// Not the digits of a signature.
    #[error("an Ed25519 signature of 128 hexadecimal digits expected")]
    Signature,
}

impl SigningKey {
    /// The key of these 32 secret bytes (the private key of RFC 8032).
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(bytes))
    }

    /// Returns the public half.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(self.0.verifying_key().to_bytes())
    }

    /// Signs `kind || digest`. `kind` is ASCII and names what the digest is of, with the version of its form:
    /// `edgehill record v2`.
    #[must_use]
    pub fn sign(&self, kind: &str, digest: &[u8; 32]) -> Signature {
        Signature(self.0.sign(&message(kind, digest)).to_bytes())
    }
}

impl Signature {
    /// A signature of these 64 bytes, whether or not anybody has made it.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; ed25519_dalek::SIGNATURE_LENGTH]) -> Self {
        Self(bytes)
    }

    /// The 64 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; ed25519_dalek::SIGNATURE_LENGTH] {
        &self.0
    }
}

impl VerifyingKey {
    /// Reads 32 bytes.
    ///
    /// # Errors
    /// If they are no point of the curve.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, SigningTextError> {
        let key = ed25519_dalek::VerifyingKey::from_bytes(bytes);
        key.map(|_| Self(*bytes)).map_err(|_| SigningTextError::VerifyingKey)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns whether the holder of this key has signed `kind || digest`. Keys of small order, for which one signature fits
    /// many messages, have signed nothing.
    #[must_use]
    pub fn has_signed(&self, kind: &str, digest: &[u8; 32], signature: &Signature) -> bool {
        let signature = ed25519::Signature::from_bytes(&signature.0);
        let key = ed25519_dalek::VerifyingKey::from_bytes(&self.0);
        key.is_ok_and(|key| key.verify_strict(&message(kind, digest), &signature).is_ok())
    }
}

fn message(kind: &str, digest: &[u8; 32]) -> Vec<u8> {
    [kind.as_bytes(), digest].concat()
}

impl FromStr for VerifyingKey {
    type Err = SigningTextError;

    fn from_str(text: &str) -> Result<Self, SigningTextError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| SigningTextError::VerifyingKey)?;
        Self::from_bytes(&bytes)
    }
}

impl FromStr for Signature {
    type Err = SigningTextError;

    fn from_str(text: &str) -> Result<Self, SigningTextError> {
        let mut bytes = [0; 64];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| SigningTextError::Signature)?;
        Ok(Self(bytes))
    }
}

impl fmt::Display for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.as_bytes()))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(<secret>)")
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({self})")
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({self})")
    }
}
