//! A server put together: one port for gRPC and grpc-web, with health, reflection, traces, limits and an orderly end.
//!
//! Pages under `/docs` are no calls (`docs.rs`). From the outside in, a call passes: CORS, grpc-web, its span and figures, the net for panics, [admission](self#limits), its
//! service. A service is made from a [`Context`] and knows nothing of the rest; the crate's first page has an example.
//!
//! Below that is TLS, where `tls.certificate` is set: whoever calls is then told by nothing but what they call with, as without.
//!
//! # Limits
//!
//! Calls of one caller over time (RATE_LIMITED), calls of one caller and of all at once (LIMIT_REACHED), connections and calls of
//! one connection (both wait), connections of one address (closed). A caller is an account or, without one, an address, that of a
//! proxy's client where there is a proxy ([`crate::identity::CallerKey`]). What a caller may have of seats, streams and matches is
//! for the services to say ([`crate::limits`]).
//!
//! Nobody waits for a client: a connection has to begin in time, a message has to come in time, and is read before its call has a
//! place among those of all; an answer is its caller's share until it is written, and its connection's end if it is not read.
//!
//! # The end
//!
//! [`Handle::shutdown`]: health says NOT_SERVING, and for `shutdown.delay_seconds` all goes on, so that those who ask for it go
//! elsewhere. Then calls that change something are refused with DRAINING; streams end by themselves; no connection is accepted.
//! What has not ended within `shutdown.grace_seconds` is cut off. Last, the store is closed.
//!
//! # Health
//!
//! NOT_SERVING while the store's writes fail ([`crate::store::StoreHealth`]), and from the begin of the end.

mod admission;
mod answering;
mod asking;
#[cfg(test)]
#[path = "../../tests/shared/authority.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod authority;
mod body;
mod certificates;
mod cluster;
mod content;
mod context;
mod counting;
mod deadline;
mod docs;
mod folder;
mod forwarding;
mod front;
mod handle;
mod health;
mod hop;
mod incoming;
mod keeper;
mod methods;
mod observe;
mod opening;
mod panics;
mod peer;
mod rate;
mod refusals;
mod router;
mod services;
mod socket;
mod stores;
mod tls;
mod traffic;
mod ways;
mod web;

pub use certificates::TlsError;
pub use cluster::Cluster;
pub use content::ContentFolderError;
pub use context::{Context, StartError};
use front::{App, Connections, Front};
pub use handle::{Ended, Handle, ReloadError};
use handle::{Kept, Means, Place};
pub use incoming::{Connection, ConnectionLimits, FailedHandshakes, Listener};
pub use peer::Peer;
pub use services::Services;
pub use socket::ByteStream;
pub use stores::{
    check_before_taking_over, database, database_at, open_beside, open_sealed, open_to_change, open_to_read,
    server_key,
};
pub use tls::CurrentTls;

use std::sync::Arc;
use std::time::Duration;

use http::Response;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::service::Routes;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;

use crate::host::Host;
use crate::shares::Shares;
use crate::store::Store;
use crate::telemetry::RefusedCalls;
use admission::{Admission, AdmissionLayer};
use answering::Answers;
use asking::Reading;
use deadline::deadlines;
use docs::Docs;
use keeper::{Keeper, OpenHome};
use methods::Methods;
use observe::Observe;
use peer::Proxies;
use router::Router;
use services::Member;
use traffic::{Calls, CurrentQuota, Quota};
use web::Web;

/// Everything that is served, as encoded descriptor sets: for reflection, and for what is known of methods.
fn descriptors() -> Vec<&'static [u8]> {
    vec![
        edgehill_proto::v1::FILE_DESCRIPTOR_SET,
        // The details of refusals.
        tonic_types::pb::FILE_DESCRIPTOR_SET,
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
    ]
}

/// Listens on the address that the configuration gives, and serves. When this returns, connections are accepted.
///
/// # Errors
/// [`StartError::Listen`], [`StartError::Reflection`]; the store is closed then.
pub async fn start(context: Context, services: Services) -> Result<Handle, StartError> {
    begin(context, services, Entrance::Address).await
}

/// As [`start`], on the connections of a listener that is there already, whatever address the configuration gives.
///
/// # Errors
/// [`StartError::Reflection`], [`StartError::Docs`]; the store is closed then.
pub async fn start_on(
    listener: Listener,
    context: Context,
    services: Services,
) -> Result<Handle, StartError> {
    begin(context, services, Entrance::Listener(listener)).await
}

/// As [`start`], of a server that listens already, and shares its store with others.
///
/// # Errors
/// [`StartError::Reflection`], [`StartError::Docs`]; the store is closed then.
pub async fn start_in(cluster: Cluster, context: Context, services: Services) -> Result<Handle, StartError> {
    begin(context, services, Entrance::Cluster(Box::new(cluster))).await
}

/// The way by which connections come in.
enum Entrance {
    /// The address that the configuration gives.
    Address,
    /// Whatever this one accepts.
    Listener(Listener),
    /// That of a server which listens already, among others.
    Cluster(Box<Cluster>),
}

async fn begin(context: Context, services: Services, entrance: Entrance) -> Result<Handle, StartError> {
    let matches = Closing { host: services.host().cloned(), store: Arc::clone(&context.store) };
    match serve(context, services, entrance, matches.clone()).await {
        Ok(handle) => Ok(handle),
        Err(error) => {
            matches.close().await;
            Err(error)
        }
    }
}

/// The parts that are closed last.
#[derive(Clone)]
struct Closing {
    host: Option<Host>,
    store: Arc<dyn Store>,
}

impl Closing {
    /// Makes durable what is on its way, and lets the store go.
    async fn close(&self) {
        if let Some(host) = &self.host {
            host.close().await;
        }
        self.store.close().await;
    }
}

async fn serve(
    context: Context,
    services: Services,
    entrance: Entrance,
    closing: Closing,
) -> Result<Handle, StartError> {
    let member = services.member();
    let (routes, health) = services.finish(&context.stopping)?;
    let docs = Docs::open(&context)?;
    let methods = Methods::of(&descriptors());
    let refused = RefusedCalls::new(context.metrics.clone());
    let quota = CurrentQuota::from(Quota::of(&context.config, &context.clock));
    let (metrics, clock) = (context.metrics.clone(), Arc::clone(&context.clock));
    let observe = Observe::new(methods.clone(), metrics, clock);
    let admission = admission(&context, methods.clone(), quota.clone(), refused.clone());
    let layers = Layers { observe, admission };
    let web = Web::new(context.config.web.origins.as_deref());
    let inner = layers.over(routes);
    let told = refused.clone();
    let to_clients = |answering: App| {
        let count = move |answer| counting::counted(answer, &told);
        front::app(
            ServiceBuilder::new()
                .layer(docs)
                .layer(web)
                .layer(deadlines())
                .map_response(count)
                .service(answering),
        )
    };
    let connections = Connections {
        config: &context.config,
        tls: context.tls.clone(),
        clock: Arc::clone(&context.clock),
        metrics: &context.metrics,
        stopping: context.stopping.clone(),
    };
    let place = match entrance {
        Entrance::Address => Place::Alone(Front::listen(connections, to_clients(inner))?),
        Entrance::Listener(listener) => Place::Alone(Front::over(listener, connections, to_clients(inner))),
        Entrance::Cluster(cluster) => {
            let (home, at_home) = watch::channel(None);
            let router = Router {
                hop: cluster.hop.clone(),
                methods,
                reading: layers.admission.0.reading.clone(),
                ways: Arc::clone(&cluster.ways) as _,
                clock: Arc::clone(&cluster.clock),
                here: inner,
                home: at_home,
            };
            let (leaving, handed_over) = (CancellationToken::new(), CancellationToken::new());
            let kept = member.map(|member| {
                cluster.ways.host_is(member.host().clone());
                let tokens = (leaving.clone(), handed_over.clone());
                tokio::spawn(keeper(&cluster, &context, (member, layers), home, tokens).run())
            });
            cluster.answer_with(to_clients(front::app(router)));
            Place::Among(Box::new(Kept { cluster, leaving, handed_over, kept }))
        }
    };
    Ok(Handle::new(context, place, Means { health, refused, quota, closing }))
}

/// The layers between the way of a call and its service.
#[derive(Clone)]
struct Layers {
    observe: Observe,
    admission: AdmissionLayer,
}

impl Layers {
    fn over(&self, routes: Routes) -> App {
        let answering = ServiceBuilder::new()
            .layer(self.observe.clone())
            .map_response(|answer: Response<_>| answer.map(Body::new))
            .layer(CatchPanicLayer::custom(panics::AnswerPanic))
            .layer(self.admission.clone())
            .service(routes);
        front::app(answering)
    }
}

/// The keeper of the shards of a server of several.
fn keeper(
    cluster: &Cluster,
    context: &Context,
    (member, layers): (Member, Layers),
    home: watch::Sender<Option<App>>,
    (leaving, handed_over): (CancellationToken, CancellationToken),
) -> Keeper {
    let (host, administration) = (member.host().clone(), member.administration().clone());
    let context = context.clone();
    let open_home: OpenHome = Box::new(move || {
        let (context, member, layers) = (context.clone(), member.clone(), layers.clone());
        Box::pin(async move {
            let services = Services::at_home(&context, &member).await?;
            let (routes, _) = services.finish(&context.stopping)?;
            if context.config.exhibition {
                member.host().exhibit().await?;
            }
            Ok(layers.over(routes))
        })
    });
    let (membership, clock) = (Arc::clone(&cluster.membership), Arc::clone(&cluster.clock));
    let stopping = cluster.stopping.clone();
    Keeper { membership, host, administration, clock, home, open_home, leaving, handed_over, stopping }
}

fn seconds(count: u32) -> Duration {
    Duration::from_secs(count.into())
}

fn admission(
    context: &Context,
    methods: Methods,
    quota: CurrentQuota,
    refused: RefusedCalls,
) -> AdmissionLayer {
    let (capacity, deadlines) = (&context.config.capacity, &context.config.deadlines);
    AdmissionLayer(Arc::new(Admission {
        methods,
        accounts: context.accounts.clone(),
        proxies: Proxies::new(&context.config.proxy),
        quota,
        shares: Shares::default(),
        reading: Reading::new(context.config.limits.request_bytes, seconds(deadlines.request_seconds)),
        calls: Calls::new(capacity.calls),
        answers: Answers::new(seconds(deadlines.answer_seconds)),
        refused,
        stopping: context.stopping.clone(),
    }))
}
