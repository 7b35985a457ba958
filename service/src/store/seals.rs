//! The keys that a store is sealed with ([`StoreKeys`]), and what is sealed with them.
//!
//! Seals follow from the server's key of now, so that all can be sealed anew with the next one; a hash in the place of a name follows from
//! the server's first key for ever, since the name is not there to be hashed again.

use std::fmt;
use std::sync::Arc;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use super::entry::{Append, Appended, BodyHash, Create, MatchLog, Replaced, Request, Stored};
use super::error::Error;
use super::event::KeptEvent;
use super::names::{AccountId, MatchId, Party, RequestId, RequestScope};
use super::rewrite::Rewrite;
use super::secret::SealingKey;

const NONCE_BYTES: usize = 24;

/// Bytes by which an entry is longer when it is sealed: nonce and tag.
pub(super) const ENTRY_SEAL_BYTES: usize = NONCE_BYTES + 16;

/// Bytes by which a request is longer when it is sealed: its outcome is, and has its name and what it asks for besides, of which
/// hashes stand outside.
pub(super) const REQUEST_SEAL_BYTES: usize = NAME_BYTES + ENTRY_SEAL_BYTES + 1 + 32;

/// Bytes of a hash that stands for a name: as many as a name has room for without memory of its own.
const NAME_BYTES: usize = 24;

/// The part that is sealed, so that nothing can be passed off as something else.
#[derive(Copy, Clone)]
pub(super) enum Part {
    Header,
    Overview,
    /// At the revision that it makes.
    Entry(u64),
    Outcome,
    /// An act of administration, of no match, with its number.
    Act(u64),
    /// An event of a competition, with its number; in the place of a match is the competition.
    Event(u64),
}

/// The match of what is of none.
pub(super) const NO_MATCH: MatchId = MatchId::from_bytes([0; 16]);

/// The key of the hashes that a store keeps in the place of names: 32 secret bytes, which follow from a server's first key and tell
/// nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct NamesKey([u8; 32]);

/// The keys that a store is written and read with.
#[derive(Clone)]
pub struct StoreKeys {
    pub(super) seals: Arc<Seals>,
    pub(super) secrets: SealingKey,
}

/// The keys of the store's contents, each for one purpose.
pub(super) struct Seals {
    cipher: XChaCha20Poly1305,
    nonces: [u8; 32],
    names: [u8; 32],
}

impl NamesKey {
    /// The key that follows from the server's first key.
    #[must_use]
    pub fn derive(server_key: &[u8; 32]) -> Self {
        Self(blake3::derive_key("edgehill store names v1", server_key))
    }

    /// The key of these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The secret bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A hash that tells it from others.
    #[must_use]
    pub fn check(&self) -> [u8; 32] {
        blake3::derive_key("edgehill store names check v1", &self.0)
    }
}

impl StoreKeys {
    /// The keys that follow from the server's key, with the one that follows from its first.
    #[must_use]
    pub fn derive(server_key: &[u8; 32], names: &NamesKey) -> Self {
        let key = blake3::derive_key("edgehill store contents v1", server_key);
        let seals = Seals {
            cipher: XChaCha20Poly1305::new(&key.into()),
            nonces: blake3::derive_key("edgehill store nonces v1", server_key),
            names: names.0,
        };
        Self { seals: Arc::new(seals), secrets: SealingKey::derive(server_key) }
    }
}

impl fmt::Debug for NamesKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NamesKey(<secret>)")
    }
}

impl fmt::Debug for StoreKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoreKeys(<secret>)")
    }
}

impl Part {
    /// The associated data of this part of a match.
    fn of(self, id: MatchId) -> [u8; 25] {
        let (kind, revision) = match self {
            Self::Header => (0, 0),
            Self::Overview => (1, 0),
            Self::Entry(revision) => (2, revision),
            Self::Outcome => (3, 0),
            Self::Act(number) => (4, number),
            Self::Event(number) => (5, number),
        };
        let mut bytes = [0; 25];
        bytes[0] = kind;
        bytes[1..17].copy_from_slice(id.as_bytes());
        bytes[17..].copy_from_slice(&revision.to_le_bytes());
        bytes
    }
}

impl Seals {
    /// The nonce follows from what is sealed: the same is sealed to the same, and no two others share one.
    pub(super) fn seal(&self, id: MatchId, part: Part, plain: &[u8]) -> Vec<u8> {
        let aad = part.of(id);
        let mut nonce = [0; NONCE_BYTES];
        let mut hasher = blake3::Hasher::new_keyed(&self.nonces);
        hasher.update(&aad).update(plain).finalize_xof().fill(&mut nonce);
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: &aad });
        let sealed = sealed.expect("sealing fails beyond 256 GiB alone");
        [&nonce[..], &sealed].concat()
    }

    pub(super) fn open(&self, id: MatchId, part: Part, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let (nonce, msg) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or(Error::SecretUnreadable)?;
        let aad = part.of(id);
        let opened = self.cipher.decrypt(&XNonce::from(*nonce), Payload { msg, aad: &aad });
        opened.map_err(|_| Error::SecretUnreadable)
    }

    /// The hash that stands for a name or a body of this kind.
    fn hash(&self, kind: u8, bytes: &[u8]) -> [u8; 32] {
        *blake3::Hasher::new_keyed(&self.names).update(&[kind]).update(bytes).finalize().as_bytes()
    }

    fn account(&self, account: &AccountId) -> Result<AccountId, Error> {
        AccountId::new(&self.hash(0, account.as_bytes())[..NAME_BYTES])
    }

    pub(super) fn request_id(&self, request: &RequestId) -> Result<RequestId, Error> {
        RequestId::new(&self.hash(1, request.as_bytes())[..NAME_BYTES])
    }

    pub(super) fn scope(&self, scope: RequestScope) -> Result<RequestScope, Error> {
        match scope {
            RequestScope::Account(account) => self.account(&account).map(RequestScope::Account),
            scope @ RequestScope::Match(..) => Ok(scope),
        }
    }

    /// A request as it is kept: found by its hashes, and read back from its outcome.
    pub(super) fn seal_request(&self, id: MatchId, request: &Request) -> Result<Request, Error> {
        let name = request.id.as_bytes();
        // A name has at most 64 bytes.
        let plain = [&[name.len() as u8], name, &request.body.0, &request.outcome].concat();
        Ok(Request {
            id: self.request_id(&request.id)?,
            body: BodyHash(self.hash(2, &request.body.0)),
            outcome: self.seal(id, Part::Outcome, &plain),
        })
    }

    pub(super) fn open_request(&self, id: MatchId, request: &Request) -> Result<Request, Error> {
        let plain = self.open(id, Part::Outcome, &request.outcome)?;
        let (&length, rest) = plain.split_first().ok_or(Error::SecretUnreadable)?;
        let (name, rest) = rest.split_at_checked(length.into()).ok_or(Error::SecretUnreadable)?;
        let (body, outcome) = rest.split_first_chunk::<32>().ok_or(Error::SecretUnreadable)?;
        let opened = Request { id: RequestId::new(name)?, body: BodyHash(*body), outcome: outcome.to_vec() };
        // It is the one that is found by these hashes, and no other of the match.
        if self.request_id(&opened.id)? != request.id {
            return Err(Error::SecretUnreadable);
        }
        Ok(opened)
    }

    pub(super) fn seal_requests(&self, id: MatchId, requests: &mut [(Party, Request)]) -> Result<(), Error> {
        for (_, request) in requests {
            *request = self.seal_request(id, request)?;
        }
        Ok(())
    }

    pub(super) fn seal_create(&self, mut create: Create) -> Result<Create, Error> {
        let id = create.id;
        create.header = self.seal(id, Part::Header, &create.header);
        create.overview = self.seal(id, Part::Overview, &create.overview);
        for (account, request) in &mut create.requests {
            (*account, *request) = (self.account(account)?, self.seal_request(id, request)?);
        }
        Ok(create)
    }

    pub(super) fn seal_append(&self, mut append: Append) -> Result<Append, Error> {
        let id = append.id;
        append.entry = self.seal(id, Part::Entry(append.expected + 1), &append.entry);
        append.overview = append.overview.map(|overview| self.seal(id, Part::Overview, &overview));
        self.seal_requests(id, &mut append.requests)?;
        if let Some(Replaced { requests, .. }) = &mut append.replaces {
            self.seal_requests(id, requests)?;
        }
        Ok(append)
    }

    pub(super) fn seal_rewrite(&self, mut rewrite: Rewrite) -> Result<Rewrite, Error> {
        let id = rewrite.id;
        rewrite.header = self.seal(id, Part::Header, &rewrite.header);
        rewrite.overview = self.seal(id, Part::Overview, &rewrite.overview);
        for (revision, entry) in &mut rewrite.entries {
            *entry = self.seal(id, Part::Entry(*revision), entry);
        }
        if let Some((account, other)) = &mut rewrite.creator {
            (*account, *other) = (self.account(account)?, self.account(other)?);
        }
        Ok(rewrite)
    }

    pub(super) fn seal_events(&self, events: &mut [KeptEvent]) {
        for event in events {
            let of = MatchId::from_bytes(*event.competition.as_bytes());
            event.bytes = self.seal(of, Part::Event(event.number), &event.bytes);
        }
    }

    pub(super) fn open_event(&self, event: &KeptEvent) -> Result<Vec<u8>, Error> {
        let of = MatchId::from_bytes(*event.competition.as_bytes());
        self.open(of, Part::Event(event.number), &event.bytes)
    }

    pub(super) fn open_stored(&self, stored: Stored) -> Result<Stored, Error> {
        Ok(Stored { request: self.open_request(stored.id, &stored.request)?, ..stored })
    }

    pub(super) fn open_appended(&self, appended: Appended) -> Result<Appended, Error> {
        match appended {
            Appended::Repeated(stored) => self.open_stored(stored).map(Appended::Repeated),
            written @ Appended::Written(_) => Ok(written),
        }
    }

    pub(super) fn open_log(&self, mut log: MatchLog) -> Result<MatchLog, Error> {
        let id = log.header.id;
        log.header.bytes = self.open(id, Part::Header, &log.header.bytes)?;
        for (_, request) in &mut log.header.requests {
            *request = self.open_request(id, request)?;
        }
        for record in &mut log.records {
            record.entry = self.open(id, Part::Entry(record.at.revision), &record.entry)?;
            for (_, request) in &mut record.requests {
                *request = self.open_request(id, request)?;
            }
        }
        Ok(log)
    }
}
