//! Matches: a log each, and the state that follows from it.
//!
//! [`LiveMatch`] is a machine without I/O: it takes calls, and gives the [`PendingChange`] that its driver has to make durable
//! before anybody sees what came of it. Messages it does not know: what it publishes it has encoded ([`Encoder`]). [`Course`] is the part of it that is read without any rules, so that a match of
//! rules that this build does not have stays readable ([`ClosedMatch`]).
//!
//! Invariant: two numbers never mix. A match's *revision* counts the entries of its log and stays inside; a *sequence*
//! counts the events of one observer, and is all that the outside knows.

mod adjournment;
mod answered;
pub mod archive;
mod before_play;
mod bulk_outcome;
mod call;
mod clock;
mod closed;
mod closed_ends;
mod compaction;
mod conduct;
mod course;
mod current_part;
mod dice_secret;
mod draft_span;
mod encoder;
mod entry;
mod erasing;
mod error;
mod header;
mod live;
mod log_room;
mod memory_bytes;
mod news;
mod opening;
mod packed;
mod paired_outcome;
mod participation;
mod published;
mod published_events;
mod record;
mod referee;
mod repin;
mod replay;
mod running_clocks;
mod seats;
mod sequence;
mod spectator_delay;
mod stored;
mod stream_hashes;

pub use adjournment::{ADJOURN_MS_MAX, ADJOURN_MS_MIN, Adjourning, Adjournment};
pub use answered::{Ask, CallOutcome};
pub use bulk_outcome::BulkOutcome;
pub use call::{Call, Pass, StoredPassScope, Wanted};
pub use clock::{ClockTerms, QUESTION_MS_MIN, Question, SeatClock, SpentTimes, TimeoutRule};
pub use closed::{ClosedMatch, WhyClosed};
pub use compaction::Compaction;
pub use conduct::{CompetitionPlace, Conduct, IllegalActions, WithheldCalls};
pub use course::{Course, Overview, Phase};
pub use current_part::CurrentPart;
pub use dice_secret::{DiceSecret, DiceSecretBytes, SeedSource};
pub use encoder::{Encoder, StreamHashBytes};
pub use entry::{Drawn, EndedBy, Grown, Happened, JournalEntry, Left, ResultNote};
pub use erasing::{ErasedLog, PseudonymOf, erased};
pub use error::MatchError;
pub(crate) use header::written_options;
pub use header::{EntropyMode, GroupTerms, MatchHeader, PinNote, SeatConfig, SeedTerms};
pub use live::{Done, LiveMatch, PendingChange};
pub use log_room::{LogLimits, RESERVED_BYTES};
pub use news::NewsCounters;
pub use paired_outcome::PairedOutcome;
pub use participation::{HeldSeat, Participation};
pub use published::Published;
pub use published_events::{PublishedEvent, PublishedEvents};
pub use record::MatchRecord;
pub use referee::{REASON_BYTES_MAX, REFEREE_ACTS_MAX, RefereeAct, RefereeActDone, RefereeNote};
pub use seats::{Join, SeatEntry};
pub use spectator_delay::{HELD_EVENTS_MAX, HOLD_BACK_MS_MAX, Sight, SpectatorDelay};
pub use stored::StoredError;
