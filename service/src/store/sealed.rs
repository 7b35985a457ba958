//! A store whose contents nobody reads without the server's key: [`SealedStore`].
//!
//! Headers, entries, overviews and outcomes are sealed (XChaCha20-Poly1305) before they reach the store below; accounts, request
//! ids and what requests ask for are kept as keyed hashes, by which the store finds them, and stand in the sealed outcome. In clear
//! are what the store itself works with: ids of matches with their times, games and scenarios, statuses, lengths.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::watch;

use super::act::KeptAct;
use super::content::KeptContent;
use super::create_all::CreateAll;
use super::entry::{Append, Appended, Create, MatchLog, Stored};
use super::error::Error;
use super::event::{CompetitionId, KeptEvent};
use super::health::StoreHealth;
use super::list::{Listing, Page, StoreFilter};
use super::names::{MatchId, RequestId, RequestScope, SecretId};
use super::quarantine::Quarantine;
use super::rewrite::Rewrite;
use super::seals::{NO_MATCH, Part, Seals, StoreKeys};
use super::secret::SealedSecret;
use super::ticket::Ticket;
use super::uptime::Outage;
use super::{Stats, Store};

/// A store over another one, which keeps nothing of a match in clear that is not for everybody.
pub struct SealedStore {
    inner: Arc<dyn Store>,
    seals: Arc<Seals>,
}

impl SealedStore {
    /// `inner`, sealed with these keys. A store is written and read with the same ones.
    #[must_use]
    pub fn new(inner: Arc<dyn Store>, keys: &StoreKeys) -> Self {
        Self { inner, seals: Arc::clone(&keys.seals) }
    }
}

impl Seals {
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

    async fn rewrite_acts(&self, mut acts: Vec<KeptAct>) -> Result<(), Error> {
        for act in &mut acts {
            act.bytes = self.seals.seal(NO_MATCH, Part::Act(act.number), &act.bytes);
        }
        self.inner.rewrite_acts(acts).await
    }

    async fn keep_events(&self, mut events: Vec<KeptEvent>) -> Result<(), Error> {
        self.seals.seal_events(&mut events);
        self.inner.keep_events(events).await
    }

    async fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Error> {
        let mut events = self.inner.kept_events(competition, after, count).await?;
        for event in &mut events {
            event.bytes = self.seals.open_event(event)?;
        }
        Ok(events)
    }

    async fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Error> {
        self.inner.kept_competitions(after, count).await
    }

    async fn rewrite_events(&self, mut events: Vec<KeptEvent>) -> Result<(), Error> {
        self.seals.seal_events(&mut events);
        self.inner.rewrite_events(events).await
    }

    async fn rewrite(&self, rewrite: Rewrite) -> Result<(), Error> {
        self.inner.rewrite(self.seals.seal_rewrite(rewrite)?).await
    }

    async fn compact(&self) -> Result<(), Error> {
        self.inner.compact().await
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

    async fn keep_outage(&self, outage: Outage) -> Result<(), Error> {
        self.inner.keep_outage(outage).await
    }

    async fn outages(&self) -> Result<Vec<Outage>, Error> {
        self.inner.outages().await
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

    use super::super::entry::{BodyHash, Replaced, Request};
    use super::super::names::{AccountId, Party};
    use super::super::seals::NamesKey;
    use super::super::{MemoryStore, StoredStatus, Summary, envelope};
    use super::*;

    const ID: MatchId = MatchId::from_bytes([3; 16]);

    fn keys(byte: u8) -> StoreKeys {
        StoreKeys::derive(&[byte; 32], &NamesKey::derive(&[byte; 32]))
    }

    fn request(name: &str, outcome: &str) -> Request {
        let id = RequestId::new(name).unwrap();
        Request { id, body: BodyHash::of(name.as_bytes()), outcome: outcome.into() }
    }

    fn summary(lengths: u64) -> Summary {
        Summary { status: StoredStatus::Running, open_seats: SeatSet::EMPTY, lengths: vec![lengths] }
    }

    async fn filled() -> (Arc<MemoryStore>, SealedStore) {
        let inner = Arc::new(MemoryStore::new());
        let store = SealedStore::new(Arc::clone(&inner) as Arc<dyn Store>, &keys(1));
        let create = Create {
            id: ID,
            game: "skirmish".into(),
            scenario: "skirmish".into(),
            group: None,
            header: b"a plain header".to_vec(),
            summary: summary(0),
            overview: b"a plain overview".to_vec(),
            requests: vec![(AccountId::new("ada").unwrap(), request("a plain creation", "made"))],
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
        assert_eq!(log.header.requests[0].1, request("a plain creation", "made"));
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
        let other = SealedStore::new(inner, &keys(2));
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
            requests: vec![(AccountId::new("ada").unwrap(), request("a plain creation", "again"))],
            secrets: Vec::new(),
        };
        let Appended::Repeated(stored) = store.create(again).await.unwrap().await.unwrap() else {
            panic!("it was made before");
        };
        assert_eq!(stored.outcome_for(&BodyHash::of(b"a plain creation")), Ok(&b"made"[..]));
    }
}
