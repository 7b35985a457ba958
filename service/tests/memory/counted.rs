//! The bytes that a match counts as in memory, held against those that are allocated for it.

use std::sync::Arc;

use edgehill_engine::registry::Registry;
use edgehill_service::store::{MemoryStore, Store};

use crate::Counting;
use crate::playing::{host, play};

/// Actions that are taken in a match.
const ACTIONS: usize = 400;

/// The most bytes of a match of English Civil War IIa that has just begun: a GiB has room for 100,000 of them.
const BEGUN_MAX: u64 = 1024 * 1024 * 1024 / 100_000;

#[tokio::test]
async fn a_match_counts_as_about_as_many_bytes_as_are_allocated_for_it() {
    let counting = Counting::begin().await;
    for game in Registry::built_in().unwrap().ids() {
        for actions in [0, ACTIONS] {
            let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
            let playing = host(&store).await;
            let id = play(&playing, game, actions, 3).await;
            let grown = playing.loaded_bytes();
            drop(playing);
            // Opened once before, so that what the store remembers of it is there already.
            let host = host(&store).await;
            store.read(id, 0).await.unwrap();
            let before = counting.bytes();
            host.read(id, |_| Ok(())).await.unwrap();
            let allocated = (counting.bytes() - before) as u64;
            let counted = host.loaded_bytes();
            eprintln!(
                "{game}, {actions} actions: {allocated} bytes, counted as {counted}; {grown} where it was played"
            );
            if game == "english-civil-war-iia" && actions == 0 {
                assert!(allocated <= BEGUN_MAX, "{allocated} bytes of a match that has just begun");
            }
            for counted in [counted, grown] {
                assert!(
                    counted * 4 >= allocated * 3 && counted <= 2 * allocated + 16_384,
                    "{game}, {actions} actions: {allocated} bytes count as {counted}"
                );
            }
        }
    }
}
