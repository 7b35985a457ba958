//! Bytes that are no message of the API, or too many of them: the transport says so, and nothing is lost.

use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::limits::Limits;
use prost::Message;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request, Status};

use crate::kit::{Seated, by, notations, reason, skirmish};
use crate::raw_codec::Raw;
use crate::running::{Running, Start};

/// Makes a call with these bytes.
async fn call(running: &Running, method: &str, request: Request<Vec<u8>>) -> Result<Vec<u8>, Status> {
    let address = format!("http://{}", running.address);
    let channel = tonic::transport::Channel::from_shared(address).unwrap().connect().await.unwrap();
    let mut grpc = tonic::client::Grpc::new(channel);
    grpc.ready().await.unwrap();
    let path: PathAndQuery = format!("/edgehill.v1.MatchService/{method}").parse().unwrap();
    Ok(grpc.unary(request, path, Raw).await?.into_inner())
}

/// The bytes of a message, with a name in it that is not UTF-8 any more.
fn spoilt(message: &impl Message, name: &[u8]) -> Vec<u8> {
    let mut bytes = message.encode_to_vec();
    let at = bytes.windows(name.len()).position(|window| window == name).expect("the name is there");
    bytes[at] = 0xff;
    bytes
}

#[tokio::test]
async fn text_that_is_not_utf_8_is_refused_and_nothing_is_lost() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    let token = &seated.tokens[0];
    let apply = seated.apply("bytes-1", notations(&["card fife"]));
    for bytes in [
        spoilt(&apply, b"bytes-1"),
        spoilt(&apply, b"card fife"),
        spoilt(&apply, seated.id.as_bytes()),
        vec![0xff; 40],
        // A field that goes on after the message's end.
        vec![0x0a, 0x7f, b'x'],
    ] {
        let status = call(&running, "ApplyActions", by(token, bytes)).await.unwrap_err();
        assert!(matches!(status.code(), Code::Internal | Code::InvalidArgument), "{status:?}");
        assert!(!status.message().is_empty());
    }
    let status = call(&running, "CreateMatch", Request::new(spoilt(&skirmish("bytes-2"), b"bytes-2"))).await;
    assert!(status.is_err());
    assert_eq!(seated.sight(&mut client).await, before);
    // As bytes, the same message is good.
    let good = call(
        &running,
        "GetMatch",
        Request::new(v1::GetMatchRequest { match_id: seated.id.clone() }.encode_to_vec()),
    );
    let got = v1::GetMatchResponse::decode(&*good.await.unwrap()).unwrap();
    assert_eq!(got, seated.get(&mut client).await);
}

#[tokio::test]
async fn fields_that_nobody_knows_change_nothing() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut bytes = v1::GetMatchRequest { match_id: seated.id.clone() }.encode_to_vec();
    // Field 1,000, of later times.
    bytes.extend([0xc2, 0x3e, 0x03, b'n', b'e', b'w']);
    let got = call(&running, "GetMatch", Request::new(bytes)).await.unwrap();
    assert_eq!(v1::GetMatchResponse::decode(&*got).unwrap(), seated.get(&mut client).await);
}

#[tokio::test]
async fn a_message_above_the_limit_is_refused_by_the_transport() {
    let limits = Limits { request_bytes: 16 * 1024, position_bytes: 16 * 1024, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    let long = "x".repeat(16 * 1024);
    let status = client
        .apply_actions(by(&seated.tokens[0], seated.apply("l", notations(&[&long]))))
        .await
        .unwrap_err();
    assert!(matches!(status.code(), Code::OutOfRange | Code::ResourceExhausted), "{status:?}");
    let position_json = format!("\"{}\"", "x".repeat(16 * 1024));
    let status =
        client.create_match(v1::CreateMatchRequest { position_json, ..skirmish("l") }).await.unwrap_err();
    assert!(matches!(status.code(), Code::OutOfRange | Code::ResourceExhausted), "{status:?}");
    assert_eq!(seated.sight(&mut client).await, before);
    // Just below, it is read.
    let short = "x".repeat(15 * 1024);
    let answer = client.apply_actions(by(&seated.tokens[0], seated.apply("l", notations(&[&short])))).await;
    assert_eq!(reason(answer), ErrorReason::UnknownAction);
}
