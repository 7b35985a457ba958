//! Reading matches, and the calls of seats.

use std::sync::Arc;

use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::Seat;
use edgehill_engine::table::Refusal;

use super::Host;
use super::error::Error;
use super::slot::{Content, Locked, Mark, Slot};
use crate::identity::{SeatToken, TokenHash};
use crate::matches::{Ask, Call, CallOutcome, Course, Done, LiveMatch, MatchError, SpentTimes};
use crate::store::{AccountId, MatchId, RequestId};

/// A call of a seat.
#[derive(Clone, Debug)]
pub struct SeatCall {
    /// The call that the seat makes.
    pub call: Call,
    /// The request's id and the hash of what it asks for.
    pub ask: Ask,
    /// The length of its own sequence that the caller has seen.
    pub expected: Option<u64>,
}

impl SeatCall {
    /// Makes the match act on it.
    pub(super) fn act(self) -> impl FnOnce(&mut Content, Seat, CallTime) -> Result<Done, MatchError> {
        let Self { call, ask, expected } = self;
        move |content, seat, time| match content {
            Content::Live(live) => live.act(seat, call, Some(ask), expected, time.now_ms, time.spent),
            Content::Closed(closed) => closed.act(seat, &call, ask, time.now_ms),
        }
    }
}

/// The time of a call: when it is acted on, and how long the seats had their questions when it arrived.
#[derive(Copy, Clone, Debug)]
pub(super) struct CallTime {
    now_ms: u64,
    spent: SpentTimes,
}

/// A match that is kept in memory for one call, so that it is looked up once.
#[derive(Clone, Debug)]
pub struct HeldMatch(Arc<Slot>);

impl Host {
    /// Holds a match of this name, whether there is one or not.
    #[must_use]
    pub fn hold(&self, id: MatchId) -> HeldMatch {
        HeldMatch(self.0.slots.of(id))
    }

    /// Shows a match to `show`, and returns what it says once all of it is durable. What was shown and did not become
    /// durable is forgotten, and the match shown again.
    ///
    /// # Errors
    /// If there is no such match, and what `show` refuses.
    pub async fn read<T>(
        &self,
        id: MatchId,
        show: impl FnMut(&Content) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let slot = self.0.slots.of(id);
        self.show(&slot, show).await.map(|(_, shown)| shown)
    }

    /// Shows what is in a slot, as [`Host::read`]; beside what is shown, the mark at which it was.
    pub(super) async fn show<T>(
        &self,
        slot: &Arc<Slot>,
        mut show: impl FnMut(&Content) -> Result<T, Error>,
    ) -> Result<(Mark, T), Error> {
        let mut group = None;
        let shown = self.peek(slot, |content| {
            group = self.group_to_look_at(content.course());
            if group.is_some() { Ok(None) } else { show(content).map(Some) }
        });
        match (shown.await?, group) {
            ((mark, Some(shown)), _) => Ok((mark, shown)),
            (_, group) => {
                if let Some(group) = group {
                    self.look_at_group(&group).await;
                }
                self.peek(slot, show).await
            }
        }
    }

    /// As [`Host::show`], whatever is known of the match's group.
    pub(super) async fn peek<T>(
        &self,
        slot: &Arc<Slot>,
        mut show: impl FnMut(&Content) -> Result<T, Error>,
    ) -> Result<(Mark, T), Error> {
        loop {
            let locked = self.lock(slot).await?;
            let mark = locked.mark();
            let shown = show(locked.content()?);
            let durable = slot.is_durable(mark);
            drop(locked);
            // A result that is durable by now is shown whatever becomes of the appends that are in line behind it.
            let durable = if durable == Some(true) { Ok(()) } else { slot.durable(mark).await };
            match durable {
                Ok(()) => return shown.map(|shown| (mark, shown)),
                Err(Error::Unavailable | Error::NothingDone | Error::LogFull) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Executes a call of a seat of the match that is held, and returns what `show` says of the match then, once it is
    /// durable. A request that was executed before is not executed again: `show` is given its outcome, and the match as
    /// it is now.
    ///
    /// # Errors
    /// If the token is not the seat's, if the call is refused, and what `show` refuses.
    pub async fn execute<T>(
        &self,
        HeldMatch(slot): HeldMatch,
        token: &SeatToken,
        call: SeatCall,
        show: impl FnOnce(&Content, &CallOutcome) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let request = Some(call.ask.id.clone());
        self.execute_as(&slot, token, request, call.act(), show).await.map(|(_, shown)| shown)
    }

    /// A seat reveals its entropy: as [`Host::execute`].
    ///
    /// # Errors
    /// As [`Host::execute`].
    pub async fn reveal<T>(
        &self,
        token: &SeatToken,
        entropy: [u8; 32],
        ask: Ask,
        show: impl FnOnce(&LiveMatch, &CallOutcome) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let act = |content: &mut Content, seat: Seat, time: CallTime| {
            let live = content.live_mut()?;
            let until_ms = self.reveal_by_ms(live.course()).unwrap_or(u64::MAX);
            live.reveal(seat, entropy, ask, until_ms, time.now_ms)
        };
        let show = |content: &Content, outcome: &CallOutcome| show(content.live()?, outcome);
        let slot = self.0.slots.of(token.match_id());
        self.execute_as(&slot, token, None, act, show).await.map(|(_, shown)| shown)
    }

    /// Executes what a seat wants to `act`, on a slot; beside what is shown, the mark at which it was. An illegal action counts under
    /// this request, where the match counts them.
    pub(super) async fn execute_as<T>(
        &self,
        slot: &Arc<Slot>,
        token: &SeatToken,
        request: Option<RequestId>,
        act: impl FnOnce(&mut Content, Seat, CallTime) -> Result<Done, MatchError>,
        show: impl FnOnce(&Content, &CallOutcome) -> Result<T, Error>,
    ) -> Result<(Mark, T), Error> {
        // Whoever waits for the lock has answered.
        let arrived_ms = self.now_ms();
        let mut locked = self.lock(slot).await?;
        let course = locked.content()?.course();
        self.check_token(course, token)?;
        let time = CallTime { now_ms: self.now_ms(), spent: self.spent_times(course, arrived_ms) };
        let act = |content: &mut Content| {
            act(content, token.seat(), time).map(|Done { outcome, change }| (outcome, change))
        };
        let acted = self.commit_any(&mut locked, act).await;
        if let (Err(Error::Match(MatchError::Refused(Refusal::Action { .. }))), Some(request)) =
            (&acted, &request)
        {
            self.count_illegal(&mut locked, token.seat(), request, time).await?;
        }
        let shown = match acted {
            Ok(outcome) => locked.content().and_then(|content| show(content, &outcome)),
            Err(Error::Match(error)) => Err(match locked.content() {
                Ok(content) => self.dated(content.course(), error).into(),
                Err(_) => error.into(),
            }),
            Err(error) => Err(error),
        };
        let mark = locked.mark();
        let durable = slot.is_durable(mark);
        drop(locked);
        // A refusal tells of the match as it stands, so it waits as well; what the store or the server itself has said
        // is told at once.
        let waits = matches!(shown, Ok(_) | Err(Error::Match(_)));
        if waits && durable != Some(true) {
            // In a box: a store in memory has no use for the room.
            Box::pin(slot.durable(mark)).await?;
        }
        shown.map(|shown| (mark, shown))
    }

    /// Counts an illegal action of a seat, if the match does and has not yet.
    async fn count_illegal(
        &self,
        locked: &mut Locked<'_>,
        seat: Seat,
        request: &RequestId,
        time: CallTime,
    ) -> Result<(), Error> {
        if !locked.content()?.course().counts_illegal_action(seat, request) {
            return Ok(());
        }
        let note = |content: &mut Content| {
            let change = content.live_mut()?.note_illegal(seat, request, time.now_ms, time.spent)?;
            Ok(((), Some(change)))
        };
        self.commit_any(locked, note).await
    }

    /// The game of a match that is held.
    ///
    /// # Errors
    /// If there is no such match, or its rules are not there.
    pub async fn game(&self, HeldMatch(slot): &HeldMatch) -> Result<Arc<dyn AnyGame>, Error> {
        self.game_in(slot).await
    }

    pub(super) async fn game_in(&self, slot: &Arc<Slot>) -> Result<Arc<dyn AnyGame>, Error> {
        if let Some(game) = slot.game.get() {
            return Ok(Arc::clone(game));
        }
        let locked = Box::pin(self.lock(slot)).await?;
        let game = Arc::clone(locked.content()?.live()?.game());
        Ok(Arc::clone(slot.game.get_or_init(|| game)))
    }

    /// Returns the seat of the match whose token this is.
    ///
    /// # Errors
    /// If it is not, or the account that took the seat was revoked.
    pub fn check_token(&self, course: &Course, token: &SeatToken) -> Result<Seat, Error> {
        let hash = self.key().hash_seat_token(token);
        let seat = course.seats().get(token.seat().index());
        let join = seat.and_then(|seat| seat.join.as_ref());
        let Some(join) = join else {
            // The log of a match that is damaged may lack the joining.
            let stopped = self.0.stopped.why(course.id());
            let stopped = stopped.map(|quarantine| MatchError::Stopped { reason: quarantine.reason });
            return Err(stopped.unwrap_or(MatchError::BadToken).into());
        };
        if TokenHash(join.token) != hash {
            return Err(MatchError::BadToken.into());
        }
        // Rows that an earlier build has written do not have it.
        let Ok(account) = AccountId::new(&join.account) else { return Ok(token.seat()) };
        let holds = self.0.parts.accounts.now().may_hold_seats(&account);
        if holds { Ok(token.seat()) } else { Err(Error::AccountRevoked) }
    }
}
