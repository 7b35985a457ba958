//! The bytes of a connection, in clear or through TLS ([`Socket`]), as they come ([`RawStream`]).

use std::fmt;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

/// Bytes both ways, from wherever they come: the system's network, or one that is simulated.
pub trait ByteStream: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin> ByteStream for T {}

/// A connection's bytes as they come, with nothing taken off: of the system's network, or given by whoever listens elsewhere.
pub(super) type RawStream = Either<TcpStream, Box<dyn ByteStream>>;

/// A connection without TLS or with it, which is the same to all that stands above.
pub(super) type Socket = Either<RawStream, Box<TlsStream<RawStream>>>;
