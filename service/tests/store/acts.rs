//! The log of acts of administration, in each store.

use edgehill_service::store::limits::ACT_BYTES_MAX;
use edgehill_service::store::{
    Error, KeptAct, MemoryStore, Options, PostgresOptions, PostgresStore, ReadOnlyStore, SqliteStore, Store,
};

use crate::kit::folder;
use crate::real_postgres::database;

fn act(number: u64) -> KeptAct {
    KeptAct { number, bytes: format!("act {number}").into_bytes() }
}

async fn are_kept_in_their_order_and_once(store: &dyn Store) {
    assert_eq!(store.kept_acts(0, 10).await.unwrap(), []);
    for number in 1..=5 {
        store.keep_act(act(number)).await.unwrap();
    }
    for number in [0, 5, 7, u64::MAX] {
        assert_eq!(store.keep_act(act(number)).await, Err(Error::ActConflict { next: 6 }), "{number}");
    }
    let large = KeptAct { number: 6, bytes: vec![0; ACT_BYTES_MAX + 1] };
    assert!(matches!(store.keep_act(large).await, Err(Error::TooLarge { .. })));
    assert_eq!(store.kept_acts(0, 10).await.unwrap(), (1..=5).map(act).collect::<Vec<_>>());
    assert_eq!(store.kept_acts(2, 2).await.unwrap(), [act(3), act(4)]);
    assert_eq!(store.kept_acts(5, 2).await.unwrap(), []);
    assert_eq!(store.kept_acts(u64::MAX, usize::MAX).await.unwrap(), []);
}

#[tokio::test]
async fn acts_are_kept_in_memory() {
    are_kept_in_their_order_and_once(&MemoryStore::new()).await;
}

#[tokio::test]
async fn acts_are_kept_in_a_file_and_read_there_while_it_is_open() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    are_kept_in_their_order_and_once(&store).await;
    let beside = ReadOnlyStore::open(&path).unwrap();
    assert_eq!(beside.kept_acts(0, 10).await.unwrap().len(), 5);
    assert_eq!(beside.keep_act(act(6)).await, Err(Error::ReadOnly));
    store.close().await;
    drop(store);
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    assert_eq!(store.kept_acts(4, 10).await.unwrap(), [act(5)]);
    store.keep_act(act(6)).await.unwrap();
}

#[tokio::test]
async fn acts_are_kept_in_postgres() {
    let Some((_, server)) = database() else { return };
    let store = PostgresStore::open(&server, &PostgresOptions::default()).unwrap();
    are_kept_in_their_order_and_once(&store).await;
    store.close().await;
    let store = PostgresStore::open(&server, &PostgresOptions::default()).unwrap();
    assert_eq!(store.kept_acts(4, 10).await.unwrap(), [act(5)]);
    store.keep_act(act(6)).await.unwrap();
}
