//! A store as its operator looks after it: read beside a server, copied, rewritten.

use std::path::Path;

use edgehill_service::store::{
    Append, Error, MatchId, MatchesOf, Options, Page, ReadOnlyStore, Replaced, SqliteStore, Store,
    StoreFilter, StoredStatus, backup, compact, contents, fsck,
};
use rusqlite::Connection;

use crate::kit::{append, create, do_append, do_create, folder, match_id, play, whole_log, written};

async fn filled(path: &Path) -> (SqliteStore, MatchId) {
    let store = SqliteStore::open(path, &Options::default()).unwrap();
    let id = play(&store, 1, 20).await;
    play(&store, 2, 3).await;
    do_create(&store, create(match_id(3))).await.unwrap();
    (store, id)
}

#[tokio::test]
async fn a_store_in_use_is_read_beside_it_and_not_written() {
    let (_folder, path) = folder();
    let (store, id) = filled(&path).await;
    let beside = ReadOnlyStore::open(&path).unwrap();
    assert_eq!(whole_log(&beside, id).await, 20);
    written(&store, append(id, 20)).await;
    assert_eq!(whole_log(&beside, id).await, 21, "what became durable since is read");
    assert_eq!(beside.list(StoreFilter::default(), Page::FIRST).await.unwrap().matches.len(), 3);
    assert_eq!(do_append(&beside, append(id, 21)).await, Err(Error::ReadOnly));
    assert_eq!(beside.release(id).await, Err(Error::ReadOnly));
    beside.close().await;
    assert_eq!(beside.read(id, 0).await, Err(Error::Closed));
    written(&store, append(id, 21)).await;
}

#[tokio::test]
async fn a_store_that_is_not_there_is_not_made() {
    let (folder, path) = folder();
    let reasons = [
        ReadOnlyStore::open(&path).err().map(|error| error.reason()),
        contents(&path).err().map(|error| error.reason()),
        backup(&path, folder.path().join("copy")).err().map(|error| error.reason()),
        compact(&path).err().map(|error| error.reason()),
    ];
    assert_eq!(reasons, [Some("STORE_OPEN"); 4]);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[tokio::test]
async fn contents_are_counted_while_the_store_is_in_use() {
    let (_folder, path) = folder();
    let (_store, _) = filled(&path).await;
    let counted = contents(&path).unwrap();
    let of = |status, count| MatchesOf { game: "skirmish".into(), status, count };
    assert_eq!(counted.matches, [of(StoredStatus::Open, 1), of(StoredStatus::Running, 2)]);
    assert_eq!((counted.appends, counted.quarantined), (26, 0));
    assert!(counted.append_bytes > 26 * 100 && counted.wal_bytes > counted.append_bytes);
}

#[tokio::test]
async fn a_backup_of_a_store_in_use_is_a_store_of_its_own() {
    let (folder, path) = folder();
    let (store, id) = filled(&path).await;
    let copy = folder.path().join("copy.db");
    let bytes = backup(&path, &copy).unwrap();
    assert_eq!(bytes, copy.metadata().unwrap().len());
    written(&store, append(id, 20)).await;
    assert!(fsck(&copy).unwrap().is_sound());
    // One store a folder.
    let elsewhere = tempfile::tempdir().unwrap();
    let moved = elsewhere.path().join("matches.db");
    std::fs::rename(&copy, &moved).unwrap();
    let restored = SqliteStore::open(&moved, &Options::default()).unwrap();
    assert_eq!(whole_log(&restored, id).await, 20, "as it was when it was copied");
    written(&restored, append(id, 20)).await;
    let there = backup(&path, &moved).unwrap_err();
    assert!(there.to_string().contains("something is there already"), "{there}");
    assert_eq!(whole_log(&restored, id).await, 21);
}

#[tokio::test]
async fn a_store_is_rewritten_without_what_holds_nothing() {
    let (folder, path) = folder();
    let (store, id) = filled(&path).await;
    assert!(matches!(compact(&path), Err(Error::Locked { .. })), "a server has it open");
    // All but the creation goes.
    let small = Append {
        expected: 20,
        replaces: Some(Replaced { after: 0, requests: Vec::new() }),
        entry: vec![7; 100],
        ..append(id, 20)
    };
    let large = Append { entry: vec![9; 200_000], ..append(match_id(2), 3) };
    written(&store, large).await;
    let instead =
        Append { replaces: Some(Replaced { after: 3, requests: Vec::new() }), ..append(match_id(2), 4) };
    written(&store, small).await;
    written(&store, instead).await;
    let log = store.read(id, 0).await.unwrap();
    store.close().await;

    let reader = ReadOnlyStore::open(&path).unwrap();
    reader.read(id, 0).await.unwrap();
    let refused = compact(&path).unwrap_err();
    assert_eq!(refused.reason(), "STORE_UNAVAILABLE", "somebody reads it: {refused}");
    reader.close().await;

    let (before, after) = compact(&path).unwrap();
    assert!(after + 150_000 < before, "{after} of {before}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 1, "nothing is left beside it");
    assert!(fsck(&path).unwrap().is_sound());
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    assert_eq!(store.read(id, 0).await.unwrap(), log);
    written(&store, append(id, 21)).await;
}

/// A page that SQLite can't read can't be copied: what is there stays, and nothing half is left.
#[tokio::test]
async fn a_store_that_cannot_be_read_is_neither_copied_nor_rewritten() {
    let (folder, path) = folder();
    let (store, _) = filled(&path).await;
    store.close().await;
    let page: i64 = {
        let connection = Connection::open(&path).unwrap();
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'appends'";
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let mut bytes = std::fs::read(&path).unwrap();
    let start = (page as usize - 1) * 4_096;
    bytes[start..start + 64].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let copy = folder.path().join("copy.db");
    assert_eq!(backup(&path, &copy).unwrap_err().reason(), "STORE_CORRUPT");
    assert_eq!(compact(&path).unwrap_err().reason(), "STORE_CORRUPT");
    assert!(!copy.exists() && !folder.path().join("copy.db.part").exists());
    // But for the mode in the file's header, which an open sets anew.
    assert!(std::fs::read(&path).unwrap()[100..] == bytes[100..], "what was there stays");
}
