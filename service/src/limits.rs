//! The limits that the server keeps to ([`Limits`]): some are fixed, the others can be set.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use edgehill_competition::ENTRANTS_MAX;
use edgehill_engine::action::ActionTable;
use edgehill_engine::catalogue::{DRAFT_ACTIONS_MAX, LINE_BYTES_MAX, LIST_ACTIONS_MAX, STANDING_PASSES_MAX};
use edgehill_engine::seat::Seat;
use edgehill_proto::v1::{self, LimitName};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::host::RESULTS_KEPT;
use crate::identity::{ACCOUNT_KEYS_MAX, ACCOUNTS_MAX, LABEL_BYTES_MAX};
use crate::matches::{ADJOURN_MS_MAX, LogLimits, REASON_BYTES_MAX, REFEREE_ACTS_MAX, RESERVED_BYTES};
use crate::store::limits::{HEADER_BYTES_MAX, NAME_BYTES_MAX, PAGE_MATCHES_MAX};

/// The most entrants of one seed group: docs/dice.md has no more.
pub const GROUP_ENTRANTS_MAX: usize = 256;
/// The most games on one page of `ListGames`.
pub const PAGE_GAMES_MAX: usize = 100;
/// The most accounts on one page of `ListAccounts`.
pub const PAGE_ACCOUNTS_MAX: usize = 100;
/// The most acts on one page of `ListActs`.
pub const PAGE_ACTS_MAX: usize = 100;
/// The most matches of one `CreateMatches`.
pub const BULK_MATCHES_MAX: usize = 256;
/// The most competitions of one page.
pub const PAGE_COMPETITIONS_MAX: usize = 100;
/// The most encounters of one page.
pub const PAGE_ENCOUNTERS_MAX: usize = 256;
/// The most bytes of the text of one message of `ExportRecord`: clients take 4 MiB, and a reply leaves in parts anyway.
pub const RECORD_CHUNK_BYTES: usize = 16_384;

/// The most bytes that the log of one match can be allowed: the store takes more, so that the end of a match has room.
pub const MATCH_LOG_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The limits that can be set, each in the unit that its name says. [`LimitName`] says what it limits, and
/// the wire's comments the default.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of one request, or of one message that a client sends in a stream.
    pub request_bytes: usize,
    /// Bytes of a described position; no more than of a request.
    pub position_bytes: usize,
    /// Bytes of a request id.
    pub request_id_bytes: usize,
    /// Bytes of a player's name.
    pub player_bytes: usize,
    /// Seats open at once in one `PlaySeats` stream.
    pub stream_seats: usize,
    /// `PlaySeats`, `WatchMatch`, `WatchAccount` and `SeekMatch` streams of one caller at once.
    pub streams: usize,
    /// Events of one message.
    pub message_events: usize,
    /// Matches on one page of `ListMatches`.
    pub page_matches: usize,
    /// Matches of one creator that are not over.
    pub open_matches: usize,
    /// Matches of one creator that have seats for people and have not begun.
    pub waiting_matches: usize,
    /// Matches of one creator in which house bots have all seats, and that are not over.
    pub bot_matches: usize,
    /// The same of all creators together.
    pub server_bot_matches: usize,
    /// Matches of one seed group.
    pub group_matches: usize,
    /// Seconds that seats have to reveal their entropy.
    pub reveal_seconds: u64,
    /// Seconds that a match waits for its seats to be taken.
    pub waiting_seconds: u64,
    /// Seconds in which nothing happens in a match that has begun, until it ends.
    pub idle_seconds: u64,
    /// Open seeks of one caller.
    pub seeks: usize,
    /// The same of all callers together.
    pub server_seeks: usize,
    /// Seconds for which a caller may seek in one call.
    pub seek_seconds: u64,
    /// Seconds that a match of callers who were paired waits for its seats to be taken.
    pub paired_seconds: u64,
    /// Competitions of one account that are neither finished nor cancelled.
    pub competitions: usize,
    /// Changes of mind of one seat between two final actions of its own.
    pub turn_changes: usize,
    /// Bytes of the log of one match.
    pub match_log_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request_bytes: 65_536,
            position_bytes: 32_768,
            request_id_bytes: 64,
            player_bytes: 64,
            stream_seats: 1_024,
            streams: 256,
            message_events: 256,
            page_matches: 100,
            open_matches: 10_000,
            waiting_matches: 10_000,
            bot_matches: 16,
            server_bot_matches: 64,
            group_matches: 256,
            reveal_seconds: 600,
            waiting_seconds: 604_800,
            idle_seconds: 7_776_000,
            seeks: 16,
            server_seeks: 4_096,
            seek_seconds: 3_600,
            paired_seconds: 120,
            competitions: 64,
            turn_changes: 1_024,
            match_log_bytes: MATCH_LOG_BYTES_MAX,
        }
    }
}

/// The limits as they are now, until others are set while the server runs. Copies are the same.
#[derive(Clone, Debug)]
pub struct CurrentLimits(Arc<Mutex<Limits>>);

impl CurrentLimits {
    /// The limits as they are now.
    #[must_use]
    pub fn now(&self) -> Limits {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts others in their place.
    pub fn replace(&self, limits: Limits) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = limits;
    }
}

impl From<Limits> for CurrentLimits {
    fn from(limits: Limits) -> Self {
        Self(Arc::new(Mutex::new(limits)))
    }
}

/// A limit that is set to what the server can't keep to.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {given} is not {} to {}", name.as_str_name(), accepts.start(), accepts.end())]
pub struct LimitError {
    /// The limit's name.
    pub name: LimitName,
    /// The value that it is set to.
    pub given: u64,
    /// The range that would be accepted.
    pub accepts: RangeInclusive<u64>,
}

impl Limits {
    /// The limits of one match's log.
    #[must_use]
    pub const fn match_log(&self) -> LogLimits {
        LogLimits { bytes_max: self.match_log_bytes as u64, changes_max: self.turn_changes as u64 }
    }

    /// Checks that the server can keep to them.
    ///
    /// # Errors
    /// Names the first in the order of [`LimitName`] that it can't.
    pub fn check(&self) -> Result<(), LimitError> {
        for name in names() {
            let (given, accepts) = (self.value(name), self.accepts(name));
            if !accepts.contains(&given) {
                return Err(LimitError { name, given, accepts });
            }
        }
        Ok(())
    }

    /// Returns the value that `name` is set to.
    #[must_use]
    pub const fn value(&self, name: LimitName) -> u64 {
        let count = match name {
            LimitName::Unspecified => 0,
            LimitName::ListActions => LIST_ACTIONS_MAX,
            LimitName::LineBytes => LINE_BYTES_MAX,
            LimitName::DraftActions => DRAFT_ACTIONS_MAX,
            LimitName::TableActions => ActionTable::MAX,
            LimitName::MatchSeats => Seat::MAX,
            LimitName::RequestBytes => self.request_bytes,
            LimitName::PositionBytes => self.position_bytes,
            LimitName::RequestIdBytes => self.request_id_bytes,
            LimitName::PlayerBytes => self.player_bytes,
            LimitName::StreamSeats => self.stream_seats,
            LimitName::Streams => self.streams,
            LimitName::MessageEvents => self.message_events,
            LimitName::PageMatches => self.page_matches,
            LimitName::OpenMatches => self.open_matches,
            LimitName::WaitingMatches => self.waiting_matches,
            LimitName::GroupMatches => self.group_matches,
            LimitName::StandingPasses => STANDING_PASSES_MAX,
            LimitName::RevealSeconds => return self.reveal_seconds,
            LimitName::GroupEntrants => GROUP_ENTRANTS_MAX,
            LimitName::WaitingSeconds => return self.waiting_seconds,
            LimitName::IdleSeconds => return self.idle_seconds,
            LimitName::PageGames => PAGE_GAMES_MAX,
            LimitName::TurnChanges => self.turn_changes,
            LimitName::MatchLogBytes => self.match_log_bytes,
            LimitName::RecordChunkBytes => RECORD_CHUNK_BYTES,
            LimitName::BotMatches => self.bot_matches,
            LimitName::ServerBotMatches => self.server_bot_matches,
            LimitName::Accounts => ACCOUNTS_MAX,
            LimitName::AccountKeys => ACCOUNT_KEYS_MAX,
            LimitName::LabelBytes => LABEL_BYTES_MAX,
            LimitName::PageAccounts => PAGE_ACCOUNTS_MAX,
            LimitName::PageActs => PAGE_ACTS_MAX,
            LimitName::BulkMatches => BULK_MATCHES_MAX,
            LimitName::ReasonBytes => REASON_BYTES_MAX,
            LimitName::RefereeActs => REFEREE_ACTS_MAX,
            LimitName::AdjournSeconds => return ADJOURN_MS_MAX / 1_000,
            LimitName::AccountResults => RESULTS_KEPT,
            LimitName::Seeks => self.seeks,
            LimitName::ServerSeeks => self.server_seeks,
            LimitName::SeekSeconds => return self.seek_seconds,
            LimitName::PairedSeconds => return self.paired_seconds,
            LimitName::Competitions => self.competitions,
            LimitName::Entrants => ENTRANTS_MAX,
            LimitName::PageCompetitions => PAGE_COMPETITIONS_MAX,
            LimitName::PageEncounters => PAGE_ENCOUNTERS_MAX,
        };
        count as u64
    }

    /// Every limit, in the order of [`LimitName`].
    #[must_use]
    pub fn all(&self) -> Vec<v1::Limit> {
        let default = Self::default();
        let limit = |name| v1::Limit {
            name: i32::from(name),
            value: self.value(name),
            default_value: default.value(name),
        };
        names().map(limit).collect()
    }

    /// Returns the range that `name` can be set to; a fixed limit can be set to nothing else than it is.
    fn accepts(&self, name: LimitName) -> RangeInclusive<u64> {
        let fixed = self.value(name)..=self.value(name);
        match name {
            LimitName::Unspecified
            | LimitName::ListActions
            | LimitName::LineBytes
            | LimitName::DraftActions
            | LimitName::TableActions
            | LimitName::MatchSeats
            | LimitName::StandingPasses
            | LimitName::GroupEntrants
            | LimitName::PageGames
            | LimitName::RecordChunkBytes
            | LimitName::Accounts
            | LimitName::AccountKeys
            | LimitName::LabelBytes
            | LimitName::PageAccounts
            | LimitName::PageActs
            | LimitName::BulkMatches
            | LimitName::ReasonBytes
            | LimitName::RefereeActs
            | LimitName::AdjournSeconds
            | LimitName::AccountResults
            | LimitName::Entrants
            | LimitName::PageCompetitions
            | LimitName::PageEncounters => fixed,
            // A list of 256 notations has to fit.
            LimitName::RequestBytes => 16 * 1024..=4 * 1024 * 1024,
            // It goes into the match's header.
            LimitName::PositionBytes => 1..=self.request_bytes.min(HEADER_BYTES_MAX / 2) as u64,
            LimitName::RequestIdBytes => 1..=NAME_BYTES_MAX as u64,
            LimitName::PlayerBytes => 1..=256,
            LimitName::StreamSeats | LimitName::Streams => 1..=65_536,
            LimitName::MessageEvents => 1..=4_096,
            LimitName::PageMatches => 1..=PAGE_MATCHES_MAX as u64,
            LimitName::OpenMatches
            | LimitName::WaitingMatches
            | LimitName::BotMatches
            | LimitName::ServerBotMatches => 1..=1_000_000_000,
            LimitName::Seeks | LimitName::ServerSeeks | LimitName::Competitions => 1..=65_536,
            LimitName::SeekSeconds | LimitName::PairedSeconds => 1..=7 * 24 * 60 * 60,
            LimitName::GroupMatches => 2..=256,
            LimitName::RevealSeconds => 1..=7 * 24 * 60 * 60,
            LimitName::WaitingSeconds | LimitName::IdleSeconds => 1..=10 * 365 * 24 * 60 * 60,
            // A few are no luxury: a client that plays on a page takes back now and then.
            LimitName::TurnChanges => 16..=65_536,
            // Room is kept back for the end of the match, and as much is left for play.
            LimitName::MatchLogBytes => 2 * RESERVED_BYTES..=MATCH_LOG_BYTES_MAX as u64,
        }
    }
}

/// Every name, in order.
fn names() -> impl Iterator<Item = LimitName> {
    (1..).map_while(|number| LimitName::try_from(number).ok())
}
