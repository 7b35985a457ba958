//! The ends of `PlaySeats` streams, and clients that read slowly.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::clock::{Clock, SystemClock};
use edgehill_service::limits::Limits;
use tonic::Code;

use crate::kit::{HasMatch, Seated, ids, notations, reason, skirmish, soon};
use crate::player::Player;
use crate::running::Start;
use crate::stage::{Stage, apply, open, open_at};

#[tokio::test]
async fn after_a_half_close_what_was_asked_for_is_still_answered() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    stage.open(0, open_at(&seated.tokens[0], 4));
    for (id, actions) in [("a", ids(&[card])), ("b", notations(&["done"])), ("c", notations(&["done"]))] {
        stage.say(0, id, apply(actions));
    }
    stage.half_close();
    let mut answers = Vec::new();
    while let Some(response) = stage.next().await.unwrap() {
        match response.message.unwrap() {
            Message::Update(update) if update.apply_result.is_some() => {
                answers.push((response.request_id, true))
            }
            Message::Refusal(_) => answers.push((response.request_id, false)),
            _ => {}
        }
    }
    let expected = [("a", true), ("b", true), ("c", false)].map(|(id, good)| (id.to_owned(), good));
    assert_eq!(answers, expected);
}

#[tokio::test]
async fn a_server_that_stops_closes_each_seat_and_then_the_stream() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    for channel in 0..2 {
        stage.open(channel, open(&seated.tokens[channel as usize]));
        stage.opened(channel).await;
        stage.update(channel, "").await;
    }
    running.draining.cancel();
    let mut closed = Vec::new();
    let status = loop {
        match stage.next().await {
            Ok(Some(v1::PlaySeatsResponse { channel, message: Some(Message::Closed(why)), .. })) => {
                assert_eq!(why.refusal.unwrap().reason(), ErrorReason::Draining);
                closed.push(channel);
            }
            Ok(other) => panic!("{other:?}"),
            Err(status) => break status,
        }
    };
    closed.sort_unstable();
    assert_eq!((closed, status.code()), (vec![0, 1], Code::Unavailable));
    assert_eq!(reason::<()>(Err(status)), ErrorReason::Draining);
    let late = client.play_seats(tokio_stream::pending()).await;
    assert_eq!(reason(late.map(|_| ())), ErrorReason::Draining);
}

#[tokio::test]
async fn a_message_that_is_too_large_ends_the_stream_with_its_status() {
    let limits = Limits { request_bytes: 16 * 1024, position_bytes: 1_024, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    stage.open(0, open_at(&seated.tokens[0], 4));
    stage.opened(0).await;
    stage.update(0, "").await;
    stage.say(0, "good", apply(ids(&[card])));
    stage.say(0, "large", apply(notations(&[&"x".repeat(20_000)])));
    assert!(stage.update(0, "good").await.apply_result.is_some());
    let status = stage.next().await.unwrap_err();
    assert!(matches!(status.code(), Code::ResourceExhausted | Code::OutOfRange), "{status:?}");
    // Nothing of what was accepted is lost.
    assert_eq!(seated.view(&mut client, 0).await.view.unwrap().draft, [card]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_gets_fewer_updates_and_keeps_nobody_waiting() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut slow = Stage::new(&mut client).await;
    // Opened, and then not read while the match is played to its end.
    slow.open(0, open_at(&seated.tokens[0], 0));
    slow.opened(0).await;
    let mut other = running.client().await;
    let mut player = Player::new(&seated);
    soon(player.play(&mut other, 10_000)).await;
    let length = seated.view(&mut other, 0).await.seq;
    let (mut seq, mut updates) = (0, 0);
    loop {
        match slow.next_message().await {
            (0, _, Message::Update(update)) => {
                updates += 1;
                for event in update.events {
                    seq += 1;
                    assert_eq!(event.seq, seq);
                }
            }
            (0, _, Message::Closed(closed)) => {
                assert_eq!(closed.refusal, None);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seq, length);
    assert!(updates <= player.actions + 2, "{updates} updates for {} actions", player.actions);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_seats_of_many_matches_play_over_one_stream() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let mut tables = Vec::new();
    for number in 0..8 {
        tables.push(Seated::of(&mut client, skirmish(&format!("t{number}"))).await);
    }
    let mut stage = Stage::new(&mut client).await;
    for (number, table) in tables.iter().enumerate() {
        for seat in 0..2 {
            stage.open((number * 2 + seat) as u32, open_at(&table.tokens[seat], 0));
        }
    }
    let mut seqs = [0; 16];
    // True if a prompt is outstanding, by channel.
    let mut prompted = [false; 16];
    let (mut closed, mut calls) = (0, 0);
    while closed < 16 {
        let (channel, id, message) = stage.next_message().await;
        let at = channel as usize;
        match message {
            Message::Opened(opened) => assert_eq!(opened.seat as usize, at % 2),
            Message::Update(update) => {
                for event in &update.events {
                    seqs[at] += 1;
                    assert_eq!(event.seq, seqs[at], "channel {channel}");
                }
                assert_eq!(update.seq, seqs[at]);
                if update.apply_result.is_some() {
                    assert!(id.ends_with(&format!("-{channel}")), "{id} is another channel's");
                    prompted[at] = false;
                }
                let Some(legal_actions) = update.legal_actions else { continue };
                assert!(!prompted[at], "channel {channel} was prompted twice");
                prompted[at] = true;
                let legal = v1::ListLegalActionsResponse {
                    seq: update.seq,
                    to_act: true,
                    legal_actions: Some(legal_actions),
                    ..v1::ListLegalActionsResponse::default()
                };
                let actions = ids(&[Player::choice(&legal, at % 2)]);
                calls += 1;
                stage.say(channel, &format!("c-{calls}-{channel}"), apply(actions));
            }
            Message::Closed(why) => {
                assert_eq!(why.refusal, None);
                closed += 1;
            }
            Message::Refusal(refusal) => panic!("{refusal:?}"),
        }
    }
    for table in &tables {
        let state = table.get(&mut client).await.state();
        assert_eq!(state.status(), v1::MatchStatus::Finished);
    }
}

/// A clock that fails once it is told to.
#[derive(Debug)]
struct Broken(SystemClock, AtomicU8);

#[async_trait]
impl Clock for Broken {
    fn unix_ms(&self) -> u64 {
        self.0.unix_ms()
    }

    fn elapsed(&self) -> Duration {
        let left = self.1.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        assert_ne!(left, Ok(1), "a fault");
        self.0.elapsed()
    }

    async fn reach(&self, at: Duration) {
        self.0.reach(at).await;
    }
}

#[tokio::test]
async fn a_fault_of_the_server_closes_its_channel_and_no_other() {
    let clock = Arc::new(Broken(SystemClock::new(), AtomicU8::new(0)));
    let running = Start { clock: clock.clone(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    for seat in 0..2 {
        stage.open(seat, open(&seated.tokens[seat as usize]));
        stage.opened(seat).await;
        stage.update(seat, "").await;
    }
    let before = seated.sight(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    // The second time is asked for under the match's lock.
    clock.1.store(2, Ordering::SeqCst);
    stage.say(0, "a", apply(ids(&[card])));
    assert_eq!(stage.closed(0).await, Some(ErrorReason::InternalFault));
    clock.1.store(0, Ordering::SeqCst);
    assert_eq!(seated.sight(&mut client).await, before);
    stage.say(1, "b", Call::OfferDraw(v1::play_seats_request::OfferDraw {}));
    assert_eq!(stage.update(1, "b").await.state.unwrap().draw_offers, [1]);
    stage.open(0, open(&seated.tokens[0]));
    stage.opened(0).await;
    stage.update(0, "").await;
    stage.say(0, "a", apply(ids(&[card])));
    assert!(stage.update(0, "a").await.apply_result.is_some());
}
