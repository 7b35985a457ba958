//! The store of matches: [`Store`], with [`MemoryStore`] and [`SqliteStore`] behind it.
//!
//! A match is its log: a header and appends, each conditional on the revision before it, each with the requests that it
//! answers. Three promises, whatever goes wrong below:
//!
//! 1. **Durable before seen.** What a [`Ticket`] or a read says has reached the disk. If a flush fails, nothing of its
//!    batch is visible, and each of its callers hears [`Error::Unavailable`] or, where the disk may have it all the same,
//!    [`Error::OutcomeUnknown`].
//! 2. **Once.** A request that comes again, after a lost reply, a failed flush or a crash, has the outcome that it had;
//!    the same id with another body is [`Error::RequestReused`]. Ids are kept as long as the append that answered them or
//!    one that took its place ([`Replaced`]).
//! 3. **A prefix or nothing.** Every append carries a hash of itself and of the append before. A match whose log is not
//!    whole is [`Error::Quarantined`]; it is never served torn or out of order.
//!
//! ```
//! use edgehill_service::store::{Append, Appended, Create, MatchId, MemoryStore, StoredStatus, Store, Summary};
//! # use edgehill_engine::seat::SeatSet;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = MemoryStore::new();
//! let id = MatchId::from_bytes([1; 16]);
//! let summary = Summary { status: StoredStatus::Open, open_seats: SeatSet::first(2), lengths: vec![0, 0, 0] };
//! let create = Create {
//!     id,
//!     game: "ukc".into(),
//!     scenario: "full".into(),
//!     group: None,
//!     header: b"options, seats, commitment".to_vec(),
//!     summary: summary.clone(),
//!     overview: b"what lists show".to_vec(),
//!     requests: Vec::new(),
//!     secrets: Vec::new(),
//! };
//! store.create(create).await?.await?;
//! let entry = b"a seat joins".to_vec();
//! let append = Append { id, expected: 0, entry, requests: Vec::new(), summary, overview: None, replaces: None };
//! let queued = store.append(append).await?; // in line: later appends come after it
//! let Appended::Written(at) = queued.await? else { unreachable!("it has no requests") }; // durable
//! assert_eq!(at.revision, 1);
//! assert_eq!(store.read(id, 0).await?.records[0].entry, b"a seat joins");
//! # Ok(())
//! # }
//! ```

mod act;
mod adopt;
mod chain;
mod content;
mod counters;
mod create_all;
mod entry;
mod envelope;
mod episode;
mod error;
mod event;
mod faults;
mod fsck;
mod health;
mod index;
mod kept_ops;
mod lengths;
pub mod limits;
mod line;
mod lined;
mod list;
mod memory;
mod migration;
mod names;
mod operation;
mod parts;
mod postgres;
mod purpose;
mod quarantine;
mod readers;
mod resealing;
mod rewrite;
mod rows;
mod sealed;
mod seals;
mod secret;
mod shards;
mod sqlite;
mod store_ops;
mod threads;
mod ticket;
mod uptime;
mod writer;

pub use act::KeptAct;
pub use content::KeptContent;
pub use create_all::CreateAll;
pub use entry::{
    Append, Appended, BodyHash, Create, MatchLog, Replaced, Request, Stored, StoredHeader, StoredRecord,
    StoredStatus, Summary,
};
pub use error::Error;
pub use event::{CompetitionId, KeptEvent};
pub use faults::{Faults, Moment, NoFaults, RotationMoment};
pub use fsck::{FsckReport, ReportedMatch};
pub use health::StoreHealth;
pub use list::{ListedMatch, Listing, Page, StoreFilter};
pub use memory::MemoryStore;
pub use migration::{Migrated, StorePlace, is_unfinished, migrate};
pub use names::{AccountId, At, MatchId, Party, Position, RequestId, RequestScope, SecretId};
pub use postgres::{
    Claims, Member, Membership, Owners, PostgresOptions, PostgresServer, PostgresStore, ServerId, Standing,
};
pub use quarantine::{Quarantine, StoreFault};
pub use rewrite::Rewrite;
pub use sealed::SealedStore;
pub use seals::{NamesKey, StoreKeys};
pub use secret::{SealedSecret, SealingKey};
pub use shards::{SHARDS, Shard, ShardSet};
pub use sqlite::{
    ClosedStore, MatchesOf, Options, ReadOnlyStore, SealedCopy, SqliteStore, StoreContents, backup, compact,
    contents, fsck,
};
pub use ticket::{Reply, Ticket};
pub use uptime::Outage;

use async_trait::async_trait;
use tokio::sync::watch;

/// The figures of an open store: what it has done since it was opened, and what there is of it.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Transactions that became durable.
    pub transactions: u64,
    /// Creates and appends that became durable with them.
    pub appends: u64,
    /// Transactions that failed.
    pub failures: StoreFailures,
    /// Operations that wait to be written.
    pub line_operations: u64,
    /// Bytes that wait to be written.
    pub line_bytes: u64,
    /// Bytes of the file; of a store in memory, 0.
    pub file_bytes: u64,
    /// Bytes of the write-ahead log.
    pub log_bytes: u64,
    /// Matches in quarantine, as far as it is noted.
    pub quarantined: u64,
}

/// Transactions that failed, by what became of them.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct StoreFailures {
    /// Nothing of them was done.
    pub undone: u64,
    /// Nobody knows what the disk has of them.
    pub unknown: u64,
    /// The file is damaged, or is another one.
    pub damaged: u64,
}

impl StoreFailures {
    /// All of them.
    #[must_use]
    pub const fn all(self) -> u64 {
        self.undone + self.unknown + self.damaged
    }

    /// Counts one that failed with `error`.
    pub(in crate::store) fn count(&mut self, error: &Error) {
        *match error {
            Error::Failed { .. } | Error::OutcomeUnknown { .. } => &mut self.unknown,
            Error::Corrupt { .. } | Error::NotAStore { .. } => &mut self.damaged,
            _ => &mut self.undone,
        } += 1;
    }
}

/// Keeps matches.
///
/// Two stages: [`Store::create`] and [`Store::append`] return when the operation is in line (they wait while the line is
/// full), the [`Ticket`] when it is durable or refused. Operations take effect in the order of their first stages, so that
/// the next append of a match can be put in line before the last one is durable. A ticket that is dropped takes nothing
/// back.
#[async_trait]
pub trait Store: Send + Sync {
    /// Creates a match, unless a request of it did so before: then it is the match that the first of these created.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Invalid`], [`Error::Closed`], [`Error::Failed`]; the ticket:
    /// [`Error::MatchExists`], [`Error::RequestReused`], [`Error::SecretKept`], [`Error::Unavailable`],
    /// [`Error::OutcomeUnknown`].
    async fn create(&self, create: Create) -> Result<Ticket<Appended>, Error>;

    /// Creates matches with what happens in them at once, unless their request did so before: all of it becomes durable, or
    /// nothing. The ticket names the place of the first.
    ///
    /// # Errors
    /// As [`Store::create`], for any of them.
    async fn create_all(&self, create: CreateAll) -> Result<Ticket<Appended>, Error>;

    /// Appends to a match, unless a request of it was answered before. Requests are looked at first, so that a retry has
    /// its outcome although the revision has moved on.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Invalid`], [`Error::Closed`], [`Error::Failed`]; the ticket: [`Error::NotFound`],
    /// [`Error::Conflict`], [`Error::RequestReused`], [`Error::Quarantined`], [`Error::Unavailable`],
    /// [`Error::OutcomeUnknown`], and [`Error::TooLarge`] for a log that is full.
    async fn append(&self, append: Append) -> Result<Ticket<Appended>, Error>;

    /// A match's log from revision `from` to its durable end, checked. From 0 it is checked down to the creation, from a
    /// later one down to there.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Quarantined`], [`Error::Corrupt`], [`Error::Closed`].
    async fn read(&self, id: MatchId, from: u64) -> Result<MatchLog, Error>;

    /// The log of a match from its creation on, although it may be in quarantine: to look at. Of one that is not whole it is what
    /// stands before the first fault, for which the whole store is looked through.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Quarantined`] if not even its creation can be read; [`Error::Corrupt`], [`Error::Closed`].
    async fn read_stopped(&self, id: MatchId) -> Result<MatchLog, Error>;

    /// Matches, last made first.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Closed`].
    async fn list(&self, filter: StoreFilter, page: Page) -> Result<Listing, Error>;

    /// Returns the answer to a request, if there was one.
    ///
    /// # Errors
    /// [`Error::NotFound`] for the scope's match, [`Error::Quarantined`], [`Error::Corrupt`], [`Error::Closed`].
    async fn request(&self, scope: RequestScope, id: RequestId) -> Result<Option<Stored>, Error>;

    /// Keeps a secret. One that is kept already has to be the same.
    ///
    /// # Errors
    /// [`Error::SecretKept`], [`Error::Unavailable`], [`Error::OutcomeUnknown`], [`Error::Closed`], [`Error::Failed`].
    async fn keep_secret(&self, id: SecretId, secret: SealedSecret) -> Result<(), Error>;

    /// A secret, as it was sealed.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Closed`].
    async fn secret(&self, id: SecretId) -> Result<Option<SealedSecret>, Error>;

    /// Keeps a game's content, unless it is kept already.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Unavailable`], [`Error::OutcomeUnknown`], [`Error::Closed`], [`Error::Failed`].
    async fn keep_content(&self, content: KeptContent) -> Result<(), Error>;

    /// All contents that are kept, by game.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Closed`].
    async fn kept_contents(&self) -> Result<Vec<KeptContent>, Error>;

    /// Keeps an act of administration. It is durable when this returns.
    ///
    /// # Errors
    /// [`Error::ActConflict`] if its number is not the next one; [`Error::TooLarge`], [`Error::Unavailable`],
    /// [`Error::OutcomeUnknown`], [`Error::Closed`], [`Error::Failed`].
    async fn keep_act(&self, act: KeptAct) -> Result<(), Error>;

    /// The acts of administration behind the one with this number, by number: at most so many, and at most
    /// [`limits::ACTS_READ_MAX`].
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Closed`].
    async fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Error>;

    /// Puts other bytes in the place of acts that are kept, by their numbers: all of them or nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] if one is not kept; [`Error::TooLarge`], [`Error::Unavailable`], [`Error::OutcomeUnknown`],
    /// [`Error::Closed`], [`Error::Failed`].
    async fn rewrite_acts(&self, acts: Vec<KeptAct>) -> Result<(), Error>;

    /// Keeps the next events of a competition, in order: all of them or nothing. They are durable when this returns.
    ///
    /// # Errors
    /// [`Error::EventConflict`] if the first is not the next one; [`Error::Invalid`] if they are not of one competition, or have a gap;
    /// [`Error::TooLarge`], [`Error::Unavailable`], [`Error::OutcomeUnknown`], [`Error::Closed`], [`Error::Failed`].
    async fn keep_events(&self, events: Vec<KeptEvent>) -> Result<(), Error>;

    /// The events of a competition behind the one with this number, by number: at most so many, and at most
    /// [`limits::EVENTS_READ_MAX`].
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Closed`].
    async fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Error>;

    /// The competitions behind this one, by name: at most so many, and at most [`limits::EVENTS_READ_MAX`].
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Closed`].
    async fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Error>;

    /// Puts other bytes in the place of events of a competition that are kept, in order and without a gap: all of them or nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] if one is not kept, or they are not of one competition; [`Error::TooLarge`], [`Error::Unavailable`],
    /// [`Error::OutcomeUnknown`], [`Error::Closed`], [`Error::Failed`].
    async fn rewrite_events(&self, events: Vec<KeptEvent>) -> Result<(), Error>;

    /// Writes the log of a match that is over anew: all of it or nothing.
    ///
    /// # Errors
    /// [`Error::Conflict`]; [`Error::Invalid`] if the match is not over, or its log has other revisions; [`Error::NotFound`],
    /// [`Error::Quarantined`], [`Error::TooLarge`], [`Error::Unavailable`], [`Error::OutcomeUnknown`], [`Error::Closed`],
    /// [`Error::Failed`].
    async fn rewrite(&self, rewrite: Rewrite) -> Result<(), Error>;

    /// Writes its file anew, without what was taken out of it or replaced: no byte of that is in the file or its write-ahead log
    /// when this returns. Whoever writes waits meanwhile, and the disk needs room for the file once more.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if there is no room, or somebody reads the file all the time; [`Error::Closed`], [`Error::Failed`].
    async fn compact(&self) -> Result<(), Error>;

    /// Closes a match to play. Appends that are in line before it still take effect. A match that is closed keeps its first
    /// reason.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::TooLarge`], [`Error::Unavailable`], [`Error::OutcomeUnknown`], [`Error::Closed`],
    /// [`Error::Failed`].
    async fn quarantine(&self, id: MatchId, quarantine: Quarantine) -> Result<(), Error>;

    /// Opens a match to play again, if its log is whole.
    ///
    /// # Errors
    /// [`Error::Quarantined`] if it is not; [`Error::NotFound`], [`Error::Unavailable`], [`Error::OutcomeUnknown`],
    /// [`Error::Closed`], [`Error::Failed`].
    async fn release(&self, id: MatchId) -> Result<(), Error>;

    /// Deletes matches that are over, with their requests and all that is kept of them, and these secrets: all of it, or nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] if one is not over; [`Error::NotFound`], [`Error::Quarantined`], [`Error::Unavailable`],
    /// [`Error::OutcomeUnknown`], [`Error::Closed`], [`Error::Failed`].
    async fn delete(&self, matches: Vec<MatchId>, secrets: Vec<SecretId>) -> Result<(), Error>;

    /// Notes that a server has started on it at this moment, in milliseconds since 1970, and that it was down since it was
    /// last noted to be up; a date before that counts as that. Returns all times at which it was down, ascending.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::OutcomeUnknown`], [`Error::Corrupt`], [`Error::Closed`], [`Error::Failed`].
    async fn start_up(&self, unix_ms: u64) -> Result<Vec<Outage>, Error>;

    /// Keeps an outage beside the others: of matches whose server was gone while another one was up.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::OutcomeUnknown`], [`Error::Closed`], [`Error::Failed`].
    async fn keep_outage(&self, outage: Outage) -> Result<(), Error>;

    /// The outages that are kept, ascending.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::Closed`].
    async fn outages(&self) -> Result<Vec<Outage>, Error>;

    /// Notes that the server is up at this moment, in milliseconds since 1970.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::OutcomeUnknown`], [`Error::Closed`], [`Error::Failed`].
    async fn note_up(&self, unix_ms: u64) -> Result<(), Error>;

    /// Returns its figures.
    fn stats(&self) -> Stats;

    /// Returns whether writes succeed, now and whenever that changes.
    fn health(&self) -> watch::Receiver<StoreHealth>;

    /// Has it try soon whether writes succeed again, if the last one failed. Its health tells what came of it.
    fn retry(&self);

    /// Takes nothing more, makes durable what is in line, and lets the file go.
    async fn close(&self);
}
