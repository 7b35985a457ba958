//! Matches whose seats are not taken in time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use edgehill_engine::record::{Record, verify};
use edgehill_proto::prost_types;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::clock::{Clock, ManualClock};
use edgehill_service::limits::Limits;
use edgehill_service::store::MemoryStore;

use crate::kit::{HasMatch, Seated, by, exported, ids, join, reason, skirmish, soon, timestamp};
use crate::running::{Client, File, Running, Start};
use crate::trouble::Full;

const WAITING_SECONDS: u64 = 50;

fn limits() -> Limits {
    Limits { waiting_seconds: WAITING_SECONDS, ..Limits::default() }
}

async fn get(client: &mut Client, id: &str) -> v1::MatchState {
    client.get_match(v1::GetMatchRequest { match_id: id.into() }).await.unwrap().into_inner().state()
}

/// Follows a match that ends without having begun to the end of its stream: its last state.
pub(crate) async fn end(client: &mut Client, id: &str) -> v1::MatchState {
    let watch = v1::WatchMatchRequest { match_id: id.into(), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    let mut last = None;
    while let Some(message) = soon(watch.message()).await.unwrap() {
        last = message.update.unwrap().state.or(last);
    }
    last.expect("a state")
}

#[tokio::test]
async fn a_match_that_waits_too_long_expires_and_others_do_not() {
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let running = Start { clock: clock.clone(), limits: limits(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let created = client.create_match(skirmish("w")).await.unwrap().into_inner();
    let id = created.id();
    let token = client.join_match(join(&id, "j", 0)).await.unwrap().into_inner().seat_token;
    let runs = Seated::of(&mut client, skirmish("r")).await;
    let entropy_mode = v1::EntropyMode::CommitReveal.into();
    let reveals = v1::CreateMatchRequest { seed: None, entropy_mode, ..skirmish("e") };
    let reveals = client.create_match(reveals).await.unwrap().into_inner().id();
    for seat in 0..2 {
        let entropy = edgehill_engine::dice::Entropy::from_bytes([7; 32]);
        let entropy_commitment = entropy.commit(&reveals, seat).unwrap().as_bytes().to_vec();
        let bound = v1::JoinMatchRequest { entropy_commitment, ..join(&reveals, &format!("j{seat}"), seat) };
        client.join_match(bound).await.unwrap();
    }
    let expires = Some(timestamp(clock.unix_ms() + WAITING_SECONDS * 1_000));
    assert_eq!(created.state().expire_time, expires);
    assert_eq!(get(&mut client, &id).await.expire_time, expires);
    for (id, status) in [(&runs.id, MatchStatus::Running), (&reveals, MatchStatus::Revealing)] {
        let state = get(&mut client, id).await;
        assert_eq!((state.status(), state.expire_time), (status, None));
    }

    clock.advance(Duration::from_secs(WAITING_SECONDS - 1));
    assert_eq!(get(&mut client, &id).await.status(), MatchStatus::Waiting);
    // Made later, it waits for later.
    let later = client.create_match(skirmish("later")).await.unwrap().into_inner().id();
    clock.advance(Duration::from_secs(1));
    let state = end(&mut client, &id).await;
    assert_eq!((state.status(), state.result.as_ref()), (MatchStatus::Expired, None));
    assert_eq!((state.end_time, state.expire_time), (expires, None));
    assert_eq!(state.reveal, None);
    assert_eq!(get(&mut client, &id).await, state);

    let expected = ErrorReason::MatchExpired;
    assert_eq!(reason(client.join_match(join(&id, "late", 1)).await), expected);
    let seated = Seated { id: id.clone(), tokens: vec![token.clone()] };
    assert_eq!(reason(client.apply_actions(by(&token, seated.apply("x", ids(&[0])))).await), expected);
    let leave = v1::LeaveMatchRequest { match_id: id.clone(), request_id: "l".into() };
    assert_eq!(reason(client.leave_match(by(&token, leave)).await), expected);
    let creator_token = created.creator_token;
    let abort = v1::AbortMatchRequest { match_id: id.clone(), request_id: "a".into(), creator_token };
    assert_eq!(reason(client.abort_match(abort).await), expected);
    let view = v1::GetViewRequest { match_id: id.clone(), ..v1::GetViewRequest::default() };
    assert_eq!(reason(client.get_view(view).await), expected);

    clock.advance(Duration::from_secs(2 * WAITING_SECONDS));
    assert_eq!(end(&mut client, &later).await.status(), MatchStatus::Expired);
    assert_eq!(get(&mut client, &runs.id).await.status(), MatchStatus::Running);
    assert_eq!(get(&mut client, &reveals).await.status(), MatchStatus::Revealing);
    let statuses = vec![MatchStatus::Expired.into()];
    let list = v1::ListMatchesRequest { statuses, ..v1::ListMatchesRequest::default() };
    let listed = client.list_matches(list).await.unwrap().into_inner().matches;
    assert_eq!(listed.iter().map(HasMatch::id).collect::<Vec<_>>(), [later, id]);
}

#[tokio::test]
async fn a_match_waits_as_long_as_there_was_a_server_to_join_it_on() {
    let file = File::new();
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let start = || Start { clock: clock.clone(), limits: limits(), ..Start::on(file.open()) };
    let running = start().run().await;
    let mut client = running.client().await;
    let id = client.create_match(skirmish("w")).await.unwrap().into_inner().id();
    clock.advance(Duration::from_secs(WAITING_SECONDS - 10));
    let expires = get(&mut client, &id).await.expire_time;
    running.close().await;
    clock.advance(Duration::from_secs(1_000));
    let running = start().run().await;
    let mut client = running.client().await;
    let state = get(&mut client, &id).await;
    assert_eq!(state.status(), MatchStatus::Waiting);
    assert_eq!(state.expire_time.unwrap().seconds, expires.unwrap().seconds + 1_000);
    clock.advance(Duration::from_secs(1));
    let fresh = client.create_match(skirmish("f")).await.unwrap().into_inner().id();
    // As long as a match waits, so often it is looked at.
    clock.advance(Duration::from_secs(WAITING_SECONDS - 1));
    let state = end(&mut client, &id).await;
    assert_eq!(state.status(), MatchStatus::Expired);
    assert_eq!(state.end_time, Some(timestamp(clock.unix_ms())));
    assert_eq!(get(&mut client, &fresh).await.status(), MatchStatus::Waiting);
    // Expired, it makes room, and is so for ever.
    running.close().await;
    let running = start().run().await;
    assert_eq!(get(&mut running.client().await, &id).await, state);
}

const IDLE_SECONDS: u64 = 500;

#[tokio::test]
async fn a_match_in_which_nothing_happens_ends_and_does_not_count() {
    let file = File::new();
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let limits = Limits { idle_seconds: IDLE_SECONDS, open_matches: 2, ..Limits::default() };
    let start = || Start { clock: clock.clone(), limits, ..Start::on(file.open()) };
    let running = start().run().await;
    let mut client = running.client().await;
    let left = Seated::of(&mut client, skirmish("left")).await;
    let played = Seated::of(&mut client, skirmish("played")).await;
    assert_eq!(reason(client.create_match(skirmish("third")).await), ErrorReason::LimitReached);
    clock.advance(Duration::from_secs(IDLE_SECONDS - 100));
    let offer = v1::OfferDrawRequest { match_id: played.id.clone(), request_id: "o".into() };
    client.offer_draw(by(&played.tokens[0], offer)).await.unwrap();
    running.close().await;
    // While there is no server, nobody can play.
    clock.advance(Duration::from_secs(10_000));
    let running = start().run().await;
    let mut client = running.client().await;
    assert_eq!(get(&mut client, &left.id).await.status(), MatchStatus::Running);
    clock.advance(Duration::from_secs(99));
    assert_eq!(get(&mut client, &left.id).await.status(), MatchStatus::Running);
    let decline = v1::DeclineDrawRequest { match_id: played.id.clone(), request_id: "d".into() };
    client.decline_draw(by(&played.tokens[1], decline)).await.unwrap();
    // As long as a match may be idle, so often it is looked at.
    clock.advance(Duration::from_secs(IDLE_SECONDS - 99));
    let state = end(&mut client, &left.id).await;
    let result = state.result.expect("a result");
    assert_eq!((result.termination(), &*result.code), (v1::Termination::Void, "idle"));
    assert_eq!(result.returns, [0, 0]);
    assert_eq!(get(&mut client, &played.id).await.status(), MatchStatus::Running);
    assert_eq!(
        reason(client.apply_actions(by(&left.tokens[0], left.apply("x", ids(&[0])))).await),
        ErrorReason::MatchFinished
    );
    // It makes room, has a record, and is over for ever.
    client.create_match(skirmish("third")).await.unwrap();
    running.close().await;
    let running = start().run().await;
    let mut client = running.client().await;
    assert_eq!(get(&mut client, &left.id).await.result.expect("a result").code, "idle");
    let export = v1::ExportRecordRequest { match_id: left.id.clone() };
    let record = exported(client.export_record(export).await).await.unwrap();
    let game = running.host.registry().game("skirmish").unwrap();
    let report = verify(&**game, &Record::parse(&record.text).unwrap(), &[]);
    assert!(record.complete && report.is_consistent(), "{report}");
    running.close().await;
}

/// A server at whose store a test can hold what a look for matches has to write, with the clock that it goes by.
async fn held(limits: Limits) -> (Running, Arc<Full>, Arc<ManualClock>) {
    let store = Arc::new(Full::new(Arc::new(MemoryStore::new())));
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let running = Start { clock: clock.clone(), limits, ..Start::on(store.clone()) }.run().await;
    (running, store, clock)
}

/// Moves the clock on by `until` to the time of a look, which takes `takes` since its appends are held so long.
async fn look_slowly(store: &Full, clock: &ManualClock, until: Duration, takes: Duration) {
    let appends = store.appends.load(Ordering::SeqCst);
    store.set(true);
    clock.advance(until);
    soon(async {
        while store.appends.load(Ordering::SeqCst) == appends {
            tokio::task::yield_now().await;
        }
    })
    .await;
    clock.advance(takes);
    store.set(false);
}

#[tokio::test]
async fn a_slow_look_for_matches_that_wait_does_not_put_the_next_one_off() {
    let (running, store, clock) = held(limits()).await;
    let mut client = running.client().await;
    let first = client.create_match(skirmish("first")).await.unwrap().into_inner().id();
    clock.advance(Duration::from_secs(40));
    let second = client.create_match(skirmish("second")).await.unwrap().into_inner().id();
    look_slowly(&store, &clock, Duration::from_secs(10), Duration::from_secs(30)).await;
    assert_eq!(end(&mut client, &first).await.status(), MatchStatus::Expired);
    // The look began at 50 seconds, and the next one does at 100.
    clock.advance(Duration::from_secs(20));
    assert_eq!(end(&mut client, &second).await.status(), MatchStatus::Expired);
}

#[tokio::test]
async fn a_slow_look_for_idle_matches_does_not_put_the_next_one_off() {
    let (running, store, clock) = held(Limits { idle_seconds: IDLE_SECONDS, ..Limits::default() }).await;
    let mut client = running.client().await;
    let first = Seated::of(&mut client, skirmish("first")).await;
    clock.advance(Duration::from_secs(IDLE_SECONDS - 100));
    let second = Seated::of(&mut client, skirmish("second")).await;
    look_slowly(&store, &clock, Duration::from_secs(100), Duration::from_secs(300)).await;
    assert_eq!(end(&mut client, &first.id).await.result.expect("a result").code, "idle");
    clock.advance(Duration::from_secs(IDLE_SECONDS - 300));
    assert_eq!(end(&mut client, &second.id).await.result.expect("a result").code, "idle");
}

#[tokio::test]
async fn a_match_whose_clock_runs_is_not_idle() {
    let file = File::new();
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let limits = Limits { idle_seconds: IDLE_SECONDS, ..Limits::default() };
    let start = || Start { clock: clock.clone(), limits, ..Start::on(file.open()) };
    let running = start().run().await;
    let mut client = running.client().await;
    let days = v1::ClockConfig {
        decision_limit: Some(prost_types::Duration { seconds: 3 * IDLE_SECONDS as i64, nanos: 0 }),
        at_end: v1::TimeoutRule::Forfeit.into(),
        ..v1::ClockConfig::default()
    };
    let request = v1::CreateMatchRequest { clock: Some(days), ..skirmish("days") };
    let timed = Seated::of(&mut client, request).await;
    let left = Seated::of(&mut client, skirmish("left")).await;
    running.close().await;
    let running = start().run().await;
    let mut client = running.client().await;
    clock.advance(Duration::from_secs(IDLE_SECONDS));
    assert_eq!(end(&mut client, &left.id).await.result.expect("a result").code, "idle");
    // Had a look ended it, it would not count.
    clock.advance(Duration::from_secs(2 * IDLE_SECONDS));
    let result = end(&mut client, &timed.id).await.result.expect("a result");
    assert_eq!(result.termination(), v1::Termination::Time);
}
