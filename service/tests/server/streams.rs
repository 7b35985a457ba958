//! Strangers' streams: what they cost, and whose share they are of.

use std::net::IpAddr;

use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::play_seats_request::{Call, Open};
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::service::Interceptor;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};

use crate::door::STRANGER;
use crate::process::{Running, by, start};
use crate::start::reason;

/// As in the attack: sixteen streams of somebody without an account.
const STREAMS: usize = 16;
/// Openings in each, all of them refused.
const OPENINGS: u32 = 10_000;
/// The most that they may cost the server, in bytes: each used to cost 15 KB.
const COST_MAX: u64 = 128 * 1024 * 1024;

async fn from(address: IpAddr, server: &Running) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{}", server.address)).unwrap();
    endpoint.local_address(Some(address)).connect().await.unwrap()
}

/// Somebody who calls from this address.
pub(crate) async fn client_from(address: IpAddr, server: &Running) -> MatchServiceClient<Channel> {
    MatchServiceClient::new(from(address, server).await)
}

/// A match, and a token of its first seat.
async fn seated(server: &Running) -> (String, String) {
    let mut client = server.matches().await;
    let create = v1::CreateMatchRequest {
        request_id: "create".into(),
        game: "skirmish".into(),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    let created = client.create_match(create).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().config.unwrap().match_id;
    let join = v1::JoinMatchRequest {
        match_id: match_id.clone(),
        request_id: "join".into(),
        seat: Some(0),
        client_secret: vec![7; 32],
        ..v1::JoinMatchRequest::default()
    };
    (match_id, client.join_match(join).await.unwrap().into_inner().seat_token)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_play_stream_that_is_not_read_costs_no_more_than_its_room() {
    let (server, elsewhere) = (start(&[], &[]), start(&[], &[]));
    // A token of another server: it can be read, and is nobody's here.
    let (_, token) = seated(&elsewhere).await;
    let before = server.memory_peak();
    let mut unread: Vec<Streaming<v1::PlaySeatsResponse>> = Vec::new();
    for _ in 0..STREAMS {
        let token = token.clone();
        let openings = (0..OPENINGS).map(move |number| v1::PlaySeatsRequest {
            // Half of them on channels of their own, half on one.
            channel: if number % 2 == 0 { number } else { 1 },
            request_id: String::new(),
            call: Some(Call::Open(Open { seat_token: token.clone(), ..Open::default() })),
        });
        let mut client = client_from(STRANGER, &server).await;
        unread.push(client.play_seats(tokio_stream::iter(openings)).await.unwrap().into_inner());
    }
    // Others are served while they wait.
    let mut catalog = server.catalog().await;
    for _ in 0..2_000 {
        catalog
            .get_game(v1::GetGameRequest { game: "skirmish".into(), ..v1::GetGameRequest::default() })
            .await
            .unwrap();
    }
    // Each of them is answered, once somebody reads.
    for mut stream in unread {
        for _ in 0..OPENINGS {
            let answer = stream.message().await.unwrap().unwrap();
            assert!(matches!(answer.message, Some(Message::Refusal(_))), "{answer:?}");
        }
        assert!(stream.message().await.unwrap().is_none());
    }
    let cost = server.memory_peak() - before;
    assert!(cost <= COST_MAX, "{cost} bytes for {STREAMS} streams");
    assert!(!server.stop().panicked());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seats_token_makes_nobody_another_caller() {
    let server = start(&[], &[("EDGEHILL_LIMITS__STREAMS", "2")]);
    let (_, token) = seated(&server).await;
    let mut client = client_from(STRANGER, &server).await;
    let _open = [
        client.play_seats(tokio_stream::pending()).await.unwrap(),
        client.play_seats(by(&token, tokio_stream::pending())).await.unwrap(),
    ];
    let refused = client.play_seats(by(&token, tokio_stream::pending())).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::LimitReached);
    server
        .matches()
        .await
        .play_seats(tokio_stream::pending())
        .await
        .expect("another address, another caller");
}

/// The client for whom a proxy says that it calls.
#[derive(Clone)]
struct For(&'static str);

impl Interceptor for For {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("x-forwarded-for", self.0.parse().unwrap());
        Ok(request)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_a_proxy_are_callers_of_their_own_and_nobody_else_is_believed() {
    let server = start(
        &[],
        &[
            ("EDGEHILL_LIMITS__STREAMS", "1"),
            ("EDGEHILL_CAPACITY__ADDRESS_CONNECTIONS", "1"),
            ("EDGEHILL_PROXY__ADDRESSES", "[\"127.0.0.1\"]"),
            ("EDGEHILL_PROXY__HEADER", "x-forwarded-for"),
        ],
    );
    let server = &server;
    let through_proxy =
        |client| async move { MatchServiceClient::with_interceptor(server.channel().await, For(client)) };
    let mut ada = through_proxy("198.51.100.7").await;
    let mut ben = through_proxy("203.0.113.9, 198.51.100.8").await;
    let _open = [
        ada.play_seats(tokio_stream::pending()).await.unwrap(),
        ben.play_seats(tokio_stream::pending()).await.unwrap(),
    ];
    for client in ["198.51.100.7", "203.0.113.9, 198.51.100.8", "192.0.2.1, 198.51.100.8"] {
        let refused = through_proxy(client).await.play_seats(tokio_stream::pending()).await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::LimitReached, "{client}");
    }
    // Whoever is no proxy speaks for themselves alone, whatever they say.
    let stranger = from(STRANGER, server).await;
    let mut as_one = MatchServiceClient::with_interceptor(stranger.clone(), For("198.51.100.20"));
    let mut as_another = MatchServiceClient::with_interceptor(stranger, For("198.51.100.21"));
    let _own = as_one.play_seats(tokio_stream::pending()).await.unwrap();
    let refused = as_another.play_seats(tokio_stream::pending()).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::LimitReached);
}
