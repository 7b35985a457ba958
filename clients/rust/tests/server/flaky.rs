//! A wire between client and server that breaks ([`Flaky`]).

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader, copy};
use tokio::net::{TcpListener, TcpStream};

/// A proxy whose connections end after the server has said so much.
pub(crate) struct Flaky {
    /// The address that the client connects to.
    pub address: SocketAddr,
    /// Number of connections made so far.
    pub connections: Arc<AtomicUsize>,
}

impl Flaky {
    /// A proxy before the server that listens at `server` when a connection is made, each of which passes so many messages of its on.
    pub(crate) async fn before(server: Arc<Mutex<SocketAddr>>, messages: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::<AtomicUsize>::default();
        let made = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                made.fetch_add(1, Ordering::Relaxed);
                let server = *server.lock().expect("no test has failed");
                if let Ok(far) = TcpStream::connect(server).await {
                    tokio::spawn(pass(near, far, messages));
                }
            }
        });
        Self { address, connections }
    }
}

/// The type of HTTP/2's frames that carry messages (RFC 9113, 6.1), and the bytes that stand before each frame (4.1).
const DATA: u8 = 0;
const FRAME_HEAD: usize = 9;

/// Passes frames on, whatever comes together of them; the first message beyond so many of the server's is lost.
async fn pass(near: TcpStream, far: TcpStream, messages: usize) {
    let (mut from_near, mut to_near) = near.into_split();
    let (from_far, mut to_far) = far.into_split();
    let mut from_far = BufReader::new(from_far);
    let out = tokio::spawn(async move {
        let _ = copy(&mut from_near, &mut to_far).await;
    });
    let (mut passed, mut frame) = (0, Vec::new());
    loop {
        frame.resize(FRAME_HEAD, 0);
        if from_far.read_exact(&mut frame).await.is_err() {
            break;
        }
        let length = u32::from_be_bytes([0, frame[0], frame[1], frame[2]]) as usize;
        passed += usize::from(frame[3] == DATA && length > 0);
        frame.resize(FRAME_HEAD + length, 0);
        if passed > messages
            || from_far.read_exact(&mut frame[FRAME_HEAD..]).await.is_err()
            || to_near.write_all(&frame).await.is_err()
        {
            break;
        }
    }
    out.abort();
}
