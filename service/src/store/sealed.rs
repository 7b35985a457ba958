//! A store whose contents nobody reads without the server's key: [`SealedStore`].
//!
//! Headers, entries, overviews and outcomes are sealed (XChaCha20-Poly1305) before they reach the store below; accounts, request
//! ids and what requests ask for are kept as keyed hashes, by which the store finds them, and stand in the sealed outcome. In clear
//! are what the store itself works with: ids of matches with their times, games and scenarios, statuses, lengths.

use std::sync::Arc;

use async_trait::async_trait;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use tokio::sync::watch;

use super::act::KeptAct;
use super::content::KeptContent;
use super::create_all::CreateAll;
use super::entry::{Append, Appended, BodyHash, Create, MatchLog, Replaced, Request, Stored};
use super::error::Error;
use super::health::StoreHealth;
use super::list::{Listing, Page, StoreFilter};
use super::names::{AccountId, MatchId, Party, RequestId, RequestScope, SecretId};
use super::quarantine::Quarantine;
use super::secret::SealedSecret;
use super::ticket::Ticket;
use super::uptime::Outage;
use super::{Stats, Store};

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
enum Part {
    Header,
    Overview,
    /// At the revision that it makes.
    Entry(u64),
    Outcome,
    /// An act of administration, of no match, with its number.
    Act(u64),
}

/// The match of what is of none.
const NO_MATCH: MatchId = MatchId::from_bytes([0; 16]);

/// A store over another one, which keeps nothing of a match in clear that is not for everybody.
pub struct SealedStore {
    inner: Arc<dyn Store>,
    seals: Arc<Seals>,
}

/// The keys, each for one purpose.
struct Seals {
    cipher: XChaCha20Poly1305,
    nonces: [u8; 32],
    names: [u8; 32],
}

impl SealedStore {
    /// `inner`, sealed with keys that follow from the server's key. A store is written and read with the same one.
    #[must_use]
    pub fn new(inner: Arc<dyn Store>, server_key: &[u8; 32]) -> Self {
        let key = blake3::derive_key("edgehill store contents v1", server_key);
        let seals = Seals {
            cipher: XChaCha20Poly1305::new(&key.into()),
            nonces: blake3::derive_key("edgehill store nonces v1", server_key),
            names: blake3::derive_key("edgehill store names v1", server_key),
        };
        Self { inner, seals: Arc::new(seals) }
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
    fn seal(&self, id: MatchId, part: Part, plain: &[u8]) -> Vec<u8> {
        let aad = part.of(id);
        let mut nonce = [0; NONCE_BYTES];
        let mut hasher = blake3::Hasher::new_keyed(&self.nonces);
        hasher.update(&aad).update(plain).finalize_xof().fill(&mut nonce);
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: &aad });
        let sealed = sealed.expect("sealing fails beyond 256 GiB alone");
        [&nonce[..], &sealed].concat()
    }

    fn open(&self, id: MatchId, part: Part, sealed: &[u8]) -> Result<Vec<u8>, Error> {
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

    fn request_id(&self, request: &RequestId) -> Result<RequestId, Error> {
        RequestId::new(&self.hash(1, request.as_bytes())[..NAME_BYTES])
    }

    fn scope(&self, scope: RequestScope) -> Result<RequestScope, Error> {
        match scope {
            RequestScope::Account(account) => self.account(&account).map(RequestScope::Account),
            scope @ RequestScope::Match(..) => Ok(scope),
        }
    }

    /// A request as it is kept: found by its hashes, and read back from its outcome.
    fn seal_request(&self, id: MatchId, request: &Request) -> Result<Request, Error> {
        let name = request.id.as_bytes();
        // A name has at most 64 bytes.
        let plain = [&[name.len() as u8], name, &request.body.0, &request.outcome].concat();
        Ok(Request {
            id: self.request_id(&request.id)?,
            body: BodyHash(self.hash(2, &request.body.0)),
            outcome: self.seal(id, Part::Outcome, &plain),
        })
    }

    fn open_request(&self, id: MatchId, request: &Request) -> Result<Request, Error> {
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

    fn seal_requests(&self, id: MatchId, requests: &mut [(Party, Request)]) -> Result<(), Error> {
        for (_, request) in requests {
            *request = self.seal_request(id, request)?;
        }
        Ok(())
    }

    fn seal_create(&self, mut create: Create) -> Result<Create, Error> {
        let id = create.id;
        create.header = self.seal(id, Part::Header, &create.header);
        create.overview = self.seal(id, Part::Overview, &create.overview);
        if let Some((account, request)) = &mut create.request {
            (*account, *request) = (self.account(account)?, self.seal_request(id, request)?);
        }
        Ok(create)
    }

    fn seal_append(&self, mut append: Append) -> Result<Append, Error> {
        let id = append.id;
        append.entry = self.seal(id, Part::Entry(append.expected + 1), &append.entry);
        append.overview = append.overview.map(|overview| self.seal(id, Part::Overview, &overview));
        self.seal_requests(id, &mut append.requests)?;
        if let Some(Replaced { requests, .. }) = &mut append.replaces {
            self.seal_requests(id, requests)?;
        }
        Ok(append)
    }

    fn open_stored(&self, stored: Stored) -> Result<Stored, Error> {
        Ok(Stored { request: self.open_request(stored.id, &stored.request)?, ..stored })
    }

    fn open_appended(&self, appended: Appended) -> Result<Appended, Error> {
        match appended {
            Appended::Repeated(stored) => self.open_stored(stored).map(Appended::Repeated),
            written @ Appended::Written(_) => Ok(written),
        }
    }

    fn open_log(&self, mut log: MatchLog) -> Result<MatchLog, Error> {
        let id = log.header.id;
        log.header.bytes = self.open(id, Part::Header, &log.header.bytes)?;
        if let Some((_, request)) = &mut log.header.request {
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

    /// The ticket of an operation, with what it brings opened.
    fn ticket(self: &Arc<Self>, ticket: Ticket<Appended>) -> Ticket<Appended> {
        let seals = Arc::clone(self);
        ticket.map(move |ended| ended.and_then(|appended| seals.open_appended(appended)))
    }
}

#[async_trait]
impl Store for SealedStore {
    async fn create(&self, create: Create) -> Result<Ticket<Appended>, Error> {
        Ok(self.seals.ticket(self.inner.create(self.seals.seal_create(create)?).await?))
    }

    async fn create_all(&self, create: CreateAll) -> Result<Ticket<Appended>, Error> {
        let seals = &self.seals;
        let CreateAll { creates, appends } = create;
        let creates =
            creates.into_iter().map(|create| seals.seal_create(create)).collect::<Result<_, _>>()?;
        let appends =
            appends.into_iter().map(|append| seals.seal_append(append)).collect::<Result<_, _>>()?;
        Ok(seals.ticket(self.inner.create_all(CreateAll { creates, appends }).await?))
    }

    async fn append(&self, append: Append) -> Result<Ticket<Appended>, Error> {
        Ok(self.seals.ticket(self.inner.append(self.seals.seal_append(append)?).await?))
    }

    async fn read(&self, id: MatchId, from: u64) -> Result<MatchLog, Error> {
        self.seals.open_log(self.inner.read(id, from).await?)
    }

    async fn read_stopped(&self, id: MatchId) -> Result<MatchLog, Error> {
        self.seals.open_log(self.inner.read_stopped(id).await?)
    }

    async fn list(&self, filter: StoreFilter, page: Page) -> Result<Listing, Error> {
        let mut listing = self.inner.list(filter, page).await?;
        for row in listing.matches.iter_mut().filter(|row| !row.overview.is_empty()) {
            // Whoever reads it finds that it is none.
            row.overview = self.seals.open(row.id, Part::Overview, &row.overview).unwrap_or_default();
        }
        Ok(listing)
    }

    async fn request(&self, scope: RequestScope, id: RequestId) -> Result<Option<Stored>, Error> {
        let stored = self.inner.request(self.seals.scope(scope)?, self.seals.request_id(&id)?).await?;
        stored.map(|stored| self.seals.open_stored(stored)).transpose()
    }

    async fn keep_secret(&self, id: SecretId, secret: SealedSecret) -> Result<(), Error> {
        self.inner.keep_secret(id, secret).await
    }

    async fn secret(&self, id: SecretId) -> Result<Option<SealedSecret>, Error> {
        self.inner.secret(id).await
    }

    async fn keep_content(&self, content: KeptContent) -> Result<(), Error> {
        // Nothing of a match: it is for everybody.
        self.inner.keep_content(content).await
    }

    async fn kept_contents(&self) -> Result<Vec<KeptContent>, Error> {
        self.inner.kept_contents().await
    }

    async fn keep_act(&self, mut act: KeptAct) -> Result<(), Error> {
        act.bytes = self.seals.seal(NO_MATCH, Part::Act(act.number), &act.bytes);
        self.inner.keep_act(act).await
    }

    async fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Error> {
        let mut acts = self.inner.kept_acts(after, count).await?;
        for act in &mut acts {
            act.bytes = self.seals.open(NO_MATCH, Part::Act(act.number), &act.bytes)?;
        }
        Ok(acts)
    }

    async fn quarantine(&self, id: MatchId, quarantine: Quarantine) -> Result<(), Error> {
        self.inner.quarantine(id, quarantine).await
    }

    async fn release(&self, id: MatchId) -> Result<(), Error> {
        self.inner.release(id).await
    }

    async fn delete(&self, matches: Vec<MatchId>, secrets: Vec<SecretId>) -> Result<(), Error> {
        self.inner.delete(matches, secrets).await
    }

    async fn start_up(&self, unix_ms: u64) -> Result<Vec<Outage>, Error> {
        self.inner.start_up(unix_ms).await
    }

    async fn note_up(&self, unix_ms: u64) -> Result<(), Error> {
        self.inner.note_up(unix_ms).await
    }

    fn stats(&self) -> Stats {
        self.inner.stats()
    }

    fn health(&self) -> watch::Receiver<StoreHealth> {
        self.inner.health()
    }

    fn retry(&self) {
        self.inner.retry();
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}

#[cfg(test)]
mod tests {
    use edgehill_engine::seat::{Seat, SeatSet};

    use super::super::{MemoryStore, StoredStatus, Summary, envelope};
    use super::*;

    const ID: MatchId = MatchId::from_bytes([3; 16]);

    fn request(name: &str, outcome: &str) -> Request {
        let id = RequestId::new(name).unwrap();
        Request { id, body: BodyHash::of(name.as_bytes()), outcome: outcome.into() }
    }

    fn summary(lengths: u64) -> Summary {
        Summary { status: StoredStatus::Running, open_seats: SeatSet::EMPTY, lengths: vec![lengths] }
    }

    async fn filled() -> (Arc<MemoryStore>, SealedStore) {
        let inner = Arc::new(MemoryStore::new());
        let store = SealedStore::new(Arc::clone(&inner) as Arc<dyn Store>, &[1; 32]);
        let create = Create {
            id: ID,
            game: "skirmish".into(),
            scenario: "skirmish".into(),
            group: None,
            header: b"a plain header".to_vec(),
            summary: summary(0),
            overview: b"a plain overview".to_vec(),
            request: Some((AccountId::new("ada").unwrap(), request("a plain creation", "made"))),
            secrets: Vec::new(),
        };
        store.create(create).await.unwrap().await.unwrap();
        let append = Append {
            id: ID,
            expected: 0,
            entry: b"a plain entry".to_vec(),
            requests: vec![(Party::Seat(Seat::new(0)), request("a plain request", "a plain outcome"))],
            summary: summary(1),
            overview: Some(b"a plain overview again".to_vec()),
            replaces: None,
        };
        store.append(append).await.unwrap().await.unwrap();
        (inner, store)
    }

    #[tokio::test]
    async fn what_is_sealed_reads_as_it_was_given() {
        let (_, store) = filled().await;
        let log = store.read(ID, 0).await.unwrap();
        assert_eq!(log.header.bytes, b"a plain header");
        assert_eq!(log.header.request.unwrap().1, request("a plain creation", "made"));
        assert_eq!(log.records[0].entry, b"a plain entry");
        assert_eq!(log.records[0].requests[0].1, request("a plain request", "a plain outcome"));
        let listed = store.list(StoreFilter::default(), Page::FIRST).await.unwrap().matches;
        assert_eq!(listed[0].overview, b"a plain overview again");
        let scope = RequestScope::Account(AccountId::new("ada").unwrap());
        let found = store.request(scope, RequestId::new("a plain creation").unwrap()).await.unwrap().unwrap();
        assert_eq!((found.id, found.request), (ID, request("a plain creation", "made")));
        let scope = RequestScope::Match(ID, Party::Seat(Seat::new(0)));
        let found = store.request(scope, RequestId::new("a plain request").unwrap()).await.unwrap().unwrap();
        assert_eq!(found.request.outcome, b"a plain outcome");
    }

    #[tokio::test]
    async fn a_log_takes_as_many_bytes_as_are_counted_before_it_is_sealed() {
        let (_, store) = filled().await;
        for (name, outcome, entry) in
            [("a", "", ""), (&"n".repeat(64), "outcome", "an entry"), ("b", "x", &"e".repeat(5_000))]
        {
            let mut append = Append {
                id: ID,
                expected: 1,
                entry: entry.into(),
                requests: vec![(Party::Seat(Seat::new(0)), request(name, outcome)); 2],
                summary: summary(1),
                overview: None,
                replaces: Some(Replaced { after: 0, requests: vec![(Party::Host, request(name, outcome))] }),
            };
            let counted = append.log_bytes();
            append.entry = store.seals.seal(ID, Part::Entry(2), &append.entry);
            store.seals.seal_requests(ID, &mut append.requests).unwrap();
            store.seals.seal_requests(ID, &mut append.replaces.as_mut().unwrap().requests).unwrap();
            assert_eq!(envelope::size_of(&append) as u64, counted);
        }
    }

    #[tokio::test]
    async fn nothing_is_read_without_the_key_or_in_another_place() {
        let (inner, store) = filled().await;
        let below = format!("{:?}", inner.read(ID, 0).await.unwrap());
        let bytes = |text: &str| format!("{:?}", text.as_bytes()).trim_matches(['[', ']']).to_owned();
        for plain in ["plain", "ada", "made"] {
            assert!(!below.contains(&bytes(plain)) && !below.contains(plain), "{plain}");
        }
        let other = SealedStore::new(inner, &[2; 32]);
        assert_eq!(other.read(ID, 0).await, Err(Error::SecretUnreadable));
        let sealed = store.seals.seal(ID, Part::Entry(1), b"x");
        for part in [Part::Header, Part::Overview, Part::Entry(2), Part::Outcome] {
            assert_eq!(store.seals.open(ID, part, &sealed), Err(Error::SecretUnreadable));
        }
        assert_eq!(store.seals.open(ID, Part::Entry(1), &sealed), Ok(b"x".to_vec()));
    }

    #[tokio::test]
    async fn a_creation_that_comes_again_is_known_for_what_it_asked_for() {
        let (_, store) = filled().await;
        let again = Create {
            id: MatchId::from_bytes([4; 16]),
            game: "skirmish".into(),
            scenario: "skirmish".into(),
            group: None,
            header: Vec::new(),
            summary: summary(0),
            overview: Vec::new(),
            request: Some((AccountId::new("ada").unwrap(), request("a plain creation", "again"))),
            secrets: Vec::new(),
        };
        let Appended::Repeated(stored) = store.create(again).await.unwrap().await.unwrap() else {
            panic!("it was made before");
        };
        assert_eq!(stored.outcome_for(&BodyHash::of(b"a plain creation")), Ok(&b"made"[..]));
    }
}
