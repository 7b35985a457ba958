//! The most that the store takes. Every limit is checked before anything is queued.

use edgehill_engine::seat::Seat;

/// The most bytes of a match's header.
pub const HEADER_BYTES_MAX: usize = 256 * 1024;
/// The most bytes of what lists show of a match: no more than its header and its seats have.
pub const OVERVIEW_BYTES_MAX: usize = HEADER_BYTES_MAX;
/// The most bytes of one append's entry.
pub const ENTRY_BYTES_MAX: usize = 1024 * 1024;
/// The most bytes of a request's outcome.
pub const OUTCOME_BYTES_MAX: usize = 64 * 1024;
/// The most bytes of an account, a request id or a secret's name.
pub const NAME_BYTES_MAX: usize = 64;
/// The most bytes of a game's or a scenario's id.
pub const TEXT_BYTES_MAX: usize = 64;
/// The most requests that one append answers, or one creation.
pub const REQUESTS_MAX: usize = 16;
/// The most requests of superseded appends that the append in their place goes on answering.
pub const REPLACED_REQUESTS_MAX: usize = 4_096;
/// Bytes by which a header, an overview or an entry may be longer than its limit when a log is written anew.
pub const REWRITE_BYTES_MAX: usize = 64 * 1024;
/// The most secrets that come with one match.
pub const SECRETS_MAX: usize = 16;
/// The most bytes of a sealed secret.
pub const SECRET_BYTES_MAX: usize = 1024;
/// The most bytes of a game's content, as it is kept.
pub const CONTENT_BYTES_MAX: usize = 32 * 1024 * 1024;
/// The most bytes of an act of administration.
pub const ACT_BYTES_MAX: usize = 16 * 1024;
/// The most acts of one look.
pub const ACTS_READ_MAX: usize = 1_024;
/// The most bytes of an event of a competition.
pub const EVENT_BYTES_MAX: usize = 64 * 1024;
/// The most events of competitions that are kept together.
pub const EVENTS_KEPT_MAX: usize = 1_024;
/// The most events of one look, and the most competitions of one.
pub const EVENTS_READ_MAX: usize = 1_024;
/// The most bytes of the words of a quarantine.
pub const DETAIL_BYTES_MAX: usize = 1024;
/// The most sequences of a match: one a seat and one for the spectators.
pub const OBSERVERS_MAX: usize = Seat::MAX + 1;
/// The most bytes of a match's whole log, envelopes included: what one read can bring into memory.
pub const LOG_BYTES_MAX: u64 = 72 * 1024 * 1024;
/// The most matches of one page of a list.
pub const PAGE_MATCHES_MAX: usize = 256;
/// The most matches that are made together.
pub const BULK_CREATES_MAX: usize = 256;
/// The most appends to matches that are made together.
pub const BULK_APPENDS_MAX: usize = 256;
/// The most bytes of matches that are made together: less than one log takes, so that none is full before it has begun.
pub const BULK_BYTES_MAX: usize = 32 * 1024 * 1024;
