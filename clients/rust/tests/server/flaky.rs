//! A wire between client and server that breaks again and again ([`Flaky`]).

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A proxy whose connections end after the server has spoken so many times.
pub(crate) struct Flaky {
    pub address: SocketAddr,
    pub connections: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl Flaky {
    pub(crate) async fn before(server: SocketAddr, times: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = std::sync::Arc::<std::sync::atomic::AtomicUsize>::default();
        let made = std::sync::Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
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
        let _ = tokio::io::copy(&mut from_near, &mut to_far).await;
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
