//! The names that a server knows seeks by: they follow from its key, and name nobody.

use super::client_secret::ClientSecret;
use super::hash::TokenHash;
use super::server_key::ServerKey;
use crate::store::{AccountId, RequestId};

impl ServerKey {
    /// The name under which a seek is kept once it was paired: that of an account or, without one, of the client with this secret. It
    /// stays the same as long as the oldest key is held.
    #[must_use]
    pub fn seek(
        &self,
        account: &AccountId,
        secret: Option<&ClientSecret>,
        request: &RequestId,
    ) -> Option<RequestId> {
        let parts = [account.as_bytes(), ClientSecret::bytes(secret), request.as_bytes()];
        RequestId::new(hex::encode(self.oldest().mac("edgehill/seek/1", &parts))).ok()
    }

    /// Returns the hash that stands for the client with this secret among those who seek a match: it is in memory alone.
    #[must_use]
    pub fn seeking_party(&self, secret: Option<&ClientSecret>) -> TokenHash {
        TokenHash(self.current.mac("edgehill/seeking-party/1", &[ClientSecret::bytes(secret)]))
    }
}
