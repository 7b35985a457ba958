//! The control of who gets to a service: [`Admission`].

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};
use tracing::{Span, field};

use super::answering::Answers;
use super::asking::Reading;
use super::methods::{Method, Methods};
use super::peer::{CameFrom, Proxies};
use super::refusals;
use super::traffic::{Calls, CurrentQuota};
use crate::identity::{AccountQuota, CallerKey, CurrentAccounts};
use crate::shares::{Share, Shares};
use crate::telemetry::RefusedCalls;

/// Refuses calls that come too often, are too many, or come when the server stops. What is not of `edgehill`, as health and
/// reflection, is always let in.
#[derive(Debug)]
pub(super) struct Admission {
    pub methods: Methods,
    pub accounts: CurrentAccounts,
    pub proxies: Proxies,
    pub quota: CurrentQuota,
    pub shares: Shares<CallerKey>,
    pub reading: Reading,
    pub calls: Calls,
    pub answers: Arc<Answers>,
    pub refused: RefusedCalls,
    pub stopping: CancellationToken,
}

impl Admission {
    /// Lets a call in whose message is still to be read: one of its caller's share. Nothing else is theirs before that.
    fn admit(&self, method: &Method, request: &mut Request<Body>) -> Result<Admittance, Status> {
        let CameFrom { caller, connection } =
            self.proxies.came_from(request.headers(), request.extensions(), &self.accounts.now());
        Span::current().record("caller", field::display(&caller));
        // A look at what is there does not hold up the end; what changes something, or stays, does.
        if self.stopping.is_cancelled() && (method.streams || !method.reads) {
            return Err(refusals::draining());
        }
        let (quota, own) = (self.quota.now(), self.accounts.now().quota_of(&caller));
        quota.admit(&caller, &own)?;
        if method.streams {
            request.extensions_mut().insert(self.refused.clone());
            // Messages in it count as calls do.
            request.extensions_mut().insert(self.quota.of_messages(caller.clone(), self.accounts.clone()));
        }
        request.extensions_mut().insert(caller.clone());
        let calls = quota.calls(&own);
        let share = self.shares.take(caller.clone(), calls);
        let share = share.ok_or_else(|| refusals::too_many_of_caller(calls))?;
        Ok(Admittance { caller, own, share, connection })
    }

    /// Counts the bytes of a message that was read whole.
    fn admit_bytes(
        &self,
        caller: &CallerKey,
        own: &AccountQuota,
        request: &Request<Body>,
    ) -> Result<(), Status> {
        let bytes = http_body::Body::size_hint(request.body()).lower();
        self.quota.now().admit_bytes(caller, own, usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Carries a call out: reads its message, finds a place among all calls for as long as it is worked on, and sends the
    /// answer, until whose end the call is one of its caller's share. Streams have a share while they are read: how many a
    /// caller may have is for their service to say, which knows seats.
    async fn carry<S>(
        &self,
        method: &Method,
        request: Request<Body>,
        Admittance { caller, own, share, connection }: Admittance,
        inner: S,
    ) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let request = match method.asks_once {
            true => match self.reading.whole(request).await {
                Ok(request) => match self.admit_bytes(&caller, &own, &request) {
                    Ok(()) => request,
                    Err(refused) => return refused.into_http(),
                },
                Err(refused) => return refused.into_http(),
            },
            false => request,
        };
        if method.streams {
            drop(share);
            return worked_on(inner, request).await;
        }
        let answer = match self.calls.admit() {
            Ok(_place) => worked_on(inner, request).await,
            Err(refused) => return refused.into_http(),
        };
        answer.map(|body| self.answers.send(body, share, connection))
    }
}

/// The holdings of a call that was let in: its caller with what their account has of its own, one of its caller's share, and the connection that breaks if its answer is not read;
/// `None`: that is a proxy's.
struct Admittance {
    caller: CallerKey,
    own: AccountQuota,
    share: Share<CallerKey>,
    connection: Option<CancellationToken>,
}

async fn worked_on<S>(mut inner: S, request: Request<Body>) -> Response<Body>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let Ok(answer) = inner.call(request).await;
    answer
}

/// Puts an [`Admission`] before a service.
#[derive(Clone, Debug)]
pub(super) struct AdmissionLayer(pub Arc<Admission>);

impl<S> Layer<S> for AdmissionLayer {
    type Service = Admitted<S>;

    fn layer(&self, inner: S) -> Admitted<S> {
        Admitted { inner, by: Arc::clone(&self.0) }
    }
}

/// A service that only admitted calls reach. Cheap to clone, as each call does.
#[derive(Clone, Debug)]
pub(super) struct Admitted<S> {
    inner: S,
    by: Arc<Admission>,
}

impl<S> Service<Request<Body>> for Admitted<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let method = self.by.methods.at(request.uri().path());
        if !method.ours {
            return Box::pin(self.inner.call(request));
        }
        match self.by.admit(method, &mut request) {
            Err(refused) => Box::pin(async move { Ok(refused.into_http()) }),
            Ok(admittance) => {
                // That which was polled ready is what is called.
                let clone = self.inner.clone();
                let inner = std::mem::replace(&mut self.inner, clone);
                let (by, method) = (Arc::clone(&self.by), Arc::clone(method));
                Box::pin(async move { Ok(by.carry(&method, request, admittance, inner).await) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tonic::Code;
    use tower::{ServiceExt, service_fn};

    use super::super::descriptors;
    use super::super::traffic::Quota;
    use super::*;
    use crate::clock::{Clock, ManualClock};
    use crate::config::{Capacity, Config};

    const APPLY: &str = "/edgehill.v1.MatchService/ApplyActions";
    const WATCH: &str = "/edgehill.v1.MatchService/WatchMatch";
    const GET: &str = "/edgehill.v1.MatchService/GetMatch";
    const HEALTH: &str = "/grpc.health.v1.Health/Check";
    const NONE: &str = "/edgehill.v1.MatchService/Burn";

    fn quota(set: impl FnOnce(&mut Capacity)) -> Quota {
        let mut config = Config::default();
        set(&mut config.capacity);
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(0));
        Quota::of(&config, &clock)
    }

    fn admission(calls: u32) -> AdmissionLayer {
        AdmissionLayer(Arc::new(refusing(calls)))
    }

    fn refusing(calls: u32) -> Admission {
        Admission {
            methods: Methods::of(&descriptors()),
            accounts: CurrentAccounts::default(),
            proxies: Proxies::default(),
            quota: quota(|capacity| capacity.caller_calls = calls).into(),
            shares: Shares::default(),
            reading: Reading::new(64, Duration::from_secs(10)),
            calls: Calls::new(calls),
            answers: Answers::new(Duration::from_secs(30)),
            refused: RefusedCalls::default(),
            stopping: CancellationToken::new(),
        }
    }

    /// The body of an answer that has not ended.
    struct Unended;

    impl http_body::Body for Unended {
        type Data = bytes::Bytes;
        type Error = Status;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<http_body::Frame<bytes::Bytes>, Status>>> {
            Poll::Pending
        }
    }

    /// Calls `path`; the service behind answers OK, and does not come to an end.
    async fn call(admission: &AdmissionLayer, path: &str) -> (Code, Response<Body>) {
        let service = service_fn(|_| async { Ok::<_, Infallible>(Response::new(Body::new(Unended))) });
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let answer = admission.layer(service).oneshot(request).await.unwrap();
        (Status::from_header_map(answer.headers()).map_or(Code::Ok, |status| status.code()), answer)
    }

    async fn code(admission: &AdmissionLayer, path: &str) -> Code {
        call(admission, path).await.0
    }

    #[tokio::test]
    async fn a_server_that_stops_refuses_what_changes_something_or_stays() {
        let admission = admission(8);
        for path in [APPLY, WATCH, GET, HEALTH, NONE] {
            assert_eq!(code(&admission, path).await, Code::Ok, "{path}");
        }
        admission.0.stopping.cancel();
        for (path, expected) in [
            (APPLY, Code::Unavailable),
            ("/edgehill.v1.MatchService/CreateMatch", Code::Unavailable),
            ("/edgehill.v1.MatchService/PlaySeats", Code::Unavailable),
            (WATCH, Code::Unavailable),
            (GET, Code::Ok),
            ("/edgehill.v1.CatalogService/GetGame", Code::Ok),
            (HEALTH, Code::Ok),
        ] {
            assert_eq!(code(&admission, path).await, expected, "{path}");
        }
    }

    #[tokio::test]
    async fn a_share_is_held_until_the_answer_has_ended_and_a_stream_keeps_none() {
        let admission = admission(2);
        let (_, first) = call(&admission, APPLY).await;
        let (code_of_stream, _stream) = call(&admission, WATCH).await;
        assert_eq!(code_of_stream, Code::Ok);
        let (code_of_second, _second) = call(&admission, GET).await;
        assert_eq!(code_of_second, Code::Ok);
        assert_eq!(code(&admission, GET).await, Code::ResourceExhausted);
        assert_eq!(code(&admission, HEALTH).await, Code::Ok);
        drop(first);
        assert_eq!(code(&admission, GET).await, Code::Ok);
    }

    #[tokio::test]
    async fn health_is_never_held_up_by_the_rate() {
        let quota = quota(|capacity| (capacity.calls_per_second, capacity.calls_burst) = (Some(1), 1)).into();
        let admission = AdmissionLayer(Arc::new(Admission { quota, ..refusing(8) }));
        assert_eq!(code(&admission, GET).await, Code::Ok);
        assert_eq!(code(&admission, GET).await, Code::ResourceExhausted);
        assert_eq!(code(&admission, WATCH).await, Code::ResourceExhausted);
        assert_eq!(code(&admission, HEALTH).await, Code::Ok);
    }
}
