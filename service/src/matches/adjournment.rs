//! Adjournments of matches with clocks ([`Adjourning`]): seats agree on one or a referee orders it, and the match goes on where it stood.
//!
//! They are the host's and not the rules': the table stands still meanwhile. Who is to act when one begins is to act again when it has
//! ended, with the time that their clock had ([`SeatClock::spent_ms`]).

use std::collections::BTreeMap;

use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_engine::table::LogEntry as TableEntry;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::course::{Course, Phase};
use super::entry::Happened;
use super::error::MatchError;
use super::live::{LiveMatch, PendingChange};
use super::log_room::Purpose;
use super::referee::RefereeAct;

#[cfg(doc)]
use super::clock::SeatClock;

/// The least time that an adjournment can be made for, in milliseconds.
pub const ADJOURN_MS_MIN: u64 = 60_000;

/// The longest time that an adjournment can be made for, in milliseconds: 30 days.
pub const ADJOURN_MS_MAX: u64 = 30 * 24 * 60 * 60 * 1_000;

/// The adjournment of a match.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Adjournment {
    /// When it began, in milliseconds since 1970.
    pub at_ms: u64,
    /// The longest time that it lasts, in milliseconds.
    pub longest_ms: u64,
    /// True if a referee has adjourned the match.
    pub by_referee: bool,
    /// The seats that have asked for it to end, a bit for each seat.
    pub resumes: u8,
}

/// A match's adjournment, and the offers to adjourn it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Adjourning {
    /// The seats that offer to adjourn the match, each with the longest time that it may last, in milliseconds.
    pub offers: BTreeMap<u8, u64>,
    /// The adjournment; `None` while the match is not adjourned.
    pub adjournment: Option<Adjournment>,
}

/// An adjournment as its match's record has it.
#[derive(Copy, Clone, Debug)]
pub(super) struct NotedAdjournment {
    /// Number of entries of the table's log before it.
    pub(super) entries: usize,
    pub(super) adjournment: Adjournment,
    /// When it ended; `None`: it lasts.
    pub(super) ended_ms: Option<u64>,
}

impl Adjournment {
    /// Returns whether a seat has asked for it to end.
    #[must_use]
    pub const fn resumes(&self, seat: Seat) -> bool {
        self.resumes >> seat.index() & 1 == 1
    }
}

impl Adjourning {
    /// The offers lapse of all seats but `seat`.
    fn decline(&mut self, seat: u8) {
        self.offers.retain(|&by, _| by == seat);
    }

    /// The match is adjourned, and nothing is offered any more.
    fn adjourn(&mut self, at_ms: u64, longest_ms: u64, by_referee: bool) {
        self.offers.clear();
        self.adjournment = Some(Adjournment { at_ms, longest_ms, by_referee, resumes: 0 });
    }

    /// The longest time that all offers allow; `None` without one.
    fn least_ms(&self) -> Option<u64> {
        self.offers.values().copied().min()
    }
}

impl Course {
    /// The adjournment of the match; `None` while it is not adjourned.
    #[must_use]
    pub const fn adjournment(&self) -> Option<&Adjournment> {
        self.adjourning().adjournment.as_ref()
    }

    /// The seats that agree on adjournments, and on their end: all but those of house bots.
    fn agreeing_seats(&self) -> SeatSet {
        let bots = self.bot_seats();
        SeatSet::first(self.seats().len()).iter().filter(|&seat| !bots.contains(seat)).collect()
    }

    /// The refusal of what an adjourned match takes no more; `None` while it is not adjourned. It is not known here in which time the
    /// server was down.
    fn adjourned_error(&self) -> Option<MatchError> {
        let &Adjournment { at_ms, longest_ms, by_referee, .. } = self.adjournment()?;
        Some(MatchError::Adjourned { until_ms: at_ms.saturating_add(longest_ms), by_referee })
    }

    /// Checks that a seat can make this call, as far as the match may be adjourned.
    pub(super) fn check_adjourning(&self, seat: Seat, call: &Call) -> Result<(), MatchError> {
        let adjourned = self.adjourned_error().map_or(Ok(()), Err);
        if !call.is_about_adjourning() {
            return if call.goes_on_adjourned() { Ok(()) } else { adjourned };
        }
        if self.header().clock.is_none() {
            return Err(MatchError::NoClocks);
        }
        match (call, self.adjournment()) {
            (Call::ResumeMatch, None) => Err(MatchError::NotAdjourned),
            (Call::ResumeMatch, Some(adjournment)) if !adjournment.by_referee => Ok(()),
            _ => {
                adjourned?;
                let offers = |other: &Seat| self.adjourning().offers.contains_key(&(other.index() as u8));
                let mut others = self.agreeing_seats().iter().filter(|&other| other != seat).peekable();
                let is_offered = match call {
                    Call::AcceptAdjournment { .. } => {
                        others.peek().is_some() && others.all(|other| offers(&other))
                    }
                    Call::DeclineAdjournment => others.any(|other| offers(&other)),
                    _ => true,
                };
                if is_offered { Ok(()) } else { Err(MatchError::NoAdjournmentOffer) }
            }
        }
    }

    /// Checks that a referee can adjourn the match now, or end its adjournment.
    pub(super) fn check_refereed_adjournment(&self, act: &RefereeAct) -> Result<(), MatchError> {
        match (act, self.adjourned_error()) {
            _ if self.header().clock.is_none() => Err(MatchError::NoClocks),
            (RefereeAct::Adjourn { .. }, Some(adjourned)) => Err(adjourned),
            (RefereeAct::EndAdjournment, None) => Err(MatchError::NotAdjourned),
            _ => Ok(()),
        }
    }
}

impl LiveMatch {
    /// Returns why an adjourned match does not explain actions.
    ///
    /// # Errors
    /// [`MatchError::Adjourned`] while it is adjourned.
    pub fn check_not_adjourned(&self) -> Result<(), MatchError> {
        self.course.adjourned_error().map_or(Ok(()), Err)
    }

    /// The time of its adjournment is over: the match goes on.
    ///
    /// # Errors
    /// If it is not adjourned, or over.
    pub fn end_adjournment(&mut self, at_ms: u64) -> Result<PendingChange, MatchError> {
        match self.course.phase() {
            Phase::Over => return Err(self.course.over_error()),
            _ if self.course.adjournment().is_none() => return Err(MatchError::NotAdjourned),
            _ => self.room.check(Purpose::Play)?,
        }
        self.happen(Happened::AdjournmentEnded, None, at_ms)
    }

    /// Returns how the match stands with adjourning after an entry, if that changes it. `over`: it ends the match.
    pub(super) fn adjourning_after(&self, happened: &Happened, at_ms: u64, over: bool) -> Option<Adjourning> {
        self.course.header().clock?;
        let before = self.course.adjourning();
        let mut after = before.clone();
        match happened {
            _ if over => after = Adjourning::default(),
            Happened::Called { seat, call, .. } => self.call_adjourning(&mut after, *seat, call, at_ms),
            Happened::AdjournmentEnded => after.adjournment = None,
            Happened::Refereed(note) => match note.act {
                RefereeAct::Adjourn { longest_ms } => after.adjourn(at_ms, longest_ms, true),
                RefereeAct::EndAdjournment => after.adjournment = None,
                _ => {}
            },
            _ => {}
        }
        for entry in self.table.iter().flat_map(|table| &table.log()[self.logged..]) {
            if let TableEntry::Commit { seat, .. } = entry {
                after.offers.remove(&(seat.index() as u8));
            }
        }
        (after != *before).then_some(after)
    }

    /// Takes a call of a seat that may be about adjourning.
    fn call_adjourning(&self, after: &mut Adjourning, seat: u8, call: &Call, at_ms: u64) {
        let longest_ms = match call {
            Call::OfferAdjournment { longest_ms } => Some(*longest_ms),
            Call::AcceptAdjournment { longest_ms } => longest_ms.or_else(|| after.least_ms()),
            Call::DeclineAdjournment => return after.decline(seat),
            Call::ResumeMatch => {
                if let Some(adjournment) = &mut after.adjournment {
                    adjournment.resumes |= 1 << seat;
                    let all = self.course.agreeing_seats().iter().all(|seat| adjournment.resumes(seat));
                    after.adjournment = after.adjournment.filter(|_| !all);
                }
                return;
            }
            _ => return,
        };
        after.offers.extend(longest_ms.map(|longest_ms| (seat, longest_ms)));
        let agrees = |seat: Seat| after.offers.contains_key(&(seat.index() as u8));
        if self.course.agreeing_seats().iter().all(agrees)
            && let Some(longest_ms) = after.least_ms()
        {
            after.adjourn(at_ms, longest_ms, false);
        }
    }

    /// Notes for the match's record that it is adjourned, or goes on, after an entry.
    pub(super) fn note_adjournment(&mut self, after: &Adjourning, at_ms: u64) {
        match (self.course.adjournment(), after.adjournment) {
            (None, Some(adjournment)) => {
                let entries = self.table.as_ref().map_or(0, |table| table.log().len());
                self.adjournments.push(NotedAdjournment { entries, adjournment, ended_ms: None });
            }
            (Some(_), None) => {
                if let Some(last) = self.adjournments.last_mut() {
                    last.ended_ms = Some(at_ms);
                }
            }
            _ => {}
        }
    }
}
