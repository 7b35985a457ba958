//! The data that the tests write, matches whose entries say where they belong, and the stores that laws are put to the test on.

use std::path::PathBuf;

use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_service::store::{
    AccountId, Append, Appended, At, BodyHash, Create, Error, Listing, MatchId, Options, Page, Party,
    PostgresOptions, PostgresStore, Request, RequestId, SqliteStore, Store, StoreFilter, StoredStatus,
    Summary, fsck,
};

use crate::real_postgres::database;

/// The match of this number; later numbers are later names.
pub(crate) fn match_id(number: u8) -> MatchId {
    let mut bytes = [0; 16];
    bytes[15] = number;
    MatchId::from_bytes(bytes)
}

pub(crate) fn account(name: &str) -> AccountId {
    AccountId::new(name).unwrap()
}

pub(crate) fn request_id(name: &str) -> RequestId {
    RequestId::new(name).unwrap()
}

/// A request whose outcome names it.
pub(crate) fn request(name: &str, body: &str) -> Request {
    let outcome = format!("outcome of {name}").into_bytes();
    Request { id: request_id(name), body: BodyHash::of(body.as_bytes()), outcome }
}

pub(crate) fn seat(index: u8) -> Party {
    Party::Seat(Seat::new(index))
}

pub(crate) fn summary(revision: u64) -> Summary {
    Summary {
        status: StoredStatus::Running,
        open_seats: SeatSet::EMPTY,
        lengths: vec![revision, revision / 2, 1],
    }
}

pub(crate) fn create(id: MatchId) -> Create {
    Create {
        id,
        game: "skirmish".into(),
        scenario: "ford".into(),
        group: None,
        header: format!("header of {id}").into_bytes(),
        summary: Summary {
            status: StoredStatus::Open,
            open_seats: SeatSet::first(2),
            lengths: vec![0, 0, 0],
        },
        overview: format!("overview of {id}").into_bytes(),
        requests: Vec::new(),
        secrets: Vec::new(),
    }
}

/// Returns the content of the append that makes this revision.
pub(crate) fn entry(id: MatchId, revision: u64) -> Vec<u8> {
    format!("{id} {revision}").into_bytes()
}

/// The append that makes revision `expected` + 1.
pub(crate) fn append(id: MatchId, expected: u64) -> Append {
    let entry = entry(id, expected + 1);
    Append {
        id,
        expected,
        entry,
        requests: Vec::new(),
        summary: summary(expected + 1),
        overview: None,
        replaces: None,
    }
}

pub(crate) fn append_for(id: MatchId, expected: u64, party: Party, request: Request) -> Append {
    Append { requests: vec![(party, request)], ..append(id, expected) }
}

/// Does it and waits until it is durable.
pub(crate) async fn do_create(store: &dyn Store, create: Create) -> Result<Appended, Error> {
    store.create(create).await?.await
}

/// Does it and waits until it is durable.
pub(crate) async fn do_append(store: &dyn Store, append: Append) -> Result<Appended, Error> {
    store.append(append).await?.await
}

/// Does it; it must be written.
pub(crate) async fn written(store: &dyn Store, append: Append) -> At {
    match do_append(store, append).await {
        Ok(Appended::Written(at)) => at,
        other => panic!("not written: {other:?}"),
    }
}

/// Creates the match of this number with so many appends.
pub(crate) async fn play(store: &dyn Store, number: u8, appends: u64) -> MatchId {
    let id = match_id(number);
    do_create(store, create(id)).await.unwrap();
    for expected in 0..appends {
        written(store, append(id, expected)).await;
    }
    id
}

/// The entries of a match's log, which must say where they belong; how many there are.
pub(crate) async fn whole_log(store: &dyn Store, id: MatchId) -> u64 {
    let log = store.read(id, 0).await.unwrap();
    assert_eq!(log.header.bytes, format!("header of {id}").into_bytes());
    for (revision, record) in (1..).zip(&log.records) {
        assert_eq!(record.at.revision, revision);
        assert_eq!(record.entry, entry(id, revision), "of {id}");
        assert_eq!(record.summary, summary(revision));
    }
    assert_eq!(log.revision, log.records.len() as u64);
    log.revision
}

/// A folder for one store, and the store's path in it.
pub(crate) fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("matches.db");
    (folder, path)
}

/// Returns the number of times that a random test is repeated: all of it with `EDGEHILL_VOLUME=full`, else a
/// twentieth.
pub(crate) fn volume(full: u64) -> u64 {
    let is_full = std::env::var("EDGEHILL_VOLUME").is_ok_and(|volume| volume == "full");
    if is_full { full } else { full.div_ceil(20) }
}

/// A law on a file: what it leaves is there after closing and opening again, and sound.
pub(crate) async fn on_a_file(law: impl AsyncFnOnce(&SqliteStore)) {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    law(&store).await;
    store.close().await;
    drop(store);
    let report = fsck(&path).unwrap();
    assert!(report.is_sound(), "{report:?}");
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let listing = is_whole(&store).await;
    assert!(report.matches.len() == listing.matches.len() || listing.next.is_some());
}

/// A law on a database: what it leaves is there after closing and opening again.
pub(crate) async fn on_postgres(law: impl AsyncFnOnce(&PostgresStore)) {
    let Some((_, server)) = database() else { return };
    let store = PostgresStore::open(&server, &PostgresOptions::default()).unwrap();
    law(&store).await;
    store.close().await;
    drop(store);
    is_whole(&PostgresStore::open(&server, &PostgresOptions::default()).unwrap()).await;
}

/// That every match of the store is read to where its row stands, unless it is in quarantine; the list of them.
async fn is_whole(store: &dyn Store) -> Listing {
    let listing = store.list(StoreFilter::default(), Page { before: None, limit: 256 }).await.unwrap();
    for listed in &listing.matches {
        let log = store.read(listed.id, 0).await;
        assert_eq!(log.is_ok(), listed.quarantine.is_none());
        assert!(log.is_err() || log.is_ok_and(|log| log.revision == listed.revision));
    }
    listing
}
