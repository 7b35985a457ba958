//! What both sides of a comparison have in common: how many are at it, for how long, over how many connections.

use std::future::Future;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tonic::transport::{Channel, Endpoint};

/// Matches at once.
pub(crate) const MATCHES: usize = 64;
/// Connections.
pub(crate) const CONNECTIONS: usize = 4;
/// How long a round is counted.
const ROUND: Duration = Duration::from_secs(2);

/// A round's end.
#[derive(Copy, Clone)]
pub(crate) struct Until(Instant);

impl Until {
    pub(crate) fn is_past(self) -> bool {
        Instant::now() >= self.0
    }
}

/// A connection.
pub(crate) async fn connect(address: SocketAddr) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
    endpoint.tcp_nodelay(true).connect().await.expect("a connection")
}

/// Calls a second of [`MATCHES`] workers, each of which is given its connection and counts its calls.
pub(crate) async fn rate<F: Future<Output = u64> + Send + 'static>(
    address: SocketAddr,
    worker: impl Fn(usize, Channel, Until) -> F,
) -> f64 {
    let mut channels = Vec::new();
    for _ in 0..CONNECTIONS {
        channels.push(connect(address).await);
    }
    let started = Instant::now();
    let until = Until(started + ROUND);
    let mut workers = JoinSet::new();
    for index in 0..MATCHES {
        workers.spawn(worker(index, channels[index % CONNECTIONS].clone(), until));
    }
    let calls: u64 = workers.join_all().await.into_iter().sum();
    calls as f64 / started.elapsed().as_secs_f64()
}
