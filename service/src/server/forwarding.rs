//! Calls that are handed on to another server: [`Forwarding`].
//!
//! Everything of a call goes on as it came, its trace among that, and of its time what is left ([`super::deadline`]); everything of the
//! answer comes back. When the client hangs up, so does this server. A call goes from server to server once.

use std::convert::{self, Infallible};
use std::error::Error as _;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context as Task, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, Version, header};
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::BodyExt as _;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Status, TimeoutExpired};
use tower::{Service, ServiceExt as _};

use super::body::{Ending, Listener, Watched};
use super::hop::Hop;
use super::refusals;
use crate::telemetry::Metrics;

/// The time in which the owner has to take a connection.
const CONNECT: Duration = Duration::from_secs(2);

/// The time after which an owner that says nothing is asked whether it is there, and the time that it has to say so.
const ASK: Duration = Duration::from_secs(2);
const ANSWER: Duration = Duration::from_secs(3);

/// The most connections to one owner.
const CONNECTIONS_MAX: usize = 64;

/// Marks the refusal of a call that was handed on to a server which has not answered.
#[derive(Copy, Clone, Debug)]
pub(super) struct Unanswered;

/// Hands calls on. Cheap to clone, as each call does.
#[derive(Clone, Debug)]
pub(super) struct Forwarding {
    hop: Hop,
    /// `None`: its address is none.
    owner: Option<Arc<Owner>>,
    stopping: CancellationToken,
    metrics: Metrics,
}

/// The connections to another server.
#[derive(Debug)]
struct Owner {
    endpoint: Endpoint,
    /// The most calls of one connection: what the owner takes, less some, so that none waits for another to end.
    calls_max: usize,
    ways: Mutex<Vec<Way>>,
}

/// A connection, and the calls that are under way on it.
#[derive(Clone, Debug)]
struct Way {
    channel: Channel,
    calls: Arc<AtomicUsize>,
}

/// A call under way on a connection.
struct UnderWay(Arc<AtomicUsize>);

/// A call that is another server's to answer, until its answer ends: it is counted then.
struct Counted {
    metrics: Metrics,
    code: Code,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Counted {
    fn new(metrics: &Metrics) -> Self {
        // Until an answer says otherwise: the caller has hung up.
        Self { metrics: metrics.clone(), code: Code::Cancelled }
    }
}

impl Listener for Counted {
    fn trailers(&mut self, trailers: &HeaderMap) {
        if let Some(status) = trailers.get("grpc-status") {
            self.code = Code::from_bytes(status.as_bytes());
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.metrics.call_forwarded(self.code);
    }
}

/// The way to the owners of the matches: who vouches for their certificates, and how much one connection carries.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub hop: Hop,
    /// Certificates (PEM); `None`: connections are in clear.
    pub ca: Option<Certificate>,
    /// Calls that an owner takes on one connection.
    pub connection_calls: u32,
    /// Cancelled when this server begins to stop.
    pub stopping: CancellationToken,
    /// The metrics that calls are counted in.
    pub metrics: Metrics,
}

impl Route {
    /// Hands calls on to the server at this address.
    pub(super) fn to(&self, address: &str) -> Forwarding {
        let owner = match self.owner(address) {
            Ok(owner) => Some(Arc::new(owner)),
            Err(error) => {
                tracing::error!(%address, %error, "a server can't be called");
                None
            }
        };
        let (hop, stopping, metrics) = (self.hop.clone(), self.stopping.clone(), self.metrics.clone());
        Forwarding { hop, owner, stopping, metrics }
    }

    fn owner(&self, address: &str) -> Result<Owner, tonic::transport::Error> {
        let mut endpoint = Endpoint::from_shared(address.to_owned())?
            .connect_timeout(CONNECT)
            .http2_keep_alive_interval(ASK)
            .keep_alive_timeout(ANSWER)
            .keep_alive_while_idle(true);
        if let Some(ca) = &self.ca {
            endpoint = endpoint.tls_config(ClientTlsConfig::new().ca_certificate(ca.clone()))?;
        }
        let calls_max =
            (self.connection_calls as usize).saturating_sub(self.connection_calls as usize / 8).max(1);
        Ok(Owner { endpoint, calls_max, ways: Mutex::default() })
    }
}

impl Owner {
    /// The connection with the fewest calls; another one if they all have as many as one takes.
    fn way(&self) -> (Channel, UnderWay) {
        let mut ways = self.ways.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = |way: &&Way| way.calls.load(Ordering::Relaxed);
        let least = ways
            .iter()
            .min_by_key(calls)
            .filter(|way| ways.len() >= CONNECTIONS_MAX || calls(way) < self.calls_max);
        let way = match least {
            Some(way) => way.clone(),
            None => {
                let way = Way { channel: self.endpoint.connect_lazy(), calls: Arc::default() };
                ways.push(way.clone());
                way
            }
        };
        way.calls.fetch_add(1, Ordering::Relaxed);
        (way.channel, UnderWay(way.calls))
    }
}

impl Forwarding {
    async fn answer(self, mut request: Request<Body>) -> Response<Body> {
        if self.stopping.is_cancelled() {
            return refusals::draining().into_http();
        }
        let Some(owner) = self.owner else { return refusals::no_owner().into_http() };
        self.hop.vouch(&mut request);
        // Of HTTP/1.1 is what pages send.
        *request.version_mut() = Version::HTTP_2;
        for of_one_connection in [
            header::HOST,
            header::CONNECTION,
            header::TRANSFER_ENCODING,
            header::UPGRADE,
            header::CONTENT_LENGTH,
        ] {
            request.headers_mut().remove(of_one_connection);
        }
        // Text of a page is shorter once it was read, and yet its body gives the length that it came with.
        let request = request.map(|body| Body::new(body.map_frame(convert::identity)));
        let (mut channel, under_way) = owner.way();
        let answered = async { channel.ready().await?.call(request).await };
        match answered.await {
            Ok(answer) => answer.map(|body| {
                let handed = Body::new(Handed { body, _under_way: under_way, is_over: false });
                Ending::body(handed, self.stopping, refusals::draining())
            }),
            Err(error) => {
                tracing::debug!(%error, "a call that was handed on has no answer");
                if is_late(&error) {
                    return refusals::late().into_http();
                }
                let mut answer = refusals::owner_lost().into_http();
                answer.extensions_mut().insert(Unanswered);
                answer
            }
        }
    }
}

/// Returns whether a call has no answer since the time was over that it had left.
fn is_late(error: &tonic::transport::Error) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        if error.is::<TimeoutExpired>() {
            return true;
        }
        cause = error.source();
    }
    false
}

impl Service<Request<Body>> for Forwarding {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Task<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let forwarding = self.clone();
        let mut counted = Counted::new(&self.metrics);
        Box::pin(async move {
            let answer = forwarding.answer(request).await;
            // An answer without messages has its status up here.
            counted.trailers(answer.headers());
            Ok(answer.map(|body| Watched::body(body, counted)))
        })
    }
}

/// The body of an answer of the owner: where that breaks off, it ends with a status that says so.
struct Handed {
    body: Body,
    _under_way: UnderWay,
    is_over: bool,
}

impl HttpBody for Handed {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Task<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let handed = self.get_mut();
        if handed.is_over {
            return Poll::Ready(None);
        }
        let frame = std::task::ready!(Pin::new(&mut handed.body).poll_frame(cx));
        let Some(Err(_)) = frame else { return Poll::Ready(frame) };
        handed.is_over = true;
        let mut trailers = HeaderMap::new();
        let ended = refusals::owner_lost().add_header(&mut trailers);
        Poll::Ready(Some(ended.map(|()| Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.is_over || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
