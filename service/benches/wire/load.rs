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

/// Calls of [`MATCHES`] workers, each of which is given its connection and counts its calls, and those of a second.
pub(crate) async fn rate<F: Future<Output = u64> + Send + 'static>(
    address: SocketAddr,
    line: Line,
    worker: impl Fn(usize, Channel, Until) -> F,
) -> Rate {
    let (calls, took) = all(address, line, worker).await;
    let calls: u64 = calls.into_iter().sum();
    Rate { calls, per_second: calls as f64 / took.as_secs_f64() }
}

/// A round's calls.
#[derive(Copy, Clone)]
pub(crate) struct Rate {
    pub(crate) calls: u64,
    pub(crate) per_second: f64,
}

/// The values that [`MATCHES`] workers give for a round, each with its connection, and the time that it took.
pub(crate) async fn all<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    address: SocketAddr,
    line: Line,
    worker: impl Fn(usize, Channel, Until) -> F,
) -> (Vec<T>, Duration) {
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
    (workers.join_all().await, started.elapsed())
}
