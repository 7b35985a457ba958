//! The common part of both sides of a comparison: the numbers of clients and connections, and the time.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use edgehill_transport::WriteCoalescer;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tonic::transport::{Channel, Endpoint, Uri};

/// Matches at once.
pub(crate) const MATCHES: usize = 64;
/// Connections.
pub(crate) const CONNECTIONS: usize = 4;
/// The time for which a round is counted.
const ROUND: Duration = Duration::from_secs(2);

/// A round's end.
#[derive(Copy, Clone)]
pub(crate) struct Until(Instant);

impl Until {
    pub(crate) fn is_past(self) -> bool {
        Instant::now() >= self.0
    }
}

/// The way in which clients connect.
#[derive(Copy, Clone)]
pub(crate) enum Line {
    /// As `tonic` does of itself.
    Bare,
    /// As Edgehill's clients do.
    WriteCoalescer,
}

impl Line {
    /// A connection.
    pub(crate) async fn connect(self, address: SocketAddr) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
        let connected = match self {
            Self::Bare => endpoint.tcp_nodelay(true).connect().await,
            Self::WriteCoalescer => endpoint.connect_with_connector(tower::service_fn(write_coalescer)).await,
        };
        connected.expect("a connection")
    }
}

async fn write_coalescer(to: Uri) -> io::Result<TokioIo<WriteCoalescer<TcpStream>>> {
    let address = to.authority().map(ToString::to_string).unwrap_or_default();
    let connection = TcpStream::connect(address).await?;
    connection.set_nodelay(true)?;
    Ok(TokioIo::new(WriteCoalescer::new(connection)))
}

/// Calls a second of [`MATCHES`] workers, each of which is given its connection and counts its calls.
pub(crate) async fn rate<F: Future<Output = u64> + Send + 'static>(
    address: SocketAddr,
    line: Line,
    worker: impl Fn(usize, Channel, Until) -> F,
) -> f64 {
    let mut channels = Vec::new();
    for _ in 0..CONNECTIONS {
        channels.push(line.connect(address).await);
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
