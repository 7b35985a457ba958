//! The refusals of the assembly, as clients see them.

use std::time::Duration;

use edgehill_proto::v1::{self, ErrorReason};
use tonic::Code;

use crate::start::reason;
use crate::{manual, process};

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_that_calls_alone() {
    let server = manual::start(|_| {}).await;
    let mut client = server.catalog().await;
    for _ in 0..2 {
        let status = client.get_limits(v1::GetLimitsRequest {}).await.unwrap_err();
        assert_eq!((status.code(), reason(&status)), (Code::Internal, ErrorReason::InternalFault));
        assert!(!status.message().contains("test's own"), "{status:?}");
        client.list_games(v1::ListGamesRequest::default()).await.unwrap();
    }
    server.handle.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_calls_too_often_learns_how_long_to_wait() {
    let server = manual::start(|config| {
        config.capacity.calls_per_second = Some(2);
        config.capacity.calls_burst = 2;
    })
    .await;
    let mut client = server.catalog().await;
    for _ in 0..2 {
        client.list_games(v1::ListGamesRequest::default()).await.unwrap();
    }
    let status = client.list_games(v1::ListGamesRequest::default()).await.unwrap_err();
    assert_eq!((status.code(), reason(&status)), (Code::ResourceExhausted, ErrorReason::RateLimited));
    let wait = tonic_types::StatusExt::get_details_retry_info(&status).unwrap().retry_delay;
    assert_eq!(wait, Some(Duration::from_millis(500)));
    // A caller who comes by another connection is the same caller.
    assert!(server.catalog().await.list_games(v1::ListGamesRequest::default()).await.is_err());
    server.advance(Duration::from_millis(500));
    client.list_games(v1::ListGamesRequest::default()).await.unwrap();
    server.handle.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_call_too_many_is_refused_and_its_place_is_free_again() {
    let server = manual::start(|config| config.capacity.calls = 1).await;
    let mut client = server.catalog().await;
    let stuck = tokio::spawn({
        let mut client = client.clone();
        async move { client.get_game(v1::GetGameRequest::default()).await }
    });
    server.fake.stuck.notified().await;
    let status = client.list_games(v1::ListGamesRequest::default()).await.unwrap_err();
    assert_eq!((status.code(), reason(&status)), (Code::ResourceExhausted, ErrorReason::LimitReached));
    // The client goes away, and its call with it. When the server knows of it is not for us to know.
    stuck.abort();
    while client.list_games(v1::ListGamesRequest::default()).await.is_err() {}
    server.handle.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_too_large_is_refused_and_nothing_is_made() {
    let server = process::start(&[], &[("EDGEHILL_LIMITS__REQUEST_BYTES", "40000")]);
    let mut client = server.matches().await;
    let mut create = v1::CreateMatchRequest {
        request_id: "a".into(),
        game: "skirmish".into(),
        position_json: " ".repeat(40_000),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    let status = client.create_match(create.clone()).await.unwrap_err();
    assert!(matches!(status.code(), Code::OutOfRange | Code::ResourceExhausted), "{status:?}");
    create.position_json.clear();
    client.create_match(create).await.unwrap();
    assert_eq!(
        client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner().matches.len(),
        1
    );
}
