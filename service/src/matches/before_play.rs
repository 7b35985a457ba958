//! Everything that happens to a match before it is played: seats are taken and given back, entropy is revealed, its group is
//! completed, or it comes to nothing.

use edgehill_engine::seat::Seat;

use super::answered::{Ask, CallOutcome};
use super::course::{Course, Phase};
use super::entry::{Grown, Happened, Left};
use super::error::MatchError;
use super::live::{Done, LiveMatch, PendingChange};
use super::log_room::Purpose;
use super::opening;
use super::seats::Join;

impl LiveMatch {
    /// Seats a player who may sit there (`opening` says who may). The match begins when the last one sits.
    ///
    /// # Errors
    /// If the seat is taken, or the join does not go with the match's terms.
    pub fn join(&mut self, join: Join, at_ms: u64) -> Result<PendingChange, MatchError> {
        opening::check_join(&self.course, &join)?;
        self.room.check(Purpose::Play)?;
        self.happen(Happened::Joined(join), None, at_ms)
    }

    /// A seat reveals the entropy that it has committed to, before `until_ms`. The match begins when the last one has.
    ///
    /// # Errors
    /// If the match does not wait for it, or not any more, or it is not what was committed to.
    pub fn reveal(
        &mut self,
        seat: Seat,
        entropy: [u8; 32],
        ask: Ask,
        until_ms: u64,
        at_ms: u64,
    ) -> Result<Done, MatchError> {
        if let Some(done) = self.repeated(seat, &ask)? {
            return Ok(done);
        }
        if at_ms >= until_ms {
            return Err(MatchError::NotRevealing);
        }
        opening::check_reveal(&self.course, seat, entropy)?;
        self.room.check(Purpose::Play)?;
        let outcome = CallOutcome { actions: 0, line: String::new(), before: 0 };
        let happened = Happened::Revealed { seat: seat.index() as u8, entropy };
        let change = self.happen(happened, Some((seat, ask, outcome.clone())), at_ms)?;
        Ok(Done { outcome, change: Some(change) })
    }

    /// The time to reveal is over: those who have not lose before the first event.
    ///
    /// # Errors
    /// If it does not wait for anybody.
    pub fn forfeit(&mut self, at_ms: u64) -> Result<PendingChange, MatchError> {
        if self.course.phase() != Phase::Revealing {
            return Err(MatchError::NotRevealing);
        }
        self.happen(Happened::Forfeited { seats: self.course.owing_reveal() }, None, at_ms)
    }

    /// The seed group is complete: the match begins.
    ///
    /// # Errors
    /// If it does not wait for that.
    pub fn begin(&mut self, entropies: Vec<[u8; 32]>, at_ms: u64) -> Result<PendingChange, MatchError> {
        let waits = self.course.phase() == Phase::Waiting && self.course.is_full();
        if !waits || self.course.header().group().is_none() {
            return Err(MatchError::Fault("the match does not wait for its group".to_owned()));
        }
        self.happen(Happened::Begun { entropies }, None, at_ms)
    }

    /// Another match takes its place in the group that this match is the first of.
    ///
    /// # Errors
    /// [`MatchError::Fault`] if the log can't take it.
    pub fn grow(&mut self, grown: Grown, at_ms: u64) -> Result<PendingChange, MatchError> {
        self.happen(Happened::Grown(grown), None, at_ms)
    }

    /// A seat is given back.
    ///
    /// # Errors
    /// If the match does not wait for players any more, or nobody has joined there.
    pub fn leave(&mut self, seat: Seat, request: Vec<u8>, at_ms: u64) -> Result<PendingChange, MatchError> {
        self.course.check_waiting()?;
        let join = self.course.seats().get(seat.index()).and_then(|seat| seat.join.as_ref());
        let token = join.ok_or(MatchError::BadToken)?.token;
        self.room.check(Purpose::Play)?;
        self.happen(Happened::Left(Left { seat: seat.index() as u8, token, request }), None, at_ms)
    }

    /// The match is taken back.
    ///
    /// # Errors
    /// If it does not wait for players any more.
    pub fn abort(&mut self, request: Vec<u8>, at_ms: u64) -> Result<PendingChange, MatchError> {
        self.check_abort()?;
        self.happen(Happened::Aborted { request }, None, at_ms)
    }

    /// Checks that the match can be taken back now.
    ///
    /// # Errors
    /// If it does not wait for players any more.
    pub fn check_abort(&self) -> Result<(), MatchError> {
        self.course.check_waiting()
    }

    /// Its seats were not taken in time.
    ///
    /// # Errors
    /// If it does not wait for players any more.
    pub fn expire(&mut self, at_ms: u64) -> Result<PendingChange, MatchError> {
        self.course.check_waiting()?;
        self.happen(Happened::Expired, None, at_ms)
    }
}

impl Course {
    /// Checks that it waits for players.
    pub(super) fn check_waiting(&self) -> Result<(), MatchError> {
        match self.phase() {
            Phase::Waiting => Ok(()),
            Phase::Revealing | Phase::Running => Err(MatchError::Started),
            Phase::Over => Err(self.over_error()),
        }
    }
}
