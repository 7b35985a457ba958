//! A server among several that share a database: [`Cluster`].
//!
//! Each owns some of the shards, and answers for their matches; one of them is the home of what belongs to no match. Any of them takes any
//! call, so that clients need not know who has what ([`super::router`]). Shards of a server whose lease has run out, or that gives it back,
//! are claimed by the others, who go on where the log ends; one that comes is handed its share ([`super::keeper`]). Who was overtaken can't
//! write any more, and answers nothing from memory once its lease may have run out: it ends, and is started again as one that comes.

use std::convert::Infallible;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::transport::Certificate;
use tower::{Layer, service_fn};

use super::StartError;
use super::certificates::TlsFiles;
use super::forwarding::Route;
use super::front::{App, Connections, Front, app};
use super::hop::Hop;
use super::refusals;
use super::stores::{self, server_key};
use super::tls::CurrentTls;
use super::ways::Ways;
use super::web::Web;
use crate::api::Peers;
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::entropy::SystemEntropy;
use crate::store::Membership;
use crate::telemetry::Metrics;

/// A server that listens, and its place among those that share its database.
#[derive(Debug)]
pub struct Cluster {
    pub(super) front: Front,
    pub(super) membership: Arc<Membership>,
    pub(super) tls: Option<CurrentTls>,
    pub(super) clock: Arc<dyn Clock>,
    /// Cancelled when the server begins to stop.
    pub(super) stopping: CancellationToken,
    pub(super) hop: Hop,
    pub(super) ways: Arc<Ways>,
}

impl Cluster {
    /// Listens, and comes to those that share the database that `config` names; `None`: it names no cluster. Until it answers calls it says
    /// that they are to be repeated. Blocks while the database is asked.
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
            hop: hop.clone(),
            ca: ca.transpose()?,
            connection_calls: config.capacity.connection_calls,
            stopping: stopping.clone(),
            metrics: metrics.clone(),
        };
        let connections = Connections {
            config,
            tls: tls.clone(),
            clock: Arc::clone(&clock),
            metrics,
            stopping: stopping.clone(),
        };
        let starting =
            service_fn(|_: Request<Body>| async { Ok::<_, Infallible>(refusals::no_owner().into_http()) });
        let front = Front::listen(connections, app(Web::new(config.web.origins.as_deref()).layer(starting)))?;
        // The port is known once it listens.
        let address = match address.strip_suffix(":0") {
            Some(host) => format!("{host}:{}", front.local_addr().port()),
            None => address.clone(),
        };
        let lease = Duration::from_secs(config.cluster.lease_seconds.into());
        let membership = Arc::new(Membership::join(&server, &address, lease, &clock, &SystemEntropy)?);
        metrics.watch_membership(&membership, &clock);
        let ways = Arc::new(Ways::new(route, &membership, &clock));
        Ok(Some(Self { front, membership, tls, clock, stopping, hop, ways }))
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub const fn local_addr(&self) -> std::net::SocketAddr {
        self.front.local_addr()
    }

    /// The other servers, as services call them.
    pub(super) fn peers(&self) -> Arc<dyn Peers> {
        Arc::clone(&self.ways) as _
    }

    /// Has this app answer from now on.
    pub(super) fn answer_with(&self, app: App) {
        self.front.change(app);
    }

    /// Returns when another server has taken shards over.
    pub(super) async fn overtaken(&self) {
        let mut standing = self.membership.standing();
        let _ = standing.wait_for(|now| now.is_overtaken).await;
    }

    /// Lets others take over at once what is left. The store has to be closed before.
    pub(super) async fn leave(&self) {
        self.membership.leave().await;
    }

    /// Ends a server that can't go on before it has answered anything: calls under way have `grace` to end.
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
