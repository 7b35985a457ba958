//! A disk that takes no bytes for a while: the store opens its file anew, and what it said stands.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use edgehill_service::clock::ManualClock;
use edgehill_service::store::{
    Append, Appended, Error, Options, SqliteStore, Store, StoreFailures, StoreHealth,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::kit::{append_for, do_append, folder, match_id, play, request, seat, written};

const STORE: &str = "EDGEHILL_DISK_STORE";

/// Longer than the store waits before it opens its file anew again.
const PAUSE: Duration = Duration::from_secs(1);

fn big(expected: u64) -> Append {
    let request = request(&format!("request {expected}"), "body");
    Append { entry: vec![expected as u8; 10_000], ..append_for(match_id(1), expected, seat(0), request) }
}

/// Has all writes of this process to files fail, or succeed again.
fn fail_writes(fail: bool) {
    let maximum = getrlimit(Resource::Fsize).maximum;
    setrlimit(Resource::Fsize, Rlimit { current: if fail { Some(0) } else { maximum }, maximum }).unwrap();
}

/// Runs a test of this file in a process of its own, whose writes may fail.
fn run(test: &str, path: &Path) {
    let command = "trap '' XFSZ; exec \"$0\" --exact \"$1\" --ignored --nocapture";
    let program = std::env::current_exe().unwrap();
    let run = Command::new("sh").args(["-c", command]).arg(program).arg(test).env(STORE, path).output();
    let run = run.unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        run.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

/// The store that the process was started for, and its clock.
fn opened() -> Option<(SqliteStore, Arc<ManualClock>)> {
    let path = PathBuf::from(std::env::var_os(STORE)?);
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let options = Options { clock: Arc::<ManualClock>::clone(&clock), ..Options::default() };
    Some((SqliteStore::open(path, &options).unwrap(), clock))
}

#[tokio::test]
#[ignore = "a process of its own, which the test below starts"]
async fn failing() {
    let Some((store, clock)) = opened() else { return };
    let mut health = store.health();
    let id = play(&store, 1, 0).await;
    for expected in 0..10 {
        written(&store, big(expected)).await;
        assert_eq!(*health.borrow(), StoreHealth::Writable);
    }
    for expected in 10..13 {
        fail_writes(true);
        let first = do_append(&store, big(expected)).await.unwrap_err();
        assert!(matches!(first, Error::OutcomeUnknown { .. }), "the disk may have it: {first:?}");
        // Nothing is tried before its time, so that this one is certain.
        let second = do_append(&store, big(expected)).await.unwrap_err();
        assert!(matches!(second, Error::Failed { .. }), "{second:?}");
        clock.advance(PAUSE);
        let third = do_append(&store, big(expected)).await.unwrap_err();
        assert!(matches!(third, Error::Failed { .. }), "the disk fails still: {third:?}");
        assert_eq!(*health.borrow(), StoreHealth::Failing);
        assert_eq!(store.read(id, 0).await.unwrap().revision, expected, "what is durable is read");

        fail_writes(false);
        clock.advance(PAUSE);
        if expected == 11 {
            // Without anybody who writes.
            store.retry();
            health.wait_for(|health| *health == StoreHealth::Writable).await.unwrap();
        }
        let Appended::Written(at) = do_append(&store, big(expected)).await.unwrap() else {
            panic!("the batch that failed was there")
        };
        assert_eq!((at.revision, *health.borrow()), (expected + 1, StoreHealth::Writable));
    }
    assert_eq!(store.stats().failures, StoreFailures { unknown: 3, ..StoreFailures::default() });
    store.close().await;
}

#[tokio::test]
async fn a_store_comes_back_from_a_fault_of_its_disk_with_all_that_it_acknowledged_and_no_more() {
    let (_folder, path) = folder();
    run("disk::failing", &path);
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let log = store.read(match_id(1), 0).await.unwrap();
    assert_eq!(log.revision, 13);
    for (expected, record) in (0..).zip(&log.records) {
        assert_eq!(record.entry, big(expected).entry);
        // Each request has its answer.
        assert!(matches!(do_append(&store, big(expected)).await, Ok(Appended::Repeated(_))));
    }
    written(&store, big(13)).await;
}

/// A process that dies while its disk fails leaves what was acknowledged, and the batch that failed whole or not at all.
#[tokio::test]
#[ignore = "a process of its own, which the test below starts"]
async fn dying() {
    let Some((store, _clock)) = opened() else { return };
    play(&store, 1, 0).await;
    for expected in 0..10 {
        written(&store, big(expected)).await;
    }
    fail_writes(true);
    do_append(&store, big(10)).await.unwrap_err();
    // The file is closed while nothing can be written.
    store.close().await;
}

#[tokio::test]
async fn a_store_that_is_closed_while_its_disk_fails_has_what_it_acknowledged() {
    let (_folder, path) = folder();
    run("disk::dying", &path);
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let log = store.read(match_id(1), 0).await.unwrap();
    assert!((10..=11).contains(&log.revision));
    for (expected, record) in (0..).zip(&log.records) {
        assert_eq!(record.entry, big(expected).entry);
    }
    // Once, whether the disk had it or not.
    do_append(&store, big(10)).await.unwrap();
    assert_eq!(store.read(match_id(1), 0).await.unwrap().revision, 11);
}

#[tokio::test]
#[ignore = "a process of its own, which the test below starts"]
async fn losing() {
    let Some((store, clock)) = opened() else { return };
    let id = play(&store, 1, 0).await;
    fail_writes(true);
    do_append(&store, big(0)).await.unwrap_err();
    // Behind the first try to open the file anew.
    do_append(&store, big(0)).await.unwrap_err();
    fail_writes(false);
    fs::rename(store.path(), store.path().with_extension("moved")).unwrap();
    clock.advance(PAUSE);
    for _ in 0..2 {
        let refused = do_append(&store, big(0)).await.unwrap_err();
        assert!(matches!(&refused, Error::Corrupt { what, .. } if what == "it was removed"), "{refused:?}");
        assert_eq!(*store.health().borrow(), StoreHealth::Lost);
    }
    // Connections that were open to read go on.
    assert_eq!(store.read(id, 0).await.unwrap().revision, 0);
}

#[tokio::test]
async fn a_file_that_is_gone_when_it_is_to_be_opened_anew_is_not_made() {
    let (_folder, path) = folder();
    run("disk::losing", &path);
    assert!(!path.exists() && path.with_extension("moved").exists());
}

/// The write-ahead log that a process left may be in the system's memory alone, if it died while its disk failed.
#[tokio::test]
async fn a_start_puts_the_log_that_it_finds_into_the_file() {
    let ((_folder, path), (_other, copy)) = (folder(), folder());
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    play(&store, 1, 0).await;
    written(&store, big(0)).await;
    // As a process leaves it that is killed now.
    let log = |path: &Path| path.with_extension("db-wal");
    fs::copy(&path, &copy).unwrap();
    assert!(fs::copy(log(&path), log(&copy)).unwrap() > 0);
    let store = SqliteStore::open(&copy, &Options::default()).unwrap();
    assert_eq!(fs::metadata(log(&copy)).unwrap().len(), 0);
    assert_eq!(store.read(match_id(1), 0).await.unwrap().revision, 1);
}

/// A file that may not grow takes small things still; it counts as failing until there is room for what had none.
#[tokio::test]
async fn a_full_store_fails_until_as_much_as_failed_was_written() {
    let (_folder, path) = folder();
    let options = Options { file_bytes_max: Some(1024 * 1024), ..Options::default() };
    let store = SqliteStore::open(&path, &options).unwrap();
    play(&store, 1, 0).await;
    let mut expected = 0;
    let refused = loop {
        match do_append(&store, big(expected)).await {
            Ok(_) => expected += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::Unavailable { .. }) && expected > 50, "{expected}: {refused:?}");
    assert_eq!(*store.health().borrow(), StoreHealth::Failing);
    store.note_up(1).await.unwrap();
    store.retry();
    // Behind the try.
    store.note_up(2).await.unwrap();
    assert_eq!(*store.health().borrow(), StoreHealth::Failing);
    store.close().await;

    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    assert_eq!(store.read(match_id(1), 0).await.unwrap().revision, expected);
    written(&store, big(expected)).await;
}
