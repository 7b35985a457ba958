//! A proxy whose connections can be cut ([`Cutter`]).

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// Passes bytes on to a server, until it is told to cut.
#[derive(Clone)]
pub(crate) struct Cutter {
    pub address: SocketAddr,
    connections: Arc<Mutex<Vec<AbortHandle>>>,
}

impl Cutter {
    /// A proxy before `server`.
    pub(crate) async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::new(Mutex::new(Vec::new()));
        let cutter = Self { address, connections: Arc::clone(&connections) };
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let pump = tokio::spawn(async move {
                    if let Ok(mut far) = TcpStream::connect(server).await {
                        let _ = copy_bidirectional(&mut near, &mut far).await;
                    }
                });
                connections.lock().expect("no test has failed").push(pump.abort_handle());
            }
        });
        cutter
    }

    /// Cuts all connections; new ones can be made at once.
    pub(crate) fn cut(&self) {
        for connection in self.connections.lock().expect("no test has failed").drain(..) {
            connection.abort();
        }
    }
}
