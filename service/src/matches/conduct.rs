//! The terms of a match beside its rules ([`Conduct`]): calls that its seats may not make, illegal actions that it forgives, and the
//! competition that it is of.

use std::num::NonZeroU16;

use edgehill_engine::game::CONTRACT;
use edgehill_engine::refusal::RuleViolation;
use edgehill_engine::seat::Seat;
use edgehill_engine::table::Refusal;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::clock::{ClocksAfter, EntryTime, SpentTimes};
use super::course::Course;
use super::entry::Happened;
use super::error::MatchError;
use super::live::{LiveMatch, PendingChange};
use super::log_room::Purpose;
use crate::store::{CompetitionId, RequestId};

/// The code of a violation of which the match does not tell the rules.
const WITHHELD: &str = "WITHHELD";

/// Calls that the seats of a match may not make.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct WithheldCalls {
    /// Lists of legal actions.
    pub legal_actions: bool,
    /// The reasons of the rules.
    pub explanations: bool,
    /// Taking actions back.
    pub undo: bool,
}

/// A match's place in a competition.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompetitionPlace {
    /// The competition.
    pub competition: [u8; 16],
    /// The round.
    pub round: u16,
    /// The encounter of the round.
    pub encounter: u16,
    /// The match of the encounter.
    pub number: u16,
    /// The attempt at it.
    pub attempt: u16,
    /// True if nobody but its players and referees sees it before it is published.
    pub is_closed: bool,
    /// The time that it waits for its players, in milliseconds from its creation.
    pub absence_ms: u64,
}

impl CompetitionPlace {
    /// The competition.
    #[must_use]
    pub const fn competition(&self) -> CompetitionId {
        CompetitionId::from_bytes(self.competition)
    }
}

/// The terms of a match beside its rules.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Conduct {
    /// The calls that its seats may not make.
    pub withheld: WithheldCalls,
    /// The number of illegal actions with which a seat loses; `None`: it never does.
    pub illegal_actions_max: Option<NonZeroU16>,
    /// Its place in a competition.
    pub place: Option<CompetitionPlace>,
}

/// The illegal actions of a seat.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct IllegalActions {
    /// Number of them.
    pub count: u16,
    /// The request of the last one, which does not count again when it is repeated.
    last: Vec<u8>,
}

impl Course {
    /// The calls that its seats may not make.
    #[must_use]
    pub fn withheld(&self) -> WithheldCalls {
        self.header().conduct.map_or(WithheldCalls::default(), |conduct| conduct.withheld)
    }

    /// Its place in a competition, if it is of one.
    #[must_use]
    pub fn place(&self) -> Option<CompetitionPlace> {
        self.header().conduct.and_then(|conduct| conduct.place)
    }

    /// Checks that its seats may make a call.
    pub(super) fn check_withheld(&self, call: &Call) -> Result<(), MatchError> {
        let takes_back = matches!(call, Call::Undo { .. } | Call::Apply { keep: Some(_), .. });
        match self.withheld().undo && takes_back {
            true => Err(MatchError::CallWithheld("taking actions back")),
            false => Ok(()),
        }
    }

    /// A refusal without the rules, where they are withheld.
    pub(super) fn without_reasons(&self, error: MatchError) -> MatchError {
        match error {
            MatchError::Refused(Refusal::Action { index, action, .. }) if self.withheld().explanations => {
                let withheld = RuleViolation { code: WITHHELD, rule: CONTRACT, refs: Vec::new() };
                Refusal::Action { index, action, rule_violations: vec![withheld] }.into()
            }
            other => other,
        }
    }

    /// Returns whether an illegal action of a seat counts, and has not been counted.
    #[must_use]
    pub fn counts_illegal_action(&self, seat: Seat, request: &RequestId) -> bool {
        let counts = self.header().conduct.is_some_and(|conduct| conduct.illegal_actions_max.is_some());
        counts && self.illegal_actions(seat).is_none_or(|before| before.last != request.as_bytes())
    }

    /// Notes an illegal action of a seat.
    pub(super) fn note_illegal_action(&mut self, seat: Seat, request: &[u8]) {
        if let Some(actions) = self.illegal_actions_mut(seat) {
            actions.count = actions.count.saturating_add(1);
            actions.last = request.to_vec();
        }
    }
}

impl LiveMatch {
    /// A seat wanted to take an action that the rules do not allow: it is noted, and is the seat's loss if it is one too many. `spent`
    /// is the time that the seats have had their questions for.
    ///
    /// # Errors
    /// If it does not count, or the match is not played.
    pub fn note_illegal(
        &mut self,
        seat: Seat,
        request: &RequestId,
        at_ms: u64,
        spent: SpentTimes,
    ) -> Result<PendingChange, MatchError> {
        let max = self.course.header().conduct.and_then(|conduct| conduct.illegal_actions_max);
        let Some(max) = max.filter(|_| self.course.counts_illegal_action(seat, request)) else {
            return Err(MatchError::Fault("an illegal action that does not count".to_owned()));
        };
        self.room.check(Purpose::End)?;
        let count = self.course.illegal_actions(seat).map_or(0, |actions| actions.count);
        let forfeits = count.saturating_add(1) >= max.get();
        self.act_illegally(seat, forfeits)?;
        let request = request.as_bytes().to_vec();
        let happened = Happened::ActedIllegally { seat: seat.index() as u8, request, forfeits };
        self.happen(happened, None, EntryTime { at_ms, clocks: ClocksAfter::Spent(spent) })
    }

    /// Lets the table do what comes of an illegal action.
    pub(super) fn act_illegally(&mut self, seat: Seat, forfeits: bool) -> Result<(), MatchError> {
        if forfeits {
            let Some(table) = self.table.as_mut() else { return Err(self.course.not_started()) };
            table.resign(seat)?;
            self.note_call(Purpose::End);
        }
        Ok(())
    }
}
