//! The logs of competitions, in each store.

use edgehill_service::store::limits::{EVENT_BYTES_MAX, EVENTS_KEPT_MAX};
use edgehill_service::store::{
    CompetitionId, Error, KeptEvent, MemoryStore, Options, PostgresOptions, PostgresStore, ReadOnlyStore,
    SqliteStore, Store,
};

use crate::kit::folder;
use crate::real_postgres::database;

const FIRST: CompetitionId = CompetitionId::from_bytes([1; 16]);
const OTHER: CompetitionId = CompetitionId::from_bytes([2; 16]);

fn event(competition: CompetitionId, number: u64) -> KeptEvent {
    KeptEvent { competition, number, bytes: format!("event {number} of {competition}").into_bytes() }
}

fn events(competition: CompetitionId, numbers: std::ops::RangeInclusive<u64>) -> Vec<KeptEvent> {
    numbers.map(|number| event(competition, number)).collect()
}

async fn are_kept_in_their_order_and_once(store: &dyn Store) {
    assert_eq!(store.kept_competitions(None, 10).await.unwrap(), []);
    assert_eq!(store.kept_events(FIRST, 0, 10).await.unwrap(), []);
    store.keep_events(events(OTHER, 1..=1)).await.unwrap();
    store.keep_events(events(FIRST, 1..=1)).await.unwrap();
    store.keep_events(events(FIRST, 2..=5)).await.unwrap();
    for number in [0, 1, 5, 7, u64::MAX] {
        let conflict = Err(Error::EventConflict { next: 6 });
        assert_eq!(store.keep_events(vec![event(FIRST, number)]).await, conflict, "{number}");
    }
    // All of them or nothing.
    for wrong in [
        Vec::new(),
        vec![event(FIRST, 6), event(FIRST, 8)],
        vec![event(FIRST, 6), event(OTHER, 7)],
        vec![event(FIRST, 6), event(FIRST, 6)],
    ] {
        assert!(matches!(store.keep_events(wrong).await, Err(Error::Invalid { .. })));
    }
    let large = KeptEvent { bytes: vec![0; EVENT_BYTES_MAX + 1], ..event(FIRST, 6) };
    assert!(matches!(store.keep_events(vec![large]).await, Err(Error::TooLarge { .. })));
    let many = events(FIRST, 6..=6 + EVENTS_KEPT_MAX as u64);
    assert!(matches!(store.keep_events(many).await, Err(Error::TooLarge { .. })));

    assert_eq!(store.kept_events(FIRST, 0, 10).await.unwrap(), events(FIRST, 1..=5));
    assert_eq!(store.kept_events(FIRST, 2, 2).await.unwrap(), events(FIRST, 3..=4));
    assert_eq!(store.kept_events(FIRST, 5, 2).await.unwrap(), []);
    assert_eq!(store.kept_events(OTHER, 0, usize::MAX).await.unwrap(), events(OTHER, 1..=1));
    assert_eq!(store.kept_competitions(None, 10).await.unwrap(), [FIRST, OTHER]);
    assert_eq!(store.kept_competitions(None, 1).await.unwrap(), [FIRST]);
    assert_eq!(store.kept_competitions(Some(FIRST), 1).await.unwrap(), [OTHER]);
    assert_eq!(store.kept_competitions(Some(OTHER), 1).await.unwrap(), []);
}

async fn are_written_anew(store: &dyn Store) {
    let anew = |number| KeptEvent { bytes: b"another".to_vec(), ..event(FIRST, number) };
    store.rewrite_events(vec![anew(2), anew(3)]).await.unwrap();
    for wrong in [vec![anew(5), anew(6)], vec![anew(0), anew(1)]] {
        assert!(matches!(store.rewrite_events(wrong).await, Err(Error::Invalid { .. })));
    }
    let expected = [event(FIRST, 1), anew(2), anew(3), event(FIRST, 4), event(FIRST, 5)];
    assert_eq!(store.kept_events(FIRST, 0, 10).await.unwrap(), expected);
    assert_eq!(store.kept_events(OTHER, 0, 10).await.unwrap(), events(OTHER, 1..=1));
}

#[tokio::test]
async fn events_of_competitions_are_kept_in_memory() {
    let store = MemoryStore::new();
    are_kept_in_their_order_and_once(&store).await;
    are_written_anew(&store).await;
}

#[tokio::test]
async fn events_of_competitions_are_kept_in_postgres() {
    let Some((_, server)) = database() else { return };
    let store = PostgresStore::open(&server, &PostgresOptions::default()).unwrap();
    are_kept_in_their_order_and_once(&store).await;
    are_written_anew(&store).await;
}

#[tokio::test]
async fn events_of_competitions_are_kept_in_a_file_and_read_there_while_it_is_open() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    are_kept_in_their_order_and_once(&store).await;
    let beside = ReadOnlyStore::open(&path).unwrap();
    assert_eq!(beside.kept_events(FIRST, 3, 10).await.unwrap(), events(FIRST, 4..=5));
    assert_eq!(beside.kept_competitions(None, 10).await.unwrap(), [FIRST, OTHER]);
    assert_eq!(beside.keep_events(events(FIRST, 6..=6)).await, Err(Error::ReadOnly));
    store.close().await;
    drop(store);
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    are_written_anew(&store).await;
    store.keep_events(events(FIRST, 6..=7)).await.unwrap();
}
