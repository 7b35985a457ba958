//! Drafts that were superseded leave the log ([`Compaction`]).
//!
//! The entries that it takes the place of are the last of the log, are about drafts, and have nothing final in them. What is
//! left of them is the drafts as they are now, the numbers of the events, one event in the place of all ([`Encoder::superseding`]),
//! and the last [`CALLS_KEPT`] requests of each seat. The record of the match, every view and every number stay as they are.

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::LIST_ACTIONS_MAX;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::table::ApplyMode;
use serde::{Deserialize, Serialize};

use super::answered::CALLS_KEPT;
use super::course::Phase;
use super::entry::{Happened, JournalEntry};
use super::error::MatchError;
use super::live::{LiveMatch, PendingChange, bits, lengths};
use super::published::Published;
use crate::store::{Append, Party, Replaced, Request, RequestId};

#[cfg(doc)]
use super::encoder::Encoder;

/// The rest of drafts that were superseded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Compaction {
    /// By seat, its draft.
    pub drafts: Vec<Vec<u16>>,
    /// By observer, the seats in order and then the spectators, the count of numbers whose events are gone.
    pub gone: Vec<u64>,
    /// By seat, how often it changed its mind since an action of it became final.
    pub changes: Vec<u32>,
    /// By seat, how many calls of it were acted on.
    pub calls: Vec<u64>,
    /// For each of the requests that are kept, whether it took back (`UndoActions`) instead of taking.
    pub undoes: Vec<bool>,
}

impl LiveMatch {
    /// Returns whether enough of its log was superseded that it is worth compacting.
    #[must_use]
    pub fn wants_compaction(&self) -> bool {
        self.course.phase() == Phase::Running && self.span.is_worth_compacting(self.room.bytes())
    }

    /// Compacts the drafts at the end of the log.
    ///
    /// # Errors
    /// [`MatchError::Fault`] if there are none.
    pub fn compact(&mut self, at_ms: u64) -> Result<PendingChange, MatchError> {
        let (Some(table), Some(mark)) = (&self.table, self.span.mark) else {
            return Err(MatchError::Fault("there are no drafts to compact".to_owned()));
        };
        let drafts = drafts(&**table, self.course.seats().len());
        let (gone, published) = self.published.supersede(&mark, &drafts);
        let kept = self.forget_requests();
        let undoes = kept.iter().map(|(seat, id)| self.answered.is_undo(*seat, id)).collect();
        let requests = kept.iter().filter_map(|(seat, id)| {
            let request = self.answered.request(*seat, id)?;
            Some((Party::Seat(*seat), request))
        });
        let requests = requests.collect();
        let compaction = Compaction {
            drafts,
            gone,
            changes: self.room.changes().to_vec(),
            calls: self.calls.clone(),
            undoes,
        };
        self.note_compacted(compaction, published, requests, at_ms)
    }

    /// Forgets the requests of the drafts, but for the last of each seat. Returns those that are left.
    fn forget_requests(&mut self) -> Vec<(Seat, RequestId)> {
        let mut left = vec![CALLS_KEPT; self.course.seats().len()];
        let mut kept = Vec::new();
        for (seat, id) in std::mem::take(&mut self.span.requests).into_iter().rev() {
            match left.get_mut(seat.index()) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    kept.push((seat, id));
                }
                _ => self.answered.forget(seat, &id),
            }
        }
        kept.reverse();
        self.span.requests.clone_from(&kept);
        kept
    }

    /// Takes over what a log has in the place of drafts: the table stands where the one before them left it.
    ///
    /// # Errors
    /// Says what of it does not fit.
    pub(super) fn take_compaction(
        &mut self,
        compaction: Compaction,
        published: Published,
        requests: Vec<(Party, Request)>,
        at_ms: u64,
    ) -> Result<PendingChange, String> {
        let seats = self.course.seats().len();
        let fits = [compaction.drafts.len(), compaction.changes.len(), compaction.calls.len()] == [seats; 3]
            && compaction.gone.len() == seats + 1
            && compaction.undoes.len() == requests.len();
        let table = self.table.as_mut().filter(|_| fits).ok_or("it is not of this match")?;
        for (index, draft) in compaction.drafts.iter().enumerate() {
            draft_again(&mut **table, Seat::new(index as u8), draft)?;
        }
        self.published.take_superseded(&compaction.gone, published.clone())?;
        let lengths: Vec<usize> = Observer::all(seats).map(|observer| self.published.len(observer)).collect();
        table.go_on_from(&lengths);
        self.calls.clone_from(&compaction.calls);
        self.room.set_changes(&compaction.changes);
        self.note_compacted(compaction, published, requests, at_ms).map_err(|error| error.to_string())
    }

    fn note_compacted(
        &mut self,
        compaction: Compaction,
        published: Published,
        requests: Vec<(Party, Request)>,
        at_ms: u64,
    ) -> Result<PendingChange, MatchError> {
        self.marked = Some(self.published.mark());
        let expected = self.course.revision();
        let entry = JournalEntry {
            happened: Happened::Compacted(Box::new(compaction)),
            drawn: Vec::new(),
            published,
            offers: self.table.as_ref().map_or(0, |table| bits(table.offers())),
            result: None,
            at_ms,
            clocks: None,
            adjourning: None,
        };
        self.course.close_entry(&entry, lengths(self.table.as_deref(), self.course.seats().len()));
        let append = Append {
            id: self.course.id(),
            expected,
            entry: entry.to_bytes(),
            requests: Vec::new(),
            summary: self.course.summary(),
            overview: Some(self.course.overview().to_bytes()),
            replaces: Some(Replaced { after: self.span.after, requests }),
        };
        self.room.set_bytes(self.span.bytes_before + append.log_bytes());
        self.span.note_compacted(self.room.bytes());
        Ok(PendingChange { append, entry })
    }
}

fn drafts(table: &dyn AnyTable, seats: usize) -> Vec<Vec<u16>> {
    let draft = |index| table.draft(Seat::new(index as u8)).iter().map(|action| action.0).collect();
    (0..seats).map(draft).collect()
}

/// Brings a seat's draft from what it is to `draft`.
fn draft_again(table: &mut dyn AnyTable, seat: Seat, draft: &[u16]) -> Result<(), String> {
    let wanted: Vec<ActionId> = draft.iter().copied().map(ActionId).collect();
    let now = table.draft(seat);
    let (drafted, keep) =
        (now.len(), now.iter().zip(&wanted).take_while(|(now, wanted)| now == wanted).count());
    if keep < drafted {
        table.undo(seat, keep).map_err(|refusal| refusal.to_string())?;
    }
    for list in wanted[keep..].chunks(LIST_ACTIONS_MAX) {
        table.apply(seat, list, ApplyMode::Atomic).map_err(|refusal| refusal.to_string())?;
    }
    if table.draft(seat) == wanted { Ok(()) } else { Err("a draft is final".to_owned()) }
}
