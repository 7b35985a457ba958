//! The ends that a match comes to without its rules ([`ClosedMatch`]): its players and its host are not bound to a match that this
//! server can't play.
//!
//! Its table stays where it is: who replays the log with the rules finds the match over, as one that a referee has voided.

use edgehill_engine::seat::{Observer, Seat};

use super::adjournment::Adjourning;
use super::answered::{Ask, CallOutcome};
use super::call::Call;
use super::clock::SeatClock;
use super::closed::ClosedMatch;
use super::course::Phase;
use super::entry::{EndedBy, Happened, JournalEntry, ResultNote};
use super::error::MatchError;
use super::live::{Done, PendingChange, bits};
use super::published::Published;
use super::referee::{RefereeAct, RefereeNote};
use crate::store::{Append, Party, Request};

impl ClosedMatch {
    /// Acts on a call of a seat: it may give up, which costs it the match, in every game.
    ///
    /// # Errors
    /// If the request id was used for another call, the match has not begun or is over, it is stopped, or the call needs the rules.
    pub fn act(&mut self, seat: Seat, call: &Call, ask: Ask, at_ms: u64) -> Result<Done, MatchError> {
        if *call != Call::Resign {
            return Err(self.refusal());
        }
        if let Some(outcome) = self.answered.look_up(seat.index() as u8, &ask)? {
            return Ok(Done { outcome: outcome.clone(), change: None });
        }
        self.check_unplayable()?;
        match self.course.phase() {
            Phase::Over => return Err(self.course.over_error()),
            Phase::Waiting | Phase::Revealing => return Err(self.course.not_started()),
            Phase::Running => {}
        }
        let before = self.course.length(Observer::Seat(seat));
        let outcome = CallOutcome { actions: 0, line: String::new(), before };
        let result = ResultNote::given_up(self.course.seats().len(), seat, self.published.encoder());
        let mut change = self.happen(Happened::GivenUp { seat: seat.index() as u8 }, Some(result), at_ms);
        let request = Request { id: ask.id.clone(), body: ask.body, outcome: outcome.to_bytes() };
        change.append.requests.push((Party::Seat(seat), request));
        self.answered.note(seat.index() as u8, call.method(), ask, outcome.clone());
        Ok(Done { outcome, change: Some(change) })
    }

    /// Checks that a referee's act can be done now: it ends the match, or corrects its result.
    ///
    /// # Errors
    /// If the match is not at a stage for it, is stopped, or takes no more of them; or the act needs the rules.
    pub fn check_referee(&self, act: &RefereeAct) -> Result<(), MatchError> {
        self.check_unplayable()?;
        match act {
            RefereeAct::Void | RefereeAct::CorrectResult { .. } => self.course.check_referee(act),
            _ => Err(self.refusal()),
        }
    }

    /// A referee acts on the match.
    ///
    /// # Errors
    /// As [`ClosedMatch::check_referee`].
    pub fn referee(&mut self, note: RefereeNote, at_ms: u64) -> Result<PendingChange, MatchError> {
        self.check_referee(&note.act)?;
        let seats = self.course.seats().len();
        let result = (note.act == RefereeAct::Void).then(|| ResultNote::void(seats, EndedBy::Voided));
        Ok(self.happen(Happened::Refereed(Box::new(note)), result, at_ms))
    }

    /// Checks that the match can be taken back now.
    ///
    /// # Errors
    /// If it does not wait for players any more, or is stopped.
    pub fn check_abort(&self) -> Result<(), MatchError> {
        self.check_unplayable()?;
        self.course.check_waiting()
    }

    /// The match is taken back.
    ///
    /// # Errors
    /// As [`ClosedMatch::check_abort`].
    pub fn abort(&mut self, request: Vec<u8>, at_ms: u64) -> Result<PendingChange, MatchError> {
        self.check_abort()?;
        let result = ResultNote::without_result(EndedBy::Abort);
        Ok(self.happen(Happened::Aborted { request }, Some(result), at_ms))
    }

    /// Its seats were not taken in time.
    ///
    /// # Errors
    /// As [`ClosedMatch::check_abort`].
    pub fn expire(&mut self, at_ms: u64) -> Result<PendingChange, MatchError> {
        self.check_abort()?;
        let result = ResultNote::without_result(EndedBy::Expiry);
        Ok(self.happen(Happened::Expired, Some(result), at_ms))
    }

    /// Of one that is stopped nobody knows where it stands; and its log takes nothing.
    fn check_unplayable(&self) -> Result<(), MatchError> {
        if self.why().is_unplayable() { Ok(()) } else { Err(self.refusal()) }
    }

    fn happen(&mut self, happened: Happened, result: Option<ResultNote>, at_ms: u64) -> PendingChange {
        let (expected, turns) = (self.course.revision(), self.course.turns());
        let lengths: Vec<u64> =
            Observer::all(self.course.seats().len()).map(|observer| self.course.length(observer)).collect();
        self.course.open_entry(&happened, at_ms);
        let mut clocks = self.course.clocks().to_vec();
        clocks.iter_mut().for_each(SeatClock::drop_question);
        let adjourning =
            Some(Adjourning::default()).filter(|none| result.is_some() && none != self.course.adjourning());
        let entry = JournalEntry {
            happened,
            drawn: Vec::new(),
            published: Published::default(),
            offers: bits(self.course.offers()),
            result,
            at_ms,
            clocks: (clocks != self.course.clocks()).then_some(clocks),
            adjourning,
        };
        self.course.close_entry(&entry, lengths);
        let append = Append {
            id: self.course.id(),
            expected,
            entry: entry.to_bytes(),
            requests: Vec::new(),
            summary: self.course.summary(),
            overview: (self.course.turns() != turns).then(|| self.course.overview().to_bytes()),
            replaces: None,
        };
        PendingChange { append, entry }
    }
}
