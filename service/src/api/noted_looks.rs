//! Looks at what others may not see, which are written down in the log of acts ([`NotedLooks`]): those of referees at running matches.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::{Matches, refusing};
use crate::admin::{self, Act, MatchAct, MatchActKind};
use crate::identity::Caller;
use crate::store::{AccountId, MatchId};
use crate::wire::Refused;

/// The time in which the same look is written down once, so that who watches all day does not fill the log.
const AGAIN_AFTER: Duration = Duration::from_secs(3_600);
/// The most looks that are remembered; with more of them some are written down again.
const LOOKS_MAX: usize = 16_384;

/// A look: whose, at which match, and at the view of which seat; `None`: at its record.
type Look = (AccountId, MatchId, Option<u8>);

/// The looks that were written down lately, and when by the server's steady time.
#[derive(Default, Debug)]
pub(super) struct NotedLooks(Mutex<HashMap<Look, Duration>>);

impl NotedLooks {
    /// Returns whether this look was written down lately.
    fn has(&self, look: &Look, now: Duration) -> bool {
        let looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        looks.get(look).is_some_and(|&at| now.saturating_sub(at) < AGAIN_AFTER)
    }

    fn add(&self, look: Look, now: Duration) {
        let mut looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if looks.len() >= LOOKS_MAX {
            looks.retain(|_, at| now.saturating_sub(*at) < AGAIN_AFTER);
        }
        if looks.len() >= LOOKS_MAX {
            looks.clear();
        }
        looks.insert(look, now);
    }
}

impl Matches {
    /// Writes down that a referee looks at a seat's view of a running match (`None`: at its record), before they are shown it.
    ///
    /// # Errors
    /// If it can't be written down: they must not be shown it.
    pub(super) async fn note_look(
        &self,
        caller: &Caller,
        id: MatchId,
        seat: Option<u8>,
    ) -> Result<(), Refused> {
        // Nobody else is a referee.
        let Caller::Account { id: referee, .. } = caller else { return Ok(()) };
        let now = self.host().elapsed();
        let look = (referee.clone(), id, seat);
        if self.0.noted_looks.has(&look, now) {
            return Ok(());
        }
        let what = seat.map_or(MatchActKind::Record, |seat| MatchActKind::View { seat });
        let act = Act::Match(MatchAct { id: *id.as_bytes(), what });
        match self.0.administration.note(referee.clone(), act).await {
            Ok(()) => {
                self.0.noted_looks.add(look, now);
                Ok(())
            }
            Err(admin::Error::Store(error)) => Err(refusing::of_store(&error)),
            Err(error) => Err(refusing::fault(&error.to_string())),
        }
    }
}
