//! Acts of referees on a match ([`RefereeNote`]): what its rules know nothing of.

use edgehill_engine::seat::Seat;
use serde::{Deserialize, Serialize};

use super::clock::{ClocksAfter, EntryTime, SpentTimes};
use super::course::{Course, Phase};
use super::entry::Happened;
use super::error::MatchError;
use super::live::{LiveMatch, PendingChange};
use super::log_room::Purpose;
use crate::store::RequestId;

/// The most acts of referees on one match; its end by one, and the end of an adjournment by one, are done beyond that.
pub const REFEREE_ACTS_MAX: usize = 32;

/// The most bytes of an act's reason.
pub const REASON_BYTES_MAX: usize = 256;

/// An act of a referee.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RefereeAct {
    /// A seat's clock is given time.
    AddTime {
        /// The seat.
        seat: u8,
        /// Milliseconds.
        added_ms: u64,
    },
    /// A seat is taken from its player, for another one to go on with.
    ReplacePlayer {
        /// The seat.
        seat: u8,
        /// The name of the player whom it is taken from.
        former: String,
        /// The new player's name, until they give one.
        player: String,
        /// The account that alone may take it; `None`: whoever has the invitation.
        account: Option<Vec<u8>>,
    },
    /// The match ends, and does not count.
    Void,
    /// The result is corrected.
    CorrectResult {
        /// The return of each seat instead, in seat order.
        returns: Vec<i32>,
    },
    /// The match is adjourned.
    Adjourn {
        /// The longest time that it lasts, in milliseconds.
        longest_ms: u64,
    },
    /// The match, which is adjourned, goes on.
    EndAdjournment,
}

/// An act of a referee, as the log has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefereeNote {
    /// The act.
    pub act: RefereeAct,
    /// The reason, which everybody sees; may be empty.
    pub reason: String,
    /// The account that does it.
    pub referee: Vec<u8>,
    /// The id of the request, scoped to the account.
    pub request: Vec<u8>,
    /// The hash of what it asks for.
    pub body: [u8; 32],
}

/// An act of a referee that was done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefereeActDone {
    /// The act.
    pub note: RefereeNote,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

impl RefereeAct {
    /// The name of the method that does it.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        match self {
            Self::AddTime { .. } => "AddMatchTime",
            Self::ReplacePlayer { .. } => "ReplaceMatchPlayer",
            Self::Void => "VoidMatch",
            Self::CorrectResult { .. } => "CorrectMatchResult",
            Self::Adjourn { .. } => "AdjournMatch",
            Self::EndAdjournment => "EndAdjournment",
        }
    }
}

impl Course {
    /// Returns the act that this request of an account has come to, if it has.
    ///
    /// # Errors
    /// [`MatchError::RequestReused`] if the request asked for something else.
    pub fn refereed_before(&self, note: &RefereeNote) -> Result<Option<&RefereeActDone>, MatchError> {
        let same =
            |done: &&RefereeActDone| done.note.referee == note.referee && done.note.request == note.request;
        match self.referee_acts().iter().find(same) {
            Some(done) if done.note.body != note.body => {
                let id = RequestId::new(&note.request);
                let id = id.map_err(|error| MatchError::Fault(format!("a request's id: {error}")))?;
                Err(MatchError::RequestReused { id, method: done.note.act.method() })
            }
            done => Ok(done),
        }
    }

    /// The return of each seat instead of the result's, by the last correction.
    #[must_use]
    pub fn corrected_returns(&self) -> Option<&[i32]> {
        self.referee_acts().iter().rev().find_map(|done| match &done.note.act {
            RefereeAct::CorrectResult { returns } => Some(returns.as_slice()),
            _ => None,
        })
    }

    /// Number of times that players of its seats were replaced: who holds a seat's token may hold it no more when there is one more.
    #[must_use]
    pub fn players_replaced(&self) -> usize {
        self.referee_acts()
            .iter()
            .filter(|done| matches!(done.note.act, RefereeAct::ReplacePlayer { .. }))
            .count()
    }

    /// The acts that have replaced the player of a seat, in order.
    pub fn replacements(&self, seat: Seat) -> impl Iterator<Item = &RefereeActDone> {
        self.referee_acts().iter().filter(move |done| match done.note.act {
            RefereeAct::ReplacePlayer { seat: of, .. } => usize::from(of) == seat.index(),
            _ => false,
        })
    }

    /// The account that alone may take a seat which is open for another player; `None`: whoever has the invitation.
    #[must_use]
    pub fn replacement_account(&self, seat: Seat) -> Option<&[u8]> {
        match &self.replacements(seat).last()?.note.act {
            RefereeAct::ReplacePlayer { account, .. } => account.as_deref(),
            _ => None,
        }
    }

    /// Checks that an act can be done now.
    pub(super) fn check_referee(&self, act: &RefereeAct) -> Result<(), MatchError> {
        let (acts, max) = (self.referee_acts().len(), REFEREE_ACTS_MAX);
        let is_ended =
            *act == RefereeAct::EndAdjournment && self.adjournment().is_some_and(|one| one.by_referee);
        if acts >= max && *act != RefereeAct::Void && !is_ended {
            return Err(MatchError::TooManyRefereeActs { max });
        }
        match (act, self.phase()) {
            (RefereeAct::CorrectResult { returns }, Phase::Over) => {
                let has_result = self.result().is_some_and(|(result, _)| result.ended_by.has_result());
                match returns.len() == self.seats().len() {
                    _ if !has_result => Err(self.over_error()),
                    true => Ok(()),
                    false => {
                        Err(MatchError::Field { field: "returns", why: "expected one number for each seat" })
                    }
                }
            }
            (RefereeAct::CorrectResult { .. }, Phase::Running) => Err(MatchError::NotOver),
            (_, Phase::Over) => Err(self.over_error()),
            (_, Phase::Waiting | Phase::Revealing) => Err(self.not_started()),
            (RefereeAct::Void, Phase::Running) => Ok(()),
            (RefereeAct::Adjourn { .. } | RefereeAct::EndAdjournment, Phase::Running) => {
                self.check_refereed_adjournment(act)
            }
            (RefereeAct::AddTime { .. }, Phase::Running) if self.header().clock.is_none() => {
                Err(MatchError::NoClocks)
            }
            (RefereeAct::AddTime { seat, .. } | RefereeAct::ReplacePlayer { seat, .. }, Phase::Running) => {
                let seat = self.seat(u32::from(*seat))?;
                match self.bot_seats().contains(seat) {
                    true => Err(MatchError::Field { field: "seat", why: "a house bot has the seat" }),
                    false => Ok(()),
                }
            }
        }
    }
}

impl LiveMatch {
    /// Checks that a referee's act can be done now.
    ///
    /// # Errors
    /// If the match is not at a stage for it, has no room or no clocks for it, or takes no more of them.
    pub fn check_referee(&self, act: &RefereeAct) -> Result<(), MatchError> {
        self.course().check_referee(act)?;
        self.room.check(match act {
            RefereeAct::AddTime { .. }
            | RefereeAct::ReplacePlayer { .. }
            | RefereeAct::Adjourn { .. }
            | RefereeAct::EndAdjournment => Purpose::Play,
            // It is over, and few come.
            RefereeAct::Void | RefereeAct::CorrectResult { .. } => Purpose::End,
        })
    }

    /// A referee acts on the match. `spent` is the time that the seats have had their questions for.
    ///
    /// # Errors
    /// As [`LiveMatch::check_referee`].
    pub fn referee(
        &mut self,
        note: RefereeNote,
        at_ms: u64,
        spent: SpentTimes,
    ) -> Result<PendingChange, MatchError> {
        self.check_referee(&note.act)?;
        let time = EntryTime { at_ms, clocks: ClocksAfter::Spent(spent) };
        self.happen(Happened::Refereed(Box::new(note)), None, time)
    }
}
