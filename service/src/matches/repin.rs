//! A match that other rules than its own take up: they have to lead where it had led, and show what was shown.

use edgehill_engine::record::RulesPin;
use edgehill_engine::seat::Observer;

use super::closed::ClosedMatch;
use super::entry::Happened;
use super::error::MatchError;
use super::live::{LiveMatch, PendingChange};
use super::opening;

impl LiveMatch {
    /// Checks that the views at the beginning, and the events of each observer, are those of the log. A replay does not: how events
    /// are written may change where rules do not.
    ///
    /// # Errors
    /// Says what differs first.
    pub fn check_shows(&self, log: &ClosedMatch) -> Result<(), String> {
        if let Some(table) = self.table()
            && opening::views(table, self.published.encoder()) != log.starts()
        {
            return Err("a view at the beginning is not what was shown".to_owned());
        }
        for observer in Observer::all(self.course.seats().len()) {
            let (now, then) = (self.published.since(observer, 0), log.published().since(observer, 0));
            if now.len() != then.len() {
                return Err(format!("{} events of {observer:?} are {} now", then.len(), now.len()));
            }
            if let Some((differs, _)) = now.zip(then).find(|(now, then)| now.bytes != then.bytes) {
                return Err(format!("event {} of {observer:?} is not what was shown", differs.seq));
            }
        }
        Ok(())
    }

    /// Goes on by other rules, those of the game that it was replayed with.
    ///
    /// # Errors
    /// [`MatchError::Fault`] if the log can't take it.
    pub fn repin(&mut self, at_ms: u64) -> Result<PendingChange, MatchError> {
        let catalogue = self.game.catalogue();
        let pin = RulesPin { rules_version: catalogue.rules_version, content: catalogue.content };
        self.happen(Happened::Repinned(pin.into()), None, at_ms)
    }
}
