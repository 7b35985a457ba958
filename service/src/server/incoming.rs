//! Connections: without Nagle's delay, in clear or through TLS, with their writes gathered, counted in all and by address, broken
//! where nothing comes, and severed when the server waits no longer.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use edgehill_transport::WriteCoalescer;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_rustls::TlsAcceptor;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::transport::server::{Connected, TcpIncoming};

use super::opening::Opening;
use super::peer::{Peer, Proxies};
use super::socket::{ByteStream, RawStream, Socket};
use super::tls::CurrentTls;
use crate::config::Proxy;
use crate::identity::subscriber;
use crate::shares::{Share, Shares};

/// The time to wait after the system refused a connection: it has no more files or memory, which a busy loop
/// does not mend.
const PAUSE: Duration = Duration::from_millis(50);

/// The connections that are accepted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ConnectionLimits {
    /// Connections at once; more wait.
    pub connections: usize,
    /// Connections at once from one address; more are closed.
    pub of_address: usize,
    /// The time that a client has to begin.
    pub preface: Duration,
}

/// One client's connection. Its place among those allowed is free again when it is dropped.
#[derive(Debug)]
pub struct Connection {
    /// Writes are gathered above TLS: what is sent together is encrypted together, in few records.
    stream: WriteCoalescer<Socket>,
    peer: Peer,
    severing: Pin<Box<WaitForCancellationFutureOwned>>,
    /// The beginning, which is that of what stands inside TLS; its time runs from the begin of the connection.
    opening: Option<Opening>,
    _held: Held,
}

/// The part of what there is of connections that one of them takes.
#[derive(Debug)]
struct Held {
    _place: OwnedSemaphorePermit,
    /// `None`: a proxy's, of whose address there may be as many as there are.
    _share: Option<Share<IpAddr>>,
    _counted: OpenConnection,
}

/// The number of connections that are open. Copies are the same number.
#[derive(Clone, Default, Debug)]
pub struct OpenConnections(Arc<AtomicUsize>);

impl OpenConnections {
    /// The number as it is now.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// One more, until what is returned is dropped.
    fn one_more(&self) -> OpenConnection {
        self.0.fetch_add(1, Ordering::Relaxed);
        OpenConnection(self.clone())
    }
}

/// One of the connections that are counted.
#[derive(Debug)]
struct OpenConnection(OpenConnections);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The number of TLS handshakes that failed. Copies are the same number.
#[derive(Clone, Default, Debug)]
pub struct FailedHandshakes(Arc<AtomicU64>);

impl FailedHandshakes {
    /// The number as it is now.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Notes one. Clients that went before it was over are none, since a probe of the port does no more; nor are those that
    /// were cut off with all others.
    fn note(&self, address: IpAddr, error: &io::Error) {
        use io::ErrorKind::{ConnectionAborted, ConnectionReset, UnexpectedEof};
        if !matches!(error.kind(), ConnectionAborted | ConnectionReset | UnexpectedEof) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        tracing::debug!(%address, %error, "a TLS handshake failed");
    }
}

/// Connections as they come in, with the address of their other end.
type Incoming = Pin<Box<dyn Stream<Item = io::Result<(RawStream, SocketAddr)>> + Send>>;

/// A socket that listens, or another source of connections. Nothing is accepted yet.
pub struct Listener {
    incoming: Incoming,
    local_addr: SocketAddr,
    open: OpenConnections,
    failed: FailedHandshakes,
    tls: Option<CurrentTls>,
}

impl Listener {
    /// Listens on `address`.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        // The server builder's own setting is ignored for sockets that it did not open: it has to be set here.
        let incoming = TcpIncoming::bind(address)?.with_nodelay(Some(true));
        let local_addr = incoming.local_addr()?;
        // One whose address is not known is gone already.
        let addressed = incoming.filter_map(|accepted| match accepted {
            Ok(tcp) => tcp.peer_addr().ok().map(|address| Ok((RawStream::Left(tcp), address))),
            Err(error) => Some(Err(error)),
        });
        Ok(Self::of(local_addr, Box::pin(addressed)))
    }

    /// Takes connections that come in at `local_addr` by another way than the system's network, such as a simulated one: each with
    /// the address of its other end. They count, and break, as those of a socket do.
    pub fn over<S: ByteStream + 'static>(
        local_addr: SocketAddr,
        incoming: impl Stream<Item = io::Result<(S, SocketAddr)>> + Send + 'static,
    ) -> Self {
        let given = incoming
            .map(|accepted| accepted.map(|(stream, address)| (RawStream::Right(Box::new(stream)), address)));
        Self::of(local_addr, Box::pin(given))
    }

    fn of(local_addr: SocketAddr, incoming: Incoming) -> Self {
        let (open, failed) = (OpenConnections::default(), FailedHandshakes::default());
        Self { incoming, local_addr, open, failed, tls: None }
    }

    /// Asks for TLS on every connection, if there is any.
    #[must_use]
    pub fn with_tls(self, tls: Option<CurrentTls>) -> Self {
        Self { tls, ..self }
    }

    /// The address that it listens on, with the port that it was given.
    pub const fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// The number of those that are accepted and still open.
    pub fn open_connections(&self) -> OpenConnections {
        self.open.clone()
    }

    /// The number of TLS handshakes that failed so far.
    pub fn failed_handshakes(&self) -> FailedHandshakes {
        self.failed.clone()
    }

    /// Accepts connections within `limits`, by address but for those of proxies, until nobody takes them any more. All of them break when `severed` is cancelled.
    pub fn accept(
        self,
        limits: ConnectionLimits,
        proxy: &Proxy,
        severed: CancellationToken,
    ) -> ReceiverStream<io::Result<Connection>> {
        let (connections, taken) = mpsc::channel(1);
        let door = Door {
            places: Arc::new(Semaphore::new(limits.connections)),
            shares: Shares::default(),
            of_address: limits.of_address,
            preface: limits.preface,
            proxies: Proxies::new(proxy),
            severed,
            open: self.open,
            failed: self.failed,
            tls: self.tls,
        };
        tokio::spawn(async move {
            tokio::select! {
                () = connections.closed() => {}
                () = accept(self.incoming, &door, &connections) => {}
            }
        });
        ReceiverStream::new(taken)
    }
}

/// The connections that may still come in.
struct Door {
    places: Arc<Semaphore>,
    shares: Shares<IpAddr>,
    of_address: usize,
    preface: Duration,
    proxies: Proxies,
    severed: CancellationToken,
    open: OpenConnections,
    failed: FailedHandshakes,
    tls: Option<CurrentTls>,
}

impl Door {
    /// Lets a connection in, or closes it: its address has as many as it may.
    fn admit(&self, stream: RawStream, address: IpAddr, place: OwnedSemaphorePermit) -> Option<Admitted> {
        let share = match self.proxies.has(address) {
            true => None,
            false => {
                let share = self.shares.take(subscriber(address), self.of_address);
                if share.is_none() {
                    tracing::debug!(%address, "a connection too many from this address");
                    return None;
                }
                share
            }
        };
        // One of its own: all connections would lock the same one whenever they read or write.
        let connection = self.severed.child_token();
        Some(Admitted {
            stream,
            peer: Peer::new(address, connection),
            opening: Opening::new(self.preface),
            held: Held { _place: place, _share: share, _counted: self.open.one_more() },
        })
    }

    /// Hands a connection on: at once or, where there is TLS, when its handshake is over, for which nobody else waits. Returns
    /// false if nobody takes connections any more.
    async fn pass(&self, admitted: Admitted, connections: &mpsc::Sender<io::Result<Connection>>) -> bool {
        let Some(tls) = &self.tls else { return connections.send(Ok(admitted.in_clear())).await.is_ok() };
        let (settings, failed, connections) = (tls.now(), self.failed.clone(), connections.clone());
        tokio::spawn(async move {
            let address = admitted.peer.address;
            tokio::select! {
                () = connections.closed() => {}
                secured = admitted.through_tls(settings) => match secured {
                    // If nobody takes it any more, it is closed.
                    Ok(connection) => drop(connections.send(Ok(connection)).await),
                    Err(error) => failed.note(address, &error),
                },
            }
        });
        true
    }
}

/// A connection that has its place, of which nothing was read yet.
struct Admitted {
    stream: RawStream,
    peer: Peer,
    opening: Opening,
    held: Held,
}

impl Admitted {
    /// The connection as it is.
    fn in_clear(self) -> Connection {
        let Self { stream, peer, opening, held } = self;
        Connection::new(Socket::Left(stream), peer, opening, held)
    }

    /// The connection after its handshake, for which it has the time that it has to begin.
    async fn through_tls(self, settings: Arc<ServerConfig>) -> io::Result<Connection> {
        let Self { stream, peer, mut opening, held } = self;
        let secured = tokio::select! {
            secured = TlsAcceptor::from(settings).accept(stream) => secured?,
            () = std::future::poll_fn(|cx| opening.poll_late(cx)) => return Err(silent()),
            () = peer.connection.cancelled() => return Err(broken()),
        };
        Ok(Connection::new(Socket::Right(Box::new(secured)), peer, opening, held))
    }
}

async fn accept(mut incoming: Incoming, door: &Door, connections: &mpsc::Sender<io::Result<Connection>>) {
    while let Ok(place) = Arc::clone(&door.places).acquire_owned().await {
        let admitted = match incoming.next().await {
            Some(Ok((stream, address))) => match door.admit(stream, address.ip(), place) {
                Some(admitted) => admitted,
                None => continue,
            },
            Some(Err(error)) => {
                tracing::warn!(%error, "a connection was not accepted");
                #[expect(
                    clippy::disallowed_methods,
                    reason = "a pause: nothing says when there are descriptors again"
                )]
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            None => return,
        };
        if !door.pass(admitted, connections).await {
            return;
        }
    }
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the server waits for this client no longer")
}

fn silent() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the connection did not begin in time")
}

impl Connection {
    fn new(socket: Socket, peer: Peer, opening: Opening, held: Held) -> Self {
        let severing = Box::pin(peer.connection.clone().cancelled_owned());
        Self { stream: WriteCoalescer::new(socket), peer, severing, opening: Some(opening), _held: held }
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
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
        let Self { stream, opening, .. } = &mut *self;
        let Some(beginning) = opening else { return Pin::new(stream).poll_read(cx, buf) };
        let before = buf.filled().len();
        match Pin::new(stream).poll_read(cx, buf) {
            Poll::Pending if beginning.poll_late(cx).is_ready() => Poll::Ready(Err(silent())),
            Poll::Ready(Ok(())) if beginning.ends_in(&buf.filled()[before..]) => {
                *opening = None;
                Poll::Ready(Ok(()))
            }
            read => read,
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if self.peer.connection.is_cancelled() {
            return Poll::Ready(Err(broken()));
        }
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.peer.connection.is_cancelled() {
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
        // TLS has a last word to send, and nobody waits for a client to take it.
        if self.severing.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(broken()));
        }
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpStream;

    use super::*;
    use crate::config::Tls;
    use crate::server::authority::{Authority, Files};
    use crate::server::certificates::TlsFiles;

    fn limits(connections: usize, of_address: usize) -> ConnectionLimits {
        ConnectionLimits { connections, of_address, preface: Duration::from_secs(10) }
    }

    fn tcp(connection: &Connection) -> &TcpStream {
        let raw = match connection.stream.get_ref() {
            Socket::Left(raw) => raw,
            Socket::Right(tls) => tls.get_ref().0,
        };
        match raw {
            RawStream::Left(tcp) => tcp,
            RawStream::Right(given) => panic!("not of the system: {given:?}"),
        }
    }

    async fn connected(
        max: usize,
    ) -> (ReceiverStream<io::Result<Connection>>, SocketAddr, CancellationToken) {
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let (address, severed) = (listener.local_addr(), CancellationToken::new());
        (listener.accept(limits(max, max), &Proxy::default(), severed.clone()), address, severed)
    }

    #[tokio::test]
    async fn what_is_written_is_sent_at_once() {
        let (mut accepted, address, _severed) = connected(1).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let connection = accepted.next().await.unwrap().unwrap();
        assert!(tcp(&connection).nodelay().unwrap());
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
    async fn one_connection_too_many_of_an_address_is_closed_and_others_come_in() {
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr();
        let open = listener.open_connections();
        let mut accepted = listener.accept(limits(8, 1), &Proxy::default(), CancellationToken::new());
        let _first = TcpStream::connect(address).await.unwrap();
        let first = accepted.next().await.unwrap().unwrap();
        let mut second = TcpStream::connect(address).await.unwrap();
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        let _other = socket.connect(address).await.unwrap();
        let other = accepted.next().await.unwrap().unwrap();
        assert_eq!(tcp(&other).peer_addr().unwrap().ip().to_string(), "127.0.0.2");
        assert_eq!(second.read(&mut [0]).await.unwrap_or(0), 0, "it is closed");
        assert_eq!(open.count(), 2);
        drop(first);
        assert_eq!(open.count(), 1);
        let _third = TcpStream::connect(address).await.unwrap();
        assert!(accepted.next().await.unwrap().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_says_nothing_breaks() {
        let (mut accepted, address, _severed) = connected(1).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let mut connection = accepted.next().await.unwrap().unwrap();
        assert_eq!(connection.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_handshake_that_is_not_begun_ends_and_gives_its_place_back() {
        let files = Files::new(&Authority::new("here").server());
        let tls = Tls { certificate: Some(files.certificate()), key: Some(files.key()), client_ca: None };
        let tls = CurrentTls::open(TlsFiles::of(&tls).unwrap().unwrap()).unwrap();
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap().with_tls(Some(tls));
        let (address, open, failed) =
            (listener.local_addr(), listener.open_connections(), listener.failed_handshakes());
        let _accepted = listener.accept(limits(1, 1), &Proxy::default(), CancellationToken::new());
        // The second has to wait for the place of the first.
        for number in 1..=2 {
            let mut client = TcpStream::connect(address).await.unwrap();
            assert_eq!(client.read(&mut [0]).await.unwrap_or(0), 0, "it is closed");
            assert_eq!((open.count(), failed.count()), (0, number));
        }
    }

    #[tokio::test]
    async fn one_connection_too_many_waits_for_a_place() {
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr();
        let mut accepted = listener.accept(limits(1, 2), &Proxy::default(), CancellationToken::new());
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
