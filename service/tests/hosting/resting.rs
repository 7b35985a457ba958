//! Matches that nobody touches leave the memory, whoever follows them, and are as they were when somebody touches them again.

use std::time::Duration;

use edgehill_service::host::HostCapacity;
use edgehill_service::limits::Limits;

use crate::clocks::manual;
use crate::compacting::until_compacted;
use crate::kit::{HasBatch, Seated, by, ids, notations, soon, watch};
use crate::running::{Running, Start};
use crate::stage::{Stage, apply, open};

const IDLE: Duration = Duration::from_secs(60);

/// Returns once so many bytes at most are in memory.
async fn until_bytes(running: &Running, most: u64) {
    soon(async {
        while running.host.loaded_bytes() > most {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

fn start() -> (Start, std::sync::Arc<edgehill_service::clock::ManualClock>) {
    let clock = manual();
    let capacity = HostCapacity { rest_after: Some(IDLE), ..HostCapacity::default() };
    (Start { clock: clock.clone(), capacity, ..Start::default() }, clock)
}

#[tokio::test]
async fn a_match_that_is_followed_rests_and_nobody_hears_of_it() {
    let (start, clock) = start();
    let running = start.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(1, open(&seated.tokens[0]));
    stage.opened(1).await;
    let legal = stage.update(1, "").await.legal_actions.unwrap().ids;
    stage.say(1, "first", apply(ids(&legal[..1])));
    stage.update(1, "first").await;
    let card = seated.legal(&mut client, 1).await.legal_actions.unwrap().ids[0];
    seated.take(&mut client, 1, "card", ids(&[card])).await;
    seated.take(&mut client, 1, "done", notations(&["done"])).await;
    let mut watching = client.watch_match(watch(&seated.id, Some(0))).await.unwrap().into_inner();
    let seen = soon(watching.message()).await.unwrap().unwrap();
    let before = seated.sight(&mut client).await;
    assert!(running.host.loaded_bytes() > 0);

    clock.advance(IDLE / 2);
    seated.get(&mut client).await;
    clock.advance(IDLE / 2);
    tokio::task::yield_now().await;
    assert!(running.host.loaded_bytes() > 0, "somebody has touched it");
    clock.advance(IDLE);
    until_bytes(&running, 0).await;
    assert_eq!(running.host.loaded_matches(), 1, "it has a place");

    // Whoever touches it finds it as it was, and those who follow it hear what is new and nothing else.
    assert_eq!(seated.sight(&mut client).await, before);
    assert!(running.host.loaded_bytes() > 0);
    stage.say(1, "again", apply(ids(&legal[..1])));
    let refused = stage.refusal(1, "again").await;
    assert_eq!(refused, edgehill_proto::v1::ErrorReason::IllegalAction, "the draft is there");
    clock.advance(IDLE * 2);
    until_bytes(&running, 0).await;
    stage.say(1, "done", apply(notations(&["done"])));
    assert!(!stage.update(1, "done").await.events.is_empty());
    let later = soon(watching.message()).await.unwrap().unwrap();
    let last = |message: &edgehill_proto::v1::WatchMatchResponse| {
        message.update.as_ref().and_then(|update| update.events.last()).map(|event| event.seq)
    };
    let first = later.update.as_ref().unwrap().events[0].seq;
    assert_eq!(Some(first), last(&seen).map(|seq| seq + 1));
}

#[tokio::test]
async fn a_match_that_nobody_follows_has_no_place_either() {
    let (start, clock) = start();
    let running = start.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    clock.advance(IDLE * 2);
    until_bytes(&running, 0).await;
    soon(async {
        while running.host.loaded_matches() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(seated.sight(&mut client).await, before);
}

#[tokio::test]
async fn a_seat_is_not_asked_again_because_its_match_has_rested() {
    let (start, clock) = start();
    let limits = Limits { turn_changes: 65_536, ..Limits::default() };
    let running = Start { limits, ..start }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    // The log keeps few of these calls, by whose number the seat's prompts are known.
    for number in 0..1_200 {
        let request = seated.apply(&format!("d{number}"), ids(&[card])).keeping(0);
        client.apply_actions(by(&seated.tokens[0], request)).await.unwrap();
    }
    until_compacted(&*running.store, &seated.id).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(1, open(&seated.tokens[0]));
    stage.opened(1).await;
    stage.update(1, "").await;
    clock.advance(IDLE * 2);
    until_bytes(&running, 0).await;
    seated.get(&mut client).await;
    stage.say(1, "done", apply(notations(&["done"])));
    // The next message is the answer, and no prompt.
    stage.update(1, "done").await;
}
