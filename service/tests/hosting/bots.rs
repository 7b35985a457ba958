//! House bots and exhibitions.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use edgehill_engine::record::{Record, verify};
use edgehill_proto::v1::{self, MatchStatus};
use edgehill_service::clock::SystemClock;
use edgehill_service::host::Host;
use edgehill_service::store::MemoryStore;
use tonic::Code;

use crate::kit::{HasMatch, exported, join, skirmish, soon};
use crate::running::{Client, Start};
use crate::trouble::Flaky;

fn bots(request: v1::CreateMatchRequest) -> v1::CreateMatchRequest {
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    v1::CreateMatchRequest { seats: vec![bot; 2], ..request }
}

/// Watches a match to its end: all numbers, and the last state.
async fn to_the_end(client: &mut Client, id: &str) -> (u64, v1::MatchState) {
    let watch =
        v1::WatchMatchRequest { match_id: id.into(), after_seq: Some(0), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    let (mut seq, mut last) = (0, v1::MatchState::default());
    soon(async {
        while let Some(message) = watch.message().await.unwrap() {
            let update = message.update.unwrap();
            assert_eq!(update.view, None, "nobody asked for a view");
            for event in update.events {
                seq += 1;
                assert_eq!(event.seq, seq);
            }
            if let Some(state) = update.state {
                last = state;
            }
        }
    })
    .await;
    (seq, last)
}

async fn record(client: &mut Client, host: &Host, id: &str) -> Record {
    let text =
        exported(client.export_record(v1::ExportRecordRequest { match_id: id.into() }).await).await.unwrap();
    assert!(text.complete);
    let record = Record::parse(&text.text).unwrap();
    let game = host.registry().game(&record.header().game).unwrap();
    let report = verify(&**game, &record, &[]);
    assert!(report.is_consistent(), "{report}");
    record
}

#[tokio::test]
async fn bots_play_a_match_to_its_end_and_alike_with_the_same_seed() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let mut records = Vec::new();
    for name in ["a", "b"] {
        let created = client.create_match(bots(skirmish(name))).await.unwrap().into_inner();
        let id = created.id();
        let (_, state) = to_the_end(&mut client, &id).await;
        assert_eq!(state.status(), MatchStatus::Finished);
        records.push(record(&mut client, &running.host, &id).await.entries().to_vec());
    }
    assert_eq!(records[0], records[1]);
}

#[tokio::test]
async fn a_bot_answers_its_opponent() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let mut request = bots(skirmish("one"));
    request.seats.pop();
    let created = client.create_match(request).await.unwrap().into_inner();
    let id = created.id();
    let joined = client.join_match(join(&id, "j", 1)).await.unwrap().into_inner();
    let seated = crate::kit::Seated { id: id.clone(), tokens: vec![String::new(), joined.seat_token] };
    // Its part of the sealed choice comes by itself: the stream tells when.
    let watch =
        v1::WatchMatchRequest { match_id: id, after_seq: Some(0), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    soon(async {
        loop {
            let update = watch.message().await.unwrap().unwrap().update.unwrap();
            if update.events.iter().any(|event| event.code == "committed") {
                return;
            }
        }
    })
    .await;
    assert!(seated.legal(&mut client, 1).await.to_act);
}

#[tokio::test]
async fn exhibitions_are_made_once_and_go_on_after_a_restart() {
    let store = Arc::new(MemoryStore::new());
    let first = Start::on(store.clone()).host().await;
    let made = first.exhibit().await.unwrap();
    assert_eq!(made, first.exhibit().await.unwrap());
    assert_eq!(made.len(), first.registry().games().len());
    // The host goes while they play; the store stays.
    drop(first);
    let running = Start::on(store).run().await;
    assert_eq!(running.host.exhibit().await.unwrap(), made);
    let mut client = running.client().await;
    let (game, created) = made.iter().find(|(game, _)| *game == "skirmish").unwrap();
    let (seq, state) = to_the_end(&mut client, &created.id.to_string()).await;
    assert!(seq > 10 && state.status() == MatchStatus::Finished, "{game}");
}

#[tokio::test]
async fn bots_wait_for_a_store_that_fails_and_go_on() {
    let flaky = Flaky::new(21);
    let store = Arc::new(MemoryStore::with(flaky.clone(), Arc::new(SystemClock::new())));
    let running = Start::on(store).run().await;
    let mut client = running.client().await;
    // Both seats are bots: nobody repeats a call for them. The store fails from the beginning, since they wait for nobody.
    flaky.set(true);
    let mut refused = 0;
    let created = loop {
        match client.create_match(bots(skirmish("f"))).await {
            Ok(created) => break created,
            Err(status) => assert_eq!(status.code(), Code::Unavailable),
        }
        refused += 1;
    };
    let whole = created.into_inner().id();
    let (_, state) = to_the_end(&mut client, &whole).await;
    flaky.set(false);
    assert_eq!(state.status(), MatchStatus::Finished);
    assert!(flaky.failed.load(Ordering::SeqCst) > refused, "nothing went wrong for the bots");
    record(&mut client, &running.host, &whole).await;
}
