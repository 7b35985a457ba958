//! Each call's span and figures: [`Observe`].

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, Request, Response};
use tonic::Code;
use tonic::body::Body;
use tower::{Layer, Service};
use tracing::{Instrument, Span, field};

use super::body::{Listener, Watched};
use super::counting::refused_for;
use super::methods::{Method, Methods};
use super::peer::Peer;
use crate::clock::Clock;
use crate::telemetry::{ClientContext, Metrics, code_name, is_server_fault, spans};

/// Opens each call's span under the client's, and counts and measures the call when its answer has ended. Cheap to clone,
/// as each call does.
#[derive(Clone, Debug)]
pub(super) struct Observe(Arc<Means>);

/// The means with which a call is observed.
#[derive(Debug)]
struct Means {
    methods: Methods,
    metrics: Metrics,
    clock: Arc<dyn Clock>,
}

impl Observe {
    pub(super) fn new(methods: Methods, metrics: Metrics, clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Means { methods, metrics, clock }))
    }
}

impl<S> Layer<S> for Observe {
    type Service = Observed<S>;

    fn layer(&self, inner: S) -> Observed<S> {
        Observed { inner, with: Arc::clone(&self.0) }
    }
}

/// A service whose calls are observed.
#[derive(Clone, Debug)]
pub(super) struct Observed<S> {
    inner: S,
    with: Arc<Means>,
}

impl<S> Service<Request<Body>> for Observed<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let method = Arc::clone(self.with.methods.at(request.uri().path()));
        let span = span(&method, request.headers(), request.extensions().get());
        let mut call = Call {
            started: self.with.clock.elapsed(),
            with: Arc::clone(&self.with),
            span: span.clone(),
            method,
            streaming: false,
            // Until an answer says otherwise: the caller has hung up.
            code: Code::Cancelled,
            reason: None,
        };
        let answer = span.in_scope(|| self.inner.call(request)).instrument(span);
        Box::pin(async move {
            let answer = answer.await?;
            // An answer without messages has its status up here.
            call.trailers(answer.headers());
            call.opened();
            Ok(answer.map(|body| Watched::body(body, call)))
        })
    }
}

/// The span of a call. Its fields stand in each line of the log that is about the call; who called is said by who finds it out.
fn span(method: &Method, headers: &HeaderMap, peer: Option<&Peer>) -> Span {
    let (span, trace) = ClientContext::read(headers).open(|| {
        tracing::info_span!(
            spans::CALL,
            otel.name = &*method.full_name,
            otel.kind = "server",
            otel.status_code = field::Empty,
            rpc.system.name = "grpc",
            rpc.method = &*method.full_name,
            rpc.response.status_code = field::Empty,
            trace_id = field::Empty,
            peer = peer.map(|peer| field::display(peer.address)),
            caller = field::Empty,
            reason = field::Empty,
        )
    });
    if let Some(trace) = trace {
        span.record("trace_id", field::display(trace));
    }
    span
}

/// A call under way. What is known of its end when it is dropped is what is told.
struct Call {
    with: Arc<Means>,
    span: Span,
    method: Arc<Method>,
    started: Duration,
    streaming: bool,
    code: Code,
    /// The reason that it was refused for, once that was said.
    reason: Option<&'static str>,
}

impl Call {
    /// Counts it as an open stream, if it is one.
    fn opened(&mut self) {
        if self.method.streams {
            self.streaming = true;
            self.with.metrics.stream_opened(&self.method.labels);
        }
    }
}

impl Listener for Call {
    fn within<T>(&mut self, make: impl FnOnce() -> T) -> T {
        self.span.in_scope(make)
    }

    fn trailers(&mut self, trailers: &HeaderMap) {
        if let Some(status) = trailers.get("grpc-status") {
            self.code = Code::from_bytes(status.as_bytes());
            self.reason = refused_for(trailers);
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let took = self.with.clock.elapsed().saturating_sub(self.started);
        let (metrics, labels) = (&self.with.metrics, &self.method.labels);
        match self.method.streams {
            true => metrics.stream_ended(labels, self.streaming, self.code),
            false => metrics.call_ended(labels, self.code, took),
        }
        self.span.record("rpc.response.status_code", code_name(self.code));
        if let Some(reason) = self.reason {
            self.span.record("reason", reason);
        }
        if is_server_fault(self.code) {
            self.span.record("otel.status_code", "ERROR");
        }
        let _entered = self.span.enter();
        let (code, micros) = (code_name(self.code), u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        tracing::debug!(code, micros, "the call ended");
    }
}
