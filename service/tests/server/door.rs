//! Strangers who take up connections and calls without an end: they shut nobody out but themselves.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use bytes::Bytes;
use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::{self, ErrorReason};
use http::{Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tonic::body::Body;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};
use tower::{Service, ServiceExt};

use crate::process::{Running, soon, start, start_with_files};
use crate::start::reason;

/// The stranger's address: another one on loopback, so that honest clients are other callers.
pub(crate) const STRANGER: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// As in the attack: five connections with a thousand calls each.
const CONNECTIONS: usize = 5;
const CALLS: usize = 1_000;
/// `capacity.caller_calls` as it is if nobody sets it.
const SHARE: usize = 1_024;

const GET: &str = "/edgehill.v1.MatchService/GetMatch";
const LIMITS: &str = "/edgehill.v1.CatalogService/GetLimits";

/// A stranger's connection; `window`: the bytes of an answer that they take before they have read any.
async fn stranger(server: &Running, window: u32) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{}", server.address)).unwrap();
    let endpoint = endpoint.local_address(Some(STRANGER)).initial_stream_window_size(window);
    endpoint.connect().await.unwrap()
}

fn request(path: &str, body: Body) -> Request<Body> {
    let request = Request::post(path).header("content-type", "application/grpc").header("te", "trailers");
    request.body(body).unwrap()
}

async fn call(mut channel: Channel, request: Request<Body>) -> Response<Body> {
    channel.ready().await.unwrap().call(request).await.unwrap()
}

/// A message that begins and never ends.
fn unended() -> Body {
    Body::new(StreamBody::new(tokio_stream::pending::<Result<Frame<Bytes>, Status>>()))
}

/// An empty message.
fn empty() -> Body {
    Body::new(http_body_util::Full::new(Bytes::from_static(&[0; 5])))
}

/// The refusal of a call before anything of its answer came.
fn refused(answer: &Response<Body>) -> Option<Status> {
    Status::from_header_map(answer.headers()).filter(|status| status.code() != Code::Ok)
}

/// An honest player's calls, from an address of their own.
async fn is_served(server: &Running) {
    let request = v1::CreateMatchRequest {
        request_id: "honest".into(),
        game: "skirmish".into(),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    MatchServiceClient::new(server.channel().await).create_match(request).await.unwrap();
    let mut catalog = CatalogServiceClient::new(server.channel().await);
    catalog
        .get_game(v1::GetGameRequest { game: "skirmish".into(), ..v1::GetGameRequest::default() })
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_whose_messages_never_end_shut_out_nobody_else() {
    let server = start(&[], &[("EDGEHILL_DEADLINES__REQUEST_SECONDS", "5")]);
    let mut calls = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let channel = stranger(&server, 65_535).await;
        for _ in 0..CALLS {
            calls.spawn(call(channel.clone(), request(GET, unended())));
        }
    }
    for _ in SHARE..CONNECTIONS * CALLS {
        let status = refused(&calls.join_next().await.unwrap().unwrap()).unwrap();
        assert_eq!((status.code(), reason(&status)), (Code::ResourceExhausted, ErrorReason::LimitReached));
        assert!(status.message().starts_with("1024 calls of this caller"), "{status:?}");
    }
    is_served(&server).await;
    while let Some(answer) = calls.join_next().await {
        let status = refused(&answer.unwrap()).unwrap();
        assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
    }
    let answer = call(stranger(&server, 65_535).await, request(LIMITS, empty())).await;
    assert!(refused(&answer).is_none(), "what ended is theirs again");
    assert!(!server.stop().panicked());
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_never_read_shut_out_nobody_else() {
    let server = start(&[], &[("EDGEHILL_DEADLINES__ANSWER_SECONDS", "5")]);
    let (mut unread, mut others) = (Vec::new(), 0);
    for _ in 0..CONNECTIONS {
        let channel = stranger(&server, 0).await;
        let mut calls = JoinSet::new();
        for _ in 0..CALLS {
            calls.spawn(call(channel.clone(), request(LIMITS, empty())));
        }
        while let Some(answer) = calls.join_next().await {
            let answer = answer.unwrap();
            match refused(&answer) {
                None => unread.push(answer),
                Some(status) => {
                    assert_eq!(reason(&status), ErrorReason::LimitReached);
                    others += 1;
                }
            }
        }
    }
    // A slow machine may see the first connections end before the last are made.
    assert!(others > 0 && unread.len() >= SHARE, "{others}, {}", unread.len());
    is_served(&server).await;
    for answer in unread {
        assert!(answer.into_body().collect().await.is_err(), "its connection ends, since it was not read");
    }
    let answer = call(stranger(&server, 65_535).await, request(LIMITS, empty())).await;
    assert!(refused(&answer).is_none(), "what ended is theirs again");
    assert!(!server.stop().panicked());
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_say_nothing_are_closed_and_leave_room() {
    let server = start(
        &[],
        &[
            ("EDGEHILL_CAPACITY__CONNECTIONS", "40"),
            ("EDGEHILL_CAPACITY__ADDRESS_CONNECTIONS", "30"),
            ("EDGEHILL_DEADLINES__PREFACE_SECONDS", "2"),
        ],
    );
    let mut silent: Vec<TcpStream> = Vec::new();
    for _ in 0..60 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((STRANGER, 0).into()).unwrap();
        silent.push(socket.connect(server.address.parse().unwrap()).await.unwrap());
    }
    is_served(&server).await;
    for mut connection in silent {
        let ended = tokio::time::timeout(Duration::from_secs(60), async {
            while connection.read(&mut [0; 64]).await.unwrap_or(0) > 0 {}
        });
        ended.await.expect("each is closed, by the limit of its address or for its silence");
    }
    call(stranger(&server, 65_535).await, request(LIMITS, empty())).await;
    assert!(!server.stop().panicked());
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_of_one_address_do_not_take_the_last_files() {
    // As in the attack, with less of both: more connections than the process may have files.
    let server = start_with_files(256, &[("EDGEHILL_DEADLINES__PREFACE_SECONDS", "3600")]);
    let mut silent = Vec::new();
    for _ in 0..300 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((STRANGER, 0).into()).unwrap();
        silent.push(socket.connect(server.address.parse().unwrap()).await.unwrap());
    }
    let served = tokio::time::timeout(Duration::from_secs(60), is_served(&server)).await;
    served.expect("an honest client finds a place");
    drop(silent);
    let said = server.stop();
    assert!(said.stderr.contains("fewer connections than `capacity.connections`"), "{}", said.stderr);
}

/// Another server or a proxy has the calls of many clients on one connection, and gives many up at once when it hears nothing for a
/// moment: as many as may be under way do not end those of the others.
#[tokio::test]
async fn calls_that_are_given_up_at_once_leave_the_others_of_their_connection() {
    const CALLS: usize = 200;
    let server = start(&[], &[]);
    let stream = TcpStream::connect(&server.address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    let mut client = client.ready().await.unwrap();
    let request = || {
        let request = Request::post(format!("http://{}{LIMITS}", server.address));
        request.header("content-type", "application/grpc").header("te", "trailers").body(()).unwrap()
    };
    // Nothing is sent before the connection is polled: the server reads begin and end of all of them together.
    for _ in 0..CALLS {
        let (_, mut body) = client.send_request(request(), false).unwrap();
        body.send_reset(h2::Reason::CANCEL);
    }
    let (answer, mut body) = client.send_request(request(), false).unwrap();
    body.send_data(Bytes::from_static(&[0; 5]), true).unwrap();
    let connection = tokio::spawn(connection);
    let answer = soon(answer).await.unwrap();
    assert_eq!(answer.status(), 200);
    connection.abort();
    assert!(connection.await.unwrap_err().is_cancelled());
    assert_eq!(server.stop().code, Some(0));
}
