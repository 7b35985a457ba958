//! The clocks of a match ([`ClockTerms`], [`SeatClock`]): how long a seat may think, and what its time has come to. All times are
//! milliseconds, and moments are counted since 1970.

use edgehill_engine::seat::Seat;
use serde::{Deserialize, Serialize};

/// The least time for a question: where default actions are taken, a match whose seats are away is not played faster than so.
pub const QUESTION_MS_MIN: u64 = 1_000;

/// The consequence when the time for a question has run out.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TimeoutRule {
    /// The game's default action is taken for the seat; it loses once its time has run out so many times (0: it never does).
    DefaultAction {
        /// The number of times.
        strikes: u32,
    },
    /// The seat loses.
    Forfeit,
}

/// The clocks that a match is made with; the same for each seat.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClockTerms {
    /// Time for all questions together; `None`: the limit of a question is all.
    pub bank_ms: Option<u64>,
    /// Time that comes to the bank with each answer, windows left out.
    pub increment_ms: u64,
    /// Time of each question that the bank is not charged for.
    pub delay_ms: u64,
    /// The most time for one question.
    pub decision_ms: Option<u64>,
    /// The same for a window; `None`: as for any question.
    pub window_ms: Option<u64>,
    /// The consequence when the time for a question has run out.
    pub at_end: TimeoutRule,
}

/// A question that a seat is asked: from when it comes to be to act until its answer is final, or it commits in a sealed node.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The revision that asked it.
    pub revision: u64,
    /// When that was.
    pub at_ms: u64,
    /// True if it is a window in another seat's turn.
    pub is_window: bool,
}

/// A seat's clock.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatClock {
    /// Time in the bank when its question was asked or, without one, now.
    pub bank_ms: u64,
    /// Number of times that its time has run out.
    pub strikes: u32,
    /// The question that it is asked.
    pub question: Option<Question>,
    /// Time that a referee has added to the limit of the question that it is asked or, without one, of its next.
    #[serde(skip)]
    pub extra_ms: u64,
    /// Time that its question had taken when an adjournment interrupted it. The time since the match went on comes to it.
    #[serde(skip)]
    pub spent_ms: u64,
}

/// The time for which each seat has had its question, in milliseconds; 0 without one. Since it went on, where an adjournment has
/// interrupted it.
#[derive(Copy, Clone, Default, Debug)]
pub struct SpentTimes([u64; Seat::MAX]);

impl SpentTimes {
    /// The time of a seat.
    pub(super) const fn of(&self, seat: Seat) -> u64 {
        self.0[seat.index()]
    }
}

impl FromIterator<u64> for SpentTimes {
    /// The times of the seats, in their order.
    fn from_iter<T: IntoIterator<Item = u64>>(times: T) -> Self {
        let mut spent = Self::default();
        spent.0.iter_mut().zip(times).for_each(|(spent, time)| *spent = time);
        spent
    }
}

impl ClockTerms {
    /// A seat's clock at the beginning.
    #[must_use]
    pub fn start(&self) -> SeatClock {
        SeatClock { bank_ms: self.bank_ms.unwrap_or(0), strikes: 0, question: None, extra_ms: 0, spent_ms: 0 }
    }

    /// The time for the question that a seat is asked; `None`: it is asked none, or has as long as it likes. Where its default action is
    /// taken at the end, it has [`QUESTION_MS_MIN`] with an empty bank, too. Of one that an adjournment has interrupted it is the rest.
    #[must_use]
    pub fn allowed_ms(&self, clock: &SeatClock) -> Option<u64> {
        let question = clock.question?;
        let window = self.window_ms.filter(|_| question.is_window);
        let banked = self.bank_ms.map(|_| self.delay_ms.saturating_add(clock.bank_ms));
        let limit = window.or(self.decision_ms).map(|limit| limit.saturating_add(clock.extra_ms));
        let allowed = [limit, banked].into_iter().flatten().min();
        let allowed = match self.at_end {
            TimeoutRule::DefaultAction { .. } => allowed.map(|allowed| allowed.max(QUESTION_MS_MIN)),
            TimeoutRule::Forfeit => allowed,
        };
        allowed.map(|allowed| allowed.saturating_sub(clock.spent_ms))
    }

    /// The time in the bank of a seat when it was asked its question or went on with it or, without one, now.
    #[must_use]
    pub const fn banked_ms(&self, clock: &SeatClock) -> u64 {
        clock.bank_ms.saturating_sub(clock.spent_ms.saturating_sub(self.delay_ms))
    }

    /// Returns whether a seat loses whose time has run out so many times, this one among them.
    #[must_use]
    pub const fn forfeits(&self, times: u32) -> bool {
        match self.at_end {
            TimeoutRule::Forfeit => true,
            TimeoutRule::DefaultAction { strikes } => strikes > 0 && times >= strikes,
        }
    }

    /// The question of a seat is answered, after so much time.
    pub(super) fn answered(&self, clock: &mut SeatClock, spent_ms: u64) {
        let Some(question) = clock.question.take() else { return };
        let spent_ms = std::mem::take(&mut clock.spent_ms).saturating_add(spent_ms);
        clock.extra_ms = 0;
        if self.bank_ms.is_some() {
            let charged = spent_ms.saturating_sub(self.delay_ms);
            let increment = if question.is_window { 0 } else { self.increment_ms };
            clock.bank_ms = clock.bank_ms.saturating_sub(charged).saturating_add(increment);
        }
    }

    /// A referee adds time to a seat's clock.
    pub(super) const fn added(&self, clock: &mut SeatClock, added_ms: u64) {
        if self.bank_ms.is_some() {
            clock.bank_ms = clock.bank_ms.saturating_add(added_ms);
        }
        clock.extra_ms = clock.extra_ms.saturating_add(added_ms);
    }

    /// The time for the question of a seat has run out.
    pub(super) fn timed_out(&self, clock: &mut SeatClock) {
        clock.strikes = clock.strikes.saturating_add(1);
        if let Some(allowed_ms) = self.allowed_ms(clock) {
            self.answered(clock, allowed_ms);
        }
    }
}

impl SeatClock {
    /// An adjournment interrupts the question of the seat, after so much time since it was asked or went on.
    pub(super) const fn interrupt(&mut self, spent_ms: u64) {
        if self.question.take().is_some() {
            self.spent_ms = self.spent_ms.saturating_add(spent_ms);
        }
    }

    /// The question of the seat is none any more, and costs nothing.
    pub(super) const fn drop_question(&mut self) {
        (self.question, self.spent_ms) = (None, 0);
    }
}

/// The time that referees have added to the limit of each seat's question; `None` if that is none of any.
pub(super) fn extra_times(clocks: &[SeatClock]) -> Option<Vec<u64>> {
    let extra_ms: Vec<u64> = clocks.iter().map(|clock| clock.extra_ms).collect();
    extra_ms.iter().any(|&extra_ms| extra_ms > 0).then_some(extra_ms)
}

/// Sets what [`extra_times`] gave.
pub(super) fn set_extra_times(clocks: &mut [SeatClock], extra_ms: Vec<u64>) {
    for (clock, extra_ms) in clocks.iter_mut().zip(extra_ms) {
        clock.extra_ms = extra_ms;
    }
}

/// The time that each seat's question had taken when it was interrupted; `None` if none was.
pub(super) fn spent_times(clocks: &[SeatClock]) -> Option<Vec<u64>> {
    let spent_ms: Vec<u64> = clocks.iter().map(|clock| clock.spent_ms).collect();
    spent_ms.iter().any(|&spent_ms| spent_ms > 0).then_some(spent_ms)
}

/// Sets what [`spent_times`] gave.
pub(super) fn set_spent_times(clocks: &mut [SeatClock], spent_ms: Vec<u64>) {
    for (clock, spent_ms) in clocks.iter_mut().zip(spent_ms) {
        clock.spent_ms = spent_ms;
    }
}

/// The time of an entry, and where its clocks come from.
#[derive(Clone, Debug)]
pub(super) struct EntryTime {
    pub(super) at_ms: u64,
    pub(super) clocks: ClocksAfter,
}

/// The clocks after an entry.
#[derive(Clone, Debug)]
pub(super) enum ClocksAfter {
    /// Those of the match, where the seats have spent so much time on their questions.
    Spent(SpentTimes),
    /// As the log has them.
    Logged(Option<Vec<SeatClock>>),
}

impl From<u64> for EntryTime {
    fn from(at_ms: u64) -> Self {
        Self { at_ms, clocks: ClocksAfter::Spent(SpentTimes::default()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: ClockTerms = ClockTerms {
        bank_ms: Some(10_000),
        increment_ms: 500,
        delay_ms: 200,
        decision_ms: Some(6_000),
        window_ms: Some(1_500),
        at_end: TimeoutRule::DefaultAction { strikes: 2 },
    };

    fn asked(bank_ms: u64, is_window: bool) -> SeatClock {
        let question = Some(Question { revision: 1, at_ms: 0, is_window });
        SeatClock { bank_ms, strikes: 0, question, extra_ms: 0, spent_ms: 0 }
    }

    #[test]
    fn the_least_of_bank_and_limits_is_the_time_for_a_question() {
        for (bank_ms, is_window, allowed) in [
            (10_000, false, 6_000),
            (3_000, false, 3_200),
            (0, false, QUESTION_MS_MIN),
            (10_000, true, 1_500),
            (1_000, true, 1_200),
        ] {
            assert_eq!(TERMS.allowed_ms(&asked(bank_ms, is_window)), Some(allowed), "{bank_ms} {is_window}");
        }
        let lost = ClockTerms { at_end: TimeoutRule::Forfeit, ..TERMS };
        assert_eq!(lost.allowed_ms(&asked(0, false)), Some(200));
        assert_eq!(TERMS.allowed_ms(&TERMS.start()), None, "nobody is asked");
        let days = ClockTerms { bank_ms: None, ..TERMS };
        assert_eq!(days.allowed_ms(&asked(0, false)), Some(6_000));
        let open = ClockTerms { decision_ms: None, window_ms: None, ..days };
        assert_eq!(open.allowed_ms(&asked(0, false)), None);
    }

    #[test]
    fn an_answer_costs_what_is_over_the_delay_and_brings_the_increment() {
        for (spent_ms, is_window, left) in [
            (0, false, 10_500),
            (200, false, 10_500),
            (1_200, false, 9_500),
            (1_200, true, 9_000),
            (u64::MAX, false, 500),
        ] {
            let mut clock = asked(10_000, is_window);
            TERMS.answered(&mut clock, spent_ms);
            assert_eq!((clock.bank_ms, clock.question), (left, None), "{spent_ms} {is_window}");
        }
        let mut none = SeatClock { question: None, ..asked(10_000, false) };
        TERMS.answered(&mut none, 5_000);
        assert_eq!(none.bank_ms, 10_000, "nobody was asked");
    }

    #[test]
    fn a_referee_adds_to_the_bank_and_to_the_limit_of_one_question() {
        for (bank_ms, allowed) in [(3_000, 5_200), (10_000, 8_000)] {
            let mut clock = asked(bank_ms, false);
            TERMS.added(&mut clock, 2_000);
            assert_eq!((clock.bank_ms, TERMS.allowed_ms(&clock)), (bank_ms + 2_000, Some(allowed)));
            TERMS.answered(&mut clock, 1_200);
            assert_eq!((clock.bank_ms, clock.extra_ms), (bank_ms + 1_500, 0), "once");
        }
        // Without a bank it is the limit alone, and that of the next question where there is none now.
        let days = ClockTerms { bank_ms: None, ..TERMS };
        let mut clock = days.start();
        days.added(&mut clock, 500);
        let question = asked(0, false).question;
        assert_eq!((clock.bank_ms, days.allowed_ms(&SeatClock { question, ..clock })), (0, Some(6_500)));
    }

    #[test]
    fn a_question_that_was_interrupted_goes_on_with_what_it_had() {
        let question = asked(0, false).question;
        for (delay_ms, spent_ms, banked, rest) in [
            (200, 0, 10_000, 10_200),
            (200, 150, 10_000, 10_050),
            (200, 3_000, 7_200, 7_200),
            (0, 20_000, 0, 0),
        ] {
            let terms = ClockTerms { delay_ms, decision_ms: None, at_end: TimeoutRule::Forfeit, ..TERMS };
            let mut clock = asked(10_000, false);
            clock.interrupt(spent_ms);
            assert_eq!((terms.banked_ms(&clock), terms.allowed_ms(&clock)), (banked, None), "{spent_ms}");
            clock.interrupt(5_000);
            clock.question = question;
            assert_eq!(terms.allowed_ms(&clock), Some(rest), "what is not asked costs nothing");
            terms.answered(&mut clock, 1_000);
            let charged = (spent_ms + 1_000).saturating_sub(delay_ms);
            let bank_ms = 10_000_u64.saturating_sub(charged) + 500;
            assert_eq!((clock.bank_ms, clock.spent_ms, clock.question), (bank_ms, 0, None), "{spent_ms}");
        }
        // A limit, and a time that runs out: all of it is charged once.
        let mut clock = asked(10_000, false);
        clock.interrupt(5_000);
        clock.question = question;
        assert_eq!(TERMS.allowed_ms(&clock), Some(1_000));
        TERMS.timed_out(&mut clock);
        assert_eq!((clock.bank_ms, clock.strikes, clock.spent_ms), (10_000 - 5_800 + 500, 1, 0));
        let mut dropped = SeatClock { spent_ms: 5, ..asked(10_000, false) };
        dropped.drop_question();
        assert_eq!((dropped.spent_ms, dropped.question, dropped.bank_ms), (0, None, 10_000));
    }

    #[test]
    fn a_time_that_ran_out_is_charged_whole_and_counted() {
        let mut clock = asked(3_000, false);
        TERMS.timed_out(&mut clock);
        assert_eq!((clock.bank_ms, clock.strikes), (500, 1));
        assert!(!TERMS.forfeits(1) && TERMS.forfeits(2));
        let never = ClockTerms { at_end: TimeoutRule::DefaultAction { strikes: 0 }, ..TERMS };
        assert!(!never.forfeits(u32::MAX));
        assert!(ClockTerms { at_end: TimeoutRule::Forfeit, ..TERMS }.forfeits(1));
    }
}
