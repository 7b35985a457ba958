//! Rows taken away, changed, exchanged: what a file can suffer that still is a file of SQLite.

use std::path::Path;

use edgehill_service::store::{
    Error, FsckReport, MatchId, MatchLog, Options, Page, RequestScope, SqliteStore, Store, StoreFault,
    StoreFilter, fsck,
};
use rusqlite::Connection;

use crate::kit::{
    account, append, append_for, create, do_append, do_create, entry, folder, match_id, play, request,
    request_id, seat, whole_log, written,
};

/// Two matches whose appends lie between each other: positions 1 and 2 are the creations, match 1 has the odd ones.
async fn two_matches(path: &Path) -> (MatchId, MatchId) {
    let store = SqliteStore::open(path, &Options::default()).unwrap();
    let (one, two) = (play(&store, 1, 0).await, play(&store, 2, 0).await);
    for expected in 0..5 {
        written(&store, append_for(one, expected, seat(0), request(&format!("r{expected}"), "body"))).await;
        written(&store, append(two, expected)).await;
    }
    store.close().await;
    (one, two)
}

/// Asserts that a log of match 1 has all that was written to a revision.
fn is_log_to(log: &MatchLog, revision: u64) {
    let one = match_id(1);
    assert_eq!((&log.header.bytes, log.revision), (&create(one).header, revision));
    let entries: Vec<_> = log.records.iter().map(|record| record.entry.clone()).collect();
    assert_eq!(entries, (1..=revision).map(|revision| entry(one, revision)).collect::<Vec<_>>());
}

/// Asserts the effect of a change of the rows: match 1 is closed with this reason, match 2 goes on, and the
/// report says so.
async fn closes_match_1(sql: &str, reason: &str, whole_to: Option<u64>) {
    let (_folder, path) = folder();
    let (one, two) = two_matches(&path).await;
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();

    let report = fsck(&path).unwrap();
    let found = &report.matches[0];
    assert_eq!((found.id, found.whole_to), (one, whole_to), "{sql}: {report:?}");
    assert!(found.fault.is_some() && report.matches[1].fault.is_none(), "{sql}: {report:?}");

    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    // The first touch may be an append, a retry, a look-up or a read.
    let retry = append_for(one, 0, seat(0), request("r0", "body"));
    let rule_violations = [
        do_append(&store, append(one, 5)).await.unwrap_err(),
        do_append(&store, retry).await.unwrap_err(),
        store.request(RequestScope::Match(one, seat(0)), request_id("r0")).await.unwrap_err(),
        store.read(one, 0).await.unwrap_err(),
    ];
    for error in rule_violations {
        let Error::Quarantined { id, quarantine } = error else { panic!("{sql}: {error:?}") };
        assert_eq!((id, &quarantine.reason[..]), (one, reason), "{sql}");
    }
    assert!(matches!(store.release(one).await, Err(Error::Quarantined { .. })));
    match (store.read_stopped(one).await, whole_to) {
        (Ok(log), Some(revision)) => is_log_to(&log, revision),
        (Err(Error::Quarantined { .. }), None) => {}
        other => panic!("{sql}: {other:?}"),
    }
    let listing = store.list(StoreFilter::default(), Page::FIRST).await.unwrap();
    let closed: Vec<bool> = listing.matches.iter().map(|listed| listed.quarantine.is_some()).collect();
    assert_eq!(closed, [false, true], "{sql}");
    written(&store, append(two, 5)).await;
    assert_eq!(whole_log(&store, two).await, 6);
}

#[tokio::test]
async fn an_append_that_is_missing_closes_its_match() {
    closes_match_1("DELETE FROM appends WHERE position = 7", "APPEND_MISSING", Some(2)).await;
    closes_match_1("DELETE FROM appends WHERE position = 1", "APPEND_MISSING", None).await;
    // The last one: the row of the match says that there is more.
    closes_match_1("DELETE FROM appends WHERE position = 11", "APPEND_MISSING", Some(4)).await;
}

#[tokio::test]
async fn an_append_that_is_changed_closes_its_match() {
    let cut = "UPDATE appends SET envelope = substr(envelope, 1, length(envelope) - 1) WHERE position = 7";
    closes_match_1(cut, "APPEND_DAMAGED", Some(2)).await;
    let empty = "UPDATE appends SET envelope = x'' WHERE position = 11";
    closes_match_1(empty, "APPEND_DAMAGED", Some(4)).await;
}

#[tokio::test]
async fn appends_that_change_places_close_their_match() {
    let exchange = |a: u32, b: u32| {
        format!(
            "UPDATE appends SET position = 100 WHERE position = {a};
             UPDATE appends SET position = {a} WHERE position = {b};
             UPDATE appends SET position = {b} WHERE position = 100;"
        )
    };
    closes_match_1(&exchange(5, 7), "APPEND_DISPLACED", Some(2)).await;
    closes_match_1(&exchange(1, 11), "APPEND_DISPLACED", Some(0)).await;
    // The same append twice, and one of the other match in place of its own.
    let copy = |from: u32, to: u32| {
        let envelope = format!("(SELECT envelope FROM appends WHERE position = {from})");
        format!("UPDATE appends SET envelope = {envelope} WHERE position = {to}")
    };
    closes_match_1(&copy(7, 9), "APPEND_DISPLACED", Some(3)).await;
    closes_match_1(&copy(8, 9), "APPEND_DISPLACED", Some(3)).await;
}

/// Somebody restores a backup, plays on, and puts an append of that course into the file.
#[tokio::test]
async fn an_append_of_another_course_closes_its_match() {
    let (_folder, path) = folder();
    let (_other_folder, other) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let id = play(&store, 1, 2).await;
    store.close().await;
    drop(store);
    std::fs::copy(&path, &other).unwrap();
    for (path, name) in [(&path, "this"), (&other, "that")] {
        let store = SqliteStore::open(path, &Options::default()).unwrap();
        written(&store, append_for(id, 2, seat(0), request(name, name))).await;
        written(&store, append(id, 3)).await;
        store.close().await;
    }
    let at_4 = |path| {
        let sql = "SELECT envelope FROM appends WHERE position = 4";
        Connection::open(path).unwrap().query_row(sql, [], |row| row.get::<_, Vec<u8>>(0)).unwrap()
    };
    let foreign = at_4(&other);
    assert_ne!(foreign, at_4(&path));
    let connection = Connection::open(&path).unwrap();
    connection.execute("UPDATE appends SET envelope = ?1 WHERE position = 4", [foreign]).unwrap();
    connection.close().unwrap();
    let report = fsck(&path).unwrap();
    assert!(report.matches[0].fault.is_some() && report.strays == 1, "{report:?}");
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let Err(Error::Quarantined { quarantine, .. }) = store.read(id, 0).await else { panic!() };
    assert_eq!(quarantine.reason, "APPEND_DISPLACED");
}

#[tokio::test]
async fn a_row_that_does_not_fit_closes_its_match() {
    let of_match_1 = "WHERE id = x'00000000000000000000000000000001'";
    let changes = [
        "position = 9",
        "revision = 4",
        "created = 2",
        "hash = zeroblob(32)",
        "status = 3",
        "status = 9",
        "open_seats = 1",
        "lengths = x''",
        "game = 'ukc'",
        "scenario = 'other'",
        "checksum = x''",
        "seed_group = 'x'",
        "overview_hash = zeroblob(32)",
        // The row of an earlier time, but for its checksum.
        "position = 9, revision = 4, lengths = x'04000000000000000200000000000000010000000000000000'",
    ];
    for change in changes {
        closes_match_1(&format!("UPDATE matches SET {change} {of_match_1}"), "ROW_DAMAGED", Some(5)).await;
    }
    let of_match_1 = "WHERE match = x'00000000000000000000000000000001'";
    for change in ["UPDATE overviews SET overview = x'00'", "DELETE FROM overviews"] {
        closes_match_1(&format!("{change} {of_match_1}"), "ROW_DAMAGED", Some(5)).await;
    }
}

#[tokio::test]
async fn what_a_look_found_stays_known() {
    let (_folder, path) = folder();
    let (one, two) = two_matches(&path).await;
    let connection = Connection::open(&path).unwrap();
    let append_7: Vec<u8> = connection
        .query_row("SELECT envelope FROM appends WHERE position = 7", [], |row| row.get(0))
        .unwrap();
    connection.execute("DELETE FROM appends WHERE position = 7", []).unwrap();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    store.read(one, 0).await.unwrap_err();
    written(&store, append(two, 5)).await;
    store.close().await;
    let report: FsckReport = fsck(&path).unwrap();
    let noted = report.matches[0].quarantine.as_ref().unwrap();
    assert_eq!(noted.reason, "APPEND_MISSING");
    assert_eq!(report.matches[0].fault.as_ref().map(StoreFault::reason), Some("APPEND_MISSING"));

    // Somebody finds the append in a backup and lets the match go on.
    connection.execute("INSERT INTO appends VALUES (7, ?1)", [append_7]).unwrap();
    connection.close().unwrap();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    assert!(matches!(store.read(one, 0).await, Err(Error::Quarantined { .. })));
    store.release(one).await.unwrap();
    assert_eq!(whole_log(&store, one).await, 5);
    written(&store, append(one, 5)).await;
}

#[tokio::test]
async fn a_creation_that_leads_elsewhere_is_found() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    for number in 1..=2 {
        let requests = vec![(account("me"), request(&format!("r{number}"), "body"))];
        do_create(&store, edgehill_service::store::Create { requests, ..create(match_id(number)) })
            .await
            .unwrap();
    }
    store.close().await;
    let connection = Connection::open(&path).unwrap();
    let changed = connection.execute(
        "UPDATE creations SET match = x'00000000000000000000000000000002' WHERE request = CAST('r1' AS BLOB)",
        [],
    );
    assert_eq!(changed, Ok(1));
    connection.close().unwrap();
    let report = fsck(&path).unwrap();
    assert!(report.matches[0].fault.is_some() && report.matches[1].fault.is_none(), "{report:?}");
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let found = store.request(RequestScope::Account(account("me")), request_id("r1")).await;
    assert_eq!(found.unwrap_err().reason(), "MATCH_QUARANTINED");
}
