//! A wire between client and server that breaks ([`Flaky`]).

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};

/// A proxy whose connections end after the server has spoken so many times.
pub(crate) struct Flaky {
    /// The address that the client connects to.
    pub address: SocketAddr,
    /// Number of connections made so far.
    pub connections: Arc<AtomicUsize>,
}

impl Flaky {
    /// A proxy before the server that listens at `server` when a connection is made.
    pub(crate) async fn before(server: Arc<Mutex<SocketAddr>>, times: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::<AtomicUsize>::default();
        let made = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                made.fetch_add(1, Ordering::Relaxed);
                let server = *server.lock().expect("no test has failed");
                if let Ok(far) = TcpStream::connect(server).await {
                    tokio::spawn(pass(near, far, times));
                }
            }
        });
        Self { address, connections }
    }
}

/// Passes bytes on; what the server says last is lost.
async fn pass(near: TcpStream, far: TcpStream, times: usize) {
    let (mut from_near, mut to_near) = near.into_split();
    let (mut from_far, mut to_far) = far.into_split();
    let out = tokio::spawn(async move {
        let _ = copy(&mut from_near, &mut to_far).await;
    });
    let mut bytes = vec![0; 64 << 10];
    for _ in 0..times {
        match from_far.read(&mut bytes).await {
            Ok(count) if count > 0 && to_near.write_all(&bytes[..count]).await.is_ok() => {}
            _ => break,
        }
    }
    let _ = from_far.read(&mut bytes).await;
    out.abort();
}
