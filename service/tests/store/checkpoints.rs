//! The write-ahead log goes into the file beside the appends, and begins anew.

use std::path::Path;

use edgehill_service::store::{Append, Options, SqliteStore, Store, fsck};
use rusqlite::{Connection, OpenFlags};

use crate::kit::{append_for, do_append, folder, match_id, play, request, seat};

const PAGES: u32 = 32;
/// A frame of the log: a page, and what stands before it.
const FRAME_BYTES: u64 = 4_096 + 24;
/// More than an append that is alone in its commit puts into the log.
const COMMIT_BYTES: u64 = 16 * FRAME_BYTES;
const ENTRY_BYTES: usize = 3_000;

fn store(path: &Path) -> SqliteStore {
    SqliteStore::open(path, &Options { checkpoint_pages: PAGES, ..Options::default() }).unwrap()
}

async fn fill(store: &SqliteStore, revisions: std::ops::Range<u64>) {
    for expected in revisions {
        let request = request(&format!("request {expected}"), "body");
        let append = append_for(match_id(1), expected, seat(0), request);
        do_append(store, Append { entry: vec![7; ENTRY_BYTES], ..append }).await.unwrap();
    }
}

/// As many appends as make a log of a hundred times the pages that it gathers leave one that is a few times as long at most.
#[tokio::test]
async fn the_log_stays_short_while_appends_go_on() {
    let (_folder, path) = folder();
    let store = store(&path);
    play(&store, 1, 0).await;
    fill(&store, 0..1_000).await;
    let stats = store.stats();
    assert!(stats.log_bytes <= 4 * u64::from(PAGES) * FRAME_BYTES + COMMIT_BYTES, "{stats:?}");
    assert!(stats.file_bytes > 900 * ENTRY_BYTES as u64, "{stats:?}");
    store.close().await;
    assert!(fsck(&path).unwrap().is_sound());
}

/// Whoever reads the file keeps the log from beginning anew, and nobody from appending.
#[tokio::test]
async fn a_reader_who_stays_holds_no_append_up() {
    let (_folder, path) = folder();
    let store = store(&path);
    play(&store, 1, 0).await;
    let mut reader = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let reading = reader.transaction().unwrap();
    let count = |connection: &Connection| {
        connection.query_row("SELECT count(*) FROM appends", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    let seen = count(&reading);
    fill(&store, 0..300).await;
    assert_eq!(count(&reading), seen);
    let long = store.stats().log_bytes;
    assert!(long > 300 * ENTRY_BYTES as u64, "{long}");
    drop(reading);
    assert_eq!(count(&reader), seen + 300);
    drop(reader);
    // It is in the file by now, and the log is written from its beginning.
    fill(&store, 300..600).await;
    assert!(store.stats().log_bytes < long * 3 / 2, "{:?}", store.stats());
    store.close().await;
    assert!(fsck(&path).unwrap().is_sound());
}
