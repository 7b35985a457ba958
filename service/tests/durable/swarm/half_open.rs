//! Calls and connections that begin and never end.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body::Frame;
use http_body_util::StreamBody;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;
use tonic::body::Body;
use tonic::transport::Channel;
use tower::{Service, ServiceExt};

use super::hostile::{Hostile, WINDOW};

/// Calls, and connections, that are held open together.
const CALLS: usize = 60;
const CONNECTIONS: usize = 40;
/// The longest that they are held, in milliseconds.
const HELD_MAX: usize = 3_000;

/// The beginning of a connection: the preface, empty settings, and the frame of a call's head.
const OPENING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x7f\x01\x04\x00\x00\x00\x01";

/// The beginning of a message of 200 bytes.
const MESSAGE: &[u8] = &[0, 0, 0, 0, 200, 10, 26, 48, 49, 57, 51, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57];

const METHODS: [&str; 3] = [
    "/edgehill.v1.MatchService/GetMatch",
    "/edgehill.v1.MatchService/ApplyActions",
    "/edgehill.v1.MatchService/PlaySeats",
];

pub(crate) async fn attack(mut hostile: Hostile) {
    while !hostile.is_over() {
        let channel = hostile.connect(WINDOW).await;
        let (mut calls, mut rests) = (JoinSet::new(), Vec::new());
        for _ in 0..CALLS {
            let method = METHODS[hostile.random.below(METHODS.len())];
            let begun = hostile.random.below(MESSAGE.len());
            // The message ends, cut short, when the rest of it can't come any more.
            let (rest, message) = mpsc::channel(1);
            let first = Bytes::from_static(MESSAGE).slice(..begun);
            let _ = rest.try_send(Ok(Frame::data(first)));
            rests.push(rest);
            calls.spawn(begin(channel.clone(), method, message));
            hostile.made("half-open calls");
        }
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            connections.extend(connect(&mut hostile).await);
            hostile.made("half-open connections");
        }
        #[expect(clippy::disallowed_methods, reason = "a caller who does nothing for a while")]
        tokio::time::sleep(Duration::from_millis(hostile.random.below(HELD_MAX) as u64)).await;
    }
}

/// A call whose message has its first bytes, and no more.
async fn begin(mut channel: Channel, method: &str, message: mpsc::Receiver<Result<Frame<Bytes>, Status>>) {
    let body = ReceiverStream::new(message);
    let request = Request::post(method).header("content-type", "application/grpc").header("te", "trailers");
    let request = request.body(Body::new(StreamBody::new(body))).unwrap();
    if let Ok(channel) = channel.ready().await {
        // It is refused, given up by whoever made it, or cut off.
        let _ = channel.call(request).await;
    }
}

/// A connection that says the beginning of something.
async fn connect(hostile: &mut Hostile) -> Option<TcpStream> {
    let address = hostile.address().await.parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((hostile.from(), 0).into()).unwrap();
    // The server may just have been killed, or have closed what is beyond the address's share.
    let mut connection = socket.connect(address).await.ok()?;
    let said = &OPENING[..hostile.random.below(OPENING.len() + 1)];
    connection.write_all(said).await.ok()?;
    // Half of them end by a reset.
    if hostile.random.percent(50) {
        connection.set_zero_linger().ok()?;
    }
    Some(connection)
}
