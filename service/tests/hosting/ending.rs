//! Draws and resignations.

use edgehill_proto::v1::{self, ErrorReason, MatchStatus};

use crate::kit::{HasMatch, Seated, by, ids, notations, reason, resign, skirmish};
use crate::running::Start;

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
