//! A match from its log: every entry is applied again, and must lead where it led.

use std::sync::Arc;

use edgehill_engine::registry::AnyGame;

use super::answered::{Ask, CallOutcome};
use super::archive;
use super::call::Call;
use super::clock::{ClocksAfter, EntryTime};
use super::compaction::Compaction;
use super::course::Course;
use super::dice_secret::DiceSecret;
use super::draft_span::DraftSpan;
use super::encoder::Encoder;
use super::entry::{Happened, JournalEntry};
use super::error::MatchError;
use super::live::{LiveMatch, apply};
use super::log_room::{LogLimits, Purpose};
use super::stored::StoredError;
use crate::store::{MatchLog, Party, StoredRecord};

impl LiveMatch {
    /// Applies a log again.
    ///
    /// # Errors
    /// [`MatchError::Unreplayable`] if an entry does not lead where it led: the match is to be put in quarantine.
    pub fn replay(
        course: Course,
        game: Arc<dyn AnyGame>,
        dice_secret: DiceSecret,
        log: &MatchLog,
        limits: LogLimits,
        encoder: &'static dyn Encoder,
    ) -> Result<Self, MatchError> {
        let mut live = Self::new(course, game, dice_secret, limits, encoder)?;
        live.room.set_bytes(log.header_bytes);
        live.span = DraftSpan::after(live.course.revision(), None, log.header_bytes);
        let unreadable =
            |error: StoredError| MatchError::Unreplayable { revision: log.revision, why: error.to_string() };
        for record in archive::unpacked(&log.records).map_err(unreadable)?.iter() {
            let revision = record.at.revision;
            // Where drafts were compacted, revisions are missing.
            live.course.set_revision(revision.saturating_sub(1));
            live.again(record).map_err(|why| MatchError::Unreplayable { revision, why })?;
        }
        // An archive has a revision of its own.
        live.course.set_revision(log.revision);
        Ok(live)
    }

    fn again(&mut self, record: &StoredRecord) -> Result<(), String> {
        let entry = JournalEntry::from_bytes(&record.entry).map_err(|error| error.to_string())?;
        if let Happened::Compacted(compaction) = &entry.happened {
            return self.compacted_again(record, compaction, &entry);
        }
        if let Happened::Called { seat, call, actions } = &entry.happened {
            let seat = self.course.seat(u32::from(*seat)).map_err(|error| error.to_string())?;
            let table = self.table.as_mut().ok_or("a call before the match began")?;
            let purpose = Purpose::of(&**table, &self.course, seat, call);
            let (again, _) = apply(&mut **table, seat, call).map_err(|error| error.to_string())?;
            if again != *actions {
                return Err(format!("{again} actions are taken, and {actions} were"));
            }
            self.note_call(purpose);
        }
        if let Happened::TimedOut { seat, forfeits } = &entry.happened {
            let seat = self.course.seat(u32::from(*seat)).map_err(|error| error.to_string())?;
            self.run_out(seat, *forfeits).map_err(|error| error.to_string())?;
        }
        if let Happened::ActedIllegally { seat, forfeits, .. } = &entry.happened {
            let seat = self.course.seat(u32::from(*seat)).map_err(|error| error.to_string())?;
            self.act_illegally(seat, *forfeits).map_err(|error| error.to_string())?;
        }
        let time = EntryTime { at_ms: entry.at_ms, clocks: ClocksAfter::Logged(entry.clocks.clone()) };
        let change = self.happen(entry.happened.clone(), None, time).map_err(|error| error.to_string())?;
        if !change.entry.agrees_with(&entry) {
            return Err("it does not lead to what was seen".to_owned());
        }
        if change.append.summary != record.summary {
            return Err("not as much is published to the observers as was".to_owned());
        }
        self.remember(record, entry.happened.method())
    }

    /// Takes over the requests that the entry answered.
    fn remember(&mut self, record: &StoredRecord, method: &'static str) -> Result<(), String> {
        for (party, request) in &record.requests {
            let Party::Seat(seat) = party else { continue };
            let outcome = CallOutcome::from_bytes(&request.outcome).map_err(|error| error.to_string())?;
            let ask = Ask { id: request.id.clone(), body: request.body };
            self.note_request(*seat, method, ask, outcome, request.log_bytes());
        }
        Ok(())
    }

    /// Takes up what is left of drafts that were superseded.
    fn compacted_again(
        &mut self,
        record: &StoredRecord,
        compaction: &Compaction,
        entry: &JournalEntry,
    ) -> Result<(), String> {
        let requests = record.requests.clone();
        let change =
            self.take_compaction(compaction.clone(), entry.published.clone(), requests, entry.at_ms)?;
        if change.append.summary != record.summary {
            return Err("not as much is published to the observers as was".to_owned());
        }
        for ((party, request), &undoes) in record.requests.iter().zip(&compaction.undoes) {
            let Party::Seat(seat) = party else { continue };
            let outcome = CallOutcome::from_bytes(&request.outcome).map_err(|error| error.to_string())?;
            let call = if undoes { Call::Undo { keep: None } } else { Call::actions(&[]) };
            let ask = Ask { id: request.id.clone(), body: request.body };
            self.span.requests.push((*seat, request.id.clone()));
            self.answered.note(seat.index() as u8, call.method(), ask, outcome);
        }
        Ok(())
    }
}
