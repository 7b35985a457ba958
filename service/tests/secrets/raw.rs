//! Calls whose answers are kept as the bytes that came ([`Answer`]).

use std::collections::BTreeMap;

use tonic::metadata::{KeyAndValueRef, MetadataMap};
use tonic::transport::Channel;
use tonic::{Code, Request, Streaming};

use crate::raw_codec::Raw;

/// All that a caller gets of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) words: String,
    pub(crate) details: Vec<u8>,
    pub(crate) body: Vec<u8>,
    /// Headers and trailers, but for the date.
    pub(crate) metadata: BTreeMap<String, Vec<Vec<u8>>>,
}

impl Answer {
    pub(crate) fn is_ok(&self) -> bool {
        self.code == Code::Ok as i32
    }
}

/// A request by the holder of a token, or by nobody.
pub(crate) fn request<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    if !token.is_empty() {
        request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    request
}

fn path(method: &str) -> http::uri::PathAndQuery {
    format!("/edgehill.v1.MatchService/{method}").parse().unwrap()
}

/// Makes a call.
pub(crate) async fn call(channel: &Channel, method: &str, token: &str, message: Vec<u8>) -> Answer {
    let mut grpc = tonic::client::Grpc::new(channel.clone());
    grpc.ready().await.unwrap();
    match grpc.unary(request(token, message), path(method), Raw).await {
        Ok(response) => {
            let (metadata, body, _) = response.into_parts();
            Answer { code: 0, words: String::new(), details: Vec::new(), body, metadata: plain(&metadata) }
        }
        Err(status) => Answer {
            code: status.code() as i32,
            words: status.message().to_owned(),
            details: status.details().to_vec(),
            body: Vec::new(),
            metadata: plain(status.metadata()),
        },
    }
}

/// Opens a stream of the server.
pub(crate) async fn watch(channel: &Channel, token: &str, message: Vec<u8>) -> Streaming<Vec<u8>> {
    let mut grpc = tonic::client::Grpc::new(channel.clone());
    grpc.ready().await.unwrap();
    grpc.server_streaming(request(token, message), path("WatchMatch"), Raw).await.unwrap().into_inner()
}

/// Opens a stream in both directions.
pub(crate) async fn play(
    channel: &Channel,
    messages: impl tokio_stream::Stream<Item = Vec<u8>> + Send + 'static,
) -> Streaming<Vec<u8>> {
    let mut grpc = tonic::client::Grpc::new(channel.clone());
    grpc.ready().await.unwrap();
    grpc.streaming(Request::new(messages), path("PlaySeats"), Raw).await.unwrap().into_inner()
}

fn plain(metadata: &MetadataMap) -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut plain: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for entry in metadata.iter() {
        let (key, value) = match entry {
            KeyAndValueRef::Ascii(key, value) => (key.as_str(), value.as_encoded_bytes()),
            KeyAndValueRef::Binary(key, value) => (key.as_str(), value.as_encoded_bytes()),
        };
        if key != "date" {
            plain.entry(key.to_owned()).or_default().push(value.to_vec());
        }
    }
    plain
}
