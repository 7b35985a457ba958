//! A match's place in memory ([`Slot`]): its content under a lock, and how far it is durable.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::{Observer, Seat};
use tokio::sync::{Mutex, MutexGuard, Notify, watch};

use super::error::Error;
use crate::matches::{ClosedMatch, Course, LiveMatch, MatchError, NewsCounters, PublishedEvents, WhyClosed};
use crate::store::MatchId;

/// A match as it is in memory.
#[derive(Debug)]
pub enum Content {
    /// It can be played.
    Live(Box<LiveMatch>),
    /// Its rules are not there, or it is stopped: it can be read.
    Closed(Box<ClosedMatch>),
}

impl Content {
    /// Returns what is known of it without rules.
    #[must_use]
    pub fn course(&self) -> &Course {
        match self {
            Self::Live(live) => live.course(),
            Self::Closed(closed) => closed.course(),
        }
    }

    /// Returns the events published since it began.
    #[must_use]
    pub const fn published(&self) -> &PublishedEvents {
        match self {
            Self::Live(live) => live.published(),
            Self::Closed(closed) => closed.published(),
        }
    }

    /// Returns the reason that it can only be read, if it can't be played.
    #[must_use]
    pub const fn why_closed(&self) -> Option<&WhyClosed> {
        match self {
            Self::Live(_) => None,
            Self::Closed(closed) => Some(closed.why()),
        }
    }

    /// The match that can be played.
    ///
    /// # Errors
    /// If it can only be read.
    pub fn live(&self) -> Result<&LiveMatch, MatchError> {
        match self {
            Self::Live(live) => Ok(live),
            Self::Closed(closed) => Err(closed.refusal()),
        }
    }

    /// Returns about how many bytes it has in memory.
    pub(super) fn memory_bytes(&self) -> u64 {
        let bytes = match self {
            Self::Live(live) => live.memory_bytes(),
            Self::Closed(closed) => closed.memory_bytes(),
        };
        bytes as u64
    }

    /// Returns the numbers that tell observers whether there is news for them.
    pub(super) fn news(&self) -> NewsCounters {
        match self {
            Self::Live(live) => live.news(),
            Self::Closed(closed) => closed.news(),
        }
    }

    pub(super) fn live_mut(&mut self) -> Result<&mut LiveMatch, MatchError> {
        match self {
            Self::Live(live) => Ok(live),
            Self::Closed(closed) => Err(closed.refusal()),
        }
    }
}

/// The progress of a match in memory towards durability.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Progress {
    /// Counts how often what is in memory was dropped.
    pub(super) generation: u64,
    /// True if it was dropped and not read again yet.
    stale: bool,
    /// The revision in memory.
    pub(super) revision: u64,
    /// The news at it, by observer.
    pub(super) news: NewsCounters,
    /// The revision that is durable.
    durable: u64,
    /// The generation that was dropped last, with the revision of it that is durable: who waits for that may have their turn only then.
    former: Option<Mark>,
    /// Appends that are in line in the store, of whatever generation.
    in_line: u32,
    /// The generation that was dropped because the log is full.
    full: Option<u64>,
    /// The last append of which it is known that the store has nothing; nor has it of those behind.
    not_done: Option<Mark>,
}

impl Progress {
    fn drop_generation(&mut self, generation: u64) {
        if self.generation == generation {
            // Nobody has seen anything of one that was not read.
            if !self.stale {
                self.former = Some(Mark { generation, revision: self.durable });
            }
            self.generation += 1;
            self.stale = true;
        }
    }

    /// Notes that the match in memory stands at `mark`.
    fn move_to(&mut self, mark: Mark, news: NewsCounters) {
        if self.generation == mark.generation {
            self.revision = mark.revision;
            self.news = news;
        }
    }

    /// The append of `mark` has ended.
    fn settle(&mut self, mark: Mark, settled: Settled) {
        match settled {
            Settled::Durable if self.generation == mark.generation => {
                self.durable = self.durable.max(mark.revision);
            }
            Settled::Durable => {
                if let Some(former) = &mut self.former
                    && former.generation == mark.generation
                {
                    former.revision = former.revision.max(mark.revision);
                }
            }
            Settled::Failed => self.drop_generation(mark.generation),
            Settled::NotDone => {
                if self.generation == mark.generation {
                    self.not_done = Some(mark);
                }
                self.drop_generation(mark.generation);
            }
            Settled::Full => {
                self.drop_generation(mark.generation);
                self.full = Some(mark.generation);
            }
        }
    }

    /// Returns whether `mark` is durable; `None` while nobody knows.
    fn is_durable(&self, mark: Mark) -> Option<bool> {
        let (durable, is_awaited) = match self.former {
            _ if self.generation == mark.generation => (self.durable, true),
            // Appends in line may still make it so: it is not read again before they have ended.
            Some(former) if former.generation == mark.generation => {
                (former.revision, self.stale && self.in_line > 0)
            }
            _ => return Some(false),
        };
        if durable >= mark.revision { Some(true) } else { (!is_awaited).then_some(false) }
    }
}

/// A moment of a match in memory: what was seen at it may be told once its revision is durable.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Mark {
    pub(super) generation: u64,
    pub(super) revision: u64,
}

/// The end of an append.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Settled {
    /// It is durable.
    Durable,
    /// It is not in the log, or nobody knows.
    Failed,
    /// It is not in the log.
    NotDone,
    /// The log takes nothing more.
    Full,
}

/// A match's place in memory.
pub(super) struct Slot {
    pub(super) id: MatchId,
    /// Its game, which never changes, once it is known.
    pub(super) game: OnceLock<Arc<dyn AnyGame>>,
    pub(super) content: Mutex<Option<Content>>,
    pub(super) progress: watch::Sender<Progress>,
    /// Wakes those who follow it through an observer's eyes: the seats', then the spectators'. Not there before anybody follows it.
    followed: OnceLock<Box<[Notify; Seat::MAX + 1]>>,
    /// True if its house bots are being asked.
    pub(super) bots_busy: AtomicBool,
    /// Bytes of its match, as [`super::slots::Slots`] counts them.
    pub(super) bytes: AtomicU64,
    /// True if its match is known to be over.
    pub(super) is_over: AtomicBool,
    /// True once its match is elsewhere: if that comes back, it gets another slot.
    is_gone: AtomicBool,
    /// When it was touched last, in milliseconds of the clock's own count; [`AT_REST`] once it rests.
    touched_ms: AtomicU64,
}

/// The moment at which a match was touched that is at rest.
const AT_REST: u64 = u64::MAX;

impl Slot {
    pub(super) fn new(id: MatchId) -> Self {
        Self {
            id,
            game: OnceLock::new(),
            content: Mutex::new(None),
            progress: watch::Sender::new(Progress { stale: true, ..Progress::default() }),
            followed: OnceLock::new(),
            bots_busy: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            is_gone: AtomicBool::new(false),
            touched_ms: AtomicU64::new(AT_REST),
        }
    }

    /// Notes that its match is elsewhere, while its content is locked.
    pub(super) fn goes(&self) {
        self.is_gone.store(true, Ordering::Release);
        self.drop_all();
    }

    /// Returns whether its match is elsewhere, or was meanwhile.
    pub(super) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Acquire)
    }

    /// Notes that somebody touches it, at a moment of the clock.
    pub(super) fn touch(&self, now: Duration) {
        self.touched_ms.store(whole_ms(now), Ordering::Relaxed);
    }

    /// Returns whether it is in memory, and nobody has touched it since a moment of the clock.
    pub(super) fn is_untouched_since(&self, moment: Duration) -> bool {
        let touched_ms = self.touched_ms.load(Ordering::Relaxed);
        touched_ms != AT_REST && touched_ms < whole_ms(moment)
    }

    /// Returns whether something of it is on its way, or nothing in memory is good.
    pub(super) fn is_busy(&self) -> bool {
        let progress = self.progress.borrow();
        progress.stale || progress.in_line > 0 || self.bots_busy.load(Ordering::Relaxed)
    }

    /// Notes that its match has left the memory, all of it durable. Where it stands stays known: it is the same when its log is read again.
    pub(super) fn rests(&self) {
        self.touched_ms.store(AT_REST, Ordering::Relaxed);
    }

    /// The generation in memory; `None` if nothing there can be used.
    pub(super) fn usable(&self) -> Option<u64> {
        let progress = self.progress.borrow();
        (!progress.stale).then_some(progress.generation)
    }

    /// Changes how far it is, and wakes those for whom something is new.
    fn change(&self, change: impl FnOnce(&mut Progress)) {
        let mut moved = None;
        self.progress.send_if_modified(|progress| {
            let before = (progress.generation, progress.news);
            change(progress);
            moved = Some((before, (progress.generation, progress.news)));
            // A task that comes to wait looks first, so that there is nobody to wake where nobody waits.
            self.progress.receiver_count() > 0
        });
        // Whoever begins to follow it from here on looks first, and finds the change.
        let Some(followed) = self.followed.get() else { return };
        match moved {
            Some(((before, then), (after, now))) if before == after => {
                then.changed(now).for_each(|observer| followed[observer.index(Seat::MAX)].notify_waiters());
            }
            _ => followed.iter().for_each(Notify::notify_waiters),
        }
    }

    /// Returns when something is new for `observer` since `seen`: a generation, and the observer's number of
    /// its [`NewsCounters`].
    pub(super) async fn news_for(&self, observer: Observer, seen: Option<(u64, u64)>) {
        let followed = &self.followed.get_or_init(Box::default)[observer.index(Seat::MAX)];
        loop {
            let mut woken = pin!(followed.notified());
            // From here on nothing is missed.
            woken.as_mut().enable();
            let now = {
                let progress = self.progress.borrow();
                (progress.generation, progress.news.of(observer))
            };
            if Some(now) != seen {
                return;
            }
            woken.await;
        }
    }

    /// Notes that the match in memory was read from the log just now, up to `revision`. Returns its generation.
    pub(super) fn loaded(&self, content: &Content) -> u64 {
        let revision = content.course().revision();
        let mut generation = 0;
        self.change(|progress| {
            progress.stale = false;
            progress.revision = revision;
            progress.news = content.news();
            progress.durable = revision;
            generation = progress.generation;
        });
        generation
    }

    /// Drops the match in memory, which is of no use.
    pub(super) fn drop_all(&self) {
        self.change(|progress| progress.drop_generation(progress.generation));
    }

    /// Drops the match in memory of `generation`, which is of no use.
    pub(super) fn drop_generation(&self, generation: u64) {
        self.change(|progress| progress.drop_generation(generation));
    }

    /// The append of `mark` is in line; what is new at it.
    pub(super) fn put_in_line(&self, mark: Mark, news: NewsCounters) {
        self.change(|progress| {
            progress.in_line += 1;
            progress.move_to(mark, news);
        });
    }

    /// The append of `mark` has left the line.
    pub(super) fn settle(&self, mark: Mark, settled: Settled) {
        self.change(|progress| {
            progress.in_line = progress.in_line.saturating_sub(1);
            progress.settle(mark, settled);
        });
    }

    /// The append of `mark` was never in line: it has ended already. What is new at it.
    pub(super) fn written(&self, mark: Mark, news: NewsCounters, settled: Settled) {
        self.change(|progress| {
            progress.move_to(mark, news);
            progress.settle(mark, settled);
        });
    }

    /// Returns when no append is in line: then the log is not behind anything that was sent to it.
    pub(super) async fn line_is_empty(&self) {
        // The sender lives as long as `self`.
        let _ = self.progress.subscribe().wait_for(|progress| progress.in_line == 0).await;
    }

    /// Returns whether `mark` is durable; `None` while nobody knows.
    pub(super) fn is_durable(&self, mark: Mark) -> Option<bool> {
        self.progress.borrow().is_durable(mark)
    }

    /// Returns when `mark` is durable, whatever becomes of the match in memory meanwhile.
    ///
    /// # Errors
    /// If it does not become so, or nobody knows: what was in memory was dropped twice.
    pub(super) async fn durable(&self, mark: Mark) -> Result<(), Error> {
        let mut now = Progress::default();
        let is_known = |progress: &Progress| {
            now = *progress;
            now.is_durable(mark).is_some()
        };
        // The sender lives as long as `self`.
        let _ = self.progress.subscribe().wait_for(is_known).await;
        if now.is_durable(mark) == Some(true) {
            return Ok(());
        }
        let before = |first: Mark| first.generation == mark.generation && first.revision <= mark.revision;
        Err(match () {
            () if now.full == Some(mark.generation) => Error::LogFull,
            () if now.not_done.is_some_and(before) => Error::NothingDone,
            () => Error::Unavailable,
        })
    }
}

fn whole_ms(moment: Duration) -> u64 {
    u64::try_from(moment.as_millis()).unwrap_or(AT_REST)
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
    pub(super) slot: &'a Arc<Slot>,
    pub(super) guard: MutexGuard<'a, Option<Content>>,
    pub(super) generation: u64,
}

impl Locked<'_> {
    /// Returns the content of the slot.
    pub(super) fn content(&self) -> Result<&Content, Error> {
        self.guard.as_ref().ok_or(Error::Unavailable)
    }

    /// Returns the content of the slot.
    pub(super) fn content_mut(&mut self) -> Result<&mut Content, Error> {
        self.guard.as_mut().ok_or(Error::Unavailable)
    }

    /// Returns the mark at which it stands.
    pub(super) fn mark(&self) -> Mark {
        let revision = self.guard.as_ref().map_or(0, |content| content.course().revision());
        Mark { generation: self.generation, revision }
    }
}
