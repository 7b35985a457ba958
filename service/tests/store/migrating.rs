//! A store's content brought into another one, and back: the same, once, however often it is cut short.

use std::path::{Path, PathBuf};
use std::task::Poll;

use edgehill_service::entropy::SeededEntropy;
use edgehill_service::store::{
    Append, CompetitionId, Create, Error, KeptAct, KeptContent, KeptEvent, MatchId, MatchLog, Migrated,
    Options, Page, PostgresOptions, PostgresServer, PostgresStore, Quarantine, Replaced, RequestScope,
    SealingKey, SecretId, SqliteStore, Store, StoreFilter, StorePlace, fsck, is_unfinished, migrate,
};

use crate::kit::{
    account, append, append_for, create, do_append, do_create, folder, match_id, play, request, request_id,
    seat, written,
};
use crate::real_postgres::{database, postgres};

const COMPETITION: CompetitionId = CompetitionId::from_bytes([7; 16]);

fn open_file(path: &Path) -> SqliteStore {
    SqliteStore::open(path, &Options::default()).unwrap()
}

fn open_database(server: &PostgresServer) -> PostgresStore {
    PostgresStore::open(server, &PostgresOptions::default()).unwrap()
}

/// The reason for which a match of these stores is closed.
fn closed() -> Quarantine {
    Quarantine { reason: "R".into(), detail: "d".into(), since_ms: 9 }
}

/// Matches of every kind, and all that belongs to none.
async fn fill(store: &dyn Store) {
    let requests = vec![(account("me"), request("r0", "body")), (account("you"), request("r0", "body"))];
    let made = Create { requests, group: Some("g".into()), ..create(match_id(1)) };
    do_create(store, made).await.unwrap();
    let mut tickets = Vec::new();
    for expected in 0..300 {
        let name = format!("r{expected}");
        let asked = append_for(match_id(1), expected, seat(0), request(&name, "body"));
        tickets.push(store.append(asked).await.unwrap());
    }
    for ticket in tickets {
        ticket.await.unwrap();
    }
    let replaces = Some(Replaced { after: 200, requests: vec![(seat(0), request("r250", "body"))] });
    let overview = Some(b"seen".to_vec());
    written(store, Append { replaces, overview, ..append(match_id(1), 300) }).await;
    play(store, 2, 0).await;
    play(store, 3, 5).await;
    store.quarantine(match_id(3), closed()).await.unwrap();
    for number in 1..=3_u8 {
        let name = SecretId::new(format!("seed {number}")).unwrap();
        let sealed = SealingKey::derive(&[1; 32]).seal(&name, &[number; 32], &SeededEntropy::new(1)).unwrap();
        store.keep_secret(name, sealed).await.unwrap();
        store.keep_act(KeptAct { number: u64::from(number), bytes: vec![number] }).await.unwrap();
    }
    let content = KeptContent { hash: [5; 32], game: "skirmish".into(), files: vec![1, 2, 3] };
    store.keep_content(content).await.unwrap();
    let event = |number| KeptEvent { competition: COMPETITION, number, bytes: vec![number as u8] };
    store.keep_events((1..=4).map(event).collect()).await.unwrap();
    store.start_up(1_000).await.unwrap();
    store.note_up(2_000).await.unwrap();
    store.start_up(900_000).await.unwrap();
}

/// All that a store tells, but for where in it something stands.
async fn told(store: &dyn Store) -> Vec<String> {
    let mut told = Vec::new();
    let listing = store.list(StoreFilter::default(), Page::FIRST).await.unwrap();
    for row in &listing.matches {
        told.push(format!("{row:?}"));
        let MatchLog { header, revision, records, .. } = store.read_stopped(row.id).await.unwrap();
        told.push(format!("{:?}", (header.game, header.scenario, header.bytes, header.requests, revision)));
        told.extend(
            records.into_iter().map(|r| format!("{:?}", (r.at.revision, r.entry, r.requests, r.summary))),
        );
    }
    let grouped = StoreFilter { group: Some("g".into()), ..StoreFilter::default() };
    told.push(format!("{:?}", store.list(grouped, Page::FIRST).await.unwrap()));
    for number in 1..=3 {
        told.push(format!("{:?}", store.secret(SecretId::new(format!("seed {number}")).unwrap()).await));
    }
    told.push(format!("{:?}", store.kept_acts(0, 10).await));
    told.push(format!("{:?}", store.kept_contents().await));
    told.push(format!("{:?}", store.kept_competitions(None, 10).await));
    told.push(format!("{:?}", store.kept_events(COMPETITION, 0, 10).await));
    for name in ["r0", "r100", "r250", "r299"] {
        let answered =
            store.request(RequestScope::Match(match_id(1), seat(0)), request_id(name)).await.unwrap();
        told.push(format!("{:?}", answered.map(|stored| (stored.at.revision, stored.request))));
    }
    for name in ["me", "you"] {
        let created = store.request(RequestScope::Account(account(name)), request_id("r0")).await.unwrap();
        told.push(format!("{:?}", created.map(|stored| (stored.id, stored.request))));
    }
    told.push(format!("{:?}", store.start_up(900_000).await));
    told
}

fn is_sound(path: &Path) {
    let report = fsck(path).unwrap();
    assert!(report.is_sound() && report.strays == 0, "{report:?}");
}

async fn moved(from: &StorePlace, to: &StorePlace) -> Migrated {
    migrate(from, to, |_| ()).await.unwrap()
}

/// A file, a database and a file to migrate through; `None` without a database.
struct Places {
    _folders: [tempfile::TempDir; 2],
    first: PathBuf,
    server: PostgresServer,
    address: String,
    last: PathBuf,
}

impl Places {
    fn new() -> Option<Self> {
        let (address, server) = database()?;
        let ((one, first), (other, last)) = (folder(), folder());
        Some(Self { _folders: [one, other], first, server, address, last })
    }

    fn first(&self) -> StorePlace {
        StorePlace::File(self.first.clone())
    }

    fn database(&self) -> StorePlace {
        StorePlace::Database(Box::new(self.server.clone()))
    }

    fn last(&self) -> StorePlace {
        StorePlace::File(self.last.clone())
    }
}

#[tokio::test]
async fn a_store_goes_into_a_database_and_back_as_it_is() {
    let Some(places) = Places::new() else { return };
    let store = open_file(&places.first);
    fill(&store).await;
    let expected = told(&store).await;
    store.close().await;
    let there = moved(&places.first(), &places.database()).await;
    assert_eq!((there.matches, there.matches_before, there.appends), (3, 0, 3 + 201 + 5));
    assert_eq!((there.secrets, there.contents, there.acts, there.competitions), (3, 1, 3, 1));
    let store = open_database(&places.server);
    assert!(!is_unfinished(&store).await.unwrap());
    assert_eq!(told(&store).await, expected);
    // It goes on there.
    written(&store, append(match_id(1), 301)).await;
    let expected = told(&store).await;
    store.close().await;
    moved(&places.database(), &places.last()).await;
    is_sound(&places.last);
    assert_eq!(told(&open_file(&places.last)).await, expected);
}

#[tokio::test]
async fn a_migration_that_was_cut_short_goes_on() {
    let Some(places) = Places::new() else { return };
    let store = open_file(&places.first);
    fill(&store).await;
    let expected = told(&store).await;
    store.close().await;
    moved(&places.first(), &places.database()).await;
    // As if it had come so far: a match, an act, an event and the end are missing.
    let lost = "DELETE FROM appends WHERE match_id = ID; DELETE FROM matches WHERE id = ID; DELETE FROM overviews WHERE match_id = ID; \
         DELETE FROM creations WHERE match_id = ID; DELETE FROM acts WHERE number = 3; \
         DELETE FROM competition_events WHERE number > 2; DELETE FROM outages; \
         INSERT INTO secrets VALUES ('migration unfinished', 'migration unfinished')";
    postgres().unwrap().run(&places.address, &lost.replace("ID", &format!("'\\x{:032x}'::BYTEA", 1)));
    let store = open_database(&places.server);
    assert!(is_unfinished(&store).await.unwrap());
    store.close().await;
    // Not to be taken for a whole one.
    let refused = migrate(&places.database(), &places.last(), |_| ()).await.unwrap_err();
    assert_eq!(refused.reason(), "STORE_INVALID");
    let again = moved(&places.first(), &places.database()).await;
    assert_eq!((again.matches, again.matches_before), (1, 2));
    let store = open_database(&places.server);
    assert!(!is_unfinished(&store).await.unwrap());
    assert_eq!(told(&store).await, expected);
}

/// All matches of a store, each of which has to be whole, with the hashes of their last appends: each of those is of all before it.
async fn chains(place: &StorePlace, address: &str) -> String {
    match place {
        StorePlace::File(path) => {
            is_sound(path);
            let query = "SELECT group_concat(hex(id) || ' ' || revision || ' ' || hex(hash)) \
                         FROM (SELECT * FROM matches ORDER BY id)";
            let file = rusqlite::Connection::open(path).unwrap();
            file.query_row(query, [], |row| row.get(0)).unwrap()
        }
        StorePlace::Database(server) => {
            let store = open_database(server);
            let report = store.fsck().await.unwrap();
            assert!(report.is_sound(), "{report:?}");
            let query =
                "SELECT string_agg(concat(id, ' ', revision, ' ', hash), ',' ORDER BY id) FROM matches";
            postgres().unwrap().text(address, query).unwrap()
        }
    }
}

/// A store that was brought elsewhere at one go, and the same store with an empty one, to be brought there piece by piece.
struct Migration {
    from: StorePlace,
    to: StorePlace,
    /// The database of the two.
    address: String,
    /// All that the first one tells.
    told: Vec<String>,
    /// The chains that come of it.
    chains: String,
    _places: [Places; 2],
}

impl Migration {
    /// From a file into a database.
    async fn into_database() -> Option<Self> {
        let [at_once, places] = [Places::new()?, Places::new()?];
        let store = open_file(&places.first);
        fill(&store).await;
        let told = told(&store).await;
        store.close().await;
        moved(&places.first(), &at_once.database()).await;
        let chains = chains(&at_once.database(), &at_once.address).await;
        let (from, to, address) = (places.first(), places.database(), places.address.clone());
        open_database(&places.server).close().await;
        postgres().unwrap().run(&address, &format!("{END}{END_WRITING}"));
        Some(Self { from, to, address, told, chains, _places: [at_once, places] })
    }

    /// From a database into a file.
    async fn into_file() -> Option<Self> {
        let [at_once, places] = [Places::new()?, Places::new()?];
        let store = open_database(&places.server);
        fill(&store).await;
        let told = told(&store).await;
        store.close().await;
        moved(&places.database(), &at_once.last()).await;
        let chains = chains(&at_once.last(), "").await;
        let (from, to, address) = (places.database(), places.last(), places.address.clone());
        postgres().unwrap().run(&address, &format!("{END}{END_READING}"));
        Some(Self { from, to, address, told, chains, _places: [at_once, places] })
    }

    fn open_second(&self) -> Box<dyn Store> {
        match &self.to {
            StorePlace::File(path) => Box::new(open_file(path)),
            StorePlace::Database(server) => Box::new(open_database(server)),
        }
    }

    /// The number of matches that are there so far; it has to be known that they are not all.
    async fn matches_so_far(&self) -> usize {
        let store = self.open_second();
        assert!(is_unfinished(&*store).await.unwrap());
        let listing = store.list(StoreFilter::default(), Page::FIRST).await.unwrap();
        store.close().await;
        listing.matches.len()
    }

    /// Asserts that it is there as it would have been without a cut.
    async fn is_as_without_a_cut(&self) {
        assert_eq!(chains(&self.to, &self.address).await, self.chains);
        let store = self.open_second();
        assert!(!is_unfinished(&*store).await.unwrap());
        assert_eq!(told(&*store).await, self.told);
    }

    /// Has the database end the connection with which this match is read or written, in the midst of it; `None`: no more of that.
    fn end_connection_at(&self, id: Option<MatchId>) {
        let id = id.map_or_else(|| "NULL".to_owned(), |id| format!("'\\x{}'::BYTEA", digits(id)));
        let statements = format!("DELETE FROM ended_at; INSERT INTO ended_at VALUES ({id})");
        postgres().unwrap().run(&self.address, &statements);
    }
}

/// The digits of a match's name in a statement.
fn digits(id: MatchId) -> String {
    id.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Ends the connection that comes by with the match of a row, if there is one.
const END: &str = "
    CREATE TABLE ended_at (id BYTEA);
    CREATE FUNCTION passes(match_id BYTEA) RETURNS BOOLEAN LANGUAGE plpgsql AS $$ BEGIN
        IF match_id = (SELECT id FROM ended_at) THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN TRUE;
    END $$;
";

/// At the commit of a match that is new.
const END_WRITING: &str = "
    CREATE FUNCTION pass() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
        PERFORM passes(NEW.id);
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER pass AFTER INSERT ON matches DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION pass();
";

/// At the reading of a match's appends.
const END_READING: &str = "
    ALTER TABLE appends RENAME TO kept_appends;
    CREATE VIEW appends AS SELECT * FROM kept_appends WHERE passes(match_id);
";

/// The matches in the order in which they are brought over.
const IN_ORDER: [u8; 3] = [3, 2, 1];

/// Brings so many matches over: in the midst of each of them, and of the next one, the database's connection ends once.
async fn cut_at_each_to(migration: &Migration, count: usize) {
    for (done, number) in IN_ORDER.into_iter().enumerate().take(count + 1) {
        migration.end_connection_at(Some(match_id(number)));
        let cut = migrate(&migration.from, &migration.to, |_| ()).await.unwrap_err();
        assert!(cut.passes(), "{cut}");
        migration.end_connection_at(None);
        assert_eq!(migration.matches_so_far().await, done);
    }
}

#[tokio::test]
async fn a_migration_whose_connection_ends_at_each_match_goes_on() {
    for migration in [Migration::into_database().await, Migration::into_file().await] {
        let Some(migration) = migration else { return };
        cut_at_each_to(&migration, IN_ORDER.len() - 1).await;
        let last = moved(&migration.from, &migration.to).await;
        assert_eq!((last.matches, last.matches_before), (1, 2));
        migration.is_as_without_a_cut().await;
    }
}

/// Runs a migration until it waits for something for the last of so many times, and drops it there; returns whether it has ended before.
async fn is_done_within(migration: &Migration, waits: usize) -> bool {
    let (mut running, mut waited) = (Box::pin(migrate(&migration.from, &migration.to, |_| ())), 0);
    std::future::poll_fn(move |context| match running.as_mut().poll(context) {
        // A run that was given up while it closed a file leaves that to a thread, which has the file until it is done.
        Poll::Ready(Err(Error::Locked { .. })) => Poll::Ready(false),
        Poll::Ready(ended) => {
            ended.unwrap();
            Poll::Ready(true)
        }
        Poll::Pending => {
            waited += 1;
            if waited == waits { Poll::Ready(false) } else { Poll::Pending }
        }
    })
    .await
}

/// Each run goes one step further than the one before, on what that has left: a write that is under way is done, and nobody hears of it.
#[tokio::test]
async fn a_migration_that_is_given_up_wherever_it_waits_goes_on() {
    for migration in [Migration::into_database().await, Migration::into_file().await] {
        let Some(migration) = migration else { return };
        let mut waits = 1;
        while !is_done_within(&migration, waits).await {
            waits += 1;
        }
        // A few more things than these are waited for, of each match three; some may be there at once.
        assert!(waits > 3 * IN_ORDER.len(), "{waits}");
        migration.is_as_without_a_cut().await;
    }
}

#[tokio::test]
async fn a_match_that_is_damaged_where_it_was_brought_is_refused() {
    for migration in [Migration::into_database().await, Migration::into_file().await] {
        let Some(migration) = migration else { return };
        cut_at_each_to(&migration, 1).await;
        let id = match_id(IN_ORDER[0]);
        let last = "UPDATE appends SET envelope = substr(envelope, 1, length(envelope) - 1) WHERE";
        match &migration.to {
            StorePlace::File(path) => {
                let of = format!("position = (SELECT position FROM matches WHERE id = x'{}')", digits(id));
                let file = rusqlite::Connection::open(path).unwrap();
                assert_eq!(file.execute(&format!("{last} {of}"), []).unwrap(), 1);
            }
            StorePlace::Database(_) => {
                let of = format!("match_id = '\\x{}'::BYTEA AND revision = 5", digits(id));
                postgres().unwrap().run(&migration.address, &format!("{last} {of}"));
            }
        }
        for _ in 0..2 {
            let refused = migrate(&migration.from, &migration.to, |_| ()).await.unwrap_err();
            let Error::Quarantined { id: named, quarantine } = &refused else { panic!("{refused}") };
            assert_eq!((*named, &*quarantine.reason), (id, "APPEND_DAMAGED"));
            assert_eq!(migration.matches_so_far().await, 1, "nothing is brought over after it");
        }
    }
}

#[tokio::test]
async fn what_is_there_and_is_something_else_stays() {
    for other in 0..3 {
        let Some(places) = Places::new() else { return };
        let store = open_file(&places.first);
        fill(&store).await;
        store.close().await;
        let store = open_database(&places.server);
        let id = match other {
            // Another length; another entry, of the same length; the same log, open to play.
            0 => play(&store, 2, 7).await,
            1 => {
                let id = play(&store, 3, 4).await;
                let entry = append(id, 3).entry;
                written(&store, Append { entry, ..append(id, 4) }).await;
                store.quarantine(id, closed()).await.unwrap();
                id
            }
            _ => play(&store, 3, 5).await,
        };
        let before = store.read_stopped(id).await.unwrap();
        store.close().await;
        let refused = migrate(&places.first(), &places.database(), |_| ()).await;
        assert_eq!(refused, Err(Error::MatchExists(id)), "{other}");
        assert_eq!(open_database(&places.server).read_stopped(id).await.unwrap(), before);
    }
}

#[tokio::test]
async fn a_match_that_is_not_whole_stays_behind_and_is_named() {
    let Some(places) = Places::new() else { return };
    let store = open_database(&places.server);
    fill(&store).await;
    store.close().await;
    let damage = format!("DELETE FROM appends WHERE revision = 3 AND match_id = '\\x{:032x}'::BYTEA", 3);
    postgres().unwrap().run(&places.address, &damage);
    let migrated = moved(&places.database(), &places.last()).await;
    let left: Vec<MatchId> = migrated.left.iter().map(|(id, _)| *id).collect();
    assert_eq!((migrated.matches, &*left), (2, &[match_id(3)][..]));
    assert!(migrated.left[0].1.contains("APPEND_MISSING"), "{:?}", migrated.left);
    assert!(is_unfinished(&open_file(&places.last)).await.unwrap());
}

#[tokio::test]
async fn a_store_that_is_not_there_is_not_made() {
    let Some(places) = Places::new() else { return };
    for (from, to) in [(places.first(), places.database()), (places.database(), places.last())] {
        let refused = migrate(&from, &to, |_| ()).await.unwrap_err();
        assert_eq!(refused.reason(), "STORE_OPEN", "{refused}");
    }
    assert!(!places.first.exists() && !places.last.exists());
    let _ = do_append(&open_database(&places.server), append(match_id(1), 0)).await.unwrap_err();
}
