//! The kinds of measurements ([`Kind`]): each in a process that has just begun, since a store in memory keeps
//! all that was ever played on it, and calls on a heap that has grown old are dearer.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use edgehill_service::store::{MemoryStore, Options, SqliteStore};

use crate::load::Line;
use crate::{alone, play, serve, unary};

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
        }
    }
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
            Self::Unary(Peer::Echo) | Self::Play(Peer::Echo) => {
                let sizes = unary::sizes(&serve::matches(Arc::new(MemoryStore::new())).await).await;
                let echo = serve::echo(sizes);
                match self {
                    Self::Unary(_) => unary::echo(&echo, sizes).await,
                    _ => play::echo(&echo, sizes).await,
                }
            }
            Self::Unary(peer) | Self::Play(peer) => {
                let address = match peer {
                    Peer::Durable => {
                        let store = SqliteStore::open(folder.join("wire.db"), &Options::default());
                        serve::matches(Arc::new(store.expect("a new store"))).await
                    }
                    Peer::Server => serve::server().await.local_addr(),
                    _ => serve::matches(Arc::new(MemoryStore::new())).await,
                };
                let line = if peer == Peer::Bare { Line::Bare } else { Line::WriteCoalescer };
                let before = if peer == Peer::Kept { ROUNDS_KEPT } else { 0 };
                let mut rate = 0.0;
                for _ in 0..=before {
                    rate = match self {
                        Self::Play(_) => play::play(&address, line).await,
                        _ => unary::play(&address, line).await,
                    };
                }
                rate
            }
        }
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
