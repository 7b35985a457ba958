//! `LeaveMatch`: a seat given back before the match has begun.

use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, EntropyState, ErrorReason, MatchStatus, SeatKind};

use crate::kit::{HasMatch, by, join, reason, skirmish, soon};
use crate::running::{Client, File, Start};
use crate::stage::{Stage, open};

fn leave(id: &str, request_id: &str) -> v1::LeaveMatchRequest {
    v1::LeaveMatchRequest { match_id: id.into(), request_id: request_id.into() }
}

async fn get(client: &mut Client, token: &str, id: &str) -> Result<v1::MatchState, ErrorReason> {
    match client.get_match(by(token, v1::GetMatchRequest { match_id: id.into() })).await {
        Ok(got) => Ok(got.into_inner().state()),
        Err(status) => Err(reason::<()>(Err(status))),
    }
}

#[tokio::test]
async fn a_seat_given_back_is_free_for_another_player_with_another_token() {
    let file = File::new();
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let invited =
        v1::SeatConfig { kind: SeatKind::Invited.into(), bot: String::new(), ..v1::SeatConfig::default() };
    let request = v1::CreateMatchRequest { seats: vec![invited], seed: None, ..skirmish("l") };
    let created = client.create_match(request).await.unwrap().into_inner();
    let id = created.id();
    let invitation = created.invitations[0].invitation.clone();
    let ada =
        v1::JoinMatchRequest { invitation, entropy: vec![5; 32], player: "Ada".into(), ..join(&id, "j", 0) };
    let first = client.join_match(ada.clone()).await.unwrap().into_inner();
    let left = client.leave_match(by(&first.seat_token, leave(&id, "l"))).await.unwrap().into_inner();
    let state = left.state();
    assert_eq!(state.status(), MatchStatus::Waiting);
    let seat = &state.seats[0];
    assert_eq!((seat.joined, &*seat.player, seat.entropy()), (false, "", EntropyState::Unspecified));
    assert_eq!(seat.kind(), SeatKind::Invited);
    assert_eq!(
        client.join_match(join(&id, "x", 0)).await.map(drop).map_err(|_| ()),
        Err(()),
        "it is invited"
    );
    // The same request has the same answer, and another one finds no seat of this token.
    let again = client.leave_match(by(&first.seat_token, leave(&id, "l"))).await.unwrap().into_inner();
    assert_eq!(again, left);
    let other = client.leave_match(by(&first.seat_token, leave(&id, "m"))).await;
    assert_eq!(reason(other), ErrorReason::BadToken);
    assert_eq!(get(&mut client, &first.seat_token, &id).await, Err(ErrorReason::BadToken));

    // The invitation is good again. Under the same request id the token is another one.
    let second = client.join_match(ada.clone()).await.unwrap().into_inner();
    assert_eq!(second.seat, 0);
    assert_ne!(second.seat_token, first.seat_token);
    assert!(get(&mut client, &second.seat_token, &id).await.unwrap().seats[0].joined);
    // The repetition of the first player does not take the seat from the second.
    let again = client.leave_match(by(&first.seat_token, leave(&id, "l"))).await.unwrap().into_inner();
    assert!(again.state().seats[0].joined);
    assert_eq!(get(&mut client, &first.seat_token, &id).await, Err(ErrorReason::BadToken));

    running.close().await;
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    assert_eq!(get(&mut client, &first.seat_token, &id).await, Err(ErrorReason::BadToken));
    assert!(get(&mut client, &second.seat_token, &id).await.unwrap().seats[0].joined);
    assert_eq!(client.join_match(ada.clone()).await.unwrap().into_inner().seat_token, second.seat_token);
    let again = client.leave_match(by(&first.seat_token, leave(&id, "l"))).await.unwrap().into_inner();
    assert!(again.state().seats[0].joined);
    // A third time it is free, and taken with a third token.
    client.leave_match(by(&second.seat_token, leave(&id, "l"))).await.unwrap();
    let third = client.join_match(ada).await.unwrap().into_inner();
    assert!(![&first.seat_token, &second.seat_token].contains(&&third.seat_token));

    // After the beginning nobody leaves.
    let begun = client.join_match(join(&id, "k", 1)).await.unwrap().into_inner();
    assert_eq!(begun.state().status(), MatchStatus::Running);
    let late = client.leave_match(by(&third.seat_token, leave(&id, "late"))).await;
    assert_eq!(reason(late), ErrorReason::MatchStarted);
    assert!(get(&mut client, &third.seat_token, &id).await.unwrap().seats[0].joined);
}

#[tokio::test]
async fn a_seat_that_is_bound_to_its_entropy_leaves_until_all_are() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let entropy_mode = v1::EntropyMode::CommitReveal.into();
    let request = v1::CreateMatchRequest { seed: None, entropy_mode, ..skirmish("b") };
    let id = client.create_match(request).await.unwrap().into_inner().id();
    let bound = |seat: u32, byte: u8| {
        let entropy = edgehill_engine::dice::Entropy::from_bytes([byte; 32]);
        let entropy_commitment = entropy.commit(&id, seat).unwrap().as_bytes().to_vec();
        v1::JoinMatchRequest { entropy_commitment, ..join(&id, &format!("j{seat}"), seat) }
    };
    let north = client.join_match(bound(0, 1)).await.unwrap().into_inner();
    let left = client.leave_match(by(&north.seat_token, leave(&id, "l"))).await.unwrap().into_inner();
    assert!(left.state().seats[0].entropy_commitment.is_empty());
    // The next player is bound to their own entropy.
    let next = v1::JoinMatchRequest { request_id: "next".into(), ..bound(0, 9) };
    let north = client.join_match(next).await.unwrap().into_inner();
    let south = client.join_match(bound(1, 2)).await.unwrap().into_inner();
    assert_eq!(south.state().status(), MatchStatus::Revealing);
    let late = client.leave_match(by(&north.seat_token, leave(&id, "l"))).await;
    assert_eq!(reason(late), ErrorReason::MatchStarted);
}

#[tokio::test]
async fn streams_of_a_seat_end_when_it_is_given_back() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let id = client.create_match(skirmish("s")).await.unwrap().into_inner().id();
    let first = client.join_match(join(&id, "j", 0)).await.unwrap().into_inner();
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&first.seat_token));
    stage.opened(0).await;
    stage.update(0, "").await;
    let watch = v1::WatchMatchRequest { match_id: id.clone(), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(by(&first.seat_token, watch)).await.unwrap().into_inner();
    soon(watch.message()).await.unwrap().unwrap();
    client.leave_match(by(&first.seat_token, leave(&id, "l"))).await.unwrap();
    // Somebody else takes the seat, and the match begins: nothing of it is for the one who left.
    client.join_match(join(&id, "k0", 0)).await.unwrap();
    client.join_match(join(&id, "k1", 1)).await.unwrap();
    let refused = loop {
        match stage.next_message().await {
            (0, _, Message::Update(update)) => {
                assert!(update.view.is_none() && update.events.is_empty() && update.legal_actions.is_none());
            }
            (0, _, Message::Closed(closed)) => break closed.refusal.unwrap(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused.reason(), ErrorReason::BadToken);
    let refused = loop {
        match soon(watch.message()).await {
            Ok(message) => {
                let update = message.expect("the match goes on").update.unwrap();
                assert!(update.view.is_none() && update.events.is_empty());
            }
            Err(status) => break reason::<()>(Err(status)),
        }
    };
    assert_eq!(refused, ErrorReason::BadToken);
}
