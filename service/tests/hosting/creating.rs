//! Matches made: once, as they were asked for.

use edgehill_proto::v1::{self, ErrorReason, MatchStatus, SeatKind};
use edgehill_service::limits::Limits;

use crate::kit::{HasMatch, by, join, reason, refusal, resign, skirmish};
use crate::running::Start;

#[tokio::test]
async fn a_config_says_all_that_was_settled() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let option = |id: &str, value: &str| v1::OptionValue { id: id.into(), value: value.into() };
    let request = v1::CreateMatchRequest {
        request_id: "t".into(),
        game: "english-civil-war-iia".into(),
        options: vec![option("cut_all", "true")],
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    let created = client.create_match(request).await.unwrap().into_inner();
    let config = created.config();
    let game = running.host.registry().game("english-civil-war-iia").unwrap();
    // Every option, in the catalogue's order.
    let ids: Vec<&str> = config.options.iter().map(|option| option.id.as_str()).collect();
    let expected: Vec<&str> = game.catalogue().options.iter().map(|option| option.id).collect();
    assert_eq!(ids, expected);
    assert!(config.options.contains(&option("cut_all", "true")));
    assert_eq!(config.rules.unwrap().content_hash, game.catalogue().content.as_bytes());
    assert_eq!(config.scenario, game.catalogue().scenarios[0].id);
    assert!(!config.from_position && config.create_time.unwrap().seconds > 0);
    let dice = config.dice.unwrap();
    assert_eq!((dice.commitment.len(), dice.origin(), dice.group), (32, v1::SeedOrigin::Server, None));
    let state = created.state();
    assert_eq!((state.status(), state.seats.len(), state.reveal), (MatchStatus::Waiting, 2, None));
    assert!(created.invitations.is_empty());
}

#[tokio::test]
async fn a_chosen_seed_says_so_and_begins_from_a_position() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let position_json = r#"{"turn": 2}"#.to_owned();
    let created = client
        .create_match(v1::CreateMatchRequest { position_json, ..skirmish("p") })
        .await
        .unwrap()
        .into_inner();
    let config = created.config();
    assert!(config.from_position);
    let dice = config.dice.unwrap();
    assert_eq!((dice.commitment.len(), dice.origin()), (0, v1::SeedOrigin::Chosen));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_come_at_once_make_one_match() {
    let running = Start::default().run().await;
    let mut tasks = Vec::new();
    for _ in 0..16 {
        let mut client = running.client().await;
        let request = v1::CreateMatchRequest { seed: None, ..skirmish("once") };
        tasks.push(tokio::spawn(async move { client.create_match(request).await.unwrap().into_inner() }));
    }
    let mut made = Vec::new();
    for task in tasks {
        made.push(task.await.unwrap());
    }
    assert!(made.windows(2).all(|two| two[0] == two[1]));
    let mut client = running.client().await;
    assert_eq!(
        client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner().matches.len(),
        1
    );
}

#[tokio::test]
async fn invitations_are_for_the_seats_that_need_one() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seat = |kind: SeatKind| v1::SeatConfig {
        kind: kind.into(),
        bot: String::new(),
        ..v1::SeatConfig::default()
    };
    let seats = vec![seat(SeatKind::Invited), seat(SeatKind::Invited)];
    let request = v1::CreateMatchRequest { seats, ..skirmish("i") };
    let created = client.create_match(request.clone()).await.unwrap().into_inner();
    let seats: Vec<u32> = created.invitations.iter().map(|one| one.seat).collect();
    assert_eq!(seats, [0, 1]);
    assert_eq!(
        client.create_match(request).await.unwrap().into_inner(),
        created,
        "the same call, the same invitations"
    );
    let id = created.id();
    let [north, south] = [&created.invitations[0].invitation, &created.invitations[1].invitation];
    let with = |request_id: &str, seat, invitation: &str| v1::JoinMatchRequest {
        seat,
        invitation: invitation.to_owned(),
        ..join(&id, request_id, 0)
    };
    assert_eq!(reason(client.join_match(with("a", None, "")).await), ErrorReason::NoOpenSeat);
    assert_eq!(reason(client.join_match(with("a", Some(0), "")).await), ErrorReason::BadInvitation);
    assert_eq!(reason(client.join_match(with("a", Some(0), south)).await), ErrorReason::BadInvitation);
    assert_eq!(reason(client.join_match(with("a", Some(0), "nonsense")).await), ErrorReason::BadInvitation);
    let mut mistyped = north.clone();
    mistyped.replace_range(20..21, if &north[20..21] == "a" { "b" } else { "a" });
    assert_eq!(reason(client.join_match(with("a", Some(0), &mistyped)).await), ErrorReason::BadInvitation);
    assert_eq!(reason(client.join_match(with("a", Some(9), north)).await), ErrorReason::UnknownSeat);
    // The invitation says which seat it is for.
    assert_eq!(client.join_match(with("a", None, south)).await.unwrap().into_inner().seat, 1);
    assert_eq!(reason(client.join_match(with("b", None, south)).await), ErrorReason::SeatTaken);
    assert_eq!(client.join_match(with("b", Some(0), north)).await.unwrap().into_inner().seat, 0);
}

#[tokio::test]
async fn matches_that_have_not_begun_are_limited_apart() {
    let limits = Limits { waiting_matches: 2, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let mut made = Vec::new();
    for request in ["a", "b"] {
        made.push(client.create_match(skirmish(request)).await.unwrap().into_inner().id());
    }
    let refused = refusal(client.create_match(skirmish("c")).await);
    assert_eq!(refused.reason(), ErrorReason::LimitReached);
    assert!(refused.message.contains("LIMIT_NAME_WAITING_MATCHES"), "{}", refused.message);
    // One of house bots alone waits for nobody.
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    let bots = vec![bot; 2];
    let of_bots = v1::CreateMatchRequest { seats: bots, ..skirmish("bots") };
    client.create_match(of_bots).await.unwrap();
    for seat in 0..2 {
        client.join_match(join(&made[0], &format!("j{seat}"), seat)).await.unwrap();
    }
    assert!(client.create_match(skirmish("c")).await.is_ok(), "one has begun");
    assert_eq!(reason(client.create_match(skirmish("d")).await), ErrorReason::LimitReached);
    // A server that starts again on the same store counts the same, and one that is taken back waits no more.
    let again = Start { limits, ..Start::on(running.store.clone()) }.run().await;
    let mut client = again.client().await;
    assert_eq!(reason(client.create_match(skirmish("d")).await), ErrorReason::LimitReached);
    let creator_token = client.create_match(skirmish("b")).await.unwrap().into_inner().creator_token;
    let abort =
        v1::AbortMatchRequest { match_id: made[1].clone(), request_id: "abort".into(), creator_token };
    client.abort_match(abort).await.unwrap();
    assert!(client.create_match(skirmish("d")).await.is_ok());
    assert_eq!(reason(client.create_match(skirmish("e")).await), ErrorReason::LimitReached);
}

#[tokio::test]
async fn an_account_with_too_many_open_matches_ends_one_first() {
    let limits = Limits { open_matches: 2, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let mut made = Vec::new();
    for request in ["a", "b"] {
        made.push(client.create_match(skirmish(request)).await.unwrap().into_inner().id());
    }
    let refused = refusal(client.create_match(skirmish("c")).await);
    assert_eq!(refused.reason(), ErrorReason::LimitReached);
    assert!(refused.message.contains("LIMIT_NAME_OPEN_MATCHES"));
    // A repetition is not a match more.
    assert!(client.create_match(skirmish("a")).await.is_ok());
    let mut token = String::new();
    for seat in 0..2 {
        let joined = client.join_match(join(&made[0], &format!("j{seat}"), seat)).await.unwrap();
        token = joined.into_inner().seat_token;
    }
    client.resign_match(by(&token, resign(&made[0], "r"))).await.unwrap();
    assert!(client.create_match(skirmish("c")).await.is_ok());
    assert_eq!(reason(client.create_match(skirmish("d")).await), ErrorReason::LimitReached);
    // A server that starts again on the same store counts the same.
    let again = Start { limits, ..Start::on(running.store.clone()) }.run().await;
    let mut client = again.client().await;
    assert_eq!(reason(client.create_match(skirmish("d")).await), ErrorReason::LimitReached);
}
