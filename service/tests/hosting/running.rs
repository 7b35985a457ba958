//! A server in this process, on a free loopback port, that can be started again on what it has stored.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use edgehill_engine::registry::Registry;
use edgehill_proto::v1::competition_service_client::CompetitionServiceClient;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::referee_service_client::RefereeServiceClient;
use edgehill_proto::v1::referee_service_server::RefereeServiceServer;
use edgehill_service::admin::Administration;
use edgehill_service::api::competitions::CompetitionEndpoint;
use edgehill_service::api::{Matches, Peers};
use edgehill_service::clock::{Clock, SystemClock};
use edgehill_service::competitions::Competitions;
use edgehill_service::entropy::{EntropySource, SystemEntropy};
use edgehill_service::host::{Host, HostCapacity, Parts};
use edgehill_service::identity::{CurrentAccounts, ServerKey};
use edgehill_service::limits::Limits;
use edgehill_service::store::{Error, Faults, MemoryStore, NoFaults, Options, ShardSet, SqliteStore, Store};
use edgehill_service::telemetry::Metrics;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Server};

pub(crate) const KEY: ServerKey = ServerKey::from_bytes([7; 32]);

pub(crate) type Client = MatchServiceClient<Channel>;

pub(crate) type Referee = RefereeServiceClient<Channel>;

/// A server that runs until this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) host: Host,
    pub(crate) draining: CancellationToken,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) administration: Administration,
    pub(crate) competitions: Competitions,
    stop: CancellationToken,
}

/// The parts that a server is started with.
#[derive(Clone)]
pub(crate) struct Start {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) registry: Registry,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn EntropySource>,
    pub(crate) accounts: CurrentAccounts,
    pub(crate) limits: Limits,
    pub(crate) capacity: HostCapacity,
    /// The shards whose matches it has at first.
    pub(crate) shards: ShardSet,
    /// Other servers on the same store.
    pub(crate) peers: Option<Arc<dyn Peers>>,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            store: Arc::new(MemoryStore::new()),
            registry: Registry::built_in().unwrap(),
            clock: Arc::new(SystemClock::new()),
            entropy: Arc::new(SystemEntropy),
            accounts: CurrentAccounts::default(),
            limits: Limits::default(),
            capacity: HostCapacity { loaded_matches: 1_000, ..HostCapacity::default() },
            shards: ShardSet::ALL,
            peers: None,
        }
    }
}

impl Start {
    /// On this store.
    pub(crate) fn on(store: Arc<dyn Store>) -> Self {
        Self { store, ..Self::default() }
    }

    pub(crate) fn parts(&self) -> Parts {
        Parts {
            registry: self.registry.clone(),
            store: Arc::clone(&self.store),
            key: KEY,
            accounts: self.accounts.clone(),
            clock: Arc::clone(&self.clock),
            entropy: Arc::clone(&self.entropy),
            limits: self.limits.into(),
            capacity: self.capacity,
            metrics: Metrics::nowhere(),
            shards: self.shards,
        }
    }

    /// A host without a server before it.
    pub(crate) async fn host(&self) -> Host {
        Host::open(self.parts()).await.unwrap()
    }

    pub(crate) async fn run(self) -> Running {
        let host = self.host().await;
        let (draining, stop) = (CancellationToken::new(), CancellationToken::new());
        let (store, accounts, clock) =
            (Arc::clone(&self.store), self.accounts.clone(), Arc::clone(&self.clock));
        let competitions =
            Competitions::open(host.clone(), Arc::clone(&store), KEY, Arc::clone(&clock), draining.clone());
        let competitions = competitions.await.unwrap();
        let administration = Administration::open(store, KEY, accounts.clone(), clock).await.unwrap();
        let matches = Matches::new(
            host.clone(),
            accounts,
            draining.clone(),
            administration.clone(),
            self.peers.clone(),
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let stopped = stop.clone();
        let calls = CompetitionEndpoint::new(competitions.clone(), matches.clone()).into_service();
        tokio::spawn(async move {
            let referee = RefereeServiceServer::new(matches.clone());
            let server = Server::builder().add_service(matches.into_service()).add_service(referee);
            let server = server.add_service(calls);
            server.serve_with_incoming_shutdown(incoming, stopped.cancelled_owned()).await.unwrap();
        });
        Running { address, host, draining, store: self.store, administration, competitions, stop }
    }
}

impl Running {
    /// A client with a connection of its own.
    pub(crate) async fn client(&self) -> Client {
        MatchServiceClient::new(self.channel().await)
    }

    /// A referee's client, with a connection of its own.
    pub(crate) async fn referee(&self) -> Referee {
        RefereeServiceClient::new(self.channel().await)
    }

    /// An organizer's or entrant's client, with a connection of its own.
    pub(crate) async fn league(&self) -> CompetitionServiceClient<Channel> {
        CompetitionServiceClient::new(self.channel().await)
    }

    pub(crate) async fn channel(&self) -> Channel {
        let channel = Channel::from_shared(format!("http://{}", self.address)).unwrap();
        channel.connect().await.unwrap()
    }

    /// Ends streams, makes durable what is on its way, and lets the store go.
    pub(crate) async fn close(self) {
        self.draining.cancel();
        self.stop.cancel();
        self.host.close().await;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A SQLite file that goes with this.
#[derive(Debug)]
pub(crate) struct File {
    folder: TempDir,
}

impl File {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("matches.db")
    }

    /// Another file that has the same, of one that nobody has open.
    pub(crate) fn copy(&self) -> Self {
        drop(self.open());
        let copy = Self::new();
        std::fs::copy(self.path(), copy.path()).unwrap();
        copy
    }

    pub(crate) fn open(&self) -> Arc<dyn Store> {
        self.open_with(Arc::new(NoFaults))
    }

    pub(crate) fn open_with(&self, faults: Arc<dyn Faults>) -> Arc<dyn Store> {
        // A server that was dropped lets its file go when the last of its threads has ended.
        let given_up = Instant::now() + Duration::from_secs(30);
        loop {
            match SqliteStore::open(self.path(), &Options { faults: faults.clone(), ..Options::default() }) {
                Err(Error::Locked { .. }) if Instant::now() < given_up => std::thread::yield_now(),
                opened => return Arc::new(opened.unwrap()),
            }
        }
    }
}
