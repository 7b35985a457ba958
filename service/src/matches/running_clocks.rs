//! The clocks of a match that is played: what an entry makes of them, and the time that runs out.

use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_engine::table::LogEntry as TableEntry;

use super::clock::{Question, SeatClock, SpentTimes};
use super::entry::Happened;
use super::error::MatchError;
use super::live::{LiveMatch, PendingChange};
use super::log_room::Purpose;
use super::referee::RefereeAct;

impl LiveMatch {
    /// The time of a seat for its question has run out: the game's default action is taken for it, or it loses.
    ///
    /// # Errors
    /// If it is asked nothing for which there is a time.
    pub fn time_out(&mut self, seat: Seat, at_ms: u64) -> Result<PendingChange, MatchError> {
        let clock = self.course.clocks().get(seat.index());
        let (Some(terms), Some(clock)) = (self.course.header().clock, clock) else {
            return Err(MatchError::NoTimeRunsOut);
        };
        terms.allowed_ms(clock).ok_or(MatchError::NoTimeRunsOut)?;
        self.room.check(Purpose::Play)?;
        let forfeits = terms.forfeits(clock.strikes.saturating_add(1));
        let happened = Happened::TimedOut { seat: seat.index() as u8, forfeits };
        self.run_out(seat, forfeits)?;
        self.happen(happened, None, at_ms)
    }

    /// Lets the table do what comes of a time that has run out.
    pub(super) fn run_out(&mut self, seat: Seat, forfeits: bool) -> Result<(), MatchError> {
        let Some(table) = self.table.as_mut() else { return Err(self.course.not_started()) };
        if forfeits {
            table.resign(seat)?;
        } else {
            table.default_action(seat)?;
        }
        self.note_call(Purpose::Play);
        Ok(())
    }

    /// The clocks after an entry, if it changes them: whoever is to act no more, or has an action that became final, has answered. House
    /// bots have none. `over`: it ends the match; `adjourned`: the match is, after it.
    pub(super) fn clocks_after(
        &self,
        happened: &Happened,
        spent: &SpentTimes,
        at_ms: u64,
        (over, adjourned): (bool, bool),
    ) -> Option<Vec<SeatClock>> {
        let (terms, table) = (self.course.header().clock?, self.table.as_ref()?);
        let was_adjourned = self.course.adjournment().is_some();
        let to_act = if over || adjourned { SeatSet::EMPTY } else { self.asked() };
        let bots = self.course.bot_seats();
        let is_final = |seat: Seat| {
            let commits = table.log()[self.logged..].iter();
            commits
                .into_iter()
                .any(|entry| matches!(entry, TableEntry::Commit { seat: by, .. } if *by == seat))
        };
        let mut clocks = self.course.clocks().to_vec();
        for (index, clock) in clocks.iter_mut().enumerate() {
            let seat = Seat::new(index as u8);
            match happened {
                // A question that was interrupted stands as it is.
                _ if was_adjourned && !over => {}
                _ if adjourned => clock.interrupt(spent.of(seat)),
                Happened::TimedOut { seat: of, .. } if usize::from(*of) == index => terms.timed_out(clock),
                _ if to_act.contains(seat) && !is_final(seat) => {}
                Happened::Called { seat: by, .. } if usize::from(*by) == index => {
                    terms.answered(clock, spent.of(seat));
                }
                // It was another one's doing, and costs nothing.
                _ => clock.drop_question(),
            }
            if let Happened::Refereed(note) = happened
                && let RefereeAct::AddTime { seat: of, added_ms } = note.act
                && usize::from(of) == index
            {
                terms.added(clock, added_ms);
            }
            if clock.question.is_none() && to_act.contains(seat) && !bots.contains(seat) {
                let revision = self.course.revision() + 1;
                let is_window = table.window(seat).is_some();
                clock.question = Some(Question { revision, at_ms, is_window });
            }
        }
        (clocks != self.course.clocks()).then_some(clocks)
    }
}
