//! Calls that one of several servers hands on to another: what goes with them, and what comes back.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use edgehill_proto::prost::Message as _;
use edgehill_proto::v1::competition_service_client::CompetitionServiceClient;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::play_seats_request::{Call, Open};
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason, competition_format};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Streaming};

use crate::authority::{Authority, Files};
use crate::message::HasMatch;
use crate::process::{Running, by, key_of, soon, start};
use crate::receiver::receiver;
use crate::shared::{Shared, answered, create, get, wait_as_told};
use crate::start::reason;
use crate::web::{HERE, contains, message, post, send};

/// A connection from an address of its own on loopback.
async fn channel_at(server: &Running, address: [u8; 4]) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{}", server.address)).unwrap();
    let endpoint = endpoint.local_address(Some(address.into()));
    endpoint.connect().await.unwrap()
}

/// Callers are told apart by where they called from, and not by the server that hands their calls on.
#[tokio::test(flavor = "multi_thread")]
async fn the_owner_counts_calls_by_who_called_the_other_server() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let bounds = [("EDGEHILL_CAPACITY__CALLS_PER_SECOND", "1"), ("EDGEHILL_CAPACITY__CALLS_BURST", "2")];
    let owner = shared.start_with(&bounds).await;
    let follower = shared.start().await;
    shared.shared_by(2).await;
    // Of what belongs to no match the first one is the home.
    let ask = v1::ListCompetitionsRequest::default();
    let mut greedy = CompetitionServiceClient::new(channel_at(&follower, [127, 0, 0, 7]).await);
    let mut codes = Vec::new();
    for _ in 0..4 {
        let mut lying = Request::new(ask.clone());
        lying.metadata_mut().insert("edgehill-called-from", "198.51.100.7".parse().unwrap());
        codes.push(greedy.list_competitions(lying).await.map_or_else(|status| status.code(), |_| Code::Ok));
    }
    assert!(codes.contains(&Code::ResourceExhausted), "{codes:?}");
    let mut other = CompetitionServiceClient::new(channel_at(&follower, [127, 0, 0, 8]).await);
    // It has no accounts, and so no competitions.
    assert_eq!(other.list_competitions(ask).await.unwrap_err().code(), Code::FailedPrecondition);
    drop((follower, owner));
}

/// A call of a page, which does not end by itself what the server should: the head and the body that come back.
async fn timed(server: &Running, method: &str, ask: Vec<u8>) -> (String, Vec<u8>) {
    let head = format!("{}\r\ngrpc-timeout: 300m", post(&format!("/edgehill.v1.{method}"), HERE));
    soon(send(&server.address, &head, &message(&ask))).await
}

/// The server that has the match is silent, and its lease goes on: the time of a call ends at the server that was called.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_handed_on_ends_when_its_time_is_over() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let (owner, follower) = (shared.start().await, shared.start().await);
    shared.shared_by(2).await;
    let id = answered(&owner, create("a match of the owner")).await;
    owner.signal("STOP");
    let look = v1::GetMatchRequest { match_id: id.clone() };
    let watch = v1::WatchMatchRequest { match_id: id.clone(), ..v1::WatchMatchRequest::default() };
    // The home is silent, too.
    let seek = v1::SeekMatchRequest {
        request_id: "seek".into(),
        client_secret: vec![7; 32],
        game: "skirmish".into(),
        ..v1::SeekMatchRequest::default()
    };
    for (method, ask) in [
        ("MatchService/GetMatch", look.encode_to_vec()),
        ("MatchService/WatchMatch", watch.encode_to_vec()),
        ("MatchService/SeekMatch", seek.encode_to_vec()),
    ] {
        let (head, body) = timed(&follower, method, ask).await;
        let all = [head.as_bytes(), &body].concat();
        assert!(
            contains(&all, "grpc-status: 4") || contains(&all, "grpc-status:4"),
            "{method}: {head} {body:?}"
        );
    }
    owner.signal("CONT");
    // Nobody has taken anything over.
    assert_eq!(get(&follower, &id).await.unwrap(), get(&owner, &id).await.unwrap());
    for server in [follower, owner] {
        let ended = server.stop();
        assert_eq!((ended.code, ended.panicked()), (Some(0), false), "{}", ended.stderr);
    }
}

/// The names and traces of the spans that a receiver got.
async fn traces_of(run: impl AsyncFnOnce(SocketAddr)) -> Vec<(String, String)> {
    let (receiver, address) = receiver().await;
    run(address).await;
    let spans = receiver.spans.lock().unwrap();
    spans.iter().map(|span| (span.name.clone(), hex::encode(&span.trace_id))).collect()
}

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn traced<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("traceparent", format!("00-{TRACE}-b7ad6b7169203331-01").parse().unwrap());
    request
}

fn join(id: &str) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        match_id: id.into(),
        request_id: "j".into(),
        client_secret: vec![9; 32],
        ..v1::JoinMatchRequest::default()
    }
}

/// Of the two servers the owner alone has a receiver: what that gets has come over.
#[tokio::test(flavor = "multi_thread")]
async fn a_trace_goes_on_at_the_owner() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let traces = traces_of(async |address| {
        let endpoint = format!("http://{address}");
        let owner = shared.start_with(&[("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &endpoint)]).await;
        let follower = shared.start().await;
        shared.shared_by(2).await;
        let id = answered(&owner, create("a match of the owner")).await;
        let mut client = follower.matches().await;
        let token = client.join_match(traced(join(&id))).await.unwrap().into_inner().seat_token;
        let watch = v1::WatchMatchRequest { match_id: id.clone(), ..v1::WatchMatchRequest::default() };
        let mut watching = client.watch_match(traced(watch)).await.unwrap().into_inner();
        soon(watching.message()).await.unwrap().expect("it is there");
        let open = Call::Open(Open { seat_token: token, ..Open::default() });
        let open = v1::PlaySeatsRequest { channel: 1, request_id: String::new(), call: Some(open) };
        let said = tokio_stream::StreamExt::chain(tokio_stream::once(open), tokio_stream::pending());
        let mut playing = client.play_seats(traced(said)).await.unwrap().into_inner();
        let opened = soon(playing.message()).await.unwrap().expect("it goes on").message;
        assert!(matches!(opened, Some(Message::Opened(_))), "{opened:?}");
        drop((watching, playing));
        for server in [follower, owner] {
            let ended = server.stop();
            assert_eq!((ended.code, ended.panicked()), (Some(0), false), "{}", ended.stderr);
        }
    });
    let traces = traces.await;
    for name in ["JoinMatch", "WatchMatch", "PlaySeats"] {
        let span = (format!("edgehill.v1.MatchService/{name}"), TRACE.to_owned());
        assert!(traces.contains(&span), "{span:?} of {traces:?}");
    }
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
    shared.shared_by(2).await;
    let mut at_home = CompetitionServiceClient::new(follower.channel().await);
    at_home.list_competitions(v1::ListCompetitionsRequest::default()).await.unwrap_err();
    let limits = v1::GetLimitsRequest::default();
    follower.catalog().await.get_limits(limits).await.unwrap();
    assert_eq!(follower.stop().code, Some(0));
    assert_eq!(owner.stop().code, Some(0));

    for (receiver, is_home) in [(&of_owner, true), (&of_follower, false)] {
        let figure = |name: &str| receiver.figure(name, &[]);
        let home = u64::from(is_home) as f64;
        assert_eq!(figure("edgehill.cluster.home"), home);
        assert!(figure("edgehill.cluster.takeovers") >= home);
        assert_eq!(figure("edgehill.cluster.database.answers"), 1.0);
        let (shards, remaining) =
            (figure("edgehill.cluster.shards"), figure("edgehill.cluster.lease.remaining"));
        assert!((remaining > 0.0) == (shards > 0.0) && remaining <= 60.0, "{shards} {remaining}");
    }
    let forwarded =
        |code| of_follower.figure("edgehill.cluster.calls.forwarded", &[("rpc.response.status_code", code)]);
    // Competitions are the home's to answer for, and games are anybody's.
    assert_eq!(forwarded("FAILED_PRECONDITION"), 1.0);
}

/// Servers that speak TLS with certificates of this authority.
struct Secured {
    shared: Shared,
    authority: Authority,
    files: Files,
}

impl Secured {
    fn new(folder: &Path) -> Option<Self> {
        let shared = Shared::new(folder, 60)?;
        let authority = Authority::new("ours");
        let files = Files::new(&authority.server());
        Some(Self { shared, authority, files })
    }

    /// Starts one more, which believes the others if this authority vouches for them.
    fn start(&self, believed: &Authority) -> Running {
        let ca = self.files.write("ca.pem", &believed.pem());
        let (certificate, key) = (self.files.certificate(), self.files.key());
        let more = [
            ("EDGEHILL_CLUSTER__ADDRESS", "https://localhost:0"),
            ("EDGEHILL_CLUSTER__CA_FILE", ca.to_str().unwrap()),
            ("EDGEHILL_TLS__CERTIFICATE", certificate.to_str().unwrap()),
            ("EDGEHILL_TLS__KEY", key.to_str().unwrap()),
        ];
        let variables = self.shared.variables();
        start(&[], &[&variables[..2], &variables[3..], &more].concat())
    }

    async fn channel(&self, server: &Running) -> Channel {
        let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(self.authority.pem()));
        let endpoint = Endpoint::from_shared(format!("https://{}", server.address)).unwrap();
        endpoint.tls_config(tls).unwrap().connect().await.unwrap()
    }

    /// Asks a server for what its home alone can answer: without accounts there are no competitions.
    async fn asked(&self, server: &Running) -> tonic::Status {
        let mut client = CompetitionServiceClient::new(self.channel(server).await);
        client.list_competitions(v1::ListCompetitionsRequest::default()).await.unwrap_err()
    }

    /// Two servers, each with its share. The first is the home, and believes the second.
    async fn two(&self, second_believes: &Authority) -> [Running; 2] {
        let first = self.start(&self.authority);
        soon(async {
            loop {
                let status = self.asked(&first).await;
                if status.code() == Code::FailedPrecondition {
                    return;
                }
                assert_eq!(reason(&status), ErrorReason::StoreUnavailable, "{status:?}");
                wait_as_told(&status).await;
            }
        })
        .await;
        let second = self.start(second_believes);
        self.shared.shared_by(2).await;
        [first, second]
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_handed_on_through_tls_to_whom_the_authority_vouches_for() {
    let home = tempfile::tempdir().unwrap();
    let Some(secured) = Secured::new(home.path()) else { return };
    let [first, second] = secured.two(&secured.authority).await;
    let status = secured.asked(&second).await;
    assert_eq!((status.code(), reason(&status)), (Code::FailedPrecondition, ErrorReason::NoAccounts));
    // A match of the other one, by a call and by a stream.
    let mut there = MatchServiceClient::new(secured.channel(&first).await);
    let id = there.create_match(create("of the first")).await.unwrap().into_inner().id();
    let mut client = MatchServiceClient::new(secured.channel(&second).await);
    client.get_match(v1::GetMatchRequest { match_id: id.clone() }).await.unwrap();
    let watch = v1::WatchMatchRequest { match_id: id, ..v1::WatchMatchRequest::default() };
    let mut watching = client.watch_match(watch).await.unwrap().into_inner();
    soon(watching.message()).await.unwrap().expect("it is there");
    drop((watching, client, there));
    assert_eq!(second.stop().code, Some(0));
    assert_eq!(first.stop().code, Some(0));
}

/// The way of keys and tokens ends before a server whose certificate nobody vouches for.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_handed_on_to_whom_another_authority_vouches_for() {
    let home = tempfile::tempdir().unwrap();
    let Some(secured) = Secured::new(home.path()) else { return };
    let [first, second] = secured.two(&Authority::new("a stranger")).await;
    let mut client = MatchServiceClient::new(secured.channel(&second).await);
    let id = client.create_match(create("of the second")).await.unwrap().into_inner().id();
    let refused = secured.asked(&second).await;
    assert_eq!((refused.code(), reason(&refused)), (Code::Unavailable, ErrorReason::StoreUnavailable));
    assert!(refused.message().contains("has not answered"), "{refused:?}");
    // The other way goes: the first one believes the second.
    let mut other = MatchServiceClient::new(secured.channel(&first).await);
    other.get_match(v1::GetMatchRequest { match_id: id }).await.unwrap();
    drop((client, other));
    assert_eq!(second.stop().code, Some(0));
    assert_eq!(first.stop().code, Some(0));
}

/// Two servers with accounts, the first of which is the home, and the keys of two players and a referee.
struct WithAccounts {
    servers: [Running; 2],
    keys: [String; 3],
}

impl WithAccounts {
    async fn start(folder: &Path) -> Option<Self> {
        let shared = Shared::new(folder, 60)?;
        let made = [("ada", "player"), ("bob", "player"), ("umpire", "referee")];
        let made = made.map(|(account, role)| key_of(account, role, folder.to_str().unwrap()));
        let accounts = folder.join("accounts.toml");
        fs::write(&accounts, made.each_ref().map(|(_, table)| &**table).concat()).unwrap();
        let keys = made.map(|(key, _)| key);
        let with = [&shared.variables()[..], &[("EDGEHILL_ACCOUNTS", accounts.to_str().unwrap())]].concat();
        let first = start(&[], &with);
        soon(async {
            let mut league = CompetitionServiceClient::new(first.channel().await);
            let list = || by(&keys[0], v1::ListCompetitionsRequest::default());
            while let Err(status) = league.list_competitions(list()).await {
                assert_eq!(reason(&status), ErrorReason::StoreUnavailable, "{status:?}");
                wait_as_told(&status).await;
            }
        })
        .await;
        let second = start(&[], &with);
        shared.shared_by(2).await;
        Some(Self { servers: [first, second], keys })
    }
}

async fn next<T>(stream: &mut Streaming<T>) -> T {
    soon(stream.message()).await.unwrap().expect("it goes on")
}

fn seek(request_id: &str) -> v1::SeekMatchRequest {
    v1::SeekMatchRequest {
        request_id: request_id.into(),
        game: "skirmish".into(),
        ..v1::SeekMatchRequest::default()
    }
}

/// Callers seek at different servers, and are paired at the home.
#[tokio::test(flavor = "multi_thread")]
async fn who_seeks_through_another_server_than_the_home_is_paired() {
    let home = tempfile::tempdir().unwrap();
    let Some(WithAccounts { servers, keys: [ada, bob, _] }) = WithAccounts::start(home.path()).await else {
        return;
    };
    let [first, second] = &servers;
    let mut through_second = second.matches().await;
    let mut seeking = through_second.seek_match(by(&ada, seek("a"))).await.unwrap().into_inner();
    let count = next(&mut seeking).await.seeking.expect("nobody else is there");
    assert_eq!((count.same_terms, count.same_game), (1, 1));
    let mut other = first.matches().await.seek_match(by(&bob, seek("b"))).await.unwrap().into_inner();
    let paired = async |stream: &mut Streaming<v1::SeekMatchResponse>| loop {
        if let Some(paired) = next(stream).await.paired {
            return paired;
        }
    };
    let (one, two) = (paired(&mut seeking).await, paired(&mut other).await);
    assert_eq!(one.id(), two.id());
    assert_ne!(one.seat, two.seat);
    assert!(soon(seeking.message()).await.unwrap().is_none(), "it ends with the match");
}

/// An account's matches are everywhere: whoever watches it at one server hears of all, those of before and those that come.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_watched_at_all_servers_through_one() {
    let home = tempfile::tempdir().unwrap();
    let Some(WithAccounts { servers, keys: [ada, ..] }) = WithAccounts::start(home.path()).await else {
        return;
    };
    let make = async |server: &Running, request_id: &str| {
        let create = v1::CreateMatchRequest { client_secret: Vec::new(), ..create(request_id) };
        server.matches().await.create_match(by(&ada, create)).await.unwrap().into_inner().id()
    };
    let [first, second] = &servers;
    let mut before = [make(first, "one").await, make(second, "two").await];
    before.sort();
    let ask = by(&ada, v1::WatchAccountRequest::default());
    let mut watching = second.matches().await.watch_account(ask).await.unwrap().into_inner();
    let mut seen = Vec::new();
    loop {
        let said = next(&mut watching).await;
        seen.extend(said.r#match.map(|shown| shown.r#match.unwrap().id()));
        if said.caught_up {
            break;
        }
    }
    seen.sort();
    assert_eq!(seen, before);
    for server in [first, second] {
        let made = make(server, &server.address).await;
        while next(&mut watching).await.r#match.is_none_or(|shown| shown.r#match.unwrap().id() != made) {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_competition_is_watched_through_another_server_than_the_home() {
    let home = tempfile::tempdir().unwrap();
    let Some(WithAccounts { servers, keys: [_, bob, umpire] }) = WithAccounts::start(home.path()).await
    else {
        return;
    };
    let [first, second] = &servers;
    let mut league = CompetitionServiceClient::new(second.channel().await);
    let format = competition_format::Format::RoundRobin(v1::RoundRobinFormat { cycles: 1 });
    let settings = v1::CompetitionSettings {
        name: "Spring cup".into(),
        game: "skirmish".into(),
        format: Some(v1::CompetitionFormat { format: Some(format) }),
        ..v1::CompetitionSettings::default()
    };
    let create = v1::CreateCompetitionRequest { request_id: "c".into(), settings: Some(settings) };
    let made = league.create_competition(by(&umpire, create)).await.unwrap().into_inner();
    let id = made.competition.unwrap().id;
    let watch = v1::WatchCompetitionRequest { competition_id: id.clone(), after_event: 0 };
    let mut watching = league.watch_competition(by(&bob, watch)).await.unwrap().into_inner();
    let shown = next(&mut watching).await;
    assert_eq!(shown.competition.unwrap().id, id);
    let seen = shown.events.len();
    // It goes on with what is done at the home itself.
    let enrol = v1::EnrolEntrantRequest {
        request_id: "e".into(),
        competition_id: id,
        name: "Bob".into(),
        ..v1::EnrolEntrantRequest::default()
    };
    let mut at_home = CompetitionServiceClient::new(first.channel().await);
    at_home.enrol_entrant(by(&bob, enrol)).await.unwrap();
    let news = next(&mut watching).await.events;
    assert_eq!(news.iter().map(|event| event.number).collect::<Vec<_>>(), [seen as u64 + 1]);
}
