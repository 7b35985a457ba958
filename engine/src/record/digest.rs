//! Digests of entries ([`EntryDigest`]) and of a whole record ([`TextDigest`]).

use std::fmt;

use sha2::{Digest, Sha256};

use crate::dice::Seed;

const KEY_CONTEXT: &str = "edgehill/digest/1";
const PLAIN_CONTEXT: &str = "edgehill/digest/plain/1";
const TEXT_TAG: &str = "edgehill/record/2";
const ENTRY_DIGEST_BYTES: usize = 8;

/// The way a match is digested. While a seed exists the digests are keyed: the plain hash of a state with
/// hidden parts can be searched for them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DigestKey(Option<[u8; 32]>);

/// The first 8 bytes of a BLAKE3 of the digest before, the entry, and the canonical encoding of the state after it: enough to
/// see where two replays part, or where an entry was changed, moved or left out.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct EntryDigest([u8; ENTRY_DIGEST_BYTES]);

/// The SHA-256 of a record's lines: what a host signs, and any language can compute.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct TextDigest([u8; 32]);

impl DigestKey {
    /// For matches without a seed.
    pub(crate) const PLAIN: Self = Self(None);

    /// The key that follows from a match's seed; to be revealed with it and not before.
    #[must_use]
    pub(crate) fn of(seed: &Seed) -> Self {
        Self(Some(blake3::derive_key(KEY_CONTEXT, seed.as_bytes())))
    }

    /// The digest after `entry`: of the digest `before` it, its text in the record without its digest (`start` for the state
    /// before the first), and the canonical encoding of the state that it led to.
    #[must_use]
    pub(crate) fn digest(&self, before: EntryDigest, entry: &str, encoding: &[u8]) -> EntryDigest {
        let mut hasher = match &self.0 {
            Some(key) => blake3::Hasher::new_keyed(key),
            None => blake3::Hasher::new_derive_key(PLAIN_CONTEXT),
        };
        hasher.update(&before.0).update(entry.as_bytes()).update(b"\n").update(encoding);
        let mut short = [0; ENTRY_DIGEST_BYTES];
        short.copy_from_slice(&hasher.finalize().as_bytes()[..ENTRY_DIGEST_BYTES]);
        EntryDigest(short)
    }
}

impl fmt::Debug for DigestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "DigestKey(<secret>)" } else { "DigestKey(plain)" })
    }
}

impl EntryDigest {
    /// The stand-in for the digest before the first.
    pub(crate) const NONE: Self = Self([0; ENTRY_DIGEST_BYTES]);

    /// Reads 16 hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; ENTRY_DIGEST_BYTES];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        Some(Self(bytes))
    }
}

impl TextDigest {
    /// Of a record's lines before the last, unwrapped.
    pub(super) fn of<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hasher = Sha256::new_with_prefix(TEXT_TAG);
        for line in lines {
            hasher.update(line);
            hasher.update(b"\n");
        }
        Self(hasher.finalize().into())
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads 64 hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        Some(Self(bytes))
    }
}

macro_rules! hex_digest {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    };
}
hex_digest!(EntryDigest);
hex_digest!(TextDigest);
