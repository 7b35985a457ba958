//! Connections: without Nagle's delay, with their writes gathered, counted, and severed when the server waits no longer.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use edgehill_proto::write_coalescer::WriteCoalescer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::transport::server::{Connected, TcpConnectInfo, TcpIncoming};

/// The time to wait after the system refused a connection: it has no more files or memory, which a busy loop
/// does not mend.
const PAUSE: Duration = Duration::from_millis(50);

/// One client's connection. Its place among those allowed is free again when it is dropped.
#[derive(Debug)]
pub struct Connection {
    stream: WriteCoalescer<TcpStream>,
    severed: CancellationToken,
    severing: Pin<Box<WaitForCancellationFutureOwned>>,
    _place: OwnedSemaphorePermit,
}

/// A socket that listens. Nothing is accepted yet.
pub struct Listener {
    incoming: TcpIncoming,
    local_addr: SocketAddr,
}

impl Listener {
    /// Listens on `address`.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        // The server builder's own setting is ignored for sockets that it did not open: it has to be set here.
        let incoming = TcpIncoming::bind(address)?.with_nodelay(Some(true));
        let local_addr = incoming.local_addr()?;
        Ok(Self { incoming, local_addr })
    }

    /// The address that it listens on, with the port that it was given.
    pub const fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Accepts connections, at most `max` at once, until nobody takes them any more. All of them break when `severed` is
    /// cancelled.
    pub fn accept(self, max: usize, severed: CancellationToken) -> ReceiverStream<io::Result<Connection>> {
        let (connections, taken) = mpsc::channel(1);
        let places = Arc::new(Semaphore::new(max));
        tokio::spawn(async move {
            tokio::select! {
                () = connections.closed() => {}
                () = accept(self.incoming, &places, &severed, &connections) => {}
            }
        });
        ReceiverStream::new(taken)
    }
}

async fn accept(
    mut incoming: TcpIncoming,
    places: &Arc<Semaphore>,
    severed: &CancellationToken,
    connections: &mpsc::Sender<io::Result<Connection>>,
) {
    while let Ok(place) = Arc::clone(places).acquire_owned().await {
        let connection = match incoming.next().await {
            Some(Ok(stream)) => {
                // One of its own: all connections would lock the same one whenever they read or write.
                let severed = severed.child_token();
                Connection {
                    stream: WriteCoalescer::new(stream),
                    severing: Box::pin(severed.clone().cancelled_owned()),
                    severed,
                    _place: place,
                }
            }
            Some(Err(error)) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            None => return,
        };
        if connections.send(Ok(connection)).await.is_err() {
            return;
        }
    }
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the server has stopped")
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.get_ref().connect_info()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.severing.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(broken()));
        }
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if self.severed.is_cancelled() {
            return Poll::Ready(Err(broken()));
        }
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.severed.is_cancelled() {
            return Poll::Ready(Err(broken()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio_stream::Stream;

    use super::*;

    async fn connected(
        max: usize,
    ) -> (ReceiverStream<io::Result<Connection>>, SocketAddr, CancellationToken) {
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let (address, severed) = (listener.local_addr(), CancellationToken::new());
        (listener.accept(max, severed.clone()), address, severed)
    }

    #[tokio::test]
    async fn what_is_written_is_sent_at_once() {
        let (mut accepted, address, _severed) = connected(1).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let connection = accepted.next().await.unwrap().unwrap();
        assert!(connection.stream.get_ref().nodelay().unwrap());
    }

    #[tokio::test]
    async fn a_connection_that_waits_for_bytes_breaks_when_it_is_severed() {
        let (mut accepted, address, severed) = connected(1).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let mut connection = accepted.next().await.unwrap().unwrap();
        let (read, ()) = tokio::join!(connection.read_u8(), async { severed.cancel() });
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
        let written = tokio::io::AsyncWriteExt::write_u8(&mut connection, 1).await;
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
    }

    #[tokio::test]
    async fn one_connection_too_many_waits_for_a_place() {
        let (mut accepted, address, _severed) = connected(1).await;
        let _first = TcpStream::connect(address).await.unwrap();
        let _second = TcpStream::connect(address).await.unwrap();
        let first = accepted.next().await.unwrap().unwrap();
        // Both are connected as far as the system is concerned: the second would be here at the first look.
        for _ in 0..100 {
            tokio::task::yield_now().await;
            let next =
                std::future::poll_fn(|cx| Poll::Ready(Pin::new(&mut accepted).poll_next(cx).is_pending()));
            assert!(next.await, "there is no place");
        }
        drop(first);
        assert!(accepted.next().await.unwrap().is_ok());
    }
}
