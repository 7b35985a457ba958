//! Draws and resignations.

use edgehill_proto::v1::play_seats_request::{self, Call};
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};

use crate::kit::{HasMatch, Seated, by, ids, notations, reason, resign, skirmish};
use crate::running::{Client, Start};
use crate::stage::{Stage, open_at};

fn offer(seated: &Seated, id: &str) -> v1::OfferDrawRequest {
    v1::OfferDrawRequest { match_id: seated.id.clone(), request_id: id.into() }
}

fn accept(seated: &Seated, id: &str) -> v1::AcceptDrawRequest {
    v1::AcceptDrawRequest {
        match_id: seated.id.clone(),
        request_id: id.into(),
        response_options: crate::kit::everything(),
    }
}

fn decline(seated: &Seated, id: &str) -> v1::DeclineDrawRequest {
    v1::DeclineDrawRequest { match_id: seated.id.clone(), request_id: id.into() }
}

/// Codes of the events published to a seat, or to spectators, after number `after`.
async fn codes(client: &mut Client, seated: &Seated, seat: Option<usize>, after: u64) -> Vec<String> {
    let watch = crate::kit::watch(&seated.id, Some(after));
    let (watch, length) = match seat {
        Some(seat) => (by(&seated.tokens[seat], watch), seated.view(client, seat).await.seq),
        None => (tonic::Request::new(watch), seated.get(client).await.seq()),
    };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    let mut codes = Vec::new();
    while (codes.len() as u64) < length - after {
        let update = crate::kit::soon(watch.message()).await.unwrap().unwrap().update.unwrap();
        codes.extend(update.events.into_iter().map(|event| event.code));
    }
    codes
}

#[tokio::test]
async fn a_draw_that_is_declined_is_offered_no_more() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let [north, south] = [&seated.tokens[0], &seated.tokens[1]];
    assert_eq!(reason(client.decline_draw(by(south, decline(&seated, "d"))).await), ErrorReason::NoOffer);
    client.offer_draw(by(north, offer(&seated, "o"))).await.unwrap();
    // One's own offer is not for oneself to decline, and stays.
    assert_eq!(reason(client.decline_draw(by(north, decline(&seated, "d"))).await), ErrorReason::NoOffer);
    assert_eq!(seated.get(&mut client).await.state().draw_offers, [0]);
    let declined = client.decline_draw(by(south, decline(&seated, "d"))).await.unwrap().into_inner();
    assert_eq!(declined.state().draw_offers, [] as [u32; 0]);
    assert_eq!(declined.seq(), seated.view(&mut client, 1).await.seq);
    assert_eq!(seated.get(&mut client).await.state().draw_offers, [] as [u32; 0]);
    let again = client.decline_draw(by(south, decline(&seated, "d"))).await.unwrap().into_inner();
    assert_eq!(again, declined);
    for observer in [Some(0), Some(1), None] {
        let codes = codes(&mut client, &seated, observer, 4).await;
        assert_eq!(codes, ["draw_offered", "draw_declined"], "{observer:?}");
    }
    assert_eq!(reason(client.accept_draw(by(south, accept(&seated, "a"))).await), ErrorReason::NoOffer);
    assert_eq!(reason(client.decline_draw(by(south, decline(&seated, "e"))).await), ErrorReason::NoOffer);
    // It can be offered again.
    client.offer_draw(by(north, offer(&seated, "o2"))).await.unwrap();
    let reused = client.decline_draw(by(north, decline(&seated, "o2"))).await;
    assert_eq!(reason(reused), ErrorReason::RequestIdReused);
    let ended = client.accept_draw(by(south, accept(&seated, "a"))).await.unwrap().into_inner();
    assert_eq!(ended.update.unwrap().status(), MatchStatus::Finished);
    let late = client.decline_draw(by(south, decline(&seated, "late"))).await;
    assert_eq!(reason(late), ErrorReason::MatchFinished);
}

#[tokio::test]
async fn ones_own_offer_outlives_the_others_that_one_declines() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    for (seat, token) in seated.tokens.iter().enumerate() {
        client.offer_draw(by(token, offer(&seated, &format!("o{seat}")))).await.unwrap();
    }
    assert_eq!(seated.get(&mut client).await.state().draw_offers, [0, 1]);
    let declined = client.decline_draw(by(&seated.tokens[1], decline(&seated, "d"))).await.unwrap();
    assert_eq!(declined.into_inner().state().draw_offers, [1]);
    let ended = client.accept_draw(by(&seated.tokens[0], accept(&seated, "a"))).await.unwrap().into_inner();
    assert_eq!(ended.update.unwrap().status(), MatchStatus::Finished);
}

#[tokio::test]
async fn a_draw_is_declined_over_a_stream_too() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    for seat in 0..2 {
        stage.open(seat, open_at(&seated.tokens[seat as usize], 4));
        stage.opened(seat).await;
        stage.update(seat, "").await;
    }
    let declines = || Call::DeclineDraw(play_seats_request::DeclineDraw {});
    stage.say(1, "early", declines());
    assert_eq!(stage.refusal(1, "early").await, ErrorReason::NoOffer);
    stage.say(0, "o", Call::OfferDraw(play_seats_request::OfferDraw {}));
    for (channel, answered) in [stage.next_update().await, stage.next_update().await] {
        assert_eq!(answered.state.unwrap().draw_offers, [0], "channel {channel}");
    }
    stage.say(1, "d", declines());
    let mut codes = Vec::new();
    for (channel, update) in [stage.next_update().await, stage.next_update().await] {
        assert_eq!(update.state.unwrap().draw_offers, [] as [u32; 0], "channel {channel}");
        assert_eq!(update.apply_result, None);
        codes.extend(update.events.last().map(|event| event.code.clone()));
    }
    assert_eq!(codes, ["draw_declined"; 2]);
}

#[tokio::test]
async fn a_draw_takes_both() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let [north, south] = [&seated.tokens[0], &seated.tokens[1]];
    assert_eq!(reason(client.accept_draw(by(north, accept(&seated, "a"))).await), ErrorReason::NoOffer);
    let offered = client.offer_draw(by(north, offer(&seated, "o"))).await.unwrap().into_inner();
    assert_eq!(offered.state().draw_offers, [0]);
    assert_eq!(seated.get(&mut client).await.state().draw_offers, [0]);
    // One's own offer is not the other's.
    assert_eq!(reason(client.accept_draw(by(north, accept(&seated, "a"))).await), ErrorReason::NoOffer);
    // It stands until the next action of its seat is final.
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let drafted = seated.take(&mut client, 0, "card", ids(&[card])).await;
    assert_eq!(seated.get(&mut client).await.state().draw_offers, [0]);
    assert!(drafted.update.unwrap().to_act);
    seated.take(&mut client, 0, "done", notations(&["done"])).await;
    assert!(seated.get(&mut client).await.state().draw_offers.is_empty());
    assert_eq!(reason(client.accept_draw(by(south, accept(&seated, "a"))).await), ErrorReason::NoOffer);
    client.offer_draw(by(north, offer(&seated, "again"))).await.unwrap();
    let ended = client.accept_draw(by(south, accept(&seated, "a"))).await.unwrap().into_inner();
    assert_eq!(ended.update.as_ref().unwrap().status(), MatchStatus::Finished);
    let again = client.accept_draw(by(south, accept(&seated, "a"))).await.unwrap().into_inner();
    assert_eq!(again, ended);
    let state = seated.get(&mut client).await.state();
    let result = state.result.unwrap();
    assert_eq!(result.termination(), v1::Termination::Agreement);
    assert_eq!((&*result.code, result.returns), ("agreed", vec![0, 0]));
    assert!(state.end_time.unwrap().seconds > 0 && state.reveal.is_some());
    // The offer's repetition has its outcome still.
    let offered = client.offer_draw(by(north, offer(&seated, "o"))).await.unwrap().into_inner();
    assert_eq!(offered.state().status(), MatchStatus::Finished);
}

#[tokio::test]
async fn a_seat_that_resigns_loses_and_drafts_go() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    seated.take(&mut client, 0, "card", ids(&[card])).await;
    // The other seat may resign although it is nobody's turn.
    let ended =
        client.resign_match(by(&seated.tokens[1], resign(&seated.id, "r"))).await.unwrap().into_inner();
    let update = ended.update.unwrap();
    assert_eq!((update.status(), update.to_act), (MatchStatus::Finished, false));
    let result = seated.get(&mut client).await.state().result.unwrap();
    assert_eq!(result.termination(), v1::Termination::Resignation);
    assert_eq!((&*result.code, result.returns), ("resigned", vec![1, -1]));
    assert!(seated.view(&mut client, 0).await.view.unwrap().draft.is_empty());
}

#[tokio::test]
async fn a_drill_has_nobody_to_agree_with() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { scenario: "drill".into(), ..skirmish("d") };
    let seated = Seated::of(&mut client, request).await;
    assert_eq!(seated.tokens.len(), 1);
    assert_eq!(
        reason(client.offer_draw(by(&seated.tokens[0], offer(&seated, "o"))).await),
        ErrorReason::NoOpponent
    );
    let answer = client.accept_draw(by(&seated.tokens[0], accept(&seated, "a"))).await;
    assert!(matches!(reason(answer), ErrorReason::NoOpponent | ErrorReason::NoOffer));
    client.resign_match(by(&seated.tokens[0], resign(&seated.id, "r"))).await.unwrap();
}
