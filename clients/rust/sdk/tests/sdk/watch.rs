use std::sync::{Arc, Mutex};

use edgehill_client::v1::watch_response::Item;
use edgehill_client::v1::{
    ErrorReason, Event, EventBatch, MatchState, MatchStatus, Refusal, Snapshot, WatchRequest, WatchResponse,
};
use edgehill_client::{Error, Heard};
use tokio::sync::mpsc::unbounded_channel;
use tokio_stream::StreamExt;
use tonic::{Code, Status};

use crate::cutter::Cutter;
use crate::fake::{Fake, client, refusal, serve};

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

fn state(status: MatchStatus) -> Item {
    Item::State(MatchState { status: status.into(), ..MatchState::default() })
}

/// Returns what the server has to say from a cursor on: batches of one and of two events, and states between them.
fn items(request: &WatchRequest) -> Vec<Item> {
    let mut items = vec![state(MatchStatus::Running)];
    let mut seq = match request.after_seq {
        Some(seq) => seq,
        None => {
            items.push(Item::Snapshot(Box::new(Snapshot { seq: NOW, view: Some(Default::default()) })));
            NOW
        }
    };
    while seq < LAST {
        let count = (1 + seq % 2).min(LAST - seq);
        let events = (seq + 1..=seq + count).map(|seq| Event { seq, ..Event::default() }).collect();
        items.push(Item::Events(EventBatch { events }));
        seq += count;
    }
    items.push(state(MatchStatus::Finished));
    items
}

/// A server whose streams break after `after` messages, each time a stream has said as many.
async fn breaking(how: Break, after: usize) -> (Fake, Arc<Mutex<Option<Cutter>>>) {
    let cutter: Arc<Mutex<Option<Cutter>>> = Arc::default();
    let cut = Arc::clone(&cutter);
    let watch = move |request: WatchRequest| {
        let (tell, told) = unbounded_channel();
        let items = items(&request);
        let breaks = items.len() > after;
        for item in items.into_iter().take(after) {
            let _ = tell.send(Ok(WatchResponse { item: Some(item) }));
        }
        if breaks {
            match how {
                Break::Status => drop(tell.send(Err(Status::unavailable("it breaks")))),
                Break::End => {}
                Break::Cut => {
                    let cut = cut.lock().unwrap().clone().expect("it is there");
                    // The messages sent may or may not get through; then there is silence.
                    tokio::spawn(async move {
                        tokio::task::yield_now().await;
                        cut.cut();
                        tell.closed().await;
                    });
                }
            }
        }
        told
    };
    (Fake { watch: Some(Box::new(watch)), ..Fake::default() }, cutter)
}

async fn published(how: Break, after: usize, from: Option<u64>) -> Vec<Heard> {
    let (fake, cutter) = breaking(how, after).await;
    let proxy = Cutter::before(serve(fake).await).await;
    *cutter.lock().unwrap() = Some(proxy.clone());
    let mut watch = client(proxy.address).matches().watch("m");
    if let Some(seq) = from {
        watch = watch.after(seq);
    }
    watch.into_stream().map(|published| published.expect("the stream is opened again")).collect().await
}

fn numbers(published: &[Heard]) -> Vec<u64> {
    let events = |published: &Heard| match published {
        Heard::Events(events) => events.iter().map(|event| event.seq).collect(),
        _ => Vec::new(),
    };
    published.iter().flat_map(events).collect()
}

/// Wherever a stream breaks, and whichever way, what is heard is the same.
#[tokio::test]
async fn a_stream_that_breaks_goes_on_without_a_gap_or_a_repetition() {
    for how in [Break::Status, Break::End] {
        // A stream says its state first, and a view or events only then: breaking before that, it would never come further.
        for after in 2..12 {
            for from in [None, Some(0), Some(7)] {
                let published = published(how, after, from).await;
                let first = from.unwrap_or(NOW) + 1;
                assert_eq!(
                    numbers(&published),
                    (first..=LAST).collect::<Vec<_>>(),
                    "{how:?} {after} {from:?}"
                );
                let views = published.iter().filter(|one| matches!(one, Heard::View(_))).count();
                assert_eq!(views, usize::from(from.is_none()), "one view, if one was asked for");
                let states = published.iter().filter(|one| matches!(one, Heard::State(_))).count();
                assert_eq!(states, 2, "each state once: {published:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_connection_that_is_cut_is_made_again() {
    for after in [3, 5, 8] {
        let published = published(Break::Cut, after, Some(0)).await;
        assert_eq!(numbers(&published), (1..=LAST).collect::<Vec<_>>(), "{after}");
    }
}

#[tokio::test]
async fn a_refused_stream_says_why() {
    let watch = |_| {
        let (tell, told) = unbounded_channel();
        let status = refusal(ErrorReason::CursorAhead, Code::OutOfRange, Refusal::default());
        let _ = tell.send(Err(status));
        told
    };
    let address = serve(Fake { watch: Some(Box::new(watch)), ..Fake::default() }).await;
    let error = client(address).matches().watch("m").after(99).next().await.expect_err("refused");
    assert_eq!(error.refused().expect("a refusal").reason(), ErrorReason::CursorAhead);
}

#[tokio::test]
async fn a_gap_is_an_error() {
    let watch = |_| {
        let (tell, told) = unbounded_channel();
        let events = [1, 3].map(|seq| Event { seq, ..Event::default() }).to_vec();
        let _ = tell.send(Ok(WatchResponse { item: Some(Item::Events(EventBatch { events })) }));
        told
    };
    let address = serve(Fake { watch: Some(Box::new(watch)), ..Fake::default() }).await;
    let error = client(address).matches().watch("m").after(0).next().await.expect_err("a gap");
    assert!(matches!(&error, Error::Protocol(why) if why.contains("event 3 after event 1")), "{error}");
}
