//! The operations on logs that are of no match, written once for every kind of store: acts of administration, events of competitions.

use super::act::KeptAct;
use super::error::{Error, Trouble};
use super::event::{CompetitionId, KeptEvent};
use super::limits::{ACTS_READ_MAX, EVENTS_READ_MAX};
use super::rows::{Rows, RowsMut};
use super::store_ops::StoreOps;

impl<R: Rows + ?Sized> StoreOps<'_, R> {
    /// At most so many acts of administration behind the one with this number.
    pub(super) fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Trouble> {
        Ok(self.rows.kept_acts(after, count.min(ACTS_READ_MAX))?)
    }

    /// At most so many events of a competition behind the one with this number.
    pub(super) fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Trouble> {
        Ok(self.rows.kept_events(competition, after, count.min(EVENTS_READ_MAX))?)
    }

    /// At most so many competitions behind this one.
    pub(super) fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Trouble> {
        Ok(self.rows.kept_competitions(after, count.min(EVENTS_READ_MAX))?)
    }
}

impl<R: RowsMut> StoreOps<'_, R> {
    /// Keeps an act of administration, which has to be the next one.
    pub(super) fn keep_act(&mut self, act: &KeptAct) -> Result<(), Trouble> {
        let next = self.rows.last_act()? + 1;
        if act.number != next {
            return Err(Error::ActConflict { next }.into());
        }
        Ok(self.rows.push_act(act)?)
    }

    /// Puts other bytes in the place of acts that are kept.
    pub(super) fn rewrite_acts(&mut self, acts: &[KeptAct]) -> Result<(), Trouble> {
        // All are looked at before any changes, since a batch goes on where an operation is refused.
        let last = self.rows.last_act()?;
        if !acts.iter().all(|act| (1..=last).contains(&act.number)) {
            return Err(Error::Invalid { what: "an act that is written anew has to be kept" }.into());
        }
        for act in acts {
            self.rows.replace_act(act)?;
        }
        Ok(())
    }

    /// Keeps events of a competition, of which the first has to be the next one.
    pub(super) fn keep_events(&mut self, events: &[KeptEvent]) -> Result<(), Trouble> {
        let Some(first) = events.first() else { return Ok(()) };
        let next = self.rows.last_event(first.competition)? + 1;
        if first.number != next {
            return Err(Error::EventConflict { next }.into());
        }
        for event in events {
            self.rows.push_event(event)?;
        }
        Ok(())
    }

    /// Puts other bytes in the place of events that are kept.
    pub(super) fn rewrite_events(&mut self, events: &[KeptEvent]) -> Result<(), Trouble> {
        // All are looked at before any changes, since a batch goes on where an operation is refused.
        for event in events {
            let last = self.rows.last_event(event.competition)?;
            if !(1..=last).contains(&event.number) {
                return Err(Error::Invalid { what: "an event that is written anew has to be kept" }.into());
            }
        }
        for event in events {
            self.rows.replace_event(event)?;
        }
        Ok(())
    }
}
