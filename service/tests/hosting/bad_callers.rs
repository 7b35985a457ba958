//! Calls of those who may not make them. Nothing changes, and nothing is told.

use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::identity::SeatToken;

use crate::accounts::Keys;
use crate::kit::{HasMatch, Seated, by, ids, join, reason, resign, skirmish};
use crate::running::Start;
use crate::stage::{Stage, open};

const NOWHERE: &str = "01890000-0000-7000-8000-000000000000";

#[tokio::test]
async fn a_match_that_there_is_not_is_unknown_to_every_call() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let upper = seated.id.to_uppercase();
    let braced = format!("{{{}}}", seated.id);
    for id in ["nonsense", NOWHERE, &upper, &braced, &"x".repeat(10_000)] {
        let match_id = id.to_owned();
        let get = client.get_match(v1::GetMatchRequest { match_id: match_id.clone() }).await;
        assert_eq!(reason(get), ErrorReason::UnknownMatch, "{id}");
        let view = v1::GetViewRequest { match_id: match_id.clone(), ..v1::GetViewRequest::default() };
        assert_eq!(reason(client.get_view(view).await), ErrorReason::UnknownMatch, "{id}");
        assert_eq!(reason(client.join_match(join(id, "j", 0)).await), ErrorReason::UnknownMatch, "{id}");
        let watch = v1::WatchMatchRequest { match_id: match_id.clone(), ..v1::WatchMatchRequest::default() };
        assert_eq!(reason(client.watch_match(watch).await), ErrorReason::UnknownMatch, "{id}");
        let record = client.export_record(v1::ExportRecordRequest { match_id }).await;
        assert_eq!(reason(record), ErrorReason::UnknownMatch, "{id}");
    }
    // Nobody keeps room for what is not there.
    assert_eq!(running.host.loaded_matches(), 1);
}

#[tokio::test]
async fn a_seat_is_played_with_its_own_token_only() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let other = Seated::of(&mut client, skirmish("other")).await;
    let before = seated.sight(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let good = &seated.tokens[0];
    let mut mistyped = good.clone();
    mistyped.replace_range(20..21, if &good[20..21] == "a" { "b" } else { "a" });
    // Well made, and never given out.
    let token: SeatToken = good.parse().unwrap();
    let other_key = edgehill_service::identity::ServerKey::from_bytes([8; 32]);
    let forged = other_key.seat_token(&token.match_id(), token.seat(), b"kit-0").to_string();
    let empty =
        other_key.seat_token(&token.match_id(), edgehill_engine::seat::Seat::new(7), b"x").to_string();
    let request = || seated.apply("bad", ids(&[card]));
    for (token, expected) in [
        (mistyped.as_str(), ErrorReason::BadToken),
        (&forged, ErrorReason::BadToken),
        (&empty, ErrorReason::BadToken),
        ("nonsense", ErrorReason::BadToken),
        (&other.tokens[0], ErrorReason::NotAllowed),
    ] {
        assert_eq!(reason(client.apply_actions(by(token, request())).await), expected, "{token}");
        let resigned = client.resign_match(by(token, resign(&seated.id, "bad"))).await;
        assert_eq!(reason(resigned), expected, "{token}");
        let legal = v1::ListLegalActionsRequest {
            match_id: seated.id.clone(),
            ..v1::ListLegalActionsRequest::default()
        };
        assert_eq!(reason(client.list_legal_actions(by(token, legal)).await), expected, "{token}");
        let view = v1::GetViewRequest { match_id: seated.id.clone(), ..v1::GetViewRequest::default() };
        assert_eq!(reason(client.get_view(by(token, view)).await), expected, "{token}");
    }
    assert_eq!(reason(client.apply_actions(request()).await), ErrorReason::BadToken);
    assert_eq!(seated.sight(&mut client).await, before);
    // The id of a refused call is free.
    assert!(client.apply_actions(by(good, request())).await.is_ok());
}

#[tokio::test]
async fn a_token_that_was_not_given_out_opens_no_door() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let created = client.create_match(by(&keys.ada, skirmish("a"))).await.unwrap().into_inner();
    let id = created.id();
    let joined = client.join_match(by(&keys.ada, join(&id, "j", 0))).await.unwrap().into_inner();
    let get = || v1::GetMatchRequest { match_id: id.clone() };
    assert_eq!(reason(client.get_match(get()).await), ErrorReason::BadToken);
    assert!(client.get_match(by(&joined.seat_token, get())).await.is_ok());
    let other = edgehill_service::identity::ServerKey::from_bytes([8; 32]);
    for id in [id.as_str(), NOWHERE] {
        let forged =
            other.seat_token(&id.parse().unwrap(), edgehill_engine::seat::Seat::new(0), b"j").to_string();
        assert_eq!(reason(client.get_match(by(&forged, get())).await), ErrorReason::BadToken);
        assert_eq!(
            reason(client.list_matches(by(&forged, v1::ListMatchesRequest::default())).await),
            ErrorReason::BadToken
        );
        let play = client.play_seats(by(&forged, tokio_stream::empty())).await;
        assert_eq!(reason(play.map(|_| ())), ErrorReason::BadToken);
    }
    // Over `Play`, the seats' own tokens are all that is asked for.
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&joined.seat_token));
    assert_eq!(stage.opened(0).await.seat, 0);
}

#[tokio::test]
async fn keys_and_tokens_are_good_for_what_they_are_for() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    assert_eq!(reason(client.create_match(skirmish("a")).await), ErrorReason::BadToken);
    assert_eq!(reason(client.create_match(by(&keys.eve, skirmish("a"))).await), ErrorReason::NotAllowed);
    let created = client.create_match(by(&keys.ada, skirmish("a"))).await.unwrap().into_inner();
    let id = created.id();
    assert_eq!(reason(client.join_match(join(&id, "j", 0)).await), ErrorReason::BadToken);
    assert_eq!(reason(client.join_match(by(&keys.eve, join(&id, "j", 0))).await), ErrorReason::NotAllowed);
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let asked = by(&keys.ada, join(&id, &format!("j{seat}"), seat));
        tokens.push(client.join_match(asked).await.unwrap().into_inner().seat_token);
    }
    // A seat makes and joins nothing, and an account plays no seat.
    assert_eq!(reason(client.create_match(by(&tokens[0], skirmish("b"))).await), ErrorReason::NotAllowed);
    assert_eq!(reason(client.join_match(by(&tokens[0], join(&id, "k", 0))).await), ErrorReason::NotAllowed);
    assert_eq!(reason(client.resign_match(by(&keys.ada, resign(&id, "r"))).await), ErrorReason::NotAllowed);
    // Another seat's view is for nobody but the referee.
    let view = |seat| v1::GetViewRequest {
        match_id: id.clone(),
        observer: Some(v1::Observer { seat }),
        ..v1::GetViewRequest::default()
    };
    assert_eq!(reason(client.get_view(by(&tokens[0], view(Some(1)))).await), ErrorReason::NotAllowed);
    assert_eq!(reason(client.get_view(by(&keys.ada, view(Some(1)))).await), ErrorReason::NotAllowed);
    assert_eq!(reason(client.get_view(by(&keys.eve, view(Some(1)))).await), ErrorReason::NotAllowed);
    assert_eq!(reason(client.get_view(by(&tokens[0], view(Some(2)))).await), ErrorReason::UnknownSeat);
    let own = client.get_view(by(&tokens[1], view(Some(1)))).await.unwrap().into_inner();
    let seen = client.get_view(by(&keys.umpire, view(Some(1)))).await.unwrap().into_inner();
    assert_eq!(seen, own);
    let watch = v1::WatchMatchRequest {
        match_id: id.clone(),
        observer: Some(v1::Observer { seat: Some(1) }),
        ..v1::WatchMatchRequest::default()
    };
    assert_eq!(reason(client.watch_match(by(&tokens[0], watch.clone())).await), ErrorReason::NotAllowed);
    assert!(client.watch_match(by(&keys.umpire, watch)).await.is_ok());
}

#[tokio::test]
async fn each_account_has_request_ids_and_seats_of_its_own() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let ada = client.create_match(by(&keys.ada, skirmish("same"))).await.unwrap().into_inner();
    let bob = client.create_match(by(&keys.bob, skirmish("same"))).await.unwrap().into_inner();
    let id = ada.id();
    assert_ne!(id, bob.id());
    let first = client.join_match(by(&keys.ada, join(&id, "j", 0))).await.unwrap().into_inner();
    // The same words of somebody else are another request: they do not get the token.
    assert_eq!(reason(client.join_match(by(&keys.bob, join(&id, "j", 0))).await), ErrorReason::SeatTaken);
    let again = client.join_match(by(&keys.ada, join(&id, "j", 0))).await.unwrap().into_inner();
    assert_eq!(again.seat_token, first.seat_token);
}
