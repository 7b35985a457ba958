//! Competitions in which an account took part whose data is erased.

use super::{Competitions, Error, HostedCompetition, Inner, LoggedEvent, Slot};
use crate::matches::Ask;
use crate::store::AccountId;
use crate::store::limits::EVENTS_KEPT_MAX;

impl Competitions {
    /// Puts the pseudonym of an account in its place in all competitions that it organised or took part in; the name that it played
    /// under there is its pseudonym, too. Results stay. Returns the number of competitions.
    ///
    /// # Errors
    /// If the store can't be read or written. Some may have been changed then; the others are when it is done again.
    pub async fn erase(&self, pseudonym: &AccountId) -> Result<usize, Error> {
        let slots: Vec<_> = self.0.shelf().slots.values().cloned().collect();
        let mut changed = 0;
        for slot in slots {
            changed += usize::from(self.0.erase_in(&slot, pseudonym).await?);
        }
        Ok(changed)
    }
}

impl Inner {
    async fn erase_in(&self, slot: &Slot, pseudonym: &AccountId) -> Result<bool, Error> {
        let mut state = slot.state.lock().await;
        let hosted = self.loaded(slot, &mut state).await?;
        let named = |id: &AccountId| self.key.pseudonym(id) == *pseudonym;
        let ask = |ask: &Ask| Ask {
            id: self.key.pseudonymous_request(&ask.id),
            body: self.key.pseudonymous_body(&ask.body),
        };
        let erased = |logged: &LoggedEvent| logged.erased(named, pseudonym, ask);
        let log = hosted.events_after(0);
        if !log.iter().any(|logged| erased(logged).is_some()) {
            return Ok(false);
        }
        let log: Vec<LoggedEvent> =
            log.iter().map(|logged| erased(logged).unwrap_or_else(|| logged.clone())).collect();
        // A log that leads nowhere is not written.
        let next = HostedCompetition::replay(slot.id, log)?;
        *state = None;
        for events in next.events_after(0).chunks(EVENTS_KEPT_MAX) {
            self.store.rewrite_events(events.iter().map(|event| event.to_kept(slot.id)).collect()).await?;
        }
        let next = std::sync::Arc::new(next);
        slot.show(&next);
        *state = Some(next);
        Ok(true)
    }
}
