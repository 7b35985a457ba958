//! The kinds of measurements ([`Kind`]): each in a process that has just begun, since a store in memory keeps
//! all that was ever played on it, and calls on a heap that has grown old are dearer.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use edgehill_service::store::{MemoryStore, Options, SqliteStore};

use crate::apart::Apart;
use crate::load::{Line, Rate};
use crate::unary::Sizes;
use crate::{alone, play, serve, unary, watched};

/// Number of rounds that are played on a server before the one that counts, where it is to have kept something.
const ROUNDS_KEPT: usize = 10;

/// The peer that calls go to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Peer {
    /// An echo, over connections as `tonic` makes them.
    Echo,
    /// Matches in memory, over Edgehill's own connections at both ends.
    Memory,
    /// The same, from clients that connect as those of the echo.
    Bare,
    /// The same, with all that a server has around its services.
    Server,
    /// As [`Peer::Memory`], after [`ROUNDS_KEPT`] rounds.
    Kept,
    /// Matches on the durable store.
    Durable,
    /// As [`Peer::Server`], with its log.
    Logged,
    /// The same, which sends metrics and one trace of a hundred.
    Sampled,
    /// The same with all traces.
    Traced,
}

/// A kind of measurement.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Unary(Peer),
    Play(Peer),
    /// One caller without a connection.
    Alone,
}

impl Peer {
    pub(crate) const ALL: [Self; 6] =
        [Self::Echo, Self::Memory, Self::Durable, Self::Bare, Self::Server, Self::Kept];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Echo => "echo",
            Self::Memory => "memory",
            Self::Bare => "bare",
            Self::Server => "server",
            Self::Kept => "kept",
            Self::Durable => "durable",
            Self::Logged => "logged",
            Self::Sampled => "sampled",
            Self::Traced => "traced",
        }
    }
}

impl Peer {
    /// The peer of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let watched = [Self::Logged, Self::Sampled, Self::Traced];
        Self::ALL.into_iter().chain(watched).find(|peer| peer.name() == name)
    }

    /// Serves in this process; its address.
    pub(crate) async fn serve(self, folder: &Path) -> SocketAddr {
        match self {
            Self::Echo => serve::echo(sizes().await),
            Self::Durable => {
                let store = SqliteStore::open(folder.join("wire.db"), &Options::default());
                serve::matches(Arc::new(store.expect("a new store"))).await
            }
            Self::Server => serve::server().await.local_addr(),
            Self::Logged => watched::server(None).await.local_addr(),
            Self::Sampled => watched::server(Some(0.01)).await.local_addr(),
            Self::Traced => watched::server(Some(1.0)).await.local_addr(),
            Self::Memory | Self::Bare | Self::Kept => serve::matches(Arc::new(MemoryStore::new())).await,
        }
    }
}

/// The sizes of calls and answers, as matches in memory have them.
async fn sizes() -> Sizes {
    unary::sizes(&serve::matches(Arc::new(MemoryStore::new())).await).await
}

impl Kind {
    /// The kind that an argument names: `alone`, or a way and a peer as `unary/memory` and `Play/echo`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = Peer::ALL.iter().flat_map(|&peer| [Self::Unary(peer), Self::Play(peer)]);
        all.chain([Self::Alone]).find(|kind| kind.name() == name)
    }

    pub(crate) fn name(self) -> String {
        match self {
            Self::Unary(peer) => format!("unary/{}", peer.name()),
            Self::Play(peer) => format!("Play/{}", peer.name()),
            Self::Alone => "alone".to_owned(),
        }
    }

    /// Calls a second, in this process.
    pub(crate) async fn here(self, folder: &Path) -> f64 {
        match self {
            Self::Alone => alone::play().await,
            Self::Unary(peer) | Self::Play(peer) => {
                let address = peer.serve(folder).await;
                let before = if peer == Peer::Kept { ROUNDS_KEPT } else { 0 };
                for _ in 0..before {
                    self.round(&address, peer, None).await;
                }
                let sizes = if peer == Peer::Echo { Some(sizes().await) } else { None };
                self.round(&address, peer, sizes).await.per_second
            }
        }
    }

    /// A round of calls to a server; `sizes`: it is the echo.
    async fn round(self, address: &SocketAddr, peer: Peer, sizes: Option<Sizes>) -> Rate {
        let line = if peer == Peer::Bare { Line::Bare } else { Line::WriteCoalescer };
        match (self, sizes) {
            (Self::Play(_), Some(sizes)) => play::echo(address, sizes).await,
            (_, Some(sizes)) => unary::echo(address, sizes).await,
            (Self::Play(_), None) => play::play(address, line).await,
            (_, None) => unary::play(address, line).await,
        }
    }

    /// The time of the server's processor that a call takes, the server being a process of its own with these variables.
    pub(crate) async fn cost(self, folder: &Path, env: &[(&str, String)]) -> Duration {
        let (Self::Unary(peer) | Self::Play(peer)) = self else { panic!("it has no server") };
        let sizes = if peer == Peer::Echo { Some(sizes().await) } else { None };
        let mut server = Apart::start(peer, folder, env);
        // The first round warms up.
        self.round(&server.address, peer, sizes).await;
        let before = server.used();
        let calls = self.round(&server.address, peer, sizes).await.calls;
        (server.used() - before) / calls.max(1) as u32
    }

    /// Calls a second, in a process of their own.
    pub(crate) fn apart(self, folder: &Path) -> f64 {
        let itself = std::env::current_exe().expect("this program");
        let inner = tempfile::tempdir_in(folder).expect("a folder to write in");
        let run = Command::new(itself).arg(format!("only={}", self.name())).arg(inner.path()).output();
        let said = run.expect("this program again").stdout;
        let said = String::from_utf8(said).expect("a number");
        said.split_whitespace().next().and_then(|rate| rate.parse().ok()).expect("calls a second")
    }
}
