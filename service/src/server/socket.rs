//! The bytes of a connection, in clear or through TLS ([`Socket`]), as they come ([`RawStream`]).

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

/// Bytes both ways, from wherever they come: the system's network, or one that is simulated.
pub trait ByteStream: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin> ByteStream for T {}

/// A connection's bytes as they come, with nothing taken off.
#[derive(Debug)]
pub(super) enum RawStream {
    Tcp(TcpStream),
    Given(Box<dyn ByteStream>),
}

/// A connection with or without TLS, which is the same to all that stands above.
#[derive(Debug)]
pub(super) enum Socket {
    Plain(RawStream),
    Tls(Box<TlsStream<RawStream>>),
}

/// Passes reads and writes on to whichever of two streams there is.
macro_rules! either_stream {
    ($name:ident, $one:ident, $other:ident) => {
        impl AsyncRead for $name {
            fn poll_read(
                mut self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &mut ReadBuf<'_>,
            ) -> Poll<io::Result<()>> {
                match &mut *self {
                    Self::$one(stream) => Pin::new(stream).poll_read(cx, buf),
                    Self::$other(stream) => Pin::new(stream).poll_read(cx, buf),
                }
            }
        }

        impl AsyncWrite for $name {
            fn poll_write(
                mut self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &[u8],
            ) -> Poll<io::Result<usize>> {
                match &mut *self {
                    Self::$one(stream) => Pin::new(stream).poll_write(cx, buf),
                    Self::$other(stream) => Pin::new(stream).poll_write(cx, buf),
                }
            }

            fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                match &mut *self {
                    Self::$one(stream) => Pin::new(stream).poll_flush(cx),
                    Self::$other(stream) => Pin::new(stream).poll_flush(cx),
                }
            }

            fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                match &mut *self {
                    Self::$one(stream) => Pin::new(stream).poll_shutdown(cx),
                    Self::$other(stream) => Pin::new(stream).poll_shutdown(cx),
                }
            }
        }
    };
}

either_stream!(RawStream, Tcp, Given);
either_stream!(Socket, Plain, Tls);
