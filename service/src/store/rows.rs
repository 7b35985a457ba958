//! The rows that a store has to keep, whatever it keeps them in: [`Rows`] to read, [`RowsMut`] to write
//! inside a transaction.

use super::act::KeptAct;
use super::chain::Head;
use super::content::KeptContent;
use super::entry::StoredStatus;
use super::error::Failure;
use super::event::{CompetitionId, KeptEvent};
use super::list::{ListedMatch, Page, StoreFilter};
use super::names::{AccountId, At, MatchId, Position, RequestId, SecretId};
use super::quarantine::{Quarantine, StoreFault};
use super::secret::SealedSecret;
use super::uptime::Outage;

/// A consistent sight of what is kept.
pub(super) trait Rows {
    /// A match's row; a damaged one is a fault of that match.
    fn head(&self, id: MatchId) -> Result<Option<Result<Head, StoreFault>>, Failure>;
    /// All that lists show of a match besides its row.
    fn overview(&self, id: MatchId) -> Result<Option<Vec<u8>>, Failure>;
    /// The envelope of a match at this place.
    fn envelope(&self, id: MatchId, at: At) -> Result<Option<Vec<u8>>, Failure>;
    /// Hands out every envelope from a position on that says it is of this match, ascending. Looks through all of them.
    fn envelopes_of(
        &self,
        id: MatchId,
        from: Position,
        take: &mut dyn FnMut(Position, &[u8]),
    ) -> Result<(), Failure>;
    /// Hands out every envelope that is kept, those of a match ascending.
    fn all_envelopes(&self, take: &mut dyn FnMut(Position, &[u8])) -> Result<(), Failure>;
    /// Hands out every match's row; a damaged one is a fault of that match.
    fn all_heads(&self, take: &mut dyn FnMut(MatchId, Result<Head, StoreFault>)) -> Result<(), Failure>;
    /// The match that an account's request created.
    fn created_by(&self, account: &AccountId, request: &RequestId) -> Result<Option<MatchId>, Failure>;
    /// Returns the reason that a match is closed to play.
    fn quarantine(&self, id: MatchId) -> Result<Option<Quarantine>, Failure>;
    /// When the server was last up, in milliseconds since 1970; `None` if that was never noted.
    fn last_up(&self) -> Result<Option<u64>, Failure>;
    /// The times at which it was down, ascending.
    fn outages(&self) -> Result<Vec<Outage>, Failure>;
    /// A sealed secret.
    fn secret(&self, id: &SecretId) -> Result<Option<SealedSecret>, Failure>;
    /// At most so many sealed secrets behind the one of this name, by name.
    fn secrets(
        &self,
        after: Option<&SecretId>,
        count: usize,
    ) -> Result<Vec<(SecretId, SealedSecret)>, Failure>;
    /// The contents that are kept.
    fn kept_contents(&self) -> Result<Vec<KeptContent>, Failure>;
    /// The number of the last act of administration; 0 if there is none.
    fn last_act(&self) -> Result<u64, Failure>;
    /// At most so many acts behind the one with this number, by number.
    fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Failure>;
    /// The number of the last event of a competition; 0 if there is none.
    fn last_event(&self, competition: CompetitionId) -> Result<u64, Failure>;
    /// At most so many events of a competition behind the one with this number, by number.
    fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Failure>;
    /// At most so many competitions behind this one, by name.
    fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Failure>;
    /// Matches by name, last first: one more than the page takes, if there are more.
    fn list(&self, filter: &StoreFilter, page: Page) -> Result<Vec<ListedMatch>, Failure>;
}

/// The place at which a match's row stands before it moves.
#[derive(Copy, Clone, Debug)]
pub(super) struct Place {
    pub(super) at: At,
    pub(super) status: StoredStatus,
}

/// Changes, seen by others only when the transaction is durable.
pub(super) trait RowsMut: Rows {
    /// The reason that a match takes no appends, as [`Rows::quarantine`]. Rows that look for it when an append is written may leave it
    /// to that.
    fn closed_to_appends(&self, id: MatchId) -> Result<Option<Quarantine>, Failure> {
        self.quarantine(id)
    }
    /// The position of the envelope that is kept next, if it is of this revision of its match. Those of a match ascend.
    fn next_position(&self, revision: u64) -> Position;
    /// Keeps a match's envelope at the next position.
    fn push_envelope(&mut self, id: MatchId, at: At, bytes: Vec<u8>) -> Result<(), Failure>;
    /// Lets the envelope at this place go, which is no longer of its match's log.
    fn remove_envelope(&mut self, id: MatchId, at: At) -> Result<(), Failure>;
    /// Keeps a new match's row, and its overview.
    fn insert_head(&mut self, head: &Head, overview: &[u8]) -> Result<(), Failure>;
    /// Moves a match's row from `old` to `new`, with its new overview if it has one; `false` if it does not stand at `old`.
    fn move_head(&mut self, old: Place, new: &Head, overview: Option<&[u8]>) -> Result<bool, Failure>;
    /// Notes which match an account's request created.
    fn note_creation(&mut self, account: &AccountId, request: &RequestId, id: MatchId)
    -> Result<(), Failure>;
    /// Closes a match to play; a reason that stands already stays.
    fn set_quarantine(&mut self, id: MatchId, quarantine: &Quarantine) -> Result<(), Failure>;
    /// Opens a match again.
    fn lift_quarantine(&mut self, id: MatchId) -> Result<(), Failure>;
    /// Notes that the server is up at a moment.
    fn set_last_up(&mut self, unix_ms: u64) -> Result<(), Failure>;
    /// Keeps the times at which it was down, in the place of those that are kept.
    fn set_outages(&mut self, outages: &[Outage]) -> Result<(), Failure>;
    /// Keeps a content, unless it is kept.
    fn keep_content(&mut self, content: &KeptContent) -> Result<(), Failure>;
    /// Keeps the next act of administration.
    fn push_act(&mut self, act: &KeptAct) -> Result<(), Failure>;
    /// Puts an act in the place of that of its number; `false` if there is none.
    fn replace_act(&mut self, act: &KeptAct) -> Result<bool, Failure>;
    /// Keeps the next event of a competition.
    fn push_event(&mut self, event: &KeptEvent) -> Result<(), Failure>;
    /// Puts an event in the place of that of its number; `false` if there is none.
    fn replace_event(&mut self, event: &KeptEvent) -> Result<bool, Failure>;
    /// Lets a match's row go, with its overview, and its quarantine.
    fn remove_match(&mut self, id: MatchId) -> Result<(), Failure>;
    /// Forgets which match an account's request created.
    fn forget_creation(&mut self, account: &AccountId, request: &RequestId) -> Result<(), Failure>;
    /// Lets a secret go.
    fn remove_secret(&mut self, id: &SecretId) -> Result<(), Failure>;
    /// Keeps a secret under a name that is free.
    fn insert_secret(&mut self, id: &SecretId, secret: &SealedSecret) -> Result<(), Failure>;
}
