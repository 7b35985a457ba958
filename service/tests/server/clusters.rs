//! Several servers on one database: any of them takes calls, one of them owns the matches, and another one goes on where it ends.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_types::StatusExt as _;

use crate::authority::{Authority, Files};
use crate::message::HasMatch;
use crate::process::{Running, said, soon, start};
use crate::real_postgres::postgres;
use crate::receiver::receiver;
use crate::start::reason;
use crate::stored::{played, record_of, watched};
use crate::web::send;

/// The settings that the servers of a test share.
struct Shared {
    variables: Vec<(&'static str, String)>,
}

impl Shared {
    /// On a new database, with a key in this folder; `None` where PostgreSQL is not installed.
    fn new(folder: &Path, lease_seconds: u32) -> Option<Self> {
        let key = folder.join("server.key").to_str().unwrap().to_owned();
        let variables = vec![
            ("EDGEHILL_POSTGRES__ADDRESS", postgres()?.database()),
            ("EDGEHILL_KEY_FILE", key),
            ("EDGEHILL_CLUSTER__ADDRESS", "http://127.0.0.1:0".to_owned()),
            ("EDGEHILL_CLUSTER__LEASE_SECONDS", lease_seconds.to_string()),
        ];
        Some(Self { variables })
    }

    fn variables(&self) -> Vec<(&str, &str)> {
        self.variables.iter().map(|(name, value)| (*name, &**value)).collect()
    }

    /// Starts one more, and waits until it knows who owns the matches.
    async fn start(&self) -> Running {
        self.start_with(&[]).await
    }

    async fn start_with(&self, more: &[(&str, &str)]) -> Running {
        let server = start(&[], &[&self.variables(), more].concat());
        answered(&server, create("warm")).await;
        server
    }
}

fn create(request_id: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: request_id.into(),
        client_secret: vec![9; 32],
        game: "skirmish".into(),
        ..v1::CreateMatchRequest::default()
    }
}

/// Waits for as long as a refusal says; not at all, if it is none of the server's.
async fn wait_as_told(status: &Status) {
    let told = status.get_details_retry_info().and_then(|told| told.retry_delay);
    #[expect(clippy::disallowed_methods, reason = "a client waits as it is told")]
    tokio::time::sleep(told.unwrap_or_default()).await;
}

/// Repeats a call as its refusals ask for, until it is answered: the id of the match.
async fn answered(server: &Running, message: v1::CreateMatchRequest) -> String {
    let mut client = server.matches().await;
    let repeated = async {
        loop {
            match client.create_match(message.clone()).await {
                Ok(created) => return created.into_inner().id(),
                Err(status) => {
                    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
                    wait_as_told(&status).await;
                }
            }
        }
    };
    soon(repeated).await
}

async fn get(server: &Running, id: &str) -> Result<v1::GetMatchResponse, Status> {
    let ask = v1::GetMatchRequest { match_id: id.into() };
    Ok(server.matches().await.get_match(ask).await?.into_inner())
}

#[tokio::test(flavor = "multi_thread")]
async fn any_server_answers_for_the_one_that_owns_the_matches() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let owner = shared.start().await;
    let follower = shared.start().await;
    // Made through the one, seen through the other: calls, and a stream from its begin to its end.
    let id = played(&follower).await;
    assert_eq!(watched(&follower, &id).await, watched(&owner, &id).await);
    assert_eq!(record_of(&follower, &id).await, record_of(&owner, &id).await);
    // Refusals come as they are.
    let unknown = get(&follower, "no match").await.unwrap_err();
    assert_eq!(reason(&unknown), reason(&get(&owner, "no match").await.unwrap_err()));
    // A page's message may be text, which is longer than what is handed on.
    let page = "POST /edgehill.v1.CatalogService/ListGames HTTP/1.1\r\ncontent-type: application/grpc-web-text\r\naccept: application/grpc-web-text\r\nx-grpc-web: 1";
    let (head, _) = send(&follower.address, page, b"AAAAAAA=").await;
    assert!(head.contains("content-type: application/grpc-web-text"), "{head}");
    assert!(!head.contains("\ngrpc-status:"), "{head}");
    let health = follower.health().await.check(HealthCheckRequest::default()).await.unwrap();
    assert_eq!(health.into_inner().status(), ServingStatus::Serving);
    let ended = follower.stop();
    assert_eq!((ended.code, ended.panicked()), (Some(0), false), "{}", ended.stderr);
    assert_eq!(owner.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_goes_on_where_a_killed_one_ended() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 4) else { return };
    let first = shared.start().await;
    let second = shared.start().await;
    let id = played(&first).await;
    let record = record_of(&first, &id).await;
    first.signal("KILL");
    first.wait();
    // The same request has the same match.
    let made = answered(&second, create("once")).await;
    assert_eq!(answered(&second, create("once")).await, made);
    assert_eq!(record_of(&second, &id).await, record);
    // The one that was killed comes again, and follows.
    let first = shared.start().await;
    assert_eq!(answered(&first, create("once")).await, made);
    let ended = first.stop();
    assert!(ended.stderr.contains("calls are handed on"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("this server takes the matches over"), "{}", ended.stderr);
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_hands_the_matches_over_before_its_lease_has_run_out() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let first = shared.start().await;
    let second = shared.start().await;
    let made = answered(&second, create("once")).await;
    let ended = first.stop();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    // It takes less than a lease, or this does not come.
    assert_eq!(answered(&second, create("once")).await, made);
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_stopped_for_too_long_tells_nothing_of_the_past_and_ends() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 4) else { return };
    let first = shared.start().await;
    let second = shared.start().await;
    let id = answered(&first, create("once")).await;
    let mut of_first = first.matches().await;
    first.signal("STOP");
    // The match goes on at the other one.
    answered(&second, create("later")).await;
    let join = v1::JoinMatchRequest {
        match_id: id.clone(),
        request_id: "j".into(),
        client_secret: vec![9; 32],
        ..v1::JoinMatchRequest::default()
    };
    second.matches().await.join_match(join).await.unwrap();
    let seated = get(&second, &id).await.unwrap();
    first.signal("CONT");
    // It refuses the call, or has ended before; it never answers with the match as it knew it.
    if let Ok(answer) = of_first.get_match(v1::GetMatchRequest { match_id: id.clone() }).await {
        assert_eq!(answer.into_inner(), seated);
    }
    let ended = first.wait();
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("another server has taken the matches over"), "{}", ended.stderr);
    assert!(!ended.panicked(), "{}", ended.stderr);
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_goes_on_when_the_database_has_closed_its_connections() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 30) else { return };
    let owner = shared.start().await;
    let follower = shared.start().await;
    let id = answered(&follower, create("before")).await;
    let connections = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                       WHERE datname = current_database() AND pid <> pg_backend_pid()";
    postgres().unwrap().run(&shared.variables[0].1, connections);
    let made = answered(&follower, create("after")).await;
    assert_eq!(answered(&owner, create("after")).await, made);
    assert_eq!(get(&owner, &id).await.unwrap(), get(&follower, &id).await.unwrap());
    let ended = owner.stop();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(follower.stop().code, Some(0));
}

/// An update without the moment at which the match expires: the time without a server is none that its players had.
fn seen(message: Option<v1::WatchMatchResponse>) -> v1::SeatUpdate {
    let mut update = message.unwrap().update.unwrap();
    update.state.as_mut().unwrap().expire_time = None;
    update
}

/// Streams through a follower end with a status that says to open them again, and go on without a gap at the next owner.
#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_goes_on_at_the_next_owner_from_its_cursor() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 4) else { return };
    let first = shared.start().await;
    let second = shared.start().await;
    let id = answered(&second, create("once")).await;
    let watch = v1::WatchMatchRequest {
        match_id: id.clone(),
        after_seq: Some(0),
        ..v1::WatchMatchRequest::default()
    };
    let mut client = second.matches().await;
    let mut updates = client.watch_match(watch.clone()).await.unwrap().into_inner();
    let before = seen(soon(updates.message()).await.unwrap());
    first.signal("KILL");
    let lost = soon(async {
        while updates.message().await?.is_some() {}
        Ok::<_, Status>(())
    })
    .await
    .unwrap_err();
    assert_eq!((lost.code(), reason(&lost)), (Code::Unavailable, ErrorReason::StoreUnavailable), "{lost:?}");
    first.wait();
    answered(&second, create("later")).await;
    let mut updates = client.watch_match(watch).await.unwrap().into_inner();
    assert_eq!(seen(soon(updates.message()).await.unwrap()), before);
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_would_take_a_store_over_is_refused_while_a_lease_holds() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let owner = shared.start().await;
    let id = played(&owner).await;
    let alone = &shared.variables()[..2];
    let (code, _, stderr) = said(&["replay-all"], alone);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("STORE_LOCKED"), "{stderr}");
    let (code, _, stderr) = said(&["replay-all", "--check"], alone);
    assert_eq!(code, Some(0), "{stderr}");
    answered(&owner, create("later")).await;
    assert!(get(&owner, &id).await.is_ok());
    assert_eq!(owner.stop().code, Some(0));
    let (code, _, stderr) = said(&["replay-all"], alone);
    assert_eq!(code, Some(0), "{stderr}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_another_key_does_not_join() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let owner = shared.start().await;
    let foreign = home.path().join("foreign.key");
    let foreign = foreign.to_str().unwrap();
    let (code, ..) = said(&["key", "--account", "a", "--role", "player", "--key-file", foreign], &[]);
    assert_eq!(code, Some(0));
    let variables = shared.variables();
    let with = [&variables[..1], &[("EDGEHILL_KEY_FILE", foreign)], &variables[2..]].concat();
    let (code, _, stderr) = said(&["--listen", "127.0.0.1:0"], &with);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("was made with another key"), "{stderr}");
    assert_eq!(owner.stop().code, Some(0));
}

/// A client of an address of its own on loopback.
async fn client_at(server: &Running, address: [u8; 4]) -> MatchServiceClient<Channel> {
    let endpoint = Endpoint::from_shared(format!("http://{}", server.address)).unwrap();
    let endpoint = endpoint.local_address(Some(address.into()));
    MatchServiceClient::new(endpoint.connect().await.unwrap())
}

/// Callers are told apart by where they called from, and not by the server that hands their calls on.
#[tokio::test(flavor = "multi_thread")]
async fn the_owner_counts_calls_by_who_called_the_other_server() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let bounds = [("EDGEHILL_CAPACITY__CALLS_PER_SECOND", "1"), ("EDGEHILL_CAPACITY__CALLS_BURST", "2")];
    let owner = shared.start_with(&bounds).await;
    let follower = start(&[], &shared.variables());
    soon(async {
        // Until it knows the owner.
        while get(&follower, "no match").await.unwrap_err().code() == Code::Unavailable {}
    })
    .await;
    let ask = v1::GetMatchRequest { match_id: "no match".into() };
    let mut greedy = client_at(&follower, [127, 0, 0, 7]).await;
    let mut codes = Vec::new();
    for _ in 0..4 {
        let mut lying = tonic::Request::new(ask.clone());
        lying.metadata_mut().insert("edgehill-called-from", "198.51.100.7".parse().unwrap());
        codes.push(greedy.get_match(lying).await.unwrap_err().code());
    }
    assert!(codes.contains(&Code::ResourceExhausted), "{codes:?}");
    let mut other = client_at(&follower, [127, 0, 0, 8]).await;
    assert_ne!(other.get_match(ask).await.unwrap_err().code(), Code::ResourceExhausted);
    drop((follower, owner));
}

/// The traces of the spans that a receiver got.
async fn traces_of(run: impl AsyncFnOnce(SocketAddr)) -> Vec<String> {
    let (receiver, address) = receiver().await;
    run(address).await;
    let spans = receiver.spans.lock().unwrap();
    spans.iter().map(|span| span.trace_id.iter().map(|byte| format!("{byte:02x}")).collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_goes_on_at_the_owner() {
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let traces = traces_of(async |address| {
        let endpoint = format!("http://{address}");
        let owner = shared.start_with(&[("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &endpoint)]).await;
        let follower = shared.start().await;
        let mut traced = tonic::Request::new(create("traced"));
        let parent = format!("00-{TRACE}-b7ad6b7169203331-01");
        traced.metadata_mut().insert("traceparent", parent.parse().unwrap());
        follower.matches().await.create_match(traced).await.unwrap();
        assert_eq!(follower.stop().code, Some(0));
        assert_eq!(owner.stop().code, Some(0));
    });
    let traces = traces.await;
    assert!(traces.iter().any(|trace| trace == TRACE), "{traces:?}");
}

/// Each server says what it is to the others, and a follower what becomes of the calls that come to it.
#[tokio::test(flavor = "multi_thread")]
async fn the_metrics_of_a_server_tell_its_place() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let (of_owner, owner_at) = receiver().await;
    let (of_follower, follower_at) = receiver().await;
    let [owner_at, follower_at] = [owner_at, follower_at].map(|address| format!("http://{address}"));
    let owner = shared.start_with(&[("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &owner_at)]).await;
    let follower = shared.start_with(&[("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &follower_at)]).await;
    get(&follower, "no match").await.unwrap_err();
    assert_eq!(follower.stop().code, Some(0));
    assert_eq!(owner.stop().code, Some(0));

    for (receiver, owns) in [(&of_owner, 1.0), (&of_follower, 0.0)] {
        let figure = |name: &str| receiver.figure(name, &[]);
        assert_eq!(figure("edgehill.cluster.owner"), owns);
        assert_eq!(figure("edgehill.cluster.takeovers"), owns);
        assert_eq!(figure("edgehill.cluster.database.answers"), 1.0);
        let remaining = figure("edgehill.cluster.lease.remaining");
        assert!(remaining <= 60.0 * owns && (remaining > 0.0) == (owns == 1.0), "{remaining}");
    }
    let forwarded =
        |code| of_follower.figure("edgehill.cluster.calls.forwarded", &[("rpc.response.status_code", code)]);
    assert_eq!((forwarded("OK"), forwarded("NOT_FOUND")), (1.0, 1.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_handed_on_through_tls_to_whom_the_authority_vouches_for() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let authority = Authority::new("ours");
    let files = Files::new(&authority.server());
    let ca = home.path().join("ca.pem");
    fs::write(&ca, authority.pem()).unwrap();
    let (certificate, key) = (files.certificate(), files.key());
    let more = [
        ("EDGEHILL_CLUSTER__ADDRESS", "https://localhost:0"),
        ("EDGEHILL_CLUSTER__CA_FILE", ca.to_str().unwrap()),
        ("EDGEHILL_TLS__CERTIFICATE", certificate.to_str().unwrap()),
        ("EDGEHILL_TLS__KEY", key.to_str().unwrap()),
    ];
    let variables = shared.variables();
    let with = [&variables[..2], &variables[3..], &more].concat();
    let [owner, follower] = [start(&[], &with), start(&[], &with)];
    for server in [&owner, &follower] {
        let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authority.pem()));
        let endpoint = Endpoint::from_shared(format!("https://{}", server.address)).unwrap();
        let mut client = MatchServiceClient::new(endpoint.tls_config(tls).unwrap().connect().await.unwrap());
        soon(async {
            while let Err(status) = client.create_match(create("once")).await {
                assert_eq!(status.code(), Code::Unavailable, "{status:?}");
            }
        })
        .await;
    }
    assert_eq!(follower.stop().code, Some(0));
    assert_eq!(owner.stop().code, Some(0));
}
