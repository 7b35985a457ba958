use std::sync::{Arc, Mutex};

use edgehill_client::v1::{
    ErrorReason, Event, LegalActions, LegalDetail, MatchState, MatchStatus, Refusal, SeatUpdate, View,
    WatchMatchRequest, WatchMatchResponse,
};
use edgehill_client::{Error, ViewTracker};
use tokio_stream::StreamExt;
use tonic::{Code, Status};

use crate::cutter::Cutter;
use crate::fake::{Fake, answers, client, refusal, serve};

/// Number of events of the match.
const LAST: u64 = 12;
/// The number of the present view.
const NOW: u64 = 4;

/// The way in which a stream breaks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Break {
    Status,
    End,
    Cut,
}

fn state(status: MatchStatus) -> SeatUpdate {
    let state = MatchState { status: status.into(), ..MatchState::default() };
    SeatUpdate { status: status.into(), state: Some(state), ..SeatUpdate::default() }
}

fn running(seq: u64) -> SeatUpdate {
    SeatUpdate { seq, status: MatchStatus::Running.into(), ..SeatUpdate::default() }
}

/// Returns the server's updates from a cursor on: one event and two in turn, with legal actions where they were asked for.
fn updates(request: &WatchMatchRequest) -> Vec<SeatUpdate> {
    let mut updates = vec![state(MatchStatus::Running)];
    let mut seq = match request.after_seq {
        Some(seq) => seq,
        None => {
            updates.push(SeatUpdate { view: Some(View::default()), ..running(NOW) });
            NOW
        }
    };
    while seq < LAST {
        let count = (1 + seq % 2).min(LAST - seq);
        let events = (seq + 1..=seq + count).map(|seq| Event { seq, ..Event::default() }).collect();
        seq += count;
        let ids = vec![seq as u32];
        let legal =
            (request.legal() == LegalDetail::Ids).then(|| LegalActions { ids, ..LegalActions::default() });
        updates.push(SeatUpdate { to_act: legal.is_some(), events, legal_actions: legal, ..running(seq) });
    }
    updates.push(state(MatchStatus::Finished));
    updates
}

/// A server whose streams break after `after` messages, each time a stream has said as many.
async fn breaking(how: Break, after: usize) -> (Fake, Arc<Mutex<Option<Cutter>>>) {
    let cutter: Arc<Mutex<Option<Cutter>>> = Arc::default();
    let cut = Arc::clone(&cutter);
    let watch = move |request: WatchMatchRequest| {
        let (sender, receiver) = answers();
        let updates = updates(&request);
        let breaks = updates.len() > after;
        for update in updates.into_iter().take(after) {
            let _ = sender.send(Ok(WatchMatchResponse { update: Some(update) }));
        }
        if breaks {
            match how {
                Break::Status => drop(sender.send(Err(Status::unavailable("it breaks")))),
                Break::End => {}
                Break::Cut => {
                    let cut = cut.lock().unwrap().clone().expect("it is there");
                    // The messages sent may or may not get through; then there is silence.
                    tokio::spawn(async move {
                        tokio::task::yield_now().await;
                        cut.cut();
                        sender.closed().await;
                    });
                }
            }
        }
        receiver
    };
    (Fake { watch_match: Some(Box::new(watch)), ..Fake::default() }, cutter)
}

async fn watched(how: Break, after: usize, from: Option<u64>) -> Vec<SeatUpdate> {
    let (fake, cutter) = breaking(how, after).await;
    let proxy = Cutter::before(serve(fake).await).await;
    *cutter.lock().unwrap() = Some(proxy.clone());
    let mut watch = client(proxy.address).matches().watch("m").legal(LegalDetail::Ids);
    if let Some(seq) = from {
        watch = watch.after(seq);
    }
    watch.into_stream().map(|update| update.expect("the stream is opened again")).collect().await
}

fn numbers(updates: &[SeatUpdate]) -> Vec<u64> {
    updates.iter().flat_map(|update| update.events.iter().map(|event| event.seq)).collect()
}

/// Wherever a stream breaks, and whichever way, the updates are the same, and can be folded.
#[tokio::test]
async fn a_stream_that_breaks_goes_on_without_a_gap_or_a_repetition() {
    for how in [Break::Status, Break::End] {
        // A stream says its state first, and a view or events only then: breaking before that, it would never come further.
        for after in 2..12 {
            for from in [None, Some(0), Some(7)] {
                let updates = watched(how, after, from).await;
                let first = from.unwrap_or(NOW) + 1;
                assert_eq!(numbers(&updates), (first..=LAST).collect::<Vec<_>>(), "{how:?} {after} {from:?}");
                let views = updates.iter().filter(|one| one.view.is_some()).count();
                assert_eq!(views, usize::from(from.is_none()), "one view, if one was asked for");
                let states = updates.iter().filter(|one| one.state.is_some()).count();
                assert_eq!(states, 2, "each state once: {updates:?}");
                let prompts = updates.iter().filter(|one| one.legal_actions.is_some()).count();
                assert_eq!(prompts, updates.iter().filter(|one| one.to_act).count());
                let mut tracker = match from {
                    Some(seq) => ViewTracker::at(seq, View::default()),
                    None => ViewTracker::new(),
                };
                updates.iter().for_each(|update| tracker.fold(update).expect("they can be folded"));
                let status = tracker.state().expect("a state").status();
                assert_eq!((tracker.seq(), status), (LAST, MatchStatus::Finished));
            }
        }
    }
}

#[tokio::test]
async fn a_connection_that_is_cut_is_made_again() {
    for after in [3, 5, 8] {
        let updates = watched(Break::Cut, after, Some(0)).await;
        assert_eq!(numbers(&updates), (1..=LAST).collect::<Vec<_>>(), "{after}");
    }
}

#[tokio::test]
async fn a_refused_stream_says_why() {
    let watch = |_| {
        let (sender, receiver) = answers();
        let status = refusal(ErrorReason::CursorAhead, Code::OutOfRange, Refusal::default());
        let _ = sender.send(Err(status));
        receiver
    };
    let address = serve(Fake { watch_match: Some(Box::new(watch)), ..Fake::default() }).await;
    let error = client(address).matches().watch("m").after(99).next().await.expect_err("refused");
    assert_eq!(error.refusal().expect("a refusal").reason(), ErrorReason::CursorAhead);
}

#[tokio::test]
async fn a_gap_is_an_error() {
    let watch = |_| {
        let (sender, receiver) = answers();
        let events = [1, 3].map(|seq| Event { seq, ..Event::default() }).to_vec();
        let _ = sender.send(Ok(WatchMatchResponse { update: Some(SeatUpdate { events, ..running(3) }) }));
        receiver
    };
    let address = serve(Fake { watch_match: Some(Box::new(watch)), ..Fake::default() }).await;
    let error = client(address).matches().watch("m").after(0).next().await.expect_err("a gap");
    assert!(matches!(&error, Error::Protocol(why) if why.contains("event 3 after event 1")), "{error}");
}

/// A match that was taken back or not filled in time is at its end, too.
#[tokio::test]
async fn a_stream_ends_with_every_end_of_a_match() {
    for status in [MatchStatus::Aborted, MatchStatus::Expired] {
        let watch = move |_| {
            let (sender, receiver) = answers();
            let _ = sender.send(Ok(WatchMatchResponse { update: Some(state(status)) }));
            receiver
        };
        let address = serve(Fake { watch_match: Some(Box::new(watch)), ..Fake::default() }).await;
        let mut watch = client(address).matches().watch("m");
        assert_eq!(watch.next().await.expect("a state").expect("it is new").status(), status);
        assert_eq!(watch.next().await.expect("an end"), None);
    }
}
