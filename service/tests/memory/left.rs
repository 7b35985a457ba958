//! The bytes that a match leaves in memory which is over, once its log is archived.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use edgehill_service::clock::{Clock, ManualClock};
use edgehill_service::host::{Host, HostCapacity};
use edgehill_service::matches::archive::is_archive;
use edgehill_service::store::{MatchId, Options, SqliteStore, Store};
use tokio::task::JoinSet;

use crate::Counting;
use crate::playing::{host_with, play};

/// Matches that are played at once.
const MATCHES: u8 = 64;

/// Bytes that a match may leave: its account remembers it, its shard has room for another, and the dust of so few matches.
const LEFT_MAX: usize = 1_024;

const ARCHIVE_AFTER: Duration = Duration::from_secs(600);

/// Actions after which a match of skirmish is over, whatever is chosen.
const ACTIONS_MAX: usize = 10_000;

/// Plays matches to their ends, and waits until their logs are archived.
async fn round(host: &Host, clock: &ManualClock, store: &dyn Store, number: u8) {
    let mut playing = JoinSet::new();
    for seed in number * MATCHES..(number + 1) * MATCHES {
        let host = host.clone();
        playing.spawn(async move { play(&host, "skirmish", ACTIONS_MAX, seed).await });
    }
    let matches: BTreeSet<MatchId> = playing.join_all().await.into_iter().collect();
    assert_eq!(matches.len(), usize::from(MATCHES));
    clock.advance(ARCHIVE_AFTER * 2);
    for id in matches {
        while !store.read(id, 0).await.unwrap().records.iter().any(is_archive) {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_match_that_is_over_leaves_next_to_nothing() {
    let counting = Counting::begin().await;
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("matches.db"), &Options::default()).unwrap();
    let store: Arc<dyn Store> = Arc::new(store);
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let capacity = HostCapacity { archive_after: Some(ARCHIVE_AFTER), ..HostCapacity::default() };
    let host = host_with(&store, Arc::clone(&clock) as Arc<dyn Clock>, capacity).await;
    // The first leave room for as many as play at once.
    round(&host, &clock, &*store, 0).await;
    let before = counting.bytes();
    round(&host, &clock, &*store, 1).await;
    let left = counting.bytes().saturating_sub(before) / usize::from(MATCHES);
    assert_eq!(host.loaded_bytes(), 0);
    eprintln!("{left} bytes are left of a match");
    assert!(left <= LEFT_MAX, "{left} bytes are left of a match");
}
