//! The servers that are measured, in this process.

use std::net::SocketAddr;
use std::sync::Arc;

use edgehill_engine::registry::Registry;
use edgehill_proto::v1::match_service_server::{MatchService, MatchServiceServer};
use edgehill_service::api::Matches;
use edgehill_service::clock::SystemClock;
use edgehill_service::entropy::SystemEntropy;
use edgehill_service::host::{Host, Parts};
use edgehill_service::identity::{Accounts, ServerKey};
use edgehill_service::limits::Limits;
use edgehill_service::store::Store;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use crate::echo::Echo;
use crate::unary::Sizes;

/// `MatchService` on a store.
pub(crate) async fn service(store: Arc<dyn Store>) -> Matches {
    let limits = Limits { open_matches: 10_000_000, ..Limits::default() };
    let host = Host::open(Parts {
        registry: Registry::built_in().expect("built-in content"),
        store,
        key: ServerKey::from_bytes([1; 32]),
        clock: Arc::new(SystemClock::new()),
        entropy: Arc::new(SystemEntropy),
        limits,
        loaded_matches_max: 1_000,
    });
    let host = host.await.expect("an empty store");
    Matches::new(host, Arc::new(Accounts::anonymous()), CancellationToken::new())
}

/// `MatchService` on a store, as a server.
pub(crate) async fn matches(store: Arc<dyn Store>) -> SocketAddr {
    serve(service(store).await).await
}

/// The echo.
pub(crate) async fn echo(sizes: Sizes) -> SocketAddr {
    serve(Echo::new(sizes)).await
}

/// Serves on a free port.
async fn serve<S: MatchService>(service: S) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    tokio::spawn(
        Server::builder().add_service(MatchServiceServer::new(service)).serve_with_incoming(incoming),
    );
    address
}
