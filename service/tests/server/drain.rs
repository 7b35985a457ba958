//! The end of a server.

use std::time::Duration;

use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::server::Ended;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::manual;
use crate::message::HasMatch;
use crate::process::{Running, channel, start, start_in};
use crate::start::reason;

async fn watch_health(server: &Running) -> tonic::Streaming<tonic_health::pb::HealthCheckResponse> {
    let request = HealthCheckRequest { service: "edgehill.v1.MatchService".into() };
    let mut watch = server.health().await.watch(request).await.unwrap().into_inner();
    assert_eq!(watch.message().await.unwrap().unwrap().status(), ServingStatus::Serving);
    watch
}

/// Reads a health watch to its end.
async fn ends(mut watch: tonic::Streaming<tonic_health::pb::HealthCheckResponse>) {
    assert_eq!(watch.message().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    let status = watch.message().await.unwrap_err();
    assert_eq!((status.code(), reason(&status)), (Code::Unavailable, ErrorReason::Draining));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_open_streams_and_what_was_accepted_is_kept() {
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let server = start_in(folder.path());
        let mut client = server.matches().await;
        let create = v1::CreateMatchRequest {
            request_id: "a".into(),
            game: "skirmish".into(),
            client_secret: vec![7; 32],
            ..v1::CreateMatchRequest::default()
        };
        let match_id = client.create_match(create).await.unwrap().into_inner().id();
        let health = watch_health(&server).await;
        let watch = v1::WatchMatchRequest { match_id: match_id.clone(), ..v1::WatchMatchRequest::default() };
        let mut events = client.watch_match(watch).await.unwrap().into_inner();
        events.message().await.unwrap().unwrap();

        server.signal(signal);
        ends(health).await;
        let status = loop {
            match events.message().await {
                Ok(message) => assert!(message.is_some(), "a match that goes on does not end well"),
                Err(status) => break status,
            }
        };
        assert_eq!((status.code(), reason(&status)), (Code::Unavailable, ErrorReason::Draining));
        let said = server.wait();
        assert_eq!((said.code, &*said.stdout), (Some(0), ""), "{}", said.stderr);
        assert!(said.stderr.contains("stopped"), "{}", said.stderr);

        let again = start_in(folder.path());
        let get = v1::GetMatchRequest { match_id };
        again.matches().await.get_match(get).await.unwrap();
    }
}

/// A call of which the server has the beginning, and waits for the rest.
async fn half_a_call(server: &Running) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    let head = format!(
        "POST /edgehill.v1.CatalogService/GetLimits HTTP/1.1\r\nhost: {}\r\ncontent-type: application/grpc-web+proto\r\n\
         content-length: 5\r\nexpect: 100-continue\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server says so when it wants the body.
    let mut answer = [0; 25];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_under_way_is_waited_for() {
    let server = start(&[], &[("EDGEHILL_SHUTDOWN__GRACE_SECONDS", "3600")]);
    let health = watch_health(&server).await;
    let mut stream = half_a_call(&server).await;
    server.signal("TERM");
    ends(health).await;
    stream.write_all(&[0; 5]).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 OK"), "{}", answer.escape_ascii());
    assert_eq!(server.wait().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_waits_for_nobody() {
    let server = start(&[], &[("EDGEHILL_SHUTDOWN__GRACE_SECONDS", "3600")]);
    let health = watch_health(&server).await;
    let mut stream = half_a_call(&server).await;
    server.signal("TERM");
    ends(health).await;
    server.signal("INT");
    let said = server.wait();
    assert_eq!(said.code, Some(0));
    assert!(
        said.stderr.contains("a second signal") && said.stderr.contains("are cut off"),
        "{}",
        said.stderr
    );
    assert_eq!(stream.read(&mut [0; 64]).await.unwrap_or(0), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_goes_on_for_a_while_after_health_says_that_the_server_stops() {
    let server = manual::start(|config| config.shutdown.delay_seconds = 5).await;
    let (clock, address) = (std::sync::Arc::clone(&server.clock), server.handle.local_addr().to_string());
    let stopping = server.handle.stopping().clone();
    let mut health = HealthClient::new(channel(&address).await);
    let mut watch = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(watch.message().await.unwrap().unwrap().status(), ServingStatus::Serving);
    let ending = tokio::spawn(server.handle.shutdown());
    assert_eq!(watch.message().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    clock.advance(Duration::from_millis(4_999));
    // Over a connection that is made now, too.
    let mut client = CatalogServiceClient::new(channel(&address).await);
    client.list_games(v1::ListGamesRequest::default()).await.unwrap();
    assert!(!stopping.is_cancelled() && !ending.is_finished());
    clock.advance(Duration::from_millis(1));
    stopping.cancelled().await;
    drop((client, health));
    assert_eq!(ending.await.unwrap(), Ended::Drained);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_that_while_as_well() {
    let server = start(&[], &[("EDGEHILL_SHUTDOWN__DELAY_SECONDS", "3600")]);
    let mut health = watch_health(&server).await;
    server.signal("TERM");
    assert_eq!(health.message().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    server.signal("TERM");
    assert_eq!(server.wait().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_not_ended_in_time_is_cut_off() {
    let server = manual::start(|config| config.shutdown.grace_seconds = 7).await;
    let mut client = server.catalog().await;
    let stuck = tokio::spawn(async move { client.get_game(v1::GetGameRequest::default()).await });
    server.fake.stuck.notified().await;
    let (clock, stopping) = (std::sync::Arc::clone(&server.clock), server.handle.stopping().clone());
    let ending = tokio::spawn(server.handle.shutdown());
    stopping.cancelled().await;
    clock.advance(Duration::from_millis(6_999));
    tokio::task::yield_now().await;
    assert!(!ending.is_finished() && !stuck.is_finished());
    clock.advance(Duration::from_millis(1));
    assert_eq!(ending.await.unwrap(), Ended::CutOff);
    assert!(stuck.await.unwrap().is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_calls_ends_at_once_and_frees_its_store_and_port() {
    let folder = tempfile::tempdir().unwrap();
    let set = |config: &mut edgehill_service::config::Config| config.store = Some(folder.path().to_owned());
    let server = manual::start(set).await;
    let address = server.handle.local_addr();
    assert_eq!(server.handle.shutdown().await, Ended::Drained);
    let again = manual::start(|config| {
        set(config);
        config.listen = address;
    })
    .await;
    again.catalog().await.list_games(v1::ListGamesRequest::default()).await.unwrap();
    assert_eq!(again.handle.shutdown().await, Ended::Drained);
}
