//! A disk that fails under a server: what it says meanwhile, and how it comes back.

use std::fs;

use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::message::HasMatch;
use crate::process::{Running, soon, start_in, start_on_faulty_disk};
use crate::start::reason;

async fn watch(server: &Running, service: &str) -> Streaming<HealthCheckResponse> {
    let request = HealthCheckRequest { service: service.into() };
    server.health().await.watch(request).await.unwrap().into_inner()
}

/// Reads a health watch until it says so.
async fn until(health: &mut Streaming<HealthCheckResponse>, expected: ServingStatus) {
    while soon(health.message()).await.unwrap().unwrap().status() != expected {}
}

async fn create(client: &mut MatchServiceClient<Channel>, request_id: &str) -> Result<String, Status> {
    let create = v1::CreateMatchRequest {
        request_id: request_id.into(),
        game: "skirmish".into(),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    client.create_match(create).await.map(|made| made.into_inner().id())
}

/// The lines of a log that have these words.
fn lines<'a>(log: &'a str, words: &str) -> Vec<&'a str> {
    log.lines().filter(|line| line.contains(words)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn health_follows_a_disk_that_fails_and_comes_back_and_nothing_is_lost_or_done_twice() {
    let folder = tempfile::tempdir().unwrap();
    let server = start_on_faulty_disk(folder.path(), &[]);
    let mut client = server.matches().await;
    let before = create(&mut client, "before").await.unwrap();
    let mut whole = watch(&server, "").await;
    let mut service = watch(&server, "edgehill.v1.MatchService").await;
    until(&mut whole, ServingStatus::Serving).await;
    until(&mut service, ServingStatus::Serving).await;

    server.fail_writes(true);
    let first = create(&mut client, "meanwhile").await.unwrap_err();
    assert_eq!((first.code(), reason(&first)), (Code::Unavailable, ErrorReason::StoreUnavailable));
    assert!(first.message().contains("not known whether"), "{first:?}");
    until(&mut whole, ServingStatus::NotServing).await;
    until(&mut service, ServingStatus::NotServing).await;
    let mut last = first;
    for number in 0..20 {
        last = create(&mut client, &format!("refused {number}")).await.unwrap_err();
        assert_eq!(reason(&last), ErrorReason::StoreUnavailable);
    }
    assert!(last.message().contains("nothing of the call was done"), "{last:?}");
    // All that is there is shown.
    let get = v1::GetMatchRequest { match_id: before.clone() };
    client.get_match(get).await.unwrap();

    server.fail_writes(false);
    until(&mut whole, ServingStatus::Serving).await;
    until(&mut service, ServingStatus::Serving).await;
    let meanwhile = create(&mut client, "meanwhile").await.unwrap();
    assert_eq!(create(&mut client, "meanwhile").await.unwrap(), meanwhile);
    let said = server.stop();
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let faults = lines(&said.stderr, "the store can't write");
    assert_eq!(faults.len(), 1, "{}", said.stderr);
    assert!(faults[0].contains("ERROR") && faults[0].contains("File too large (os error 27)"), "{faults:?}");
    assert_eq!(lines(&said.stderr, "the store writes again").len(), 1, "{}", said.stderr);
    assert_eq!(lines(&said.stderr, "ERROR").len(), 1, "{}", said.stderr);

    let again = start_in(folder.path());
    let list = again.matches().await.list_matches(v1::ListMatchesRequest::default()).await.unwrap();
    let listed: Vec<_> = list.into_inner().matches.iter().map(HasMatch::id).collect();
    assert_eq!(listed, [meanwhile, before]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_store_is_exchanged_while_its_disk_fails_ends_with_a_code_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("edgehill.sqlite");
    let server = start_on_faulty_disk(folder.path(), &[]);
    let mut client = server.matches().await;
    create(&mut client, "before").await.unwrap();
    server.fail_writes(true);
    create(&mut client, "meanwhile").await.unwrap_err();
    // Behind the first try to open the file anew.
    create(&mut client, "again").await.unwrap_err();
    fs::copy(&file, folder.path().join("copy")).unwrap();
    fs::rename(folder.path().join("copy"), &file).unwrap();
    server.fail_writes(false);
    let said = server.wait();
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    assert!(
        said.stderr.contains("STORE_CORRUPT") && said.stderr.contains("another file stands in its place")
    );
    assert!(
        said.stderr.contains("edgehill-server: the store is damaged, or another file"),
        "{}",
        said.stderr
    );
}
