//! Strangers who guess what others have chosen: request ids, and the ids of seed groups.

use edgehill_proto::v1::create_match_request::Seed;
use edgehill_proto::v1::{self, ErrorReason};

use crate::door::STRANGER;
use crate::process::{by, start};
use crate::start::reason;
use crate::streams::client_from;

/// The guesses of the attack: the ids of somebody who counts.
const GUESSES: u32 = 418;

fn create(request_id: &str, secret: u8) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: request_id.to_owned(),
        client_secret: vec![secret; 32],
        game: "skirmish".into(),
        seats: vec![v1::SeatConfig { kind: v1::SeatKind::Invited.into(), ..v1::SeatConfig::default() }; 2],
        ..v1::CreateMatchRequest::default()
    }
}

fn group_of(created: &v1::CreateMatchResponse) -> v1::SeedGroup {
    let config = created.r#match.as_ref().and_then(|shown| shown.config.clone()).unwrap();
    config.dice.unwrap().group.unwrap()
}

fn id_of(created: &v1::CreateMatchResponse) -> String {
    created.r#match.as_ref().and_then(|shown| shown.config.as_ref()).unwrap().match_id.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_repeats_a_request_of_another_is_given_nothing_of_theirs() {
    let server = start(&[], &[]);
    let (mut honest, mut stranger) = (server.matches().await, client_from(STRANGER, &server).await);
    let mine = honest.create_match(create("1", 1)).await.unwrap().into_inner();
    let theirs = stranger.create_match(create("1", 2)).await.unwrap().into_inner();
    assert_ne!(id_of(&mine), id_of(&theirs), "another secret, another match");
    assert!(mine.invitations.iter().all(|invitation| !theirs.invitations.contains(invitation)));
    let again = honest.create_match(create("1", 1)).await.unwrap().into_inner();
    assert_eq!((id_of(&again), &again.invitations), (id_of(&mine), &mine.invitations));

    let seats = honest.create_match(v1::CreateMatchRequest { seats: Vec::new(), ..create("open", 1) }).await;
    let match_id = id_of(&seats.unwrap().into_inner());
    let join = |number: u32, secret: u8| v1::JoinMatchRequest {
        match_id: match_id.clone(),
        request_id: number.to_string(),
        client_secret: vec![secret; 32],
        seat: Some(0),
        ..v1::JoinMatchRequest::default()
    };
    let token = honest.join_match(join(417, 1)).await.unwrap().into_inner().seat_token;
    for number in 0..GUESSES {
        let refused = stranger.join_match(join(number, 2)).await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::SeatTaken, "{number}");
    }
    assert_eq!(honest.join_match(join(417, 1)).await.unwrap().into_inner().seat_token, token);
    // The id alone is nobody's: also not where another seat is free.
    let anywhere = v1::JoinMatchRequest { seat: None, ..join(417, 2) };
    assert_eq!(reason(&stranger.join_match(anywhere).await.unwrap_err()), ErrorReason::SeatTaken);
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_without_an_account_have_a_secret_of_32_bytes() {
    let server = start(&[], &[]);
    let mut client = server.matches().await;
    for bytes in [0, 1, 31, 33] {
        let weak = v1::CreateMatchRequest { client_secret: vec![1; bytes], ..create("a", 1) };
        let refused = client.create_match(weak).await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::InvalidField);
        assert!(refused.message().contains("client_secret"), "{refused:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_joins_a_group_whose_id_they_were_not_given() {
    let server = start(&[], &[]);
    let (mut honest, mut stranger) = (server.matches().await, client_from(STRANGER, &server).await);
    let grouped = |request_id: &str, secret, group_id: &str| {
        let (matches, entrants) = if group_id.is_empty() { (2, 2) } else { (0, 0) };
        let group =
            v1::SeedGroup { group_id: group_id.to_owned(), matches, entrants, seat_entrants: vec![0, 1] };
        let seats = Vec::new();
        v1::CreateMatchRequest { seed: Some(Seed::Group(group)), seats, ..create(request_id, secret) }
    };
    let first = honest.create_match(grouped("1", 1, "")).await.unwrap().into_inner();
    let (id, group_id) = (id_of(&first), group_of(&first).group_id);
    // All that a stranger sees of it: no list and no look tells the id, and what they see makes none.
    let listed = stranger.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner();
    let seen = stranger.get_match(v1::GetMatchRequest { match_id: id.clone() }).await.unwrap().into_inner();
    assert!(!format!("{listed:?}{seen:?}").contains(&group_id));
    let shown = listed.matches[0].config.clone().unwrap().dice.unwrap().group.unwrap();
    assert_eq!((shown.group_id.as_str(), shown.matches), ("", 2));
    let foreign = {
        let elsewhere = start(&[], &[]);
        let other = elsewhere.matches().await.create_match(grouped("1", 1, "")).await.unwrap().into_inner();
        group_of(&other).group_id
    };
    for guess in [id.as_str(), &foreign, "ehg_", &group_id.to_uppercase()[..20]] {
        let refused = stranger.create_match(grouped("2", 2, guess)).await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::UnknownGroup, "{guess}");
        let filter =
            v1::ListMatchesRequest { group_id: guess.to_owned(), ..v1::ListMatchesRequest::default() };
        let listed = stranger.list_matches(filter).await;
        assert!(listed.is_err() || listed.unwrap().into_inner().matches.is_empty(), "{guess}");
    }
    // The creator, who was given it, adds the second match; once both are over everybody may know.
    let second = honest.create_match(grouped("2", 3, &group_id)).await.unwrap().into_inner();
    let members = [id.clone(), id_of(&second)];
    let mut tokens = Vec::new();
    for match_id in &members {
        for seat in 0..2 {
            let join = v1::JoinMatchRequest {
                match_id: match_id.clone(),
                request_id: format!("join {seat}"),
                client_secret: vec![1; 32],
                seat: Some(seat),
                ..v1::JoinMatchRequest::default()
            };
            tokens.push((match_id.clone(), honest.join_match(join).await.unwrap().into_inner().seat_token));
        }
    }
    let look = |id: &str| v1::GetMatchRequest { match_id: id.to_owned() };
    for (match_id, token) in tokens.into_iter().step_by(2) {
        let before = stranger.get_match(look(&match_id)).await.unwrap().into_inner();
        assert!(before.r#match.unwrap().state.unwrap().reveal.is_none());
        let request_id = "resign".to_owned();
        let resign = v1::ResignMatchRequest { match_id, request_id, ..v1::ResignMatchRequest::default() };
        honest.resign_match(by(&token, resign)).await.unwrap();
    }
    let over = stranger.get_match(look(&id)).await.unwrap().into_inner();
    assert_eq!(over.r#match.unwrap().state.unwrap().reveal.unwrap().group_id, group_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_uses_up_its_own_matches_alone_across_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let limit = [("EDGEHILL_LIMITS__OPEN_MATCHES", "20")];
    let store = ["--store", folder.path().to_str().unwrap()];
    let server = start(&store, &limit);
    let mut stranger = client_from(STRANGER, &server).await;
    for number in 0..20 {
        stranger.create_match(create(&number.to_string(), 9)).await.unwrap();
    }
    for round in 0..2 {
        // Another secret, and another connection, make nobody another address.
        let refused = stranger.create_match(create("more", 30 + round)).await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::LimitReached);
    }
    server.matches().await.create_match(create("honest", 1)).await.unwrap();
    server.stop();
    let server = start(&store, &limit);
    let refused = client_from(STRANGER, &server).await.create_match(create("more", 9)).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::LimitReached);
    server.matches().await.create_match(create("honest again", 1)).await.unwrap();
}
