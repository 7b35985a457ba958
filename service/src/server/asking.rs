//! The message of a request, read whole before the call takes up anything of the server: [`Reading`].

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tokio::time::timeout;
use tonic::Status;
use tonic::body::Body;

/// Bytes of gRPC around a message: a flag and a length.
const FRAME_BYTES: usize = 5;

/// How long a message may be, and how long it may take.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    bytes_max: usize,
    within: Duration,
}

impl Reading {
    /// Messages of at most `bytes_max` bytes, each read `within` this time.
    pub(super) const fn new(bytes_max: usize, within: Duration) -> Self {
        Self { bytes_max, within }
    }

    /// The same request with all of its message at hand.
    ///
    /// # Errors
    /// DEADLINE_EXCEEDED, OUT_OF_RANGE, and what the transport says.
    pub(super) async fn whole(&self, request: Request<Body>) -> Result<Request<Body>, Status> {
        let (head, body) = request.into_parts();
        let message = timeout(self.within, Limited::new(body, self.bytes_max + FRAME_BYTES).collect()).await;
        let message = message.map_err(|_| self.late())?.map_err(|fault| self.faulty(fault))?;
        let whole: Bytes = message.to_bytes();
        Ok(Request::from_parts(head, Body::new(Full::new(whole))))
    }

    fn late(&self) -> Status {
        let seconds = self.within.as_secs();
        Status::deadline_exceeded(format!("the request was not sent within {seconds} s of its head"))
    }

    fn faulty(&self, fault: Box<dyn std::error::Error + Send + Sync>) -> Status {
        if fault.is::<LengthLimitError>() {
            return Status::out_of_range(format!("a request has at most {} bytes", self.bytes_max));
        }
        match fault.downcast::<Status>() {
            Ok(status) => *status,
            Err(fault) => Status::cancelled(format!("the request was broken off: {fault}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{Empty, StreamBody};
    use tokio_stream::StreamExt;
    use tonic::Code;

    use super::*;

    fn request(body: Body) -> Request<Body> {
        Request::builder().uri("/edgehill.v1.MatchService/GetMatch").body(body).unwrap()
    }

    const READING: Reading = Reading::new(16, Duration::from_secs(10));

    #[tokio::test]
    async fn a_message_in_parts_is_at_hand_in_one() {
        let parts = ["par", "ts"].map(|part| Ok::<_, Status>(http_body::Frame::data(Bytes::from(part))));
        let body = Body::new(StreamBody::new(tokio_stream::iter(parts)));
        let read = READING.whole(request(body)).await.unwrap();
        assert_eq!(read.uri().path(), "/edgehill.v1.MatchService/GetMatch");
        assert_eq!(read.into_body().collect().await.unwrap().to_bytes(), "parts");
        READING.whole(request(Body::new(Empty::new()))).await.unwrap();
    }

    #[tokio::test]
    async fn a_message_that_is_too_long_is_not_read_to_its_end() {
        let part = || Ok::<_, Status>(http_body::Frame::data(Bytes::from_static(&[0; 8])));
        let endless = tokio_stream::iter(std::iter::repeat_with(part));
        let refused = READING.whole(request(Body::new(StreamBody::new(endless)))).await.unwrap_err();
        assert_eq!(refused.code(), Code::OutOfRange);
        assert_eq!(refused.message(), "a request has at most 16 bytes");
    }

    #[tokio::test(start_paused = true)]
    async fn a_message_that_does_not_come_is_not_waited_for() {
        let never = tokio_stream::pending::<Result<http_body::Frame<Bytes>, Status>>();
        let begun = tokio_stream::once(Ok(http_body::Frame::data(Bytes::from_static(b"beg"))));
        let body = Body::new(StreamBody::new(begun.chain(never)));
        let refused = READING.whole(request(body)).await.unwrap_err();
        assert_eq!(refused.code(), Code::DeadlineExceeded);
    }
}
