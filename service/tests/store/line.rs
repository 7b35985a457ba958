//! The line to the file: grouped, bounded, drained, dropped whole when a flush fails.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use edgehill_service::store::{
    Append, Appended, Error, Faults, Moment, Options, Page, RequestScope, SqliteStore, Stats, Store,
    StoreFilter, Ticket,
};

use crate::kit::{
    append, append_for, create, do_append, do_create, folder, match_id, play, request, request_id, seat,
    whole_log, written,
};

/// Holds each batch at its beginning until it is let go, and notes its size.
#[derive(Debug)]
struct Gate {
    begun: Mutex<mpsc::Sender<usize>>,
    go: Mutex<mpsc::Receiver<()>>,
}

impl Faults for Gate {
    fn at(&self, moment: Moment) -> Result<(), String> {
        if let Moment::Begin { operations } = moment {
            let _ = self.begun.lock().unwrap().send(operations);
            // When the test has let go of its end, nothing is held any more.
            let _ = self.go.lock().unwrap().recv();
        }
        Ok(())
    }
}

/// The test's ends of a [`Gate`].
struct Keeper {
    begun: mpsc::Receiver<usize>,
    go: mpsc::Sender<()>,
}

impl Keeper {
    /// The number of operations of the batch that stands at the gate.
    fn batch(&self) -> usize {
        self.begun.recv().unwrap()
    }

    fn let_go(&self) {
        self.go.send(()).unwrap();
    }
}

/// The keeper comes last, to be dropped first: a store waits for its line, and the line would wait for the keeper.
fn gated(path: &Path, options: Options) -> (SqliteStore, Keeper) {
    let ((begun_in, begun), (go, go_out)) = (mpsc::channel(), mpsc::channel());
    let gate = Gate { begun: Mutex::new(begun_in), go: Mutex::new(go_out) };
    let store = SqliteStore::open(path, &Options { faults: Arc::new(gate), ..options }).unwrap();
    (store, Keeper { begun, go })
}

/// Fails every commit while it is on.
#[derive(Debug, Default)]
struct Breaker {
    is_on: AtomicBool,
    commits: AtomicUsize,
}

impl Faults for Breaker {
    fn at(&self, moment: Moment) -> Result<(), String> {
        if matches!(moment, Moment::Commit { .. }) {
            self.commits.fetch_add(1, Ordering::SeqCst);
            if self.is_on.load(Ordering::SeqCst) {
                return Err("the disk is gone".into());
            }
        }
        Ok(())
    }
}

async fn created(store: &SqliteStore, keeper: &Keeper, number: u8) {
    let ticket = store.create(create(match_id(number))).await.unwrap();
    keeper.batch();
    keeper.let_go();
    ticket.await.unwrap();
}

#[tokio::test]
async fn what_waits_becomes_one_transaction() {
    let (_folder, path) = folder();
    let (store, keeper) = gated(&path, Options { batch_operations: 64, ..Options::default() });
    for number in 1..=4 {
        created(&store, &keeper, number).await;
    }
    let before = store.stats();
    let mut tickets = vec![store.append(append(match_id(1), 0)).await.unwrap()];
    assert_eq!(keeper.batch(), 1, "the first does not wait for others");
    for expected in 1..=100 {
        tickets.push(store.append(append(match_id(1), expected)).await.unwrap());
    }
    let batches: Vec<usize> = (0..2)
        .map(|_| {
            keeper.let_go();
            keeper.batch()
        })
        .collect();
    keeper.let_go();
    assert_eq!(batches, [64, 36], "as many as wait, up to the limit");
    for (revision, ticket) in (1..).zip(tickets) {
        let Ok(Appended::Written(at)) = ticket.await else { panic!() };
        assert_eq!(at.revision, revision);
    }
    let after = store.stats();
    assert_eq!((after.transactions - before.transactions, after.appends - before.appends), (3, 101));
    assert_eq!(whole_log(&store, match_id(1)).await, 101);
}

#[tokio::test]
async fn nothing_is_seen_or_answered_before_it_is_durable() {
    let (_folder, path) = folder();
    let (store, keeper) = gated(&path, Options::default());
    created(&store, &keeper, 1).await;
    let id = match_id(1);
    let mut first = store.append(append_for(id, 0, seat(0), request("r", "body"))).await.unwrap();
    let mut second = store.append(append(id, 1)).await.unwrap();
    assert!((1..=2).contains(&keeper.batch()));
    assert!(!is_ready(&mut first).await && !is_ready(&mut second).await);
    assert_eq!(store.read(id, 0).await.unwrap().revision, 0);
    assert_eq!(store.request(RequestScope::Match(id, seat(0)), request_id("r")).await, Ok(None));
    let listing = store.list(StoreFilter::default(), Page::FIRST).await.unwrap();
    assert_eq!(listing.matches[0].revision, 0);
    drop(keeper);
    first.await.unwrap();
    second.await.unwrap();
    assert_eq!(whole_log(&store, id).await, 2);
}

#[test]
fn those_whose_runtime_has_ended_are_answered_too() {
    let (_folder, path) = folder();
    let runtime = || tokio::runtime::Builder::new_current_thread().build().unwrap();
    let home = runtime();
    let (store, keeper) = gated(&path, Options::default());
    let tickets = home.block_on(async {
        created(&store, &keeper, 1).await;
        let first = store.append(append(match_id(1), 0)).await.unwrap();
        keeper.batch();
        // With the first at the gate, these make the next batch together.
        let second = store.append(append(match_id(1), 1)).await.unwrap();
        [first, second, store.append(append(match_id(1), 2)).await.unwrap()]
    });
    drop(home);
    drop(keeper);
    runtime().block_on(async {
        for (revision, ticket) in (1..).zip(tickets) {
            let Ok(Appended::Written(at)) = ticket.await else {
                panic!("append {revision} was not answered")
            };
            assert_eq!(at.revision, revision);
        }
    });
}

async fn is_ready<T>(ticket: &mut Ticket<T>) -> bool {
    let mut ticket = std::pin::Pin::new(ticket);
    std::future::poll_fn(|cx| std::task::Poll::Ready(ticket.as_mut().poll(cx).is_ready())).await
}

#[tokio::test]
async fn a_full_line_holds_callers_back() {
    for (line_operations, line_bytes) in [(3, u32::MAX), (1_024, 3 * 2_048)] {
        let (_folder, path) = folder();
        let (store, keeper) = gated(&path, Options { line_operations, line_bytes, ..Options::default() });
        created(&store, &keeper, 1).await;
        let sized = |expected| Append { entry: vec![7; 1_024], ..append(match_id(1), expected) };
        let mut tickets = vec![store.append(sized(0)).await.unwrap()];
        keeper.batch();
        // With the first at the gate, three (or, by their bytes, two) more find room, and the next one does not.
        let room = if line_operations == 3 { 3 } else { 2 };
        for expected in 1..=room {
            tickets.push(store.append(sized(expected)).await.unwrap());
        }
        let mut held = store.append(sized(room + 1));
        let pending = std::future::poll_fn(|cx| std::task::Poll::Ready(held.as_mut().poll(cx).is_pending()));
        assert!(pending.await, "{line_operations} operations, {line_bytes} bytes");
        drop(keeper);
        tickets.push(held.await.unwrap());
        for ticket in tickets {
            ticket.await.unwrap();
        }
        assert_eq!(store.read(match_id(1), 0).await.unwrap().revision, room + 2);
    }
}

#[tokio::test]
async fn a_failed_flush_drops_its_batch_and_nothing_else() {
    let (_folder, path) = folder();
    let breaker = Arc::new(Breaker::default());
    let faults: Arc<dyn Faults> = Arc::clone(&breaker) as _;
    let store = SqliteStore::open(&path, &Options { faults, ..Options::default() }).unwrap();
    let id = play(&store, 1, 3).await;
    let before = (store.read(id, 0).await.unwrap(), store.stats());

    breaker.is_on.store(true, Ordering::SeqCst);
    let sent = append_for(id, 3, seat(0), request("r", "body"));
    let mut tickets = vec![store.append(sent.clone()).await.unwrap()];
    tickets.push(store.create(create(match_id(2))).await.unwrap());
    for expected in 4..8 {
        tickets.push(store.append(append(id, expected)).await.unwrap());
    }
    for ticket in tickets {
        // An append in a later batch than the one it builds on may hear of the conflict instead: in no case is it
        // written, and the breaker lets no answer out of a batch that failed.
        assert_eq!(ticket.await.unwrap_err().reason(), "STORE_UNAVAILABLE");
    }
    assert_eq!(store.read(id, 0).await.unwrap(), before.0);
    assert_eq!(store.read(match_id(2), 0).await, Err(Error::NotFound(match_id(2))));
    assert_eq!(store.request(RequestScope::Match(id, seat(0)), request_id("r")).await, Ok(None));
    let Stats { transactions, appends, failures, .. } = store.stats();
    assert_eq!((transactions, appends), (before.1.transactions, before.1.appends));
    assert!(failures.undone > 0 && failures.all() == failures.undone, "{failures:?}");

    // The same request is good again, and the log goes on where it was.
    breaker.is_on.store(false, Ordering::SeqCst);
    assert_eq!(written(&store, sent.clone()).await.revision, 4);
    let Ok(Appended::Repeated(_)) = do_append(&store, sent).await else { panic!() };
    do_create(&store, create(match_id(2))).await.unwrap();
    written(&store, append(id, 4)).await;
    store.close().await;
    drop(store);
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    assert_eq!(whole_log(&store, id).await, 5);
}

#[tokio::test]
async fn a_full_disk_drops_the_batch_and_the_store_goes_on_when_there_is_room() {
    let (_folder, path) = folder();
    let bounded = Options { file_bytes_max: Some(512 * 1024), ..Options::default() };
    let store = SqliteStore::open(&path, &bounded).unwrap();
    let id = play(&store, 1, 3).await;
    let big = |expected| Append { entry: vec![7; 100_000], ..append(id, expected) };
    let mut expected = 3;
    let full = loop {
        match do_append(&store, big(expected)).await {
            Ok(Appended::Written(_)) => expected += 1,
            other => break other,
        }
    };
    assert_eq!(full.unwrap_err().reason(), "STORE_UNAVAILABLE");
    assert!((4..10).contains(&expected), "{expected}");
    assert_eq!(store.read(id, 0).await.unwrap().revision, expected);
    // Something small still fits, and what comes in one batch with something big goes down with it or without it.
    assert_eq!(written(&store, append(id, expected)).await.revision, expected + 1);
    assert_eq!(do_append(&store, big(expected + 1)).await.unwrap_err().reason(), "STORE_UNAVAILABLE");
    store.close().await;
    drop(store);
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    assert_eq!(store.read(id, 0).await.unwrap().revision, expected + 1);
    written(&store, big(expected + 1)).await;
}

#[tokio::test]
async fn closing_drains_the_line() {
    let (_folder, path) = folder();
    let (store, keeper) = gated(&path, Options::default());
    created(&store, &keeper, 1).await;
    let mut tickets = Vec::new();
    for expected in 0..50 {
        tickets.push(store.append(append(match_id(1), expected)).await.unwrap());
    }
    drop(keeper);
    store.close().await;
    for ticket in tickets {
        ticket.await.unwrap();
    }
    assert!(!path.with_file_name("matches.db-wal").exists(), "the write-ahead log went into the file");
    // It has let go of the file, although it is not dropped yet.
    let again = SqliteStore::open(&path, &Options::default()).unwrap();
    assert_eq!(whole_log(&again, match_id(1)).await, 50);
}

#[tokio::test]
async fn a_dropped_ticket_takes_nothing_back_and_a_dropped_store_drains() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let id = play(&store, 1, 0).await;
    for expected in 0..30 {
        drop(store.append(append(id, expected)).await.unwrap());
    }
    drop(store);
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    assert_eq!(whole_log(&store, id).await, 30);
}

#[tokio::test]
async fn a_store_is_open_once() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let refused = SqliteStore::open(&path, &Options::default()).unwrap_err();
    assert_eq!(refused.reason(), "STORE_LOCKED");
    drop(store);
    SqliteStore::open(&path, &Options::default()).unwrap();
}

#[tokio::test]
async fn a_store_is_open_once_by_whatever_way_one_comes_to_it() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let (_other, link) = folder();
    std::fs::hard_link(&path, &link).unwrap();
    assert_eq!(SqliteStore::open(&link, &Options::default()).unwrap_err().reason(), "STORE_LOCKED");
    // A refused operation holds nothing.
    drop(store);
    SqliteStore::open(&link, &Options::default()).unwrap();
}

#[tokio::test]
async fn a_store_can_be_looked_through_while_it_is_in_use() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path, &Options::default()).unwrap();
    let id = play(&store, 1, 3).await;
    let report = edgehill_service::store::fsck(&path).unwrap();
    assert!(report.is_sound());
    let [found] = &report.matches[..] else { panic!("{report:?}") };
    assert_eq!((found.id, &found.game[..]), (id, "skirmish"));
    assert_eq!((found.revision, found.whole_to, &found.fault), (Some(3), Some(3), &None));
    written(&store, append(id, 3)).await;
}
