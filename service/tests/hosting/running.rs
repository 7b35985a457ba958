//! A server in this process, on a free loopback port.

use std::net::SocketAddr;
use std::sync::Arc;

use edgehill_engine::registry::Registry;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_service::api::Matches;
use edgehill_service::clock::{Clock, SystemClock};
use edgehill_service::entropy::SystemEntropy;
use edgehill_service::host::{Host, Parts};
use edgehill_service::identity::{Accounts, ServerKey};
use edgehill_service::limits::Limits;
use edgehill_service::store::{MemoryStore, Store};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataValue;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Server};
use tonic::{Request, Status};

use edgehill_proto::v1::match_service_server::MatchServiceServer;

pub(crate) const KEY: ServerKey = ServerKey::from_bytes([7; 32]);

/// A server that runs until this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) host: Host,
    pub(crate) draining: CancellationToken,
    stop: CancellationToken,
}

/// What a server is started with.
pub(crate) struct Start {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) accounts: Accounts,
    pub(crate) limits: Limits,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            store: Arc::new(MemoryStore::new()),
            clock: Arc::new(SystemClock::new()),
            accounts: Accounts::anonymous(),
            limits: Limits::default(),
        }
    }
}

impl Start {
    pub(crate) async fn run(self) -> Running {
        let parts = Parts {
            registry: Registry::built_in().unwrap(),
            store: self.store,
            key: KEY,
            clock: self.clock,
            entropy: Arc::new(SystemEntropy),
            limits: self.limits,
            loaded_matches_max: 1_000,
        };
        let host = Host::open(parts).await.unwrap();
        let (draining, stop) = (CancellationToken::new(), CancellationToken::new());
        let matches = Matches::new(host.clone(), Arc::new(self.accounts), draining.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let stopped = stop.clone();
        tokio::spawn(async move {
            let server = Server::builder().add_service(MatchServiceServer::new(matches));
            server.serve_with_incoming_shutdown(incoming, stopped.cancelled_owned()).await.unwrap();
        });
        Running { address, host, draining, stop }
    }
}

impl Running {
    pub(crate) async fn client(&self) -> MatchServiceClient<Channel> {
        let channel =
            Channel::from_shared(format!("http://{}", self.address)).unwrap().connect().await.unwrap();
        MatchServiceClient::new(channel)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A message as the holder of a key or token sends it.
pub(crate) fn by<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let value: MetadataValue<_> = format!("Bearer {token}").parse().unwrap();
    request.metadata_mut().insert("authorization", value);
    request
}

/// The reason of a refusal.
pub(crate) fn reason(status: &Status) -> edgehill_proto::v1::Reason {
    edgehill_service::wire::status::read(status)
        .unwrap_or_else(|| panic!("a status of the transport: {status:?}"))
        .reason()
}
