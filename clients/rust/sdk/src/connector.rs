//! The making of a connection ([`write_coalescer`]).

use std::time::Duration;

use edgehill_transport::WriteCoalescer;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower::ServiceExt;
use tower::util::MapResponse;

/// A connection as hyper takes it.
type Connection = TokioIo<WriteCoalescer<TcpStream>>;

/// The service that makes connections.
type Connector = MapResponse<HttpConnector, fn(TokioIo<TcpStream>) -> Connection>;

/// Makes TCP connections without Nagle's delay whose writes are gathered: many calls at once are sent together.
pub(crate) fn write_coalescer(timeout: Duration) -> Connector {
    let mut tcp = HttpConnector::new();
    // TLS, where it is asked for, comes on top.
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(timeout));
    tcp.map_response(|connection| TokioIo::new(WriteCoalescer::new(connection.into_inner())))
}
