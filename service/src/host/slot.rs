//! A match's place in memory ([`Slot`]): its content under a lock, and how far it is durable.

use edgehill_engine::registry::AnyGame;
use tokio::sync::{Mutex, MutexGuard, watch};

use super::error::Error;
use crate::matches::{ClosedMatch, Course, LiveMatch, MatchError};
use crate::store::MatchId;

/// A match as it is in memory.
#[derive(Debug)]
pub enum Content {
    /// It can be played.
    Live(Box<LiveMatch>),
    /// Its rules are not there: it can be read.
    Closed(Box<ClosedMatch>),
}

impl Content {
    /// What is known of it without rules.
    #[must_use]
    pub fn course(&self) -> &Course {
        match self {
            Self::Live(live) => live.course(),
            Self::Closed(closed) => closed.course(),
        }
    }

    /// The match that can be played.
    ///
    /// # Errors
    /// If its rules are not there.
    pub fn live(&self) -> Result<&LiveMatch, MatchError> {
        match self {
            Self::Live(live) => Ok(live),
            Self::Closed(closed) => Err(closed.unplayable()),
        }
    }

    pub(super) fn live_mut(&mut self) -> Result<&mut LiveMatch, MatchError> {
        match self {
            Self::Live(live) => Ok(live),
            Self::Closed(closed) => Err(closed.unplayable()),
        }
    }
}

/// How far a match in memory is durable.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Progress {
    /// Counts how often it was dropped, since an append failed.
    pub(super) generation: u64,
    /// Whether it was dropped and not read again yet.
    pub(super) stale: bool,
    /// The revision in memory.
    pub(super) revision: u64,
    /// The revision that is durable.
    pub(super) durable: u64,
}

/// A match's place in memory.
pub(super) struct Slot {
    pub(super) id: MatchId,
    /// Its game, which never changes, once it is known.
    pub(super) game: std::sync::OnceLock<std::sync::Arc<dyn AnyGame>>,
    pub(super) content: Mutex<Option<Content>>,
    pub(super) progress: watch::Sender<Progress>,
    /// Whether its house bots are being asked.
    pub(super) bots_busy: std::sync::atomic::AtomicBool,
}

impl Slot {
    pub(super) fn new(id: MatchId) -> Self {
        Self {
            id,
            game: std::sync::OnceLock::new(),
            content: Mutex::new(None),
            progress: watch::Sender::new(Progress { stale: true, ..Progress::default() }),
            bots_busy: std::sync::atomic::AtomicBool::new(false),
        }
    }

    /// An append of `generation` failed: what is in memory is dropped.
    pub(super) fn drop_generation(&self, generation: u64) {
        self.progress.send_if_modified(|progress| {
            let current = progress.generation == generation;
            if current {
                progress.generation += 1;
                progress.stale = true;
            }
            current
        });
    }

    /// A revision of `generation` is durable.
    pub(super) fn settle(&self, generation: u64, revision: u64) {
        self.progress.send_if_modified(|progress| {
            let news = progress.generation == generation && progress.durable < revision;
            if news {
                progress.durable = revision;
            }
            news
        });
    }

    /// Returns when `revision` of `generation` is durable.
    ///
    /// # Errors
    /// If it was dropped.
    pub(super) async fn durable(&self, generation: u64, revision: u64) -> Result<(), Error> {
        let settled = |progress: &Progress| progress.generation != generation || progress.durable >= revision;
        let now = *self.progress.borrow();
        let now = if settled(&now) {
            now
        } else {
            // The sender lives as long as `self`.
            self.progress.subscribe().wait_for(settled).await.map_or(now, |progress| *progress)
        };
        if now.generation == generation { Ok(()) } else { Err(Error::Unavailable) }
    }
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slot")
            .field("id", &self.id)
            .field("progress", &*self.progress.borrow())
            .finish_non_exhaustive()
    }
}

/// A match under its lock.
pub(super) struct Locked<'a> {
    pub(super) slot: &'a std::sync::Arc<Slot>,
    pub(super) guard: MutexGuard<'a, Option<Content>>,
    pub(super) generation: u64,
}

impl Locked<'_> {
    /// What is in the slot.
    pub(super) fn content(&self) -> Result<&Content, Error> {
        self.guard.as_ref().ok_or(Error::Unavailable)
    }

    /// What is in the slot.
    pub(super) fn content_mut(&mut self) -> Result<&mut Content, Error> {
        self.guard.as_mut().ok_or(Error::Unavailable)
    }

    /// Where it stands.
    pub(super) fn revision(&self) -> u64 {
        self.guard.as_ref().map_or(0, |content| content.course().revision())
    }
}
