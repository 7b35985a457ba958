//! Drafts that were superseded leave the log, and nobody can tell but by its size: views, numbers, cursors, answers and the
//! record are as they would have been.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use edgehill_convert::transcript::check;
use edgehill_proto::receipts::Transcript;
use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::clock::SystemClock;
use edgehill_service::entropy::SeededEntropy;
use edgehill_service::limits::Limits;
use edgehill_service::store::{MatchId, MemoryStore, Store};
use tonic::{Response, Status};

use crate::fold::Folded;
use crate::kit::{
    HasBatch, HasMatch, HasResult, Seated, WINDOW, by, exported, ids, notations, reason, refusal, skirmish,
    soon, watch,
};
use crate::player::Player;
use crate::receipts::receipt;
use crate::running::{Client, File, KEY, Start};
use crate::trouble::Flaky;

const DRAFT: [&str; 5] =
    ["march north-camp bridge", "take north-1", "take north-2", "take north-3", "take north-4"];

/// As many changes of mind as a test likes, and ids of matches that come again.
fn start(store: Arc<dyn Store>) -> Start {
    let limits = Limits { turn_changes: 65_536, ..Limits::default() };
    Start {
        limits,
        entropy: Arc::new(SeededEntropy::new(5)),
        clock: Arc::new(SystemClock::new()),
        ..Start::on(store)
    }
}

/// The entries that the log of a match has, and its revision.
async fn entries(store: &dyn Store, match_id: &str) -> (u64, u64) {
    let id: MatchId = match_id.parse().unwrap();
    let log = store.read(id, 0).await.unwrap();
    (log.records.len() as u64, log.revision)
}

/// Waits until entries of a match's log are gone.
pub(crate) async fn until_compacted(store: &dyn Store, match_id: &str) {
    soon(async {
        loop {
            let (entries, revision) = entries(store, match_id).await;
            if entries < revision / 2 {
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// The events of a seat after a number, up to another.
async fn events(client: &mut Client, seated: &Seated, after: u64, until: u64) -> Vec<v1::Event> {
    let request = by(&seated.tokens[0], watch(&seated.id, Some(after)));
    let mut stream = client.watch_match(request).await.unwrap().into_inner();
    let mut events: Vec<v1::Event> = Vec::new();
    while after + (events.len() as u64) < until {
        let update = soon(stream.message()).await.unwrap().expect("the stream goes on").update.unwrap();
        assert!(update.view.is_none(), "a caller with a cursor gets events");
        events.extend(update.events);
    }
    events
}

/// That every cursor leads to the view of now, in numbers without a gap.
async fn assert_cursors_lead_here(client: &mut Client, seated: &Seated, moments: &[(u64, v1::View)]) {
    let seen = seated.view(client, 0).await;
    let (now, until) = (Folded::of(&seen.view.unwrap()), seen.seq);
    for (seq, view) in moments {
        let events = events(client, seated, *seq, until).await;
        let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
        assert_eq!(numbers, (seq + 1..=until).collect::<Vec<_>>());
        let mut folded = Folded::of(view);
        events.iter().for_each(|event| folded.fold(event));
        assert_eq!(folded, now, "from {seq} to {until}");
    }
}

/// That the last calls are answered as they were, and the same ids with another body are refused.
async fn assert_answered_still(client: &mut Client, seated: &Seated, answered: &[(String, u32, usize)]) {
    for (id, keep, taken) in answered {
        let request = seated.apply(id, notations(&DRAFT[..*taken])).keeping(*keep);
        let again = client.apply_actions(by(&seated.tokens[0], request)).await.unwrap().into_inner();
        assert_eq!(again.result().actions, *taken as u32, "{id}");
    }
    let (id, ..) = answered.last().unwrap();
    let other = seated.apply(id, notations(&DRAFT[..1])).keeping(77);
    let refused = refusal(client.apply_actions(by(&seated.tokens[0], other)).await);
    assert_eq!(refused.reason(), ErrorReason::RequestIdReused);
    assert!(refused.message.contains("ApplyActions"), "{}", refused.message);
}

/// That who comes later, and is sent one event in the place of many, has the same hash; and is told what no receipt proves to them.
async fn assert_what_is_left_says_what_it_stands_for(
    client: &mut Client,
    seated: &Seated,
    receipt: &v1::Receipt,
) {
    let mut late = Transcript::new(&*seated.id, v1::Observer { seat: Some(0) });
    events(client, seated, 0, receipt.seq).await.iter().for_each(|event| late.push(event).unwrap());
    assert_eq!(receipt.stream_hash, late.hash().as_bytes());
    let last = late.events().filter(|event| !event.stream_hash.is_empty()).map(|event| event.seq).max();
    late.push_receipt(receipt.clone()).unwrap();
    let report = check(&late, &[KEY.signing().verifying_key()]);
    assert!(report.is_consistent(), "{report}");
    assert_eq!(report.unproven(), [1..=last.expect("one has taken the place of others")]);
}

#[tokio::test]
async fn cursors_and_answers_outlive_the_entries_that_they_came_from() {
    let file = File::new();
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { position_json: WINDOW.into(), ..skirmish("kit") };
    let seated = Seated::of(&mut client, request).await;
    let first = seated.view(&mut client, 0).await;
    let mut moments = vec![(first.seq, first.view.unwrap())];
    seated.choose_cards(&mut client).await;
    let mut shown = Transcript::new(&*seated.id, v1::Observer { seat: Some(0) });
    let seq = seated.view(&mut client, 0).await.seq;
    events(&mut client, &seated, 0, seq).await.iter().for_each(|event| shown.push(event).unwrap());
    let mut answered = Vec::new();
    for number in 0..1_200_usize {
        let (id, taken) = (format!("d{number}"), 1 + number % DRAFT.len());
        let request = seated.apply(&id, notations(&DRAFT[..taken])).keeping(0);
        let update = client.apply_actions(by(&seated.tokens[0], request)).await.unwrap().into_inner().update;
        let update = update.unwrap();
        update.events.iter().for_each(|event| shown.push(event).unwrap());
        if number % 60 == 7 {
            moments.push((update.seq, update.view.unwrap()));
        }
        answered.push((id, 0, taken));
    }
    until_compacted(&*running.store, &seated.id).await;
    // The others' sequences have nothing of it.
    assert!(seated.view(&mut client, 1).await.seq < 20);
    let last = &answered[answered.len() - 256..];
    let seen = seated.view(&mut client, 0).await;
    let legal = seated.legal(&mut client, 0).await;
    assert_cursors_lead_here(&mut client, &seated, &moments).await;
    assert_answered_still(&mut client, &seated, last).await;
    assert_eq!(seated.view(&mut client, 0).await, seen, "repeated calls change nothing");
    // The receipt is for what was published, also where that is gone.
    let receipt = receipt(&mut client, &seated.id, &seated.tokens[0]).await;
    assert_eq!((receipt.seq, &receipt.stream_hash[..]), (shown.seq(), &shown.hash().as_bytes()[..]));
    assert!(shown.events().all(|event| event.stream_hash.is_empty()), "it was reckoned over all of it");
    assert_what_is_left_says_what_it_stands_for(&mut client, &seated, &receipt).await;

    running.close().await;
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    assert_eq!(seated.view(&mut client, 0).await, seen);
    assert_eq!(seated.legal(&mut client, 0).await, legal);
    assert_eq!(crate::receipts::receipt(&mut client, &seated.id, &seated.tokens[0]).await, receipt);
    assert_what_is_left_says_what_it_stands_for(&mut client, &seated, &receipt).await;
    assert_cursors_lead_here(&mut client, &seated, &moments).await;
    assert_answered_still(&mut client, &seated, last).await;
    // And it goes on from there.
    moments.push((seen.seq, seen.view.unwrap()));
    seated.take(&mut client, 0, "go", notations(&["go"])).await;
    assert_cursors_lead_here(&mut client, &seated, &moments).await;
    let stale = seated.apply("stale", notations(&DRAFT)).expecting(3);
    assert_eq!(reason(client.apply_actions(by(&seated.tokens[0], stale)).await), ErrorReason::StaleSequence);
}

#[tokio::test]
async fn a_clock_that_has_stopped_outlives_the_drafts_around_it() {
    let file = File::new();
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    let bank = Some(edgehill_proto::prost_types::Duration { seconds: 3_600, nanos: 0 });
    let clock = Some(v1::ClockConfig { bank, ..v1::ClockConfig::default() });
    let seated = Seated::of(&mut client, v1::CreateMatchRequest { clock, ..skirmish("kit") }).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    seated.take(&mut client, 0, "card", ids(&[card])).await;
    seated.take(&mut client, 0, "done", notations(&["done"])).await;
    let card = seated.legal(&mut client, 1).await.legal_actions.unwrap().ids[0];
    for number in 0..1_200 {
        let request = seated.apply(&format!("d{number}"), ids(&[card])).keeping(0);
        client.apply_actions(by(&seated.tokens[1], request)).await.unwrap();
    }
    until_compacted(&*running.store, &seated.id).await;
    let seen = [seated.view(&mut client, 0).await, seated.view(&mut client, 1).await];
    let clocks = seated.get(&mut client).await.state().clocks;
    assert!(clocks[0].question_time.is_none() && clocks[1].question_time.is_some());
    running.close().await;
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    // The time in which there was no server comes to the deadline.
    let again = seated.get(&mut client).await.state().clocks;
    let kept = |clocks: &[v1::SeatClock]| -> Vec<_> {
        clocks.iter().map(|clock| (clock.bank, clock.strikes, clock.question_time)).collect()
    };
    assert_eq!(kept(&again), kept(&clocks));
    for (seat, seen) in seen.into_iter().enumerate() {
        let again = seated.view(&mut client, seat).await;
        assert_eq!((again.seq, again.view), (seen.seq, seen.view));
    }
}

/// Makes a call until it gets through a store that fails.
async fn insist<T>(mut call: impl AsyncFnMut() -> Result<Response<T>, Status>) -> T {
    loop {
        match call().await {
            Ok(answer) => return answer.into_inner(),
            Err(status) => assert_eq!(reason::<()>(Err(status)), ErrorReason::StoreUnavailable),
        }
    }
}

/// The record of a match, but for the match's own id.
async fn record(client: &mut Client, id: &str) -> Vec<String> {
    let answer = client.export_record(v1::ExportRecordRequest { match_id: id.into() }).await;
    let record = exported(answer).await.unwrap();
    assert!(record.complete);
    let record = edgehill_engine::record::Record::parse(&record.text).unwrap();
    record.entries().iter().map(|entry| format!("{entry:?}")).collect()
}

/// The calls of a whole match, and its record.
async fn reference() -> (Vec<(usize, u32)>, Vec<String>) {
    let running = start(Arc::new(MemoryStore::new())).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let (mut player, mut calls) = (Player::new(&seated), Vec::new());
    while let Some((seat, request)) = player.next(&mut client).await {
        let batch = request.batch.clone().unwrap();
        let Some(v1::action_list::Encoding::Ids(ids)) = batch.actions.unwrap().encoding else { panic!() };
        calls.push((seat, ids.values[0]));
        client.apply_actions(by(&seated.tokens[seat], request)).await.unwrap();
    }
    (calls, record(&mut client, &seated.id).await)
}

/// Takes an action and takes it back, `turns` times, through a store that fails. `false`: it was final at once.
async fn take_and_undo(
    client: &mut Client,
    seated: &Seated,
    seat: usize,
    action: u32,
    name: &str,
    turns: usize,
) -> bool {
    let token = &seated.tokens[seat];
    for turn in 0..turns {
        let take = seated.apply(&format!("{name}-t{turn}"), ids(&[action]));
        let take = v1::ApplyActionsRequest { response_options: None, ..take };
        insist(async || client.clone().apply_actions(by(token, take.clone())).await).await;
        if turn == 0 && seated.view(client, seat).await.view.unwrap().draft.is_empty() {
            return false;
        }
        let undo = v1::UndoActionsRequest {
            match_id: seated.id.clone(),
            request_id: format!("{name}-u{turn}"),
            ..v1::UndoActionsRequest::default()
        };
        insist(async || client.clone().undo_actions(by(token, undo.clone())).await).await;
    }
    true
}

#[tokio::test]
async fn a_match_full_of_superseded_drafts_has_the_record_of_one_without_any() {
    let (calls, expected) = reference().await;
    let (file, flaky) = (File::new(), Flaky::new(11));
    let mut running = start(file.open_with(flaky.clone())).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    flaky.set(true);
    for (number, (seat, action)) in calls.into_iter().enumerate() {
        let noise = if number % 10 == 3 { 220 } else { 0 };
        let mut is_final = false;
        for half in ["first", "second"] {
            let name = format!("{half}-{number}");
            is_final |= !take_and_undo(&mut client, &seated, seat, action, &name, noise).await;
            if noise == 0 || is_final {
                break;
            }
            if half == "first" {
                // All that is on its way when the server stops, a compaction among it, is there or not.
                running.close().await;
                // A server does not start on a store that fails.
                flaky.set(false);
                running = start(file.open_with(flaky.clone())).run().await;
                flaky.set(true);
                client = running.client().await;
            }
        }
        if !is_final {
            let take = seated.apply(&format!("a{number}"), ids(&[action]));
            insist(async || client.clone().apply_actions(by(&seated.tokens[seat], take.clone())).await).await;
        }
    }
    assert!(flaky.failed.load(Ordering::SeqCst) > 0);
    let (entries, revision) = entries(&*running.store, &seated.id).await;
    eprintln!("{entries} entries are left of {revision}");
    assert!(entries < revision / 2, "{entries} entries are left of {revision}");
    assert_eq!(record(&mut client, &seated.id).await, expected);
}
