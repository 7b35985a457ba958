//! Exactly once: a caller who repeats their calls, after lost connections, restarts and faults of the store,
//! ends with the match of one who calls once.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::clock::SystemClock;
use edgehill_service::entropy::SeededEntropy;
use edgehill_service::store::{MemoryStore, Store};

use crate::kit::{HasMatch, HasResult, Seated, by, exported, ids, join, notations, refusal, skirmish};
use crate::player::Player;
use crate::running::{Client, File, Running, Start};
use crate::trouble::Flaky;

/// On this store, with ids of matches that come again.
fn start(store: Arc<dyn Store>) -> Start {
    Start { entropy: Arc::new(SeededEntropy::new(5)), ..Start::on(store) }
}

/// Returns the entries of a match: its record, but for the match's own id.
async fn entries(client: &mut Client, id: &str) -> Vec<String> {
    let record =
        exported(client.export_record(v1::ExportRecordRequest { match_id: id.into() }).await).await.unwrap();
    assert!(record.complete);
    let record = edgehill_engine::record::Record::parse(&record.text).unwrap();
    record.entries().iter().map(|entry| format!("{:?}", entry.what)).collect()
}

/// The match that is played by a caller who calls once.
async fn reference() -> Vec<String> {
    let running = start(Arc::new(MemoryStore::new())).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    Player::new(&seated).play(&mut client, 10_000).await;
    entries(&mut client, &seated.id).await
}

/// Begins a call and goes away after so many turns of the runtime, whatever has become of it by then.
async fn begin_and_leave(running: &Running, request: tonic::Request<v1::ApplyActionsRequest>, turns: usize) {
    let mut client = running.client().await;
    tokio::select! {
        biased;
        _ = client.apply_actions(request) => {}
        () = async { for _ in 0..turns { tokio::task::yield_now().await } } => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_are_repeated_broken_off_and_repeated_after_restarts_happen_once() {
    let expected = reference().await;
    let file = File::new();
    let mut running = start(file.open()).run().await;
    let mut client = running.client().await;
    let created = client.create_match(skirmish("kit")).await.unwrap().into_inner();
    assert_eq!(client.create_match(skirmish("kit")).await.unwrap().into_inner(), created);
    let seated = Seated::skirmish(&mut client).await;
    assert_eq!(seated.id, created.id());
    let mut player = Player::new(&seated);
    while let Some((seat, request)) = player.next(&mut client).await {
        let request = || by(&seated.tokens[seat], request.clone());
        let number = player.actions;
        if number.is_multiple_of(3) {
            begin_and_leave(&running, request(), number * 7 % 40).await;
        }
        let first = client.apply_actions(request()).await.unwrap().into_inner();
        for _ in 0..number % 3 {
            let again = client.apply_actions(request()).await.unwrap().into_inner();
            assert_eq!(
                (again.result().actions, &again.result().line),
                (first.result().actions, &first.result().line)
            );
        }
        if number % 10 == 9 {
            running.close().await;
            running = start(file.open()).run().await;
            client = running.client().await;
            let again = client.apply_actions(request()).await.unwrap().into_inner();
            assert_eq!(again, first, "the repetition after a restart");
        }
    }
    assert_eq!(entries(&mut client, &seated.id).await, expected);
    // Every id of the whole match has its outcome still.
    for (seat, token) in seated.tokens.iter().enumerate() {
        let again = client.join_match(join(&seated.id, &format!("kit-{seat}"), seat as u32)).await.unwrap();
        assert_eq!(again.into_inner().seat_token, *token);
    }
}

/// Makes a call until it gets through.
async fn insist(
    client: &mut Client,
    token: &str,
    request: &v1::ApplyActionsRequest,
) -> v1::ApplyActionsResponse {
    loop {
        match client.apply_actions(by(token, request.clone())).await {
            Ok(taken) => return taken.into_inner(),
            Err(status) => {
                let refused = refusal::<()>(Err(status));
                assert_eq!(refused.reason(), ErrorReason::StoreUnavailable, "{refused:?}");
                assert!(refused.retry_after.is_some());
            }
        }
    }
}

async fn plays_through_faults(store: Arc<dyn Store>, flaky: Arc<Flaky>, matches: usize) {
    let expected = reference().await;
    let running = start(store.clone()).run().await;
    let mut client = running.client().await;
    let mut tables = Vec::new();
    for number in 0..matches {
        tables.push(Seated::of(&mut client, skirmish(&format!("m{number}"))).await);
    }
    flaky.set(true);
    let mut tasks = Vec::new();
    for table in tables.clone() {
        let mut client = running.client().await;
        tasks.push(tokio::spawn(async move {
            let mut player = Player::new(&table);
            while let Some((seat, request)) = player.next(&mut client).await {
                let taken = insist(&mut client, &table.tokens[seat], &request).await;
                assert_eq!(taken.result().actions, 1);
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    flaky.set(false);
    assert!(flaky.failed.load(Ordering::SeqCst) > 3, "nothing went wrong");
    for table in &tables {
        assert_eq!(entries(&mut client, &table.id).await, expected);
    }
    // Memory is where the log is.
    let fresh = start(store).run().await;
    let mut again = fresh.client().await;
    for table in &tables {
        assert_eq!(table.sight(&mut again).await, table.sight(&mut client).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_in_memory_that_fails_loses_nothing_and_doubles_nothing() {
    let flaky = Flaky::new(11);
    let store = Arc::new(MemoryStore::with(flaky.clone(), Arc::new(SystemClock::new())));
    plays_through_faults(store, flaky, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_fails_loses_nothing_and_doubles_nothing() {
    let (file, flaky) = (File::new(), Flaky::new(12));
    plays_through_faults(file.open_with(flaky.clone()), flaky, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_ask_the_same_at_once_do_it_once() {
    let expected = reference().await;
    let (file, flaky) = (File::new(), Flaky::new(13));
    let running = start(file.open_with(flaky.clone())).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    flaky.set(true);
    let mut clients = Vec::new();
    for _ in 0..6 {
        clients.push(running.client().await);
    }
    let mut player = Player::new(&seated);
    while let Some((seat, request)) = player.next(&mut client).await {
        let tasks: Vec<_> = clients
            .iter()
            .map(|client| {
                let (mut client, token, request) =
                    (client.clone(), seated.tokens[seat].clone(), request.clone());
                tokio::spawn(async move { insist(&mut client, &token, &request).await.result().actions })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), 1);
        }
    }
    flaky.set(false);
    assert_eq!(entries(&mut client, &seated.id).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_ask_for_different_things_at_once_are_in_one_order() {
    let (file, flaky) = (File::new(), Flaky::new(14));
    let store = file.open_with(flaky.clone());
    let running = start(store.clone()).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut cards = Vec::new();
    for seat in 0..2 {
        cards.push(seated.legal(&mut client, seat).await.legal_actions.unwrap().ids[0]);
    }
    flaky.set(true);
    // Each of many callers picks a card and takes it back, under ids of their own; both seats at once.
    let mut tasks = Vec::new();
    for caller in 0..8 {
        let (mut client, seated) = (running.client().await, seated.clone());
        let (seat, card) = (caller % 2, cards[caller % 2]);
        tasks.push(tokio::spawn(async move {
            let mut taken = 0;
            for round in 0..10 {
                let request = seated.apply(&format!("{caller}-{round}"), ids(&[card]));
                loop {
                    match client.apply_actions(by(&seated.tokens[seat], request.clone())).await {
                        Ok(_) => {
                            taken += 1;
                            break;
                        }
                        Err(status) => match refusal::<()>(Err(status)).reason() {
                            ErrorReason::StoreUnavailable => {}
                            ErrorReason::IllegalAction => break,
                            other => panic!("{other:?}"),
                        },
                    }
                }
                let request = v1::UndoActionsRequest {
                    match_id: seated.id.clone(),
                    request_id: format!("undo-{caller}-{round}"),
                    ..v1::UndoActionsRequest::default()
                };
                loop {
                    match client.undo_actions(by(&seated.tokens[seat], request.clone())).await {
                        Ok(_) => {
                            taken += 1;
                            break;
                        }
                        Err(status) => match refusal::<()>(Err(status)).reason() {
                            ErrorReason::StoreUnavailable => {}
                            ErrorReason::NothingToUndo => break,
                            other => panic!("{other:?}"),
                        },
                    }
                }
            }
            taken
        }));
    }
    let mut taken = 0;
    for task in tasks {
        taken += task.await.unwrap();
    }
    flaky.set(false);
    assert!(taken > 0);
    // Each call that was accepted is in the log once: one entry, and one event of its seat.
    let log = store.read(seated.id.parse().unwrap(), 0).await.unwrap();
    assert_eq!(log.revision, 2 + taken);
    let published: u64 =
        [seated.view(&mut client, 0).await.seq, seated.view(&mut client, 1).await.seq].iter().sum();
    assert_eq!(published, 8 + taken);
    for seat in 0..2 {
        if seated.view(&mut client, seat).await.view.unwrap().draft.is_empty() {
            let card = seated.legal(&mut client, seat).await.legal_actions.unwrap().ids[0];
            insist(&mut client, &seated.tokens[seat], &seated.apply("last", ids(&[card]))).await;
        }
        insist(&mut client, &seated.tokens[seat], &seated.apply("done", notations(&["done"]))).await;
    }
    let fresh = start(store).run().await;
    let mut again = fresh.client().await;
    assert_eq!(seated.sight(&mut again).await, seated.sight(&mut client).await);
}
