//! The server's key: [`ServerKey`].

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use edgehill_engine::seat::Seat;
use edgehill_engine::signing::SigningKey;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::client_secret::ClientSecret;
use super::hash::TokenHash;
use super::text::{self, Kind, TextError};
use super::tokens::{AccountKey, CreatorToken, GroupId, Invitation, SeatToken};
use crate::entropy::{EntropyError, EntropySource};
use crate::store::{AccountId, MatchId, RequestId, SealedStore, SealingKey, Store};

/// 32 secret bytes that one server, or all replicas of one, hold. Tokens are derived from it and hashed with it, and the keys
/// follow from it that the store's secrets are sealed with, and that records are signed with: who loses it loses all running
/// matches.
///
/// ```
/// use edgehill_engine::seat::Seat;
/// use edgehill_service::entropy::SystemEntropy;
/// use edgehill_service::identity::{SeatToken, ServerKey};
/// use edgehill_service::store::MatchId;
///
/// let key = ServerKey::generate(&SystemEntropy).unwrap();
/// let (match_id, seat) = (MatchId::from_bytes([1; 16]), Seat::new(0));
/// let token = key.seat_token(&match_id, seat, b"join-1");
/// let kept = key.hash_seat_token(&token);
/// let sent: SeatToken = token.to_string().parse().unwrap();
/// assert_eq!((sent.match_id(), sent.seat()), (match_id, seat));
/// assert_eq!(key.hash_seat_token(&sent), kept);
/// ```
#[derive(Clone)]
pub struct ServerKey([u8; 32]);

impl ServerKey {
    /// The key of these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A new key.
    ///
    /// # Errors
    /// If `entropy` gives nothing.
    pub fn generate(entropy: &dyn EntropySource) -> Result<Self, EntropyError> {
        let mut bytes = [0; 32];
        entropy.fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The token of a seat that was taken by this request: the same for the same request, so that a join can be repeated.
    #[must_use]
    pub fn seat_token(&self, match_id: &MatchId, seat: Seat, join_request_id: &[u8]) -> SeatToken {
        let parts: [&[u8]; 3] = [match_id.as_bytes(), &[seat.index() as u8], join_request_id];
        SeatToken::new(*match_id, seat, self.mac("edgehill/seat-token/1", &parts))
    }

    /// The token of the creator of a match: always the same.
    #[must_use]
    pub fn creator_token(&self, match_id: &MatchId) -> CreatorToken {
        CreatorToken::new(*match_id, self.mac("edgehill/creator-token/1", &[match_id.as_bytes()]))
    }

    /// The invitation to a seat: always the same.
    #[must_use]
    pub fn invitation(&self, match_id: &MatchId, seat: Seat) -> Invitation {
        let parts: [&[u8]; 2] = [match_id.as_bytes(), &[seat.index() as u8]];
        Invitation::new(*match_id, seat, self.mac("edgehill/invitation/1", &parts))
    }

    /// The invitation to a seat whose player was replaced, for the time of this number: always the same.
    #[must_use]
    pub fn replacement_invitation(&self, match_id: &MatchId, seat: Seat, times: usize) -> Invitation {
        let parts: [&[u8]; 3] = [match_id.as_bytes(), &[seat.index() as u8], &(times as u64).to_le_bytes()];
        Invitation::new(*match_id, seat, self.mac("edgehill/replacement-invitation/1", &parts))
    }

    /// The id of the seed group that this match is the first of: always the same.
    #[must_use]
    pub fn group_id(&self, first: &MatchId) -> GroupId {
        let mut secret = [0; 16];
        secret.copy_from_slice(&self.mac("edgehill/group-id/1", &[first.as_bytes()])[..16]);
        GroupId::new(*first, secret)
    }

    /// The name under which a request to make a match is kept: that of an account or, without one, of the client with this
    /// secret.
    #[must_use]
    pub fn creation(
        &self,
        account: &AccountId,
        secret: Option<&ClientSecret>,
        request: &RequestId,
    ) -> Option<RequestId> {
        let parts = [account.as_bytes(), ClientSecret::bytes(secret), request.as_bytes()];
        RequestId::new(hex::encode(self.mac("edgehill/creation/1", &parts))).ok()
    }

    /// The name under which the request for the rematch of a match is kept: the same, whoever asks.
    #[must_use]
    pub fn rematch(&self, over: &MatchId) -> Option<RequestId> {
        RequestId::new(hex::encode(self.mac("edgehill/rematch/1", &[over.as_bytes()]))).ok()
    }

    /// The name under which the log of acts keeps an operator's request to take a match back: the request's id is the match's alone.
    #[must_use]
    pub fn abort_request(&self, match_id: &MatchId, request: &RequestId) -> Option<RequestId> {
        let parts = [match_id.as_bytes(), request.as_bytes()];
        RequestId::new(hex::encode(self.mac("edgehill/abort-request/1", &parts))).ok()
    }

    /// Returns the hash that is kept of the secret of a client that takes a seat.
    #[must_use]
    pub fn hash_client_secret(&self, match_id: &MatchId, secret: Option<&ClientSecret>) -> TokenHash {
        TokenHash(
            self.mac("edgehill/client-secret-hash/1", &[match_id.as_bytes(), ClientSecret::bytes(secret)]),
        )
    }

    /// Returns the hash that is kept of the place on the network from which a match is made.
    #[must_use]
    pub fn hash_address(&self, address: &IpAddr) -> TokenHash {
        TokenHash(self.mac("edgehill/address-hash/1", &[address.to_string().as_bytes()]))
    }

    /// Returns the hash that is kept of a seat token.
    #[must_use]
    pub fn hash_seat_token(&self, token: &SeatToken) -> TokenHash {
        TokenHash(self.mac("edgehill/seat-token-hash/1", &[&token.to_bytes()]))
    }

    /// Returns the hash that is kept of an invitation, where one is kept at all: it can be derived again.
    #[must_use]
    pub fn hash_invitation(&self, invitation: &Invitation) -> TokenHash {
        TokenHash(self.mac("edgehill/invitation-hash/1", &[&invitation.to_bytes()]))
    }

    /// The key of an account that is kept in the store, by its number: always the same, so that a call that makes one can be
    /// repeated.
    #[must_use]
    pub fn account_key(&self, account: &AccountId, number: u32) -> AccountKey {
        let parts: [&[u8]; 2] = [account.as_bytes(), &number.to_le_bytes()];
        AccountKey::from_bytes(self.mac("edgehill/account-key/1", &parts))
    }

    /// Returns the hash that is kept of an account's key, in the accounts file or in the store.
    #[must_use]
    pub fn hash_account_key(&self, key: &AccountKey) -> TokenHash {
        TokenHash(self.mac("edgehill/account-key-hash/1", &[key.as_bytes()]))
    }

    /// The key that the store's secrets are sealed with.
    #[must_use]
    pub fn sealing(&self) -> SealingKey {
        SealingKey::derive(&self.0)
    }

    /// The key that the server signs with what it vouches for. Its public half tells nothing of the server's key.
    #[must_use]
    pub fn signing(&self) -> SigningKey {
        SigningKey::from_bytes(&self.mac("edgehill/signing-key/1", &[]))
    }

    /// A store in which nothing of a match is in clear that is not for everybody.
    #[must_use]
    pub fn seal_store(&self, store: Arc<dyn Store>) -> SealedStore {
        SealedStore::new(store, &self.0)
    }

    /// The text that stands in the key's file.
    pub(super) fn to_text(&self) -> String {
        text::write(Kind::ServerKey, &self.0)
    }

    /// Reads what [`ServerKey::to_text`] gave.
    pub(super) fn from_text(text: &str) -> Result<Self, TextError> {
        text::read(Kind::ServerKey, text).map(Self)
    }

    /// HMAC-SHA256 over the domain and the parts, each after its length, so that no two lists of parts read alike.
    fn mac(&self, domain: &str, parts: &[&[u8]]) -> [u8; 32] {
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

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerKey(<secret>)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    fn id(byte: u8) -> MatchId {
        MatchId::from_bytes([byte; 16])
    }

    #[test]
    fn a_seat_token_depends_on_every_part_and_on_nothing_else() {
        let key = ServerKey::from_bytes([3; 32]);
        let token = key.seat_token(&id(1), Seat::new(0), b"request");
        assert_eq!(token, key.seat_token(&id(1), Seat::new(0), b"request"));
        let others = [
            key.seat_token(&id(2), Seat::new(0), b"request"),
            key.seat_token(&id(1), Seat::new(1), b"request"),
            key.seat_token(&id(1), Seat::new(0), b"requests"),
            key.seat_token(&id(1), Seat::new(0), b""),
            ServerKey::from_bytes([4; 32]).seat_token(&id(1), Seat::new(0), b"request"),
        ];
        for other in others {
            assert_ne!(token.to_bytes()[17..], other.to_bytes()[17..], "{other:?}");
            assert_ne!(key.hash_seat_token(&token), key.hash_seat_token(&other), "{other:?}");
        }
    }

    #[test]
    fn a_token_for_another_seat_or_match_does_not_hash_alike_though_its_secret_is_the_same() {
        let key = ServerKey::from_bytes([3; 32]);
        let kept = key.hash_seat_token(&SeatToken::new(id(1), Seat::new(0), [5; 32]));
        assert_ne!(kept, key.hash_seat_token(&SeatToken::new(id(1), Seat::new(1), [5; 32])));
        assert_ne!(kept, key.hash_seat_token(&SeatToken::new(id(2), Seat::new(0), [5; 32])));
        assert_ne!(kept, key.hash_invitation(&Invitation::new(id(1), Seat::new(0), [5; 32])));
    }

    #[test]
    fn hashes_and_invitations_depend_on_the_server() {
        let (one, other) = (ServerKey::from_bytes([3; 32]), ServerKey::from_bytes([4; 32]));
        let account = AccountKey::generate(&SeededEntropy::new(1)).unwrap();
        assert_ne!(one.hash_account_key(&account), other.hash_account_key(&account));
        let seat = Seat::new(1);
        assert_eq!(one.invitation(&id(1), seat), one.invitation(&id(1), seat));
        assert_ne!(one.invitation(&id(1), seat), other.invitation(&id(1), seat));
        assert_ne!(one.invitation(&id(1), seat), one.invitation(&id(1), Seat::new(0)));
        let invitation = one.invitation(&id(1), seat);
        assert_ne!(one.hash_invitation(&invitation), other.hash_invitation(&invitation));
    }

    /// The public key stands in records, and is known to those who check them: it may not change under a later build.
    /// Computed with Python's `hmac` and `cryptography`.
    #[test]
    fn the_signing_key_is_the_one_that_is_written_down() {
        let key = ServerKey::from_bytes([3; 32]).signing().verifying_key();
        assert_eq!(key.to_string(), "60b29b9f402c19078bd73eb57a5f015259cf3e2c3e73c4080f8be04e11682399");
        assert_ne!(ServerKey::from_bytes([4; 32]).signing().verifying_key(), key);
    }

    /// The form of the tokens is a promise: those that are given out stay good under a later build. Computed with
    /// Python's `hmac` over `len || domain || len || part ...`.
    #[test]
    fn a_token_is_the_hmac_that_is_written_down() {
        let key = ServerKey::from_bytes([3; 32]);
        let token = key.seat_token(&id(1), Seat::new(2), b"join-1");
        assert_eq!(
            hex::encode(&token.to_bytes()[17..]),
            "0b6da4e4fecdc0fabce15a4082a55354df59aaa50575b26ee7894f77a047bbc8"
        );
        assert_eq!(
            key.hash_seat_token(&token).to_string(),
            "ffe08285fb3a53c46f1b384ab5983d730f61fe80d88a736d2d15543c3eab08bc"
        );
        assert_eq!(
            token.to_string(),
            "ehs_aeaqcaibaeaqcaibaeaqcaibaebaw3ne4t7m3qh2xtqvuqecuvjvjx2zvksqk5nsn3tyst3xubd3xsaz3xxhc"
        );
    }
}
