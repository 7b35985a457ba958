use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// Prefix of the data under the hash of a content set, so that it can't be taken for a hash of anything else.
const DOMAIN: &[u8] = b"edgehill/content/1";

/// The SHA-256 of a content set; part of the rules version.
///
/// The hashed bytes are, in this order:
///
/// ```text
/// "edgehill/content/1"                       18 bytes
/// for each file, by name in byte order:
///     le64(length of the name)                8 bytes
///     the name                                ASCII
///     le64(length of the file)                8 bytes
///     the file                                as it is
/// ```
///
/// `le64` is an unsigned 64-bit number, least significant byte first. Displays as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes files that come in byte order of their names, each name once.
    pub(super) fn of<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(DOMAIN);
        for (name, bytes) in files {
            for part in [name.as_bytes(), bytes] {
                hasher.update((part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        Self(hasher.finalize().into())
    }

    /// A hash from its 32 bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex::encode(self.0))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

/// A text that is not 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a content hash is 64 lower-case hex digits")]
pub struct ParseContentHashError;

impl FromStr for ContentHash {
    type Err = ParseContentHashError;

    fn from_str(text: &str) -> Result<Self, ParseContentHashError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| ParseContentHashError)?;
        // One spelling a hash: what parses prints as it was.
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(ParseContentHashError);
        }
        Ok(Self(bytes))
    }
}
