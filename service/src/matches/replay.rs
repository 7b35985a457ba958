//! A match from its log: every entry is carried out again, and must lead where it led.

use std::sync::Arc;

use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::Seat;

use super::answered::{Ask, CallOutcome};
use super::course::Course;
use super::dice_secret::DiceSecret;
use super::entry::{Happened, JournalEntry};
use super::error::MatchError;
use super::live::{LiveMatch, carry_out};
use crate::store::{Party, StoredRecord};

impl LiveMatch {
    /// Carries a log out again.
    ///
    /// # Errors
    /// [`MatchError::Unreplayable`] if an entry does not lead where it led: the match is to be put in quarantine.
    pub fn replay(
        course: Course,
        game: Arc<dyn AnyGame>,
        dice_secret: DiceSecret,
        records: &[StoredRecord],
    ) -> Result<Self, MatchError> {
        let mut live = Self::new(course, game, dice_secret)?;
        for record in records {
            let revision = live.course.revision() + 1;
            live.again(record).map_err(|why| MatchError::Unreplayable { revision, why })?;
        }
        Ok(live)
    }

    fn again(&mut self, record: &StoredRecord) -> Result<(), String> {
        let entry = JournalEntry::from_bytes(&record.entry).map_err(|error| error.to_string())?;
        if let Happened::Called { seat, call, actions } = &entry.happened {
            let seat = self.course.seat(u32::from(*seat)).map_err(|error| error.to_string())?;
            let table = self.table.as_mut().ok_or("a call before the match began")?;
            let (again, _) = carry_out(&mut **table, seat, call).map_err(|error| error.to_string())?;
            if again != *actions {
                return Err(format!("{again} actions are taken, and {actions} were"));
            }
        }
        let change =
            self.happen(entry.happened.clone(), None, entry.at_ms).map_err(|error| error.to_string())?;
        if !change.entry.agrees_with(&entry) {
            return Err("it does not lead to what was seen".to_owned());
        }
        if change.append.summary != record.summary {
            return Err("the observers do not hear as much as they did".to_owned());
        }
        self.remember(record, entry.happened.method())
    }

    /// Takes over the requests that the entry answered.
    fn remember(&mut self, record: &StoredRecord, method: &'static str) -> Result<(), String> {
        for (party, request) in &record.requests {
            let Party::Seat(seat) = party else { continue };
            let outcome = CallOutcome::from_bytes(&request.outcome).map_err(|error| error.to_string())?;
            let ask = Ask { id: request.id.clone(), body: request.body };
            self.answered.note(Seat::index(*seat) as u8, method, ask, outcome);
        }
        Ok(())
    }
}
