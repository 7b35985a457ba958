//! Matches that are made together, in each store: all of them become durable, or nothing; and matches that are made for several.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use edgehill_service::entropy::SeededEntropy;
use edgehill_service::store::limits::{BULK_CREATES_MAX, ENTRY_BYTES_MAX};
use edgehill_service::store::{
    Append, Appended, Create, CreateAll, Error, Faults, MatchId, MemoryStore, Moment, NamesKey, Options,
    Page, PostgresOptions, PostgresStore, ReadOnlyStore, RequestScope, SealedSecret, SealedStore, SealingKey,
    SecretId, SqliteStore, Store, StoreFilter, StoreKeys, fsck,
};

use crate::kit::{
    account, append, append_for, create, do_append, do_create, folder, match_id, request, request_id, seat,
    whole_log, written,
};
use crate::real_postgres::database;

/// The matches of these numbers, with a request, and so many appends to the first.
fn all(numbers: std::ops::RangeInclusive<u8>, name: &str, appends: u64) -> CreateAll {
    let first = match_id(*numbers.start());
    let mut creates: Vec<Create> = numbers.map(|number| create(match_id(number))).collect();
    creates[0].requests = vec![(account("me"), request(name, "body"))];
    CreateAll { creates, appends: (0..appends).map(|expected| append(first, expected)).collect() }
}

async fn do_all(store: &dyn Store, all: CreateAll) -> Result<Appended, Error> {
    store.create_all(all).await?.await
}

/// The numbers of all matches that the store has, last first.
async fn listed(store: &dyn Store) -> Vec<MatchId> {
    let listing = store.list(StoreFilter::default(), Page { before: None, limit: 256 }).await.unwrap();
    listing.matches.iter().map(|row| row.id).collect()
}

fn secret(number: u8) -> SealedSecret {
    let key = SealingKey::derive(&[number; 32]);
    key.seal(&SecretId::new("seed").unwrap(), &[number; 32], &SeededEntropy::new(1)).unwrap()
}

/// That the store refuses it, and that nothing of it is there.
async fn leaves_nothing(store: &dyn Store, all: CreateAll, why: &str) -> Error {
    let before = listed(store).await;
    let refused = do_all(store, all.clone()).await.expect_err(why);
    assert_eq!(listed(store).await, before, "{why}");
    for create in all.creates.iter().filter(|create| !before.contains(&create.id)) {
        assert_eq!(store.read(create.id, 0).await, Err(Error::NotFound(create.id)), "{why}");
        for (id, _) in create.secrets.iter().filter(|(id, _)| id.as_bytes() != b"kept") {
            assert_eq!(store.secret(id.clone()).await, Ok(None), "{why}");
        }
    }
    refused
}

async fn matches_are_made_together_with_what_happens_in_them(store: &dyn Store) {
    let asked = all(1..=3, "r", 4);
    let Ok(Appended::Written(at)) = do_all(store, asked.clone()).await else { panic!("it is written") };
    assert_eq!(at.revision, 0);
    assert_eq!(listed(store).await, [match_id(3), match_id(2), match_id(1)]);
    assert_eq!(whole_log(store, match_id(1)).await, 4);
    assert_eq!(whole_log(store, match_id(2)).await, 0);
    // The same request again makes nothing, whatever it would make.
    let scope = || RequestScope::Account(account("me"));
    let stored = store.request(scope(), request_id("r")).await.unwrap().expect("it is kept");
    assert_eq!((stored.id, &stored.request), (match_id(1), &request("r", "body")));
    assert_eq!(do_all(store, all(4..=9, "r", 0)).await, Ok(Appended::Repeated(stored.clone())));
    let single = Create { requests: vec![(account("me"), request("r", "body"))], ..create(match_id(7)) };
    assert_eq!(do_create(store, single).await, Ok(Appended::Repeated(stored)));
    let mut other = all(4..=9, "r", 0);
    other.creates[0].requests = vec![(account("me"), request("r", "another body"))];
    assert_eq!(do_all(store, other).await, Err(Error::RequestReused));
    assert_eq!(listed(store).await.len(), 3);
    // They go on as matches do that were made one by one.
    assert_eq!(written(store, append(match_id(1), 4)).await.revision, 5);
    assert_eq!(written(store, append(match_id(3), 0)).await.revision, 1);
    assert_eq!(do_append(store, append(match_id(2), 1)).await, Err(Error::Conflict { current: 0 }));
}

async fn a_creation_answers_several_requests_and_none_of_them_twice(store: &dyn Store) {
    let by = |number, names: &[&str]| Create {
        requests: names.iter().map(|name| (account(name), request(name, "body"))).collect(),
        ..create(match_id(number))
    };
    let Ok(Appended::Written(at)) = do_create(store, by(1, &["ada", "bob"])).await else { panic!() };
    for name in ["ada", "bob"] {
        let found = store.request(RequestScope::Account(account(name)), request_id(name)).await;
        let stored = found.unwrap().expect("it is kept");
        assert_eq!((stored.id, stored.at, &stored.request), (match_id(1), at, &request(name, "body")));
        // Together with another one, too.
        for names in [&[name][..], &["eve", name]] {
            let again = do_create(store, by(2, names)).await;
            assert_eq!(again, Ok(Appended::Repeated(stored.clone())));
        }
    }
    let asked = store.request(RequestScope::Account(account("eve")), request_id("eve")).await;
    assert_eq!(asked, Ok(None), "nothing was made for it");
    let twice = Create { requests: vec![(account("eve"), request("eve", "body")); 2], ..create(match_id(2)) };
    assert_eq!(do_create(store, twice).await.unwrap_err().reason(), "STORE_INVALID");
    let names: Vec<String> = (0..17).map(|number| format!("n{number}")).collect();
    let many = by(2, &names.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(do_create(store, many).await.unwrap_err().reason(), "STORE_TOO_LARGE");
    assert_eq!(store.read(match_id(2), 0).await, Err(Error::NotFound(match_id(2))));
}

async fn whatever_is_in_the_way_of_one_is_in_the_way_of_all(store: &dyn Store) {
    do_create(store, create(match_id(5))).await.unwrap();
    store.keep_secret(SecretId::new("kept").unwrap(), secret(1)).await.unwrap();
    let refused = leaves_nothing(store, all(3..=7, "a", 2), "one is there already").await;
    assert_eq!(refused, Error::MatchExists(match_id(5)));
    let mut asked = all(6..=9, "a", 2);
    asked.creates[0].secrets = vec![(SecretId::new("new").unwrap(), secret(3))];
    asked.creates[3].secrets = vec![(SecretId::new("kept").unwrap(), secret(2))];
    assert_eq!(leaves_nothing(store, asked, "another secret is kept").await, Error::SecretKept);
    // The request is free still.
    assert!(matches!(do_all(store, all(6..=9, "a", 2)).await, Ok(Appended::Written(_))));
}

async fn what_can_not_be_is_refused_before_it_is_in_line(store: &dyn Store) {
    let base = || all(1..=3, "r", 2);
    let with = |change: fn(&mut CreateAll)| {
        let mut changed = base();
        change(&mut changed);
        changed
    };
    let cases = [
        (with(|all| all.creates.clear()), "none"),
        (with(|all| all.creates[2].id = match_id(1)), "a name comes twice"),
        (with(|all| all.creates[1].requests = all.creates[0].requests.clone()), "two requests"),
        (with(|all| all.appends[1].expected = 2), "a gap"),
        (with(|all| all.appends.swap(0, 1)), "another order"),
        (with(|all| all.appends[0].id = match_id(9)), "a match of others"),
        (with(|all| all.appends[0] = append_for(match_id(1), 0, seat(0), request("x", "y"))), "a request"),
    ];
    for (asked, why) in cases {
        let refused = leaves_nothing(store, asked, why).await;
        assert!(matches!(refused, Error::Invalid { .. }), "{why}: {refused}");
    }
    let many = with(|all| {
        all.creates = (0..=BULK_CREATES_MAX).map(|n| create(MatchId::from_bytes([n as u8; 16]))).collect();
    });
    assert!(matches!(leaves_nothing(store, many, "too many").await, Error::TooLarge { .. }));
    let entry = |expected| Append { entry: vec![0; ENTRY_BYTES_MAX], ..append(match_id(1), expected) };
    let large = CreateAll { appends: (0..32).map(entry).collect(), ..base() };
    assert!(matches!(leaves_nothing(store, large, "too large").await, Error::TooLarge { .. }));
}

/// Each law on each store.
macro_rules! laws {
    ($($law:ident),* $(,)?) => {
        mod in_memory {
            use super::*;
            $(#[tokio::test] async fn $law() { super::$law(&MemoryStore::new()).await })*
        }
        mod in_a_file {
            use super::*;
            $(#[tokio::test] async fn $law() {
                let (_folder, path) = folder();
                let store = SqliteStore::open(&path, &Options::default()).unwrap();
                super::$law(&store).await;
                let before = listed(&store).await;
                store.close().await;
                drop(store);
                assert!(fsck(&path).unwrap().is_sound());
                let store = SqliteStore::open(&path, &Options::default()).unwrap();
                assert_eq!(listed(&store).await, before);
            })*
        }
        mod in_postgres {
            use super::*;
            $(#[tokio::test] async fn $law() {
                let Some((_, server)) = database() else { return };
                let store = PostgresStore::open(&server, &PostgresOptions::default()).unwrap();
                super::$law(&store).await;
                let before = listed(&store).await;
                store.close().await;
                let store = PostgresStore::open(&server, &PostgresOptions::default()).unwrap();
                assert_eq!(listed(&store).await, before);
            })*
        }
        mod sealed {
            use super::*;
            $(#[tokio::test] async fn $law() {
                let keys = StoreKeys::derive(&[1; 32], &NamesKey::derive(&[1; 32]));
                super::$law(&SealedStore::new(Arc::new(MemoryStore::new()), &keys)).await
            })*
        }
    };
}

laws! {
    matches_are_made_together_with_what_happens_in_them,
    a_creation_answers_several_requests_and_none_of_them_twice,
    whatever_is_in_the_way_of_one_is_in_the_way_of_all,
    what_can_not_be_is_refused_before_it_is_in_line,
}

/// Fails commits while it is told to.
#[derive(Debug, Default)]
struct FailingCommits(AtomicBool);

impl Faults for FailingCommits {
    fn at(&self, moment: Moment) -> Result<(), String> {
        let fails = self.0.load(Ordering::SeqCst) && matches!(moment, Moment::Commit { .. });
        if fails { Err("a fault of the test".to_owned()) } else { Ok(()) }
    }
}

#[tokio::test]
async fn a_commit_that_fails_leaves_nothing_and_the_same_succeeds_later() {
    let (_folder, path) = folder();
    let faults = Arc::new(FailingCommits::default());
    let store = SqliteStore::open(&path, &Options { faults: faults.clone(), ..Options::default() }).unwrap();
    faults.0.store(true, Ordering::SeqCst);
    let refused = leaves_nothing(&store, all(1..=20, "r", 9), "the disk").await;
    assert!(matches!(refused, Error::Unavailable { .. }), "{refused}");
    faults.0.store(false, Ordering::SeqCst);
    assert!(matches!(do_all(&store, all(1..=20, "r", 9)).await, Ok(Appended::Written(_))));
    assert_eq!(whole_log(&store, match_id(1)).await, 9);
}

#[tokio::test]
async fn a_refused_one_leaves_the_others_of_its_batch_as_they_are() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let id = match_id(1);
    do_create(&store, create(id)).await.unwrap();
    let mut tickets = Vec::new();
    for expected in 0..40 {
        tickets.push((true, store.append(append(id, expected)).await.unwrap()));
        // Its last match is there already.
        let mut rival = all(100..=103, &format!("r{expected}"), 1);
        rival.creates[3] = create(id);
        tickets.push((false, store.create_all(rival).await.unwrap()));
    }
    for (is_written, ticket) in tickets {
        match ticket.await {
            Ok(Appended::Written(_)) => assert!(is_written),
            refused => assert_eq!((is_written, refused), (false, Err(Error::MatchExists(id)))),
        }
    }
    assert_eq!(whole_log(&store, id).await, 40);
    assert_eq!(listed(&store).await, [id]);
    let beside = ReadOnlyStore::open(&path).unwrap();
    assert_eq!(do_all(&beside, all(2..=3, "r", 0)).await, Err(Error::ReadOnly));
}
