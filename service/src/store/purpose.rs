//! BLAKE3 for one purpose each ([`Purpose`]): what is hashed for one is never taken for another.

use std::sync::OnceLock;

use blake3::Hasher;
use blake3::hazmat::{ContextKey, HasherExt, hash_derive_key_context};

/// A context of BLAKE3's `derive_key`, whose key is derived once: every append needs several.
pub(super) struct Purpose {
    context: &'static str,
    key: OnceLock<ContextKey>,
}

impl Purpose {
    /// The purpose of this name, which no other has.
    pub(super) const fn new(context: &'static str) -> Self {
        Self { context, key: OnceLock::new() }
    }

    /// Returns a hasher for it.
    pub(super) fn hasher(&self) -> Hasher {
        Hasher::new_from_context_key(self.key.get_or_init(|| hash_derive_key_context(self.context)))
    }

    /// The hash of these bytes for it.
    pub(super) fn hash(&self, bytes: &[u8]) -> [u8; 32] {
        self.hasher().update(bytes).finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_derive_key() {
        static PURPOSE: Purpose = Purpose::new("edgehill a test v1");
        for bytes in [&b""[..], b"a", &[7; 3_000]] {
            assert_eq!(PURPOSE.hash(bytes), blake3::derive_key("edgehill a test v1", bytes));
        }
    }
}
