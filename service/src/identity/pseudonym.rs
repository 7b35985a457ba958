//! Pseudonyms: names that stand for accounts whose data was erased. They follow from the first key, as other hashes in the place of
//! names do: the same person stays the same one, and nobody without the key can tell who it was, not even by trying names.

use super::server_key::ServerKey;
use crate::store::{AccountId, BodyHash, RequestId};

/// The beginning of every pseudonym.
const PREFIX: &str = "erased-";

/// Bytes of the hash that a pseudonym is written of.
const HASH_BYTES: usize = 16;

impl ServerKey {
    /// The name that stands for an account whose data was erased: the id of an account, which nobody can choose.
    #[must_use]
    pub fn pseudonym(&self, account: &AccountId) -> AccountId {
        let hash = self.keyed("edgehill pseudonym account v1", account.as_bytes());
        let text = format!("{PREFIX}{}", hex::encode(&hash[..HASH_BYTES]));
        AccountId::new(text).expect("a pseudonym is as long as a name may be")
    }

    /// The name in the place of that of a request which named an account whose data was erased, or which that account made.
    #[must_use]
    pub fn pseudonymous_request(&self, request: &RequestId) -> RequestId {
        let hash = self.keyed("edgehill pseudonym request v1", request.as_bytes());
        RequestId::new(hex::encode(hash)).expect("a hash is as long as a name may be")
    }

    /// The hash in the place of that of what such a request asked for, from which a name could be guessed.
    #[must_use]
    pub fn pseudonymous_body(&self, body: &BodyHash) -> BodyHash {
        BodyHash(self.keyed("edgehill pseudonym body v1", &body.0))
    }

    pub(super) fn keyed(&self, purpose: &str, bytes: &[u8]) -> [u8; 32] {
        let key = blake3::derive_key(purpose, self.names().as_bytes());
        *blake3::keyed_hash(&key, bytes).as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;
    use crate::identity::check_id;

    #[test]
    fn a_pseudonym_is_the_same_with_the_next_key_and_another_ones_on_another_server() {
        let (key, other) = (ServerKey::from_bytes([1; 32]), ServerKey::from_bytes([2; 32]));
        let [ada, bob] = ["ada", "bob"].map(|id| AccountId::new(id).unwrap());
        let pseudonym = key.pseudonym(&ada);
        let text = String::from_utf8(pseudonym.as_bytes().to_vec()).unwrap();
        assert_eq!(check_id(&text), Ok(pseudonym.clone()));
        assert_ne!(pseudonym, key.pseudonym(&bob));
        assert_ne!(pseudonym, other.pseudonym(&ada));
        let rotated = key.rotated(1_000, &SeededEntropy::new(1)).unwrap();
        assert_eq!(rotated.pseudonym(&ada), pseudonym);
        assert_eq!(rotated.without_former().pseudonym(&ada), pseudonym);
    }
}
