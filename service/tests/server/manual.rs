//! A server in this process, with a clock that the test moves and services that do as they are told.

use std::sync::Arc;
use std::time::Duration;

use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::catalog_service_server::CatalogServiceServer;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_service::clock::ManualClock;
use edgehill_service::config::Config;
use edgehill_service::server::{self, Context, Handle, Services};
use edgehill_service::telemetry::Metrics;
use tonic::transport::Channel;

use crate::fake::Fake;
use crate::process::channel;

/// A server, its clock, and what its service does.
pub(crate) struct Manual {
    pub(crate) handle: Handle,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) fake: Fake,
}

/// Starts a server on a free port, with the configuration as `set` leaves it.
pub(crate) async fn start(set: impl FnOnce(&mut Config)) -> Manual {
    let fake = Fake::default();
    let mut services = Services::none();
    services.add(CatalogServiceServer::new(fake.clone()));
    let (context, clock) = open(set);
    let handle = server::start(context, services).await.unwrap();
    Manual { handle, clock, fake }
}

/// The same with the services that a server has.
pub(crate) async fn start_whole(set: impl FnOnce(&mut Config)) -> Manual {
    let (context, clock) = open(set);
    let services = Services::all(&context).await.unwrap();
    let handle = server::start(context, services).await.unwrap();
    Manual { handle, clock, fake: Fake::default() }
}

fn open(set: impl FnOnce(&mut Config)) -> (Context, Arc<ManualClock>) {
    let mut config = Config { listen: "127.0.0.1:0".parse().unwrap(), ..Config::default() };
    set(&mut config);
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let mut context = Context::open(config, Metrics::nowhere()).unwrap();
    context.clock = Arc::<ManualClock>::clone(&clock);
    (context, clock)
}

impl Manual {
    pub(crate) async fn catalog(&self) -> CatalogServiceClient<Channel> {
        CatalogServiceClient::new(channel(&self.handle.local_addr().to_string()).await)
    }

    pub(crate) async fn matches(&self) -> MatchServiceClient<Channel> {
        MatchServiceClient::new(channel(&self.handle.local_addr().to_string()).await)
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }
}
