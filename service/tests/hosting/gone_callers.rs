//! Callers who go away while they wait: what is in memory is never ahead of the log, and never behind it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};

use edgehill_engine::action::ActionId;
use edgehill_service::host::{Content, Host, HostCapacity, SeatCall};
use edgehill_service::identity::SeatToken;
use edgehill_service::matches::{Ask, Call};
use edgehill_service::store::{BodyHash, MatchId, MemoryStore, RequestId, Store};

use crate::kit::{Seated, soon};
use crate::running::{File, Running, Start};
use crate::trouble::{Full, Gate};

/// A call of North's under this id.
fn call(id: &str, call: Call) -> SeatCall {
    let body = BodyHash::of(format!("{call:?}").as_bytes());
    SeatCall { call, ask: Ask { id: RequestId::new(id).unwrap(), body }, expected: None }
}

fn card(action: u16) -> Call {
    Call::actions(&[ActionId(action)])
}

/// Makes so many turns of a call and goes away. Whether it was done by then.
fn leave_after<T>(call: impl Future<Output = T>, turns: usize) -> bool {
    // Its turns count, not what they cost.
    let mut call = Box::pin(tokio::task::unconstrained(call));
    let mut context = Context::from_waker(Waker::noop());
    (0..turns).any(|_| matches!(call.as_mut().poll(&mut context), Poll::Ready(_)))
}

/// Returns the state of a match: the length of its log and of each sequence, and the draft of North.
async fn stands(host: &Host, id: MatchId) -> (u64, Vec<u64>, Vec<ActionId>) {
    let show = |content: &Content| {
        let live = content.live()?;
        let draft = live.table().map(|table| table.draft(edgehill_engine::seat::Seat::new(0)).to_vec());
        Ok((live.course().revision(), live.course().summary().lengths, draft.unwrap_or_default()))
    };
    soon(host.read(id, show)).await.unwrap()
}

async fn seated(running: &Running) -> (Seated, MatchId, SeatToken, u16) {
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let action = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0] as u16;
    let (id, token) = (seated.id.parse().unwrap(), seated.tokens[0].parse().unwrap());
    (seated, id, token, action)
}

#[tokio::test]
async fn whenever_a_caller_goes_memory_and_log_agree() {
    let store: Arc<dyn Store> = Arc::new(Full::new(Arc::new(MemoryStore::new())));
    let running = Start::on(store.clone()).run().await;
    let (_, id, token, action) = seated(&running).await;
    let host = &running.host;
    let mut carried = 0;
    for round in 0..200 {
        let asked = if round % 2 == 0 { card(action) } else { Call::Undo { keep: None } };
        let name = format!("r{round}");
        let made =
            host.execute(host.hold(token.match_id()), &token, call(&name, asked.clone()), |_, _| Ok(()));
        let left = leave_after(made, round % 9);
        assert_eq!(
            stands(host, id).await,
            stands(&Start::on(store.clone()).host().await, id).await,
            "round {round}"
        );
        // Repeated, it has happened once.
        let before = stands(host, id).await.0;
        soon(host.execute(host.hold(token.match_id()), &token, call(&name, asked), |_, _| Ok(())))
            .await
            .unwrap();
        let after = stands(host, id).await.0;
        assert!(after - before <= 1);
        carried += usize::from(left || after == before);
        assert_eq!(after, 2 + round as u64 + 1);
    }
    assert!(carried > 20, "hardly anybody got through before they went: {carried}");
}

#[tokio::test]
async fn a_log_is_not_read_again_before_what_is_in_line_is_durable() {
    let (file, gate) = (File::new(), Arc::new(Gate::default()));
    let store = Arc::new(Full::new(file.open_with(gate.clone())));
    let running = Start::on(store.clone()).run().await;
    let (_, id, token, action) = seated(&running).await;
    let host = running.host.clone();
    // The first call is in line, and its writer is held.
    gate.hold();
    let first = {
        let (host, token) = (host.clone(), token.clone());
        tokio::spawn(async move {
            host.execute(host.hold(token.match_id()), &token, call("first", card(action)), |_, _| Ok(()))
                .await
        })
    };
    soon(async {
        while !gate.has_writer() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    // The second finds no room, and goes away: what is in memory is dropped.
    store.set(true);
    let appends = store.appends.load(Ordering::SeqCst);
    assert!(!leave_after(
        host.execute(
            host.hold(token.match_id()),
            &token,
            call("second", Call::Undo { keep: None }),
            |_, _| Ok(())
        ),
        50
    ));
    assert_eq!(store.appends.load(Ordering::SeqCst), appends + 1, "it did not come as far as the store");
    store.set(false);
    // A caller who reads now waits for the first call: a log without it would be behind.
    let reads = store.reads.load(Ordering::SeqCst);
    let reading = tokio::spawn({
        let host = host.clone();
        async move { stands(&host, id).await }
    });
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
    let early = store.reads.load(Ordering::SeqCst) - reads;
    gate.open();
    assert_eq!(early, 0, "the log was read too early");
    let (revision, _, draft) = reading.await.unwrap();
    assert_eq!((revision, draft), (3, vec![ActionId(action)]));
    // The first caller hears that it is done, whoever went away behind them.
    first.await.unwrap().unwrap();
    soon(host.execute(host.hold(token.match_id()), &token, call("first", card(action)), |_, _| Ok(())))
        .await
        .unwrap();
    assert_eq!(stands(&host, id).await.0, 3);
}

#[tokio::test]
async fn who_waits_for_a_match_that_goes_elsewhere_hears_that_it_is_done() {
    let (file, gate) = (File::new(), Arc::new(Gate::default()));
    let running = Start::on(file.open_with(gate.clone())).run().await;
    let (_, _, token, action) = seated(&running).await;
    let host = &running.host;
    gate.hold();
    let made = host.execute(host.hold(token.match_id()), &token, call("first", card(action)), |_, _| Ok(()));
    // Their turn comes as late as can be: once it is in line, and when the match is elsewhere.
    let mut made = Box::pin(tokio::task::unconstrained(made));
    let mut context = Context::from_waker(Waker::noop());
    while !gate.has_writer() {
        assert!(made.as_mut().poll(&mut context).is_pending());
    }
    assert!(made.as_mut().poll(&mut context).is_pending());
    gate.open();
    soon(host.let_go(&host.shards())).await;
    soon(made).await.unwrap();
}

#[tokio::test]
async fn a_match_that_nobody_uses_goes_and_comes_again_as_it_was() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let capacity = HostCapacity { loaded_matches: 2, ..HostCapacity::default() };
    let running = Start { capacity, ..Start::on(store) }.run().await;
    let mut client = running.client().await;
    let mut tables = Vec::new();
    for number in 0..12 {
        tables.push(Seated::of(&mut client, crate::kit::skirmish(&format!("m{number}"))).await);
    }
    assert!(running.host.loaded_matches() <= 3, "{} are in memory", running.host.loaded_matches());
    for table in &tables {
        let card = table.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
        table.take(&mut client, 0, "card", crate::kit::ids(&[card])).await;
    }
    for table in &tables {
        assert_eq!(table.view(&mut client, 0).await.view.unwrap().draft.len(), 1);
    }
    assert!(running.host.loaded_matches() <= 3);
}
