//! Acts of referees on matches, each done once and written down before it is.

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::identity::Invitation;
use crate::matches::{Ask, Course, RefereeAct, RefereeActDone, RefereeNote};
use crate::store::{AccountId, MatchId};

/// An act that a referee asks for.
#[derive(Clone, Debug)]
pub struct RefereeOrder {
    /// The match.
    pub id: MatchId,
    /// The account that asks.
    pub referee: AccountId,
    /// The request's id, scoped to the account, and the hash of what it asks for.
    pub ask: Ask,
    /// The act. The player that it replaces need not be named.
    pub act: RefereeAct,
    /// The reason; may be empty.
    pub reason: String,
}

impl RefereeOrder {
    /// The act as the match's log has it.
    fn note(&self, course: &Course) -> RefereeNote {
        let mut act = self.act.clone();
        if let RefereeAct::ReplacePlayer { seat, former, .. } = &mut act {
            let join = course.seats().get(usize::from(*seat)).and_then(|seat| seat.join.as_ref());
            *former = join.map_or_else(String::new, |join| join.player.clone());
        }
        RefereeNote {
            act,
            reason: self.reason.clone(),
            referee: self.referee.as_bytes().to_vec(),
            request: self.ask.id.as_bytes().to_vec(),
            body: self.ask.body.0,
        }
    }
}

impl Host {
    /// Does what a referee asks for, unless the request was answered before, and shows the match then, once it is durable, with the
    /// act. `written` writes the act down elsewhere: it is waited for once it is known that the act can be done, and before it is.
    ///
    /// # Errors
    /// If the match does not take the act, `written` fails, and what `show` refuses.
    pub async fn referee<T>(
        &self,
        order: &RefereeOrder,
        written: impl Future<Output = Result<(), Error>>,
        mut show: impl FnMut(&Content, &RefereeActDone) -> T,
    ) -> Result<T, Error> {
        let slot = self.0.slots.of(order.id);
        let mut locked = self.lock(&slot).await?;
        let course = locked.content()?.course();
        let note = order.note(course);
        if course.refereed_before(&note)?.is_none() {
            let checked = match locked.content()? {
                Content::Live(live) => live.check_referee(&note.act),
                Content::Closed(closed) => closed.check_referee(&note.act),
            };
            checked.map_err(|error| self.dated(course, error))?;
            written.await?;
            let (note, now_ms) = (note.clone(), self.now_ms());
            let spent = self.spent_times(locked.content()?.course(), now_ms);
            let act = |content: &mut Content| {
                let change = match content {
                    Content::Live(live) => live.referee(note, now_ms, spent),
                    Content::Closed(closed) => closed.referee(note, now_ms),
                };
                Ok(((), Some(change?)))
            };
            self.commit_any(&mut locked, act).await?;
        }
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await?;
        let shown = self.read(order.id, |content| {
            let done = content.course().refereed_before(&note)?;
            Ok(done.map(|done| show(content, done)))
        });
        shown.await?.ok_or_else(|| Error::Fault("an act of a referee is not in its match".to_owned()))
    }

    /// The invitation to the seat that this act has opened for another player; `None` if an account is to take it, or the act is
    /// none of that kind.
    #[must_use]
    pub fn replacement_invitation(&self, course: &Course, done: &RefereeActDone) -> Option<Invitation> {
        let RefereeAct::ReplacePlayer { seat, account: None, .. } = done.note.act else { return None };
        let seat = course.seat(u32::from(seat)).ok()?;
        let times = course.replacements(seat).position(|one| one == done)? + 1;
        Some(self.key().replacement_invitation(&course.id(), seat, times))
    }
}
