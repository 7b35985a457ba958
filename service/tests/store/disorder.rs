//! A damaged name of a match: it breaks the order by which SQLite finds all others.

use std::path::Path;

use edgehill_service::store::{Error, Options, Page, SqliteStore, Store, StoreFilter, fsck};

use crate::kit::{folder, match_id, play};

/// The first byte of a table's first page in the file, and the bytes of a page.
fn first_page(path: &Path, table: &str) -> (usize, usize) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let page: i64 = connection.query_row(sql, [table], |row| row.get(0)).unwrap();
    let bytes: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).unwrap();
    (usize::try_from((page - 1) * bytes).unwrap(), usize::try_from(bytes).unwrap())
}

#[tokio::test]
async fn nobody_is_told_of_matches_that_are_out_of_order() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    for number in 1..=5 {
        play(&store, number, 0).await;
    }
    store.close().await;
    drop(store);
    let (start, len) = first_page(&path, "matches");
    let mut bytes = std::fs::read(&path).unwrap();
    let page = &mut bytes[start..start + len];
    let name = match_id(3);
    let at = page.windows(16).position(|window| window == name.as_bytes()).unwrap();
    page[at] ^= 0x80;
    std::fs::write(&path, &bytes).unwrap();
    assert!(!fsck(&path).is_ok_and(|report| report.is_sound()));
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    // Some of the others are not found, though nothing of theirs is damaged.
    let mut gone = 0;
    for number in [1, 2, 4, 5] {
        match store.read(match_id(number), 0).await {
            Ok(log) => assert_eq!(log.revision, 0),
            Err(Error::NotFound(_)) => gone += 1,
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(gone > 0, "the order of rows was not needed");
    let listed = store.list(StoreFilter::default(), Page::FIRST).await;
    assert!(matches!(&listed, Err(Error::Corrupt { path: named, .. }) if *named == path), "{listed:?}");
}
