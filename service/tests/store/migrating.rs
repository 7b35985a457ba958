//! A store's content brought into another one, and back: the same, once, however often it is cut short.

use std::path::{Path, PathBuf};

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

/// Matches of every kind, and all that belongs to none.
async fn fill(store: &dyn Store) {
    let requests = vec![(account("me"), request("r0", "body")), (account("you"), request("r0", "body"))];
    let made = Create { requests, group: Some("g".into()), ..create(match_id(1)) };
    do_create(store, made).await.unwrap();
    for expected in 0..300 {
        let name = format!("r{expected}");
        written(store, append_for(match_id(1), expected, seat(0), request(&name, "body"))).await;
    }
    let replaces = Some(Replaced { after: 200, requests: vec![(seat(0), request("r250", "body"))] });
    let overview = Some(b"seen".to_vec());
    written(store, Append { replaces, overview, ..append(match_id(1), 300) }).await;
    play(store, 2, 0).await;
    play(store, 3, 5).await;
    let quarantine = Quarantine { reason: "R".into(), detail: "d".into(), since_ms: 9 };
    store.quarantine(match_id(3), quarantine).await.unwrap();
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

#[tokio::test]
async fn what_is_there_and_is_something_else_stays() {
    let Some(places) = Places::new() else { return };
    let store = open_file(&places.first);
    fill(&store).await;
    store.close().await;
    let store = open_database(&places.server);
    let id = play(&store, 2, 7).await;
    let before = store.read(id, 0).await.unwrap();
    store.close().await;
    assert_eq!(migrate(&places.first(), &places.database(), |_| ()).await, Err(Error::MatchExists(id)));
    assert_eq!(open_database(&places.server).read(id, 0).await.unwrap(), before);
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
