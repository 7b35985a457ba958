//! Logs and acts written anew: all of it or nothing, and no byte of what stood there is left in the file.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use edgehill_service::clock::SystemClock;
use edgehill_service::store::{
    Append, Create, Error, Faults, KeptAct, MatchId, MemoryStore, Moment, Options, Page, PostgresOptions,
    PostgresStore, RequestScope, Rewrite, SqliteStore, Store, StoreFilter, StoredStatus, fsck,
};

use crate::kit::{
    account, append, append_for, create, do_create, folder, match_id, play, request, request_id, seat,
    whole_log, written,
};
use crate::real_postgres::database;

/// A text that chance does not write.
const NAME: &str = "the Countess of Lovelace";

/// Fails all transactions at a moment while it is armed.
#[derive(Debug)]
struct Failing {
    is_armed: AtomicBool,
    at_commit: bool,
}

impl Faults for Failing {
    fn at(&self, moment: Moment) -> Result<(), String> {
        let is_its = self.at_commit == matches!(moment, Moment::Commit { .. });
        match self.is_armed.load(Ordering::Relaxed) && is_its {
            true => Err("no room".to_owned()),
            false => Ok(()),
        }
    }
}

/// A match that is over, with a name in all that it has.
async fn named(store: &dyn Store) -> MatchId {
    let id = match_id(2);
    let named = |what: &str| format!("{what} of {NAME}").into_bytes();
    let create = Create {
        header: named("header"),
        overview: named("overview"),
        requests: vec![(account("ada"), request("make", "body"))],
        ..create(id)
    };
    do_create(store, create).await.unwrap();
    for expected in 0..3 {
        let name = format!("r{expected}");
        let append =
            Append { entry: named("entry"), ..append_for(id, expected, seat(0), request(&name, "body")) };
        written(store, append).await;
    }
    let mut end = Append { entry: named("end"), ..append(id, 3) };
    end.summary.status = StoredStatus::Over;
    written(store, end).await;
    id
}

/// The same log without the name.
fn rewrite(id: MatchId) -> Rewrite {
    Rewrite {
        id,
        expected: 4,
        header: b"another header, which is longer than the one before it was".to_vec(),
        entries: (1..=4).map(|revision| (revision, format!("entry {revision}").into_bytes())).collect(),
        overview: b"another overview".to_vec(),
        creator: Some((account("ada"), account("somebody"))),
    }
}

fn act(number: u64, text: &str) -> KeptAct {
    KeptAct { number, bytes: text.as_bytes().to_vec() }
}

async fn is_written_anew(store: &dyn Store) {
    // One beside it, which stays.
    let beside = play(store, 1, 2).await;
    let id = named(store).await;
    let running = play(store, 3, 1).await;
    let before = store.read(id, 0).await.unwrap();
    let good = rewrite(id);
    for (refused, reason) in [
        (Rewrite { expected: 3, ..good.clone() }, "REVISION_CONFLICT"),
        (
            Rewrite { id: running, expected: 1, entries: vec![(1, Vec::new())], ..good.clone() },
            "STORE_INVALID",
        ),
        (Rewrite { entries: good.entries[1..].to_vec(), ..good.clone() }, "STORE_INVALID"),
        (Rewrite { id: match_id(9), ..good.clone() }, "MATCH_NOT_FOUND"),
    ] {
        assert_eq!(store.rewrite(refused).await.unwrap_err().reason(), reason);
        assert_eq!(store.read(id, 0).await.unwrap(), before);
    }
    store.rewrite(good.clone()).await.unwrap();
    for _ in 0..2 {
        let log = store.read(id, 0).await.unwrap();
        assert_eq!((log.revision, &log.header.bytes), (4, &good.header));
        assert_eq!(log.header.summary, before.header.summary);
        for (record, (was, (revision, entry))) in
            log.records.iter().zip(before.records.iter().zip(&good.entries))
        {
            assert_eq!((record.at.revision, &record.entry), (*revision, entry));
            assert_eq!((&record.requests, &record.summary), (&was.requests, &was.summary));
        }
        assert_eq!(log.records.len(), 4);
        let listed = store.list(StoreFilter::default(), Page::FIRST).await.unwrap().matches;
        let row = listed.iter().find(|row| row.id == id).unwrap();
        assert_eq!(
            (row.revision, &row.overview, row.summary.status),
            (4, &good.overview, StoredStatus::Over)
        );
        // A request that was answered is answered, and by the other account where it was an account's.
        let of = RequestScope::Match(id, seat(0));
        let answered = store.request(of, request_id("r1")).await.unwrap().unwrap();
        assert_eq!((answered.at.revision, answered.request), (2, request("r1", "body")));
        let made_by = async |name: &str| {
            store.request(RequestScope::Account(account(name)), request_id("make")).await.unwrap()
        };
        assert_eq!(made_by("somebody").await.unwrap().id, id);
        assert_eq!(made_by("ada").await, None);
        // It is the same again, and an account that did not make it does not take it over.
        store
            .rewrite(Rewrite { creator: Some((account("ada"), account("eve"))), ..good.clone() })
            .await
            .unwrap();
    }
    assert_eq!((whole_log(store, beside).await, whole_log(store, running).await), (2, 1));
    written(store, append(running, 1)).await;
    // It may be deleted as any other.
    store.delete(vec![id], Vec::new()).await.unwrap();
    assert_eq!(store.read(id, 0).await, Err(Error::NotFound(id)));

    for number in 1..=3 {
        store.keep_act(act(number, NAME)).await.unwrap();
    }
    let missing = vec![act(2, "other"), act(4, "other")];
    assert_eq!(store.rewrite_acts(missing).await.unwrap_err().reason(), "STORE_INVALID");
    assert_eq!(store.kept_acts(1, 1).await.unwrap(), [act(2, NAME)]);
    store.rewrite_acts(vec![act(1, "one"), act(3, "three")]).await.unwrap();
    assert_eq!(store.kept_acts(0, 9).await.unwrap(), [act(1, "one"), act(2, NAME), act(3, "three")]);
    store.keep_act(act(4, "four")).await.unwrap();
}

#[tokio::test]
async fn a_log_is_written_anew_entry_for_entry_in_memory() {
    is_written_anew(&MemoryStore::new()).await;
}

#[tokio::test]
async fn a_log_is_written_anew_entry_for_entry_in_a_file() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    is_written_anew(&store).await;
    store.close().await;
    drop(store);
    let report = fsck(&path).unwrap();
    assert!(report.is_sound() && report.strays == 0, "{report:?}");
}

#[tokio::test]
async fn a_log_is_written_anew_entry_for_entry_in_postgres() {
    let Some((_, server)) = database() else { return };
    let store = PostgresStore::open(&server, &PostgresOptions::default()).unwrap();
    is_written_anew(&store).await;
    store.compact().await.unwrap();
}

async fn changes_nothing_where_it_fails(store: &dyn Store, failing: &Failing) {
    let id = named(store).await;
    store.keep_act(act(1, NAME)).await.unwrap();
    let before = store.read(id, 0).await.unwrap();
    failing.is_armed.store(true, Ordering::Relaxed);
    assert!(store.rewrite(rewrite(id)).await.unwrap_err().passes());
    assert!(store.rewrite_acts(vec![act(1, "one")]).await.unwrap_err().passes());
    failing.is_armed.store(false, Ordering::Relaxed);
    assert_eq!(store.read(id, 0).await.unwrap(), before);
    assert_eq!(store.kept_acts(0, 9).await.unwrap(), [act(1, NAME)]);
    store.rewrite(rewrite(id)).await.unwrap();
    assert_eq!(store.read(id, 0).await.unwrap().header.bytes, rewrite(id).header);
}

#[tokio::test]
async fn what_fails_has_changed_nothing() {
    for at_commit in [false, true] {
        let failing = Arc::new(Failing { is_armed: AtomicBool::new(false), at_commit });
        let faults = Arc::clone(&failing) as Arc<dyn Faults>;
        let memory = MemoryStore::with(Arc::clone(&faults), Arc::new(SystemClock::new()));
        changes_nothing_where_it_fails(&memory, &failing).await;
        let (_folder, path) = folder();
        let options = Options { faults: Arc::clone(&faults), ..Options::default() };
        let store = SqliteStore::open(&path, &options).unwrap();
        changes_nothing_where_it_fails(&store, &failing).await;
        let Some((_, server)) = database() else { continue };
        let options = PostgresOptions { faults, ..PostgresOptions::default() };
        let store = PostgresStore::open(&server, &options).unwrap();
        changes_nothing_where_it_fails(&store, &failing).await;
    }
}

/// Returns whether the name stands in the store's file, in its write-ahead log or in anything beside them.
fn stands_in(path: &Path) -> bool {
    fs::read_dir(path.parent().unwrap()).unwrap().any(|file| {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        bytes.windows(NAME.len()).any(|window| window == NAME.as_bytes())
    })
}

#[tokio::test]
async fn no_byte_of_what_was_replaced_is_left_in_the_file() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let beside = play(&store, 1, 60).await;
    let id = named(&store).await;
    store.keep_act(act(1, NAME)).await.unwrap();
    assert!(stands_in(&path));
    store.rewrite(rewrite(id)).await.unwrap();
    store.rewrite_acts(vec![act(1, "one")]).await.unwrap();
    assert!(stands_in(&path), "what was taken out leaves its bytes behind");
    store.compact().await.unwrap();
    assert!(!stands_in(&path));
    assert_eq!(whole_log(&store, beside).await, 60);
    written(&store, append(beside, 60)).await;
    assert_eq!(store.read(id, 0).await.unwrap().header.bytes, rewrite(id).header);
    store.close().await;
    drop(store);
    assert!(!stands_in(&path));
    assert!(fsck(&path).unwrap().is_sound());
}
