//! A client's way to a server that may be away ([`Line`]).

use std::sync::Arc;
use std::time::Duration;

use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::wire::status;
use hyper_util::rt::TokioIo;
use tokio::time::timeout;
use tonic::Status;
use tonic::transport::{Channel, Endpoint, Uri};
use tower::service_fn;
use turmoil::net::TcpStream;

use crate::date::pause;
use crate::random::Random;
use crate::world::{PORT, SERVER, World};

pub(crate) type Client = MatchServiceClient<Channel>;

/// The time in which a client has its answer, or asks again.
pub(crate) const DEADLINE: Duration = Duration::from_secs(5);
/// The time in which a connection is made.
const CONNECT: Duration = Duration::from_secs(2);
/// The interval at which a client asks whether the server is still there, and the time that it may take.
const ASK: Duration = Duration::from_secs(2);
/// The longest that a client waits before it asks again.
const PAUSE_MS: usize = 400;

/// A client's connection, which is made again whenever it breaks.
pub(crate) struct Line {
    world: Arc<World>,
    random: Random,
    client: Option<Client>,
}

impl Line {
    pub(crate) fn new(world: Arc<World>, random: Random) -> Self {
        Self { world, random, client: None }
    }

    /// A connection to the server. Waits until there is one.
    pub(crate) async fn client(&mut self) -> Client {
        loop {
            if let Some(client) = &self.client {
                return client.clone();
            }
            let endpoint = Endpoint::from_shared(format!("http://{SERVER}:{PORT}"))
                .unwrap()
                .http2_keep_alive_interval(ASK)
                .keep_alive_timeout(ASK)
                .keep_alive_while_idle(true);
            let connector =
                service_fn(|_: Uri| async { TcpStream::connect((SERVER, PORT)).await.map(TokioIo::new) });
            match timeout(CONNECT, endpoint.connect_with_connector(connector)).await {
                Ok(Ok(channel)) => self.client = Some(Client::new(channel)),
                Ok(Err(_)) | Err(_) => self.pause().await,
            }
        }
    }

    /// Waits before it asks again.
    pub(crate) async fn pause(&mut self) {
        pause(Duration::from_millis(20 + self.random.below(PAUSE_MS) as u64)).await;
    }

    /// Makes a call until the server has answered it. A refusal that passes is none.
    pub(crate) async fn insist<T, F>(&mut self, call: impl Fn(Client) -> F) -> Result<T, v1::Refusal>
    where
        F: Future<Output = Result<T, Status>>,
    {
        loop {
            let client = self.client().await;
            match timeout(DEADLINE, call(client)).await {
                Ok(Ok(answer)) => {
                    self.world.answered();
                    return Ok(answer);
                }
                Ok(Err(status)) => {
                    if let Some(refusal) = self.lost(&status) {
                        self.world.answered();
                        return Err(refusal);
                    }
                }
                Err(_) => self.client = None,
            }
            self.pause().await;
        }
    }

    /// Notes that a call or a stream ended so, and returns the refusal that it was for good.
    pub(crate) fn lost(&mut self, status: &Status) -> Option<v1::Refusal> {
        match status::read(status) {
            Some(refusal) if passes(&refusal) => None,
            Some(refusal) => Some(refusal),
            None => {
                self.client = None;
                None
            }
        }
    }

    /// Lets the connection go.
    pub(crate) fn leave(&mut self) {
        self.client = None;
    }
}

/// Returns whether a refusal says that the same call may be answered later.
pub(crate) fn passes(refusal: &v1::Refusal) -> bool {
    matches!(refusal.reason(), ErrorReason::StoreUnavailable | ErrorReason::Draining)
}
