//! A server among several that share a database: [`Cluster`].
//!
//! One of them owns the matches, and answers; the others hand calls on to it, so that clients need not know which it is. When its lease
//! has run out, or was given back, another one takes the matches over and goes on where the log ends. Who was overtaken can't write any
//! more, and answers nothing from memory once its lease may have run out: it ends, and is started again as one that follows.

use std::convert::Infallible;
use std::fs;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use http::{Request, Response};
use tokio::sync::watch;
use tokio_util::either::Either;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::transport::Certificate;
use tower::{Layer, Service};

use super::StartError;
use super::certificates::TlsFiles;
use super::docs;
use super::forwarding::{Forwarding, Route};
use super::front::{App, Connections, Front, app};
use super::hop::Hop;
use super::stores::{self, server_key};
use super::tls::CurrentTls;
use super::web::{Web, WebService};
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::entropy::SystemEntropy;
use crate::store::{Membership, Standing};
use crate::telemetry::Metrics;

/// A server that listens, and its place among those that share its database.
#[derive(Debug)]
pub struct Cluster {
    pub(super) front: Front,
    pub(super) membership: Membership,
    pub(super) tls: Option<CurrentTls>,
    pub(super) clock: Arc<dyn Clock>,
    /// Cancelled when the server begins to stop.
    pub(super) stopping: CancellationToken,
    ways: Ways,
}

/// The ways of a call, whoever owns the matches.
#[derive(Clone, Debug)]
struct Ways {
    route: Route,
    web: Web,
}

impl Cluster {
    /// Listens, and joins those that share the database that `config` names; `None`: it names no cluster. Blocks while the database is
    /// asked.
    ///
    /// # Errors
    /// [`StartError::Store`], [`StartError::Listen`], [`StartError::Tls`], [`StartError::Key`], [`StartError::Cluster`].
    pub fn join(config: &Config, metrics: &Metrics) -> Result<Option<Self>, StartError> {
        let (Some(server), Some(address)) = (stores::database(config)?, &config.cluster.address) else {
            return Ok(None);
        };
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let tls = TlsFiles::of(&config.tls)?.map(CurrentTls::open).transpose()?;
        let ca = config.cluster.ca_file.as_ref().map(|path| {
            let unreadable = |why| StartError::Cluster { path: path.clone(), why };
            fs::read(path).map(Certificate::from_pem).map_err(unreadable)
        });
        let hop = Hop::new(server_key(config, &SystemEntropy)?);
        let stopping = CancellationToken::new();
        let route = Route {
            hop,
            ca: ca.transpose()?,
            connection_calls: config.capacity.connection_calls,
            stopping: stopping.clone(),
            metrics: metrics.clone(),
        };
        let ways = Ways { route, web: Web::new(config.web.origins.as_deref()) };
        let connections = Connections {
            config,
            tls: tls.clone(),
            clock: Arc::clone(&clock),
            metrics,
            stopping: stopping.clone(),
        };
        let front = Front::listen(connections, app(ways.to(None)))?;
        // The port is known once it listens.
        let address = match address.strip_suffix(":0") {
            Some(host) => format!("{host}:{}", front.local_addr().port()),
            None => address.clone(),
        };
        let lease = Duration::from_secs(config.cluster.lease_seconds.into());
        let membership = Membership::join(&server, &address, lease, &clock, &SystemEntropy)?;
        metrics.watch_membership(&membership, &clock);
        Ok(Some(Self { front, membership, tls, clock, stopping, ways }))
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub const fn local_addr(&self) -> std::net::SocketAddr {
        self.front.local_addr()
    }

    /// Hands calls on to whoever owns the matches, and returns once this server does.
    ///
    /// # Errors
    /// As [`stores::check_before_taking_over`]: a server with another key than that of the owner is of no use to it.
    pub async fn follow(&self, config: &Config) -> Result<(), StartError> {
        let mut standing = self.membership.standing();
        let mut was_checked = false;
        loop {
            let now = standing.borrow_and_update().clone();
            match now {
                Standing::Follows { owner } => {
                    match &owner {
                        Some(owner) => tracing::info!(%owner, "calls are handed on"),
                        None => tracing::info!("no server owns the matches"),
                    }
                    if owner.is_some() && !std::mem::replace(&mut was_checked, true) {
                        stores::check_before_taking_over(config).await?;
                    }
                    self.front.change(app(self.ways.to(owner.as_deref())));
                }
                Standing::Owns { .. } | Standing::Overtaken => break,
            }
            // Its thread lives as long as this.
            let _ = standing.changed().await;
        }
        tracing::info!("this server takes the matches over");
        self.front.change(app(self.ways.to(None)));
        Ok(())
    }

    /// Has `owner` answer, for as long as this server owns the matches.
    pub(super) fn answer_with(&self, owner: App) {
        let owning = Owning {
            app: owner,
            nobody: self.ways.to(None),
            hop: self.ways.route.hop.clone(),
            standing: self.membership.standing(),
            clock: Arc::clone(&self.clock),
        };
        self.front.change(app(owning));
    }

    /// Returns when another server has taken the matches over.
    pub(super) async fn overtaken(&self) {
        let mut standing = self.membership.standing();
        let _ = standing.wait_for(|now| *now == Standing::Overtaken).await;
    }

    /// Lets others take the matches over at once. The store has to be closed before.
    pub(super) async fn leave(self) {
        self.membership.leave().await;
    }

    /// Ends a server that does not own the matches, or can't go on with them: calls under way have `grace` to end.
    pub async fn end(self, grace: Duration) {
        let deadline = self.clock.elapsed().saturating_add(grace);
        self.stopping.cancel();
        let mut ended = self.front.ended.clone();
        tokio::select! {
            _ = ended.wait_for(Option::is_some) => {}
            () = self.clock.reach(deadline) => {}
        }
        self.front.severed.cancel();
        let _ = self.front.ended.clone().wait_for(Option::is_some).await;
        self.leave().await;
    }
}

impl Ways {
    /// To the server at this address; `None`: nobody is known to own the matches.
    fn to(&self, owner: Option<&str>) -> Following {
        let forwarding = self.route.to(owner);
        Following { calls: self.web.layer(forwarding.clone()), pages: forwarding }
    }
}

/// Hands calls on. Those of web pages are read here, so that they can read what this server itself says.
#[derive(Clone)]
struct Following {
    calls: WebService<Forwarding>,
    pages: Forwarding,
}

impl Service<Request<Body>> for Following {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = <WebService<Forwarding> as Service<Request<Body>>>::Future;

    fn poll_ready(&mut self, _: &mut Task<'_>) -> Poll<Result<(), Infallible>> {
        // Both always are.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match docs::is_page(request.uri().path()) {
            true => Either::Right(self.pages.call(request)),
            false => self.calls.call(request),
        }
    }
}

/// Answers for as long as the lease holds.
#[derive(Clone)]
struct Owning {
    app: App,
    nobody: Following,
    hop: Hop,
    standing: watch::Receiver<Standing>,
    clock: Arc<dyn Clock>,
}

impl Owning {
    /// Returns whether nobody else can have taken the matches over yet.
    fn holds(&self) -> bool {
        self.standing.borrow().remaining(self.clock.elapsed()).is_some()
    }
}

impl Service<Request<Body>> for Owning {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future =
        Either<<App as Service<Request<Body>>>::Future, <Following as Service<Request<Body>>>::Future>;

    fn poll_ready(&mut self, cx: &mut Task<'_>) -> Poll<Result<(), Infallible>> {
        self.app.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        match self.holds() {
            true => {
                self.hop.take_word(&mut request);
                Either::Left(self.app.call(request))
            }
            false => Either::Right(self.nobody.call(request)),
        }
    }
}
