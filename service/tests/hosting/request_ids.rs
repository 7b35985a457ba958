//! Request ids: the same id with another body is refused, and the first outcome stands.

use edgehill_proto::v1::create_match_request::Seed;
use edgehill_proto::v1::{self, ErrorReason};

use crate::kit::{
    HasBatch, HasMatch, HasResult, Seated, assert_field, by, ids, join, notations, reason, resign, skirmish,
};
use crate::running::Start;

#[tokio::test]
async fn another_match_under_the_same_id_is_not_made() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let first = client.create_match(skirmish("c")).await.unwrap().into_inner();
    let base = skirmish("c");
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    let invited = v1::SeatConfig {
        kind: v1::SeatKind::Invited.into(),
        bot: String::new(),
        ..v1::SeatConfig::default()
    };
    let others = [
        v1::CreateMatchRequest { game: "english-civil-war-iia".into(), ..base.clone() },
        v1::CreateMatchRequest { scenario: "drill".into(), ..base.clone() },
        v1::CreateMatchRequest { seats: vec![bot], ..base.clone() },
        v1::CreateMatchRequest { seats: vec![invited], ..base.clone() },
        v1::CreateMatchRequest { position_json: "{}".into(), ..base.clone() },
        v1::CreateMatchRequest { seed: None, ..base.clone() },
        v1::CreateMatchRequest { seed: Some(Seed::ChosenSeed(vec![4; 32])), ..base.clone() },
        v1::CreateMatchRequest {
            rules: Some(v1::RulesVersion { number: 1, ..v1::RulesVersion::default() }),
            ..base.clone()
        },
        // A match that could not be made at all is no repetition either.
        v1::CreateMatchRequest { game: "chess".into(), ..base.clone() },
    ];
    for other in others {
        assert_eq!(
            reason(client.create_match(other.clone()).await),
            ErrorReason::RequestIdReused,
            "{other:?}"
        );
    }
    // A request that says the same in other words is the same.
    let open =
        v1::SeatConfig { kind: v1::SeatKind::Open.into(), bot: String::new(), ..v1::SeatConfig::default() };
    let same = v1::CreateMatchRequest {
        seats: vec![open, v1::SeatConfig::default()],
        entropy_mode: v1::EntropyMode::Open.into(),
        rules: Some(v1::RulesVersion::default()),
        ..base
    };
    assert_eq!(client.create_match(same).await.unwrap().into_inner(), first);
    let listed = client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner();
    assert_eq!(listed.matches.len(), 1);
}

#[tokio::test]
async fn a_seat_is_not_joined_twice_under_one_id() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { seed: None, ..skirmish("j") };
    let id = client.create_match(request).await.unwrap().into_inner().id();
    let mine = v1::JoinMatchRequest { entropy: vec![1; 32], player: "Ada".into(), ..join(&id, "j", 0) };
    let first = client.join_match(mine.clone()).await.unwrap().into_inner();
    for other in [
        v1::JoinMatchRequest { seat: Some(1), ..mine.clone() },
        v1::JoinMatchRequest { seat: None, ..mine.clone() },
        v1::JoinMatchRequest { entropy: vec![2; 32], ..mine.clone() },
        v1::JoinMatchRequest { entropy: Vec::new(), ..mine.clone() },
        v1::JoinMatchRequest { player: "Bob".into(), ..mine.clone() },
    ] {
        assert_eq!(reason(client.join_match(other).await), ErrorReason::RequestIdReused);
    }
    assert_eq!(
        reason(client.join_match(v1::JoinMatchRequest { request_id: "k".into(), ..mine.clone() }).await),
        ErrorReason::SeatTaken
    );
    assert_eq!(client.join_match(mine).await.unwrap().into_inner(), first);
    for id_of_request in [String::new(), "x".repeat(65)] {
        let request = v1::JoinMatchRequest { request_id: id_of_request, ..join(&id, "", 1) };
        assert_field(client.join_match(request).await, ErrorReason::InvalidField, "request_id");
    }
}

#[tokio::test]
async fn a_call_of_a_seat_is_made_once_under_its_id() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let token = seated.tokens[0].clone();
    let cards = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids;
    let first = seated.take(&mut client, 0, "1", ids(&[cards[0]])).await;
    let before = seated.sight(&mut client).await;
    let match_id = || seated.id.clone();
    let id = || "1".to_owned();
    let other = client.apply_actions(by(&token, seated.apply("1", ids(&[cards[1]])))).await;
    assert_eq!(reason(other), ErrorReason::RequestIdReused);
    let revised = seated.apply("1", ids(&[cards[0]])).keeping(0);
    assert_eq!(reason(client.apply_actions(by(&token, revised)).await), ErrorReason::RequestIdReused);
    let until = seated.apply("1", ids(&[cards[0]])).until_reveal();
    assert_eq!(reason(client.apply_actions(by(&token, until)).await), ErrorReason::RequestIdReused);
    let undo = v1::UndoActionsRequest {
        match_id: match_id(),
        request_id: id(),
        ..v1::UndoActionsRequest::default()
    };
    assert_eq!(reason(client.undo_actions(by(&token, undo)).await), ErrorReason::RequestIdReused);
    assert_eq!(
        reason(client.resign_match(by(&token, resign(&seated.id, "1"))).await),
        ErrorReason::RequestIdReused
    );
    let draw = v1::OfferDrawRequest { match_id: match_id(), request_id: id() };
    assert_eq!(reason(client.offer_draw(by(&token, draw)).await), ErrorReason::RequestIdReused);
    let accept = v1::AcceptDrawRequest { match_id: match_id(), request_id: id(), response_options: None };
    assert_eq!(reason(client.accept_draw(by(&token, accept)).await), ErrorReason::RequestIdReused);
    let stand = v1::SetStandingPassesRequest { match_id: match_id(), request_id: id(), ..Default::default() };
    assert_eq!(reason(client.set_standing_passes(by(&token, stand)).await), ErrorReason::RequestIdReused);
    assert_eq!(seated.sight(&mut client).await, before);
    // Another encoding of the same action is the same call; the other seat has ids of its own.
    let name = seated.legal(&mut client, 1).await.legal_actions.unwrap();
    let again = seated.take(&mut client, 0, "1", ids(&[cards[0]])).await;
    assert_eq!(again, first);
    seated.take(&mut client, 1, "1", notations(&[&name.notations[0]])).await;
}

#[tokio::test]
async fn an_id_outlives_the_end_of_the_match() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let first = seated.take(&mut client, 0, "card", ids(&[card])).await;
    let end = || by(&seated.tokens[0], resign(&seated.id, "end"));
    let ended = client.resign_match(end()).await.unwrap().into_inner();
    assert_eq!(client.resign_match(end()).await.unwrap().into_inner(), ended);
    let again = seated.take(&mut client, 0, "card", ids(&[card])).await;
    assert_eq!(
        (again.result().actions, again.update.as_ref().unwrap().status),
        (first.result().actions, v1::MatchStatus::Finished.into())
    );
    let other = client.apply_actions(by(&seated.tokens[0], seated.apply("end", notations(&["done"])))).await;
    assert_eq!(reason(other), ErrorReason::RequestIdReused);
}
