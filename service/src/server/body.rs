//! Bodies of answers with something tied to them: [`Watched`], [`Ending`].

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;
use tonic::body::Body;

/// Hears of the parts of an answer. Dropped with its body, whether that came to its end or the client hung up.
pub(super) trait Listener: Send + Unpin + 'static {
    /// Something within which each part is made.
    fn within<T>(&mut self, make: impl FnOnce() -> T) -> T {
        make()
    }

    /// The trailers, which say how it ended.
    fn trailers(&mut self, _: &HeaderMap) {}
}

/// A body with a listener.
pub(super) struct Watched<L> {
    body: Body,
    listener: L,
}

impl<L: Listener> Watched<L> {
    /// `body`, of which `listener` hears.
    pub(super) fn body(body: Body, listener: L) -> Body {
        Body::new(Self { body, listener })
    }
}

impl<L: Listener> HttpBody for Watched<L> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, listener } = self.get_mut();
        let frame = listener.within(|| Pin::new(body).poll_frame(cx));
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(trailers) = frame.trailers_ref()
        {
            listener.trailers(trailers);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream of a service that knows nothing of stopping: it ends with a status once the server begins to stop and all that
/// was ready before is sent.
pub(super) struct Ending {
    body: Body,
    stopping: Pin<Box<WaitForCancellationFutureOwned>>,
    status: Option<Status>,
}

impl Ending {
    /// `body`, which ends with `status` when `stopping` is cancelled.
    pub(super) fn body(body: Body, stopping: CancellationToken, status: Status) -> Body {
        Body::new(Self { body, stopping: Box::pin(stopping.cancelled_owned()), status: Some(status) })
    }
}

impl HttpBody for Ending {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, stopping, status } = self.get_mut();
        if status.is_none() {
            return Poll::Ready(None);
        }
        // First what is ready: the last word of a health watch is that the server stops.
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        std::task::ready!(stopping.as_mut().poll(cx));
        let mut trailers = HeaderMap::new();
        let ended = status.take().map_or(Ok(()), |status| status.add_header(&mut trailers));
        Poll::Ready(Some(ended.map(|()| Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.status.is_none() || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
