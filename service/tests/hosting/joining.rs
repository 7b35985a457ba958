//! Seats taken: once, in order, by whom they are for.

use edgehill_proto::v1::{self, EntropyState, ErrorReason, MatchStatus};

use crate::kit::{HasMatch, assert_field, by, everything, join, reason, skirmish};
use crate::running::Start;

fn anywhere(id: &str, request_id: &str) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest { seat: None, ..join(id, request_id, 0) }
}

#[tokio::test]
async fn open_seats_are_filled_in_order_and_the_last_begins_the_match() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { seed: None, ..skirmish("o") };
    let id = client.create_match(request).await.unwrap().into_inner().id();
    let first = v1::JoinMatchRequest {
        player: "Ada".into(),
        entropy: vec![5; 32],
        response_options: everything(),
        ..anywhere(&id, "a")
    };
    let first_joined = client.join_match(first.clone()).await.unwrap().into_inner();
    assert_eq!((first_joined.seat, &first_joined.update), (0, &None));
    let state = first_joined.state();
    assert_eq!(state.status(), MatchStatus::Waiting);
    assert_eq!((&*state.seats[0].player, state.seats[0].entropy()), ("Ada", EntropyState::Given));
    assert_eq!((state.seats[1].joined, state.seats[1].entropy()), (false, EntropyState::Unspecified));
    // 32 zeros are none.
    let second =
        v1::JoinMatchRequest { entropy: vec![0; 32], response_options: everything(), ..anywhere(&id, "b") };
    let joined = client.join_match(second).await.unwrap().into_inner();
    assert_eq!(joined.seat, 1);
    let state = joined.state();
    assert_eq!((state.status(), state.seats[1].entropy()), (MatchStatus::Running, EntropyState::Absent));
    let update = joined.update.unwrap();
    assert!(update.to_act && update.view.is_some() && !update.legal_actions.unwrap().ids.is_empty());
    assert_eq!(update.events.last().unwrap().seq, update.seq);
    assert_eq!(update.events[0].seq, 1);
    // A repetition gives the same token, and how things stand now.
    let again = client.join_match(first).await.unwrap().into_inner();
    assert_eq!((again.seat, &again.seat_token), (0, &first_joined.seat_token));
    assert!(again.update.unwrap().to_act);
    assert_eq!(reason(client.join_match(anywhere(&id, "c")).await), ErrorReason::NoOpenSeat);
    assert_eq!(reason(client.join_match(join(&id, "c", 0)).await), ErrorReason::SeatTaken);
    assert_eq!(reason(client.join_match(join(&id, "c", 2)).await), ErrorReason::UnknownSeat);
    assert_eq!(reason(client.join_match(join(&id, "c", u32::MAX)).await), ErrorReason::UnknownSeat);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_come_at_once_do_not_get_one_seat() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    for round in 0..10 {
        let request = skirmish(&format!("r{round}"));
        let id = client.create_match(request).await.unwrap().into_inner().id();
        let mut tasks = Vec::new();
        for number in 0..4 {
            let (mut client, id) = (running.client().await, id.clone());
            tasks.push(tokio::spawn(
                async move { client.join_match(anywhere(&id, &format!("j{number}"))).await },
            ));
        }
        let (mut seats, mut late) = (Vec::new(), 0);
        for task in tasks {
            match task.await.unwrap() {
                Ok(joined) => seats.push(joined.into_inner().seat),
                Err(status) => {
                    assert_eq!(reason::<()>(Err(status)), ErrorReason::NoOpenSeat);
                    late += 1;
                }
            }
        }
        seats.sort_unstable();
        assert_eq!((seats, late), (vec![0, 1], 2));
    }
}

#[tokio::test]
async fn what_is_sent_along_fits_the_match() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let id = client.create_match(skirmish("f")).await.unwrap().into_inner().id();
    let base = join(&id, "j", 0);
    for (request, field) in [
        (v1::JoinMatchRequest { player: "x".repeat(65), ..base.clone() }, "player"),
        (v1::JoinMatchRequest { player: "A\nda".into(), ..base.clone() }, "player"),
        (v1::JoinMatchRequest { entropy: vec![1; 31], ..base.clone() }, "entropy"),
        // A chosen seed has no use for it.
        (v1::JoinMatchRequest { entropy: vec![1; 32], ..base.clone() }, "entropy"),
        (v1::JoinMatchRequest { entropy_commitment: vec![1; 5], ..base.clone() }, "entropy_commitment"),
        (v1::JoinMatchRequest { entropy_commitment: vec![1; 32], ..base.clone() }, "entropy_commitment"),
    ] {
        assert_field(client.join_match(request).await, ErrorReason::InvalidField, field);
    }
    let state =
        client.get_match(v1::GetMatchRequest { match_id: id.clone() }).await.unwrap().into_inner().state();
    assert!(state.seats.iter().all(|seat| !seat.joined));
    assert!(client.join_match(base).await.is_ok());
}

#[tokio::test]
async fn a_house_bot_sits_from_the_beginning() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    let request = v1::CreateMatchRequest { seats: vec![bot], ..skirmish("b") };
    let created = client.create_match(request).await.unwrap().into_inner();
    let state = created.state();
    assert_eq!((state.seats[0].joined, &*state.seats[0].player), (true, "random"));
    let id = created.id();
    assert_eq!(reason(client.join_match(join(&id, "j", 0)).await), ErrorReason::SeatTaken);
    let joined = client.join_match(anywhere(&id, "j")).await.unwrap().into_inner();
    assert_eq!((joined.seat, joined.state().status()), (1, MatchStatus::Running));
    assert!(client.get_match(by(&joined.seat_token, v1::GetMatchRequest { match_id: id })).await.is_ok());
}
