//! The servers that are measured, in this process.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::registry::Registry;
use edgehill_proto::v1::match_service_server::MatchServiceServer;
use edgehill_service::admin::Administration;
use edgehill_service::api::Matches;
use edgehill_service::clock::SystemClock;
use edgehill_service::config::{Config, Proxy};
use edgehill_service::entropy::SystemEntropy;
use edgehill_service::host::{Host, HostCapacity, Parts};
use edgehill_service::identity::{CurrentAccounts, ServerKey};
use edgehill_service::limits::Limits;
use edgehill_service::server::{self, ConnectionLimits, Context, Handle, Listener, Services};
use edgehill_service::store::{ShardSet, Store};
use edgehill_service::telemetry::Metrics;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use crate::echo::Echo;
use crate::unary::Sizes;

/// `MatchService` on a store.
pub(crate) async fn service(store: Arc<dyn Store>) -> Matches {
    let limits = Limits { open_matches: 10_000_000, ..Limits::default() };
    let capacity = HostCapacity { loaded_matches: 1_000, loaded_bytes: 1 << 32, ..HostCapacity::default() };
    let (key, accounts) = (ServerKey::from_bytes([1; 32]), CurrentAccounts::default());
    let kept = Arc::clone(&store);
    let administration = Administration::open(kept, key, accounts.clone(), Arc::new(SystemClock::new()));
    let administration = administration.await.expect("an empty store");
    let host = Host::open(Parts {
        registry: Registry::built_in().expect("built-in content"),
        store,
        key: ServerKey::from_bytes([1; 32]),
        clock: Arc::new(SystemClock::new()),
        entropy: Arc::new(SystemEntropy),
        accounts: CurrentAccounts::default(),
        limits: limits.into(),
        capacity,
        metrics: Metrics::nowhere(),
        shards: ShardSet::ALL,
    });
    let host = host.await.expect("an empty store");
    Matches::new(host, accounts, CancellationToken::new(), administration, None)
}

/// `MatchService` on a store, behind the server's own connections.
pub(crate) async fn matches(store: Arc<dyn Store>) -> SocketAddr {
    let listener = Listener::bind(free_port()).expect("a free port");
    let address = listener.local_addr();
    let service = MatchServiceServer::new(service(store).await);
    let limits = ConnectionLimits { connections: 1_000, of_address: 1_000, preface: Duration::from_secs(10) };
    let incoming = listener.accept(limits, &Proxy::default(), CancellationToken::new());
    tokio::spawn(Server::builder().add_service(service).serve_with_incoming(incoming));
    address
}

/// The configuration of a server in memory.
pub(crate) fn config() -> Config {
    let limits = Limits { open_matches: 10_000_000, ..Limits::default() };
    Config { listen: free_port(), limits, ..Config::default() }
}

/// The whole server in memory, as `edgehill-server` puts it together.
pub(crate) async fn server() -> Handle {
    let context = Context::open(config(), Metrics::nowhere()).expect("a server without a store");
    let services = Services::all(&context).await.expect("an empty store");
    server::start(context, services).await.expect("a free port")
}

/// The echo, behind connections as `tonic` makes them.
pub(crate) fn echo(sizes: Sizes) -> SocketAddr {
    let incoming = TcpIncoming::bind(free_port()).expect("a free port").with_nodelay(Some(true));
    let address = incoming.local_addr().expect("an address");
    let service = MatchServiceServer::new(Echo::new(sizes));
    tokio::spawn(Server::builder().add_service(service).serve_with_incoming(incoming));
    address
}

pub(crate) fn free_port() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, 0))
}
