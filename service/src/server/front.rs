//! The way of connections to whatever answers calls, which may change while they are open: [`Front`].

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use http::{Request, Response};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::service::Routes;
use tonic::transport::Server;
use tower::Service;
use tower::layer::layer_fn;
use tower::util::BoxCloneSyncService;

use super::handle::Ended;
use super::incoming::{ConnectionLimits, Listener};
use super::tls::CurrentTls;
use super::{StartError, seconds};
use crate::clock::Clock;
use crate::config::Config;
use crate::telemetry::Metrics;

/// The interval at which a connection without traffic is asked whether its client is still there, and the
/// time that this may take: a client that is gone without a word must not hold its streams for ever.
const ASK: Duration = Duration::from_secs(30);
const ANSWER: Duration = Duration::from_secs(20);

/// Something that answers calls. Cheap to clone.
pub(super) type App = BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>;

/// A service as an [`App`].
pub(super) fn app<S>(service: S) -> App
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
{
    BoxCloneSyncService::new(service)
}

/// The settings of a server's connections, and what it counts them with.
pub(super) struct Connections<'a> {
    pub config: &'a Config,
    pub tls: Option<CurrentTls>,
    pub clock: Arc<dyn Clock>,
    pub metrics: &'a Metrics,
    /// Cancelled when the server begins to stop: no connection is accepted from then on.
    pub stopping: CancellationToken,
}

/// A server that listens.
#[derive(Debug)]
pub(super) struct Front {
    app: watch::Sender<App>,
    pub(super) local_addr: SocketAddr,
    /// Breaks all connections.
    pub(super) severed: CancellationToken,
    /// The end of serving, as soon as it has come.
    pub(super) ended: watch::Receiver<Option<Ended>>,
}

impl Front {
    /// Listens, and has this app answer.
    ///
    /// # Errors
    /// [`StartError::Listen`].
    pub(super) fn listen(connections: Connections<'_>, app: App) -> Result<Self, StartError> {
        let address = connections.config.listen;
        let listener = Listener::bind(address).map_err(|why| StartError::Listen { address, why })?;
        Ok(Self::over(listener, connections, app))
    }

    /// Has this app answer the connections of a listener.
    pub(super) fn over(listener: Listener, connections: Connections<'_>, app: App) -> Self {
        let Connections { config, tls, clock, metrics, stopping } = connections;
        let (local_addr, severed) = (listener.local_addr(), CancellationToken::new());
        let capacity = &config.capacity;
        let limits = ConnectionLimits {
            connections: capacity.connections as usize,
            of_address: capacity.address_connections as usize,
            preface: seconds(config.deadlines.preface_seconds),
        };
        let (open, failed) = (listener.open_connections(), listener.failed_handshakes());
        metrics.watch_connections(limits.connections, move || open.count());
        metrics.watch_handshakes(move || failed.count());
        if let Some(tls) = tls.clone() {
            tokio::spawn(tls.follow(clock, stopping.clone()));
        }
        let accepted = listener.with_tls(tls).accept(limits, &config.proxy, severed.clone());
        let (change, current) = watch::channel(app.clone());
        let switch = Switch { current, app };
        let serving = Server::builder()
            .accept_http1(true)
            .max_concurrent_streams(capacity.connection_calls)
            // Calls that were given up before they were taken up end the connection with all others if they are more: another server, or
            // a proxy, gives up many at once when this one did not get to them for a moment.
            .http2_max_pending_accept_reset_streams(Some(capacity.connection_calls as usize))
            .http2_keepalive_interval(Some(ASK))
            .http2_keepalive_timeout(Some(ANSWER))
            .layer(layer_fn(move |_: Routes| switch.clone()))
            .add_routes(Routes::default())
            .serve_with_incoming_shutdown(accepted, stopping.cancelled_owned());
        let (tell, ended) = watch::channel(None);
        tokio::spawn(async move {
            let ended =
                serving.await.map_or_else(|error| Ended::Failed(error.to_string()), |()| Ended::Drained);
            tell.send_replace(Some(ended));
        });
        Self { app: change, local_addr, severed, ended }
    }

    /// Has this app answer the calls that come from now on; those under way end where they began.
    pub(super) fn change(&self, app: App) {
        self.app.send_replace(app);
    }

    /// The address that the server listens on, with the port that it was given.
    #[must_use]
    pub(super) const fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }
}

/// Has the app of the moment answer. Each connection has its own.
#[derive(Clone)]
struct Switch {
    current: watch::Receiver<App>,
    app: App,
}

impl Service<Request<Body>> for Switch {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = <App as Service<Request<Body>>>::Future;

    fn poll_ready(&mut self, cx: &mut Task<'_>) -> Poll<Result<(), Infallible>> {
        // When the front is gone, the last one answers what is left.
        if self.current.has_changed().unwrap_or(false) {
            self.app = self.current.borrow_and_update().clone();
        }
        self.app.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.app.call(request)
    }
}
