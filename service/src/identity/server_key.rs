//! The server's key: [`ServerKey`].

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use edgehill_engine::seat::Seat;
use edgehill_engine::signing::{SigningKey, VerifyingKey};
use thiserror::Error;

use super::client_secret::ClientSecret;
use super::hash::TokenHash;
use super::key_secret::KeySecret;
use super::tokens::{AccountKey, CreatorToken, GroupId, Invitation, SeatToken};
use crate::entropy::{EntropyError, EntropySource};
use crate::store::{
    self, AccountId, MatchId, NamesKey, RequestId, SealedSecret, SealedStore, SealingKey, SecretId, Store,
    StoreKeys,
};

/// The most keys of before that a server holds.
pub const FORMER_KEYS_MAX: usize = 16;

/// The name of a secret that holds nothing secret: the key that opens it is the one that its store is sealed with. It holds its name and,
/// since keys are rotated, a hash of the key of names.
const KEY_CHECK: &str = "server key";

/// 32 secret bytes that one server, or all replicas of one, hold, and those that they held before. Tokens are derived from it and hashed
/// with it, and the keys follow from it that the store is sealed with, and that records are signed with: who loses it loses all running
/// matches.
///
/// All that belongs to a match follows from the key of the time at which the match was made, which its name tells
/// ([`MatchId::unix_ms`]); what is sealed and signed is so with the key of now; the keys of accounts are known by all keys. Hashes
/// that stand for names follow from the first key.
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
pub struct ServerKey {
    pub(super) current: KeySecret,
    /// In the order in which they were replaced, at moments that grow.
    pub(super) former: Vec<FormerKey>,
    /// `None`: it follows from the current key, which is the first.
    pub(super) names: Option<NamesKey>,
}

/// A key that a server held before.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct FormerKey {
    pub(super) secret: KeySecret,
    /// The first moment at which it was not held any more, in milliseconds since 1970.
    pub(super) replaced_ms: u64,
}

/// The key that a store is sealed with ([`ServerKey::key_of`]).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SealedWith {
    /// The key of now.
    Current,
    /// A key of before, by its place among them: the store was not sealed anew when it was replaced.
    Former(usize),
}

/// The reason that a key can't be replaced.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RotateKeyError {
    /// There are as many keys of before as a server holds.
    #[error(
        "{FORMER_KEYS_MAX} former keys are held, which is as many as can be; forget them first (`rotate-key --forget`)"
    )]
    TooManyFormer,
    /// There is nothing to make a key of.
    #[error(transparent)]
    EntropySource(#[from] EntropyError),
}

impl ServerKey {
    /// The key of these bytes, with none before it.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self { current: KeySecret::from_bytes(bytes), former: Vec::new(), names: None }
    }

    /// A new key, with none before it.
    ///
    /// # Errors
    /// If `entropy` gives nothing.
    pub fn generate(entropy: &dyn EntropySource) -> Result<Self, EntropyError> {
        let mut bytes = [0; 32];
        entropy.fill(&mut bytes)?;
        Ok(Self::from_bytes(bytes))
    }

    /// A new key, with this one and those before it. It is the key since `at_ms`, in milliseconds since 1970, or since one later than
    /// this one was, if the clock was set back meanwhile: each key has a time of its own.
    ///
    /// # Errors
    /// [`RotateKeyError`].
    pub fn rotated(&self, at_ms: u64, entropy: &dyn EntropySource) -> Result<Self, RotateKeyError> {
        if self.former.len() >= FORMER_KEYS_MAX {
            return Err(RotateKeyError::TooManyFormer);
        }
        let Self { current, .. } = Self::generate(entropy)?;
        let replaced_ms = self.former.last().map_or(at_ms, |last| at_ms.max(last.replaced_ms + 1));
        let mut former = self.former.clone();
        former.push(FormerKey { secret: self.current.clone(), replaced_ms });
        Ok(Self { current, former, names: Some(self.names()) })
    }

    /// The key of now alone. Whatever follows from those before it is not known any more, but for the hashes that stand for names.
    #[must_use]
    pub fn without_former(&self) -> Self {
        Self { former: Vec::new(), ..self.clone() }
    }

    /// Returns the number of keys of before.
    #[must_use]
    pub const fn former_count(&self) -> usize {
        self.former.len()
    }

    /// The first moment at which the key of now was held, in milliseconds since 1970; 0 if none is known that was before it.
    #[must_use]
    pub fn since_ms(&self) -> u64 {
        self.former.last().map_or(0, |last| last.replaced_ms)
    }

    /// Returns whether something of a match of this name follows from a key of before.
    #[must_use]
    pub fn is_former_of(&self, id: &MatchId) -> bool {
        id.unix_ms() < self.since_ms()
    }

    /// The key of the time at which a match was made.
    fn of(&self, id: &MatchId) -> &KeySecret {
        let made_ms = id.unix_ms();
        let former = self.former.iter().find(|former| made_ms < former.replaced_ms);
        former.map_or(&self.current, |former| &former.secret)
    }

    /// The first key, or the one of those held that comes next.
    pub(super) fn oldest(&self) -> &KeySecret {
        self.former.first().map_or(&self.current, |former| &former.secret)
    }

    /// All keys, the last one first.
    fn all(&self) -> impl Iterator<Item = &KeySecret> {
        std::iter::once(&self.current).chain(self.former.iter().rev().map(|former| &former.secret))
    }

    /// The token of a seat that was taken by this request: the same for the same request, so that a join can be repeated.
    #[must_use]
    pub fn seat_token(&self, match_id: &MatchId, seat: Seat, join_request_id: &[u8]) -> SeatToken {
        let parts: [&[u8]; 3] = [match_id.as_bytes(), &[seat.index() as u8], join_request_id];
        SeatToken::new(*match_id, seat, self.of(match_id).mac("edgehill/seat-token/1", &parts))
    }

    /// The token of the creator of a match: always the same.
    #[must_use]
    pub fn creator_token(&self, match_id: &MatchId) -> CreatorToken {
        let secret = self.of(match_id).mac("edgehill/creator-token/1", &[match_id.as_bytes()]);
        CreatorToken::new(*match_id, secret)
    }

    /// The invitation to a seat: always the same.
    #[must_use]
    pub fn invitation(&self, match_id: &MatchId, seat: Seat) -> Invitation {
        let parts: [&[u8]; 2] = [match_id.as_bytes(), &[seat.index() as u8]];
        Invitation::new(*match_id, seat, self.of(match_id).mac("edgehill/invitation/1", &parts))
    }

    /// The invitation to a seat whose player was replaced, for the time of this number: always the same.
    #[must_use]
    pub fn replacement_invitation(&self, match_id: &MatchId, seat: Seat, times: usize) -> Invitation {
        let parts: [&[u8]; 3] = [match_id.as_bytes(), &[seat.index() as u8], &(times as u64).to_le_bytes()];
        Invitation::new(*match_id, seat, self.of(match_id).mac("edgehill/replacement-invitation/1", &parts))
    }

    /// The id of the seed group that this match is the first of: always the same.
    #[must_use]
    pub fn group_id(&self, first: &MatchId) -> GroupId {
        let mut secret = [0; 16];
        secret.copy_from_slice(&self.of(first).mac("edgehill/group-id/1", &[first.as_bytes()])[..16]);
        GroupId::new(*first, secret)
    }

    /// The name under which a request to make a match is kept: that of an account or, without one, of the client with this
    /// secret. It stays the same as long as the oldest key is held.
    #[must_use]
    pub fn creation(
        &self,
        account: &AccountId,
        secret: Option<&ClientSecret>,
        request: &RequestId,
    ) -> Option<RequestId> {
        let parts = [account.as_bytes(), ClientSecret::bytes(secret), request.as_bytes()];
        RequestId::new(hex::encode(self.oldest().mac("edgehill/creation/1", &parts))).ok()
    }

    /// The name under which the request for the rematch of a match is kept: the same, whoever asks.
    #[must_use]
    pub fn rematch(&self, over: &MatchId) -> Option<RequestId> {
        RequestId::new(hex::encode(self.of(over).mac("edgehill/rematch/1", &[over.as_bytes()]))).ok()
    }

    /// The name under which the log of acts keeps an operator's request to take a match back: the request's id is the match's alone.
    #[must_use]
    pub fn abort_request(&self, match_id: &MatchId, request: &RequestId) -> Option<RequestId> {
        let parts = [match_id.as_bytes(), request.as_bytes()];
        RequestId::new(hex::encode(self.of(match_id).mac("edgehill/abort-request/1", &parts))).ok()
    }

    /// Returns the hash that is kept of the secret of a client that takes a seat.
    #[must_use]
    pub fn hash_client_secret(&self, match_id: &MatchId, secret: Option<&ClientSecret>) -> TokenHash {
        let parts = [match_id.as_bytes(), ClientSecret::bytes(secret)];
        TokenHash(self.of(match_id).mac("edgehill/client-secret-hash/1", &parts))
    }

    /// Returns the hash that is kept of the place on the network from which a match is made: another one with each key.
    #[must_use]
    pub fn hash_address(&self, address: &IpAddr) -> TokenHash {
        TokenHash(self.current.mac("edgehill/address-hash/1", &[address.to_string().as_bytes()]))
    }

    /// Returns the hash by which servers with the same key know that one of them was called from this address.
    #[must_use]
    pub fn hash_called_from(&self, address: &IpAddr) -> [u8; 32] {
        self.current.mac("edgehill/called-from/1", &[address.to_string().as_bytes()])
    }

    /// Returns the hash that is kept of a seat token.
    #[must_use]
    pub fn hash_seat_token(&self, token: &SeatToken) -> TokenHash {
        TokenHash(self.of(&token.match_id()).mac("edgehill/seat-token-hash/1", &[&token.to_bytes()]))
    }

    /// Returns the hash that is kept of an invitation, where one is kept at all: it can be derived again.
    #[must_use]
    pub fn hash_invitation(&self, invitation: &Invitation) -> TokenHash {
        let of = self.of(&invitation.match_id());
        TokenHash(of.mac("edgehill/invitation-hash/1", &[&invitation.to_bytes()]))
    }

    /// The key of an account that is kept in the store, by its number: the same as long as the server's key is, so that a call that
    /// makes one can be repeated.
    #[must_use]
    pub fn account_key(&self, account: &AccountId, number: u32) -> AccountKey {
        account_key(&self.current, account, number)
    }

    /// The key of an account, by its number, of which this hash is kept: of the time at which it was made. `None` if none of the
    /// server's keys has made it.
    #[must_use]
    pub fn made_account_key(&self, account: &AccountId, number: u32, hash: &TokenHash) -> Option<AccountKey> {
        let mut made = self.all().map(|of| (of, account_key(of, account, number)));
        made.find(|(of, key)| hash_account_key(of, key) == *hash).map(|(_, key)| key)
    }

    /// Returns the hash that is kept of an account's key, in the accounts file or in the store.
    #[must_use]
    pub fn hash_account_key(&self, key: &AccountKey) -> TokenHash {
        hash_account_key(&self.current, key)
    }

    /// Returns the hashes that may be kept of an account's key: by each of the server's keys, the last one first.
    pub fn account_key_hashes(&self, key: &AccountKey) -> impl Iterator<Item = TokenHash> {
        self.all().map(move |of| hash_account_key(of, key))
    }

    /// The key that the store's secrets are sealed with.
    #[must_use]
    pub fn sealing(&self) -> SealingKey {
        SealingKey::derive(self.current.as_bytes())
    }

    /// The key that the server signs with what it vouches for. Its public half tells nothing of the server's key.
    #[must_use]
    pub fn signing(&self) -> SigningKey {
        signing(&self.current)
    }

    /// The public halves of the keys that the server has signed with before, last replaced first, each with the moment since which it
    /// signs with another, in milliseconds since 1970.
    #[must_use]
    pub fn former_signing_keys(&self) -> Vec<(VerifyingKey, u64)> {
        let former = self.former.iter().rev();
        former.map(|former| (signing(&former.secret).verifying_key(), former.replaced_ms)).collect()
    }

    /// The keys of the store.
    #[must_use]
    pub fn store_keys(&self) -> StoreKeys {
        StoreKeys::derive(self.current.as_bytes(), &self.names())
    }

    /// The keys of a store that is sealed with one of the server's keys; `None` for one that it does not hold.
    #[must_use]
    pub fn store_keys_of(&self, sealed_with: SealedWith) -> Option<StoreKeys> {
        match sealed_with {
            SealedWith::Current => Some(self.store_keys()),
            SealedWith::Former(place) => {
                let former = self.former.get(place)?;
                Some(StoreKeys::derive(former.secret.as_bytes(), &self.names()))
            }
        }
    }

    /// A store in which nothing of a match is in clear that is not for everybody.
    #[must_use]
    pub fn seal_store(&self, store: Arc<dyn Store>) -> SealedStore {
        SealedStore::new(store, &self.store_keys())
    }

    pub(super) fn names(&self) -> NamesKey {
        self.names.clone().unwrap_or_else(|| NamesKey::derive(self.current.as_bytes()))
    }

    /// The name of the secret by which a store tells the key that it is sealed with.
    ///
    /// # Errors
    /// None: the name is one.
    pub fn check_name() -> Result<SecretId, store::Error> {
        SecretId::new(KEY_CHECK)
    }

    /// The secret of that name, for a store that has none yet.
    ///
    /// # Errors
    /// If `entropy` gives nothing.
    pub fn check(&self, name: &SecretId, entropy: &dyn EntropySource) -> Result<SealedSecret, EntropyError> {
        self.sealing().seal(name, &check_of(&self.names()), entropy)
    }

    /// The key that a store is sealed with whose secret of that name this is; `None` if that is another server's, or this one lacks
    /// the key of names that the store has.
    #[must_use]
    pub fn key_of(&self, name: &SecretId, check: &SealedSecret) -> Option<SealedWith> {
        let names = self.names();
        let opens = |of: &KeySecret| {
            let plain = SealingKey::derive(of.as_bytes()).open(name, check).ok();
            plain.is_some_and(|plain| match plain == KEY_CHECK.as_bytes() {
                // Of a build before keys were rotated: it was the first.
                true => names == NamesKey::derive(of.as_bytes()),
                false => plain == check_of(&names),
            })
        };
        if opens(&self.current) {
            return Some(SealedWith::Current);
        }
        self.former.iter().position(|former| opens(&former.secret)).map(SealedWith::Former)
    }
}

fn check_of(names: &NamesKey) -> Vec<u8> {
    [KEY_CHECK.as_bytes(), &names.check()].concat()
}

fn account_key(of: &KeySecret, account: &AccountId, number: u32) -> AccountKey {
    let parts: [&[u8]; 2] = [account.as_bytes(), &number.to_le_bytes()];
    AccountKey::from_bytes(of.mac("edgehill/account-key/1", &parts))
}

fn hash_account_key(of: &KeySecret, key: &AccountKey) -> TokenHash {
    TokenHash(of.mac("edgehill/account-key-hash/1", &[key.as_bytes()]))
}

fn signing(of: &KeySecret) -> SigningKey {
    SigningKey::from_bytes(&of.mac("edgehill/signing-key/1", &[]))
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServerKey(<secret>, {} before it)", self.former.len())
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

    /// A key that was rotated at these moments, and the keys of each time.
    fn rotated(moments: &[u64]) -> (ServerKey, Vec<ServerKey>) {
        let entropy = SeededEntropy::new(7);
        let mut keys = vec![ServerKey::from_bytes([3; 32])];
        let mut key = keys[0].clone();
        for &moment in moments {
            key = key.rotated(moment, &entropy).unwrap();
            keys.push(ServerKey::from_bytes(*key.current.as_bytes()));
        }
        (key, keys)
    }

    fn made_at(unix_ms: u64) -> MatchId {
        MatchId::generate(unix_ms, &SeededEntropy::new(unix_ms)).unwrap()
    }

    #[test]
    fn what_belongs_to_a_match_follows_from_the_key_of_its_time() {
        let (key, of_time) = rotated(&[1_000, 2_000]);
        for (made_ms, time) in [(0, 0), (999, 0), (1_000, 1), (1_999, 1), (2_000, 2), (1 << 47, 2)] {
            let (id, seat, of) = (made_at(made_ms), Seat::new(1), &of_time[time]);
            assert_eq!(id.unix_ms(), made_ms);
            let token = key.seat_token(&id, seat, b"join");
            assert_eq!(token, of.seat_token(&id, seat, b"join"), "{made_ms}");
            assert_eq!(key.hash_seat_token(&token), of.hash_seat_token(&token));
            assert_eq!(key.creator_token(&id), of.creator_token(&id));
            assert_eq!(key.invitation(&id, seat), of.invitation(&id, seat));
            let invitation = key.invitation(&id, seat);
            assert_eq!(key.hash_invitation(&invitation), of.hash_invitation(&invitation));
            assert_eq!(key.group_id(&id), of.group_id(&id));
            assert_eq!(key.rematch(&id), of.rematch(&id));
            assert_eq!(key.replacement_invitation(&id, seat, 1), of.replacement_invitation(&id, seat, 1));
            let request = RequestId::new("abort").unwrap();
            assert_eq!(key.abort_request(&id, &request), of.abort_request(&id, &request));
            assert_eq!(key.hash_client_secret(&id, None), of.hash_client_secret(&id, None));
            assert_eq!(key.is_former_of(&id), time < 2);
        }
        assert_eq!(key.since_ms(), 2_000);
    }

    #[test]
    fn what_is_of_no_match_follows_from_the_key_of_now_and_what_stands_for_names_from_the_first() {
        let (key, of_time) = rotated(&[1_000, 2_000]);
        let (first, now) = (&of_time[0], &of_time[2]);
        let public = |key: &ServerKey| key.signing().verifying_key();
        assert_eq!(public(&key), public(now));
        assert_eq!(
            key.former_signing_keys(),
            [(public(&of_time[1]), 2_000), (public(first), 1_000)],
            "last replaced first"
        );
        let address = "192.0.2.7".parse().unwrap();
        assert_eq!(key.hash_address(&address), now.hash_address(&address));
        let (account, request) = (AccountId::new("ada").unwrap(), RequestId::new("r").unwrap());
        assert_eq!(key.creation(&account, None, &request), first.creation(&account, None, &request));
        assert_eq!(key.names(), first.names());
        assert_eq!(key.without_former().names(), first.names(), "they outlive the key");
    }

    #[test]
    fn a_key_of_an_account_is_known_by_all_keys_until_they_are_forgotten() {
        let (key, of_time) = rotated(&[1_000, 2_000]);
        let account = AccountId::new("ada").unwrap();
        for of in &of_time {
            let made = of.account_key(&account, 1);
            let hash = of.hash_account_key(&made);
            assert!(key.account_key_hashes(&made).any(|other| other == hash));
            let again = key.made_account_key(&account, 1, &hash).unwrap();
            assert_eq!(again.as_bytes(), made.as_bytes());
            assert!(key.made_account_key(&account, 2, &hash).is_none());
        }
        let alone = key.without_former();
        let hash = of_time[1].hash_account_key(&of_time[1].account_key(&account, 1));
        assert!(alone.made_account_key(&account, 1, &hash).is_none());
        let hash = of_time[2].hash_account_key(&of_time[2].account_key(&account, 1));
        assert!(alone.made_account_key(&account, 1, &hash).is_some());
    }

    /// The key in between is that of no millisecond where its time ends before it begins: its matches would be lost.
    #[test]
    fn a_clock_that_was_set_back_loses_no_key() {
        for moments in [[5_000, 5_000, 1_000], [5_000, 0, 0]] {
            let (key, of_time) = rotated(&moments);
            let replaced: Vec<u64> = key.former.iter().map(|former| former.replaced_ms).collect();
            assert_eq!(replaced, [5_000, 5_001, 5_002]);
            for (made_ms, time) in [(4_999, 0), (5_000, 1), (5_001, 2), (5_002, 3)] {
                let id = made_at(made_ms);
                assert_eq!(key.creator_token(&id), of_time[time].creator_token(&id), "{made_ms}");
            }
        }
    }

    #[test]
    fn no_more_keys_are_held_than_a_file_has_room_for() {
        let moments: Vec<u64> = (1..=FORMER_KEYS_MAX as u64).collect();
        let (key, _) = rotated(&moments);
        assert_eq!(key.former_count(), FORMER_KEYS_MAX);
        let refused = key.rotated(100, &SeededEntropy::new(1)).unwrap_err();
        assert_eq!(refused, RotateKeyError::TooManyFormer);
        let forgotten = key.without_former();
        assert_eq!((forgotten.former_count(), forgotten.since_ms()), (0, 0));
        assert_eq!(forgotten.rotated(100, &SeededEntropy::new(1)).unwrap().since_ms(), 100);
    }

    #[test]
    fn a_store_tells_which_key_it_is_sealed_with() {
        let (key, of_time) = rotated(&[1_000, 2_000]);
        let (name, entropy) = (ServerKey::check_name().unwrap(), SeededEntropy::new(1));
        let found = |of: &ServerKey| key.key_of(&name, &of.check(&name, &entropy).unwrap());
        assert_eq!(found(&key), Some(SealedWith::Current));
        assert_eq!(found(&of_time[0]), Some(SealedWith::Former(0)));
        let of_then = ServerKey { current: of_time[1].current.clone(), ..key.without_former() };
        assert_eq!(found(&of_then), Some(SealedWith::Former(1)));
        assert_eq!(found(&ServerKey::from_bytes([9; 32])), None);
        // A file that has lost all but its first line is not the store's key: names would not be found.
        let check = key.check(&name, &entropy).unwrap();
        assert_eq!(of_time[2].key_of(&name, &check), None);
        assert_eq!(key.without_former().key_of(&name, &check), Some(SealedWith::Current));
        // Stores of before have a check without the key of names.
        let check = of_time[0].sealing().seal(&name, b"server key", &entropy).unwrap();
        assert_eq!(of_time[0].key_of(&name, &check), Some(SealedWith::Current));
        assert_eq!(key.key_of(&name, &check), Some(SealedWith::Former(0)));
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
