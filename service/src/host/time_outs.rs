//! Clocks of matches: whoever's time runs out is found when it does ([`TimeOuts`]), and so is an adjournment whose time is over.
//!
//! A timeout is a change of the match like any other: it is made under the match's lock, conditional on the question that it is of,
//! and loses to an answer that came first.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgehill_engine::seat::Seat;
use tokio::sync::Notify;

use super::Host;
use super::by_shard::ByShard;
use super::error::Error;
use crate::matches::{Course, LiveMatch, MatchError, Phase, Question, SpentTimes};
use crate::store::{MatchId, ShardSet};

/// Number of appends of a match of which it is known when they became durable: a question is not older than that.
const APPENDS_KNOWN: usize = 16;

/// The time that runs out in a match.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum TimeUp {
    /// A seat's, for its question.
    Answer(Seat),
    /// That of the adjournment.
    Adjournment,
}

/// Matches by the moment at which somebody's time runs out there.
#[derive(Debug, Default)]
pub(super) struct TimeOuts {
    due: Mutex<Due>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Due {
    order: BTreeSet<(u64, MatchId)>,
    of: ByShard<Timed>,
}

/// A match that is played with clocks.
#[derive(Debug, Default)]
struct Timed {
    due_ms: Option<u64>,
    /// The last appends that became durable: their revisions, and when; and how long the last one took.
    durable: VecDeque<(u64, u64)>,
    delay_ms: u64,
}

impl TimeOuts {
    fn due(&self) -> MutexGuard<'_, Due> {
        // Its parts go together between any two statements.
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes when somebody's time runs out in a match, if it does.
    pub(super) fn set(&self, id: MatchId, due_ms: Option<u64>) {
        let mut due = self.due();
        let Due { order, of } = &mut *due;
        let first = order.first().copied();
        let timed = of.or_default(id);
        if let Some(before) = timed.due_ms {
            order.remove(&(before, id));
        }
        timed.due_ms = due_ms;
        order.extend(due_ms.map(|due_ms| (due_ms, id)));
        // Whoever waits for one that is not first any more wakes, finds nothing, and waits on.
        let is_sooner = order.first().is_some_and(|sooner| first.is_none_or(|first| *sooner < first));
        drop(due);
        if is_sooner {
            self.changed.notify_one();
        }
    }

    /// Forgets a match: it is over.
    pub(super) fn forget(&self, id: MatchId) {
        let mut due = self.due();
        if let Some(before) = due.of.remove(id).and_then(|timed| timed.due_ms) {
            due.order.remove(&(before, id));
        }
    }

    /// Forgets the matches of shards that are elsewhere.
    pub(super) fn let_go(&self, shards: &ShardSet) {
        let Due { order, of } = &mut *self.due();
        for (id, timed) in of.take(shards) {
            if let Some(before) = timed.due_ms {
                order.remove(&(before, id));
            }
        }
    }

    /// Notes that an append of a match became durable, so long after it was made.
    pub(super) fn note_durable(&self, id: MatchId, revision: u64, at_ms: u64, delay_ms: u64) {
        if let Some(timed) = self.due().of.get_mut(id) {
            timed.durable.truncate(APPENDS_KNOWN - 1);
            timed.durable.push_front((revision, at_ms));
            timed.delay_ms = delay_ms;
        }
    }

    /// When a question was durable; as far as that is not known any more, when it was asked.
    fn offered_ms(&self, id: MatchId, question: &Question) -> u64 {
        let due = self.due();
        let durable = due.of.get(id).and_then(|timed| {
            timed.durable.iter().find(|(revision, _)| *revision == question.revision).map(|&(_, at_ms)| at_ms)
        });
        durable.unwrap_or(question.at_ms)
    }

    /// Returns how long the last append of a match took to become durable.
    fn delay_ms(&self, id: MatchId) -> u64 {
        self.due().of.get(id).map_or(0, |timed| timed.delay_ms)
    }

    fn first_ms(&self) -> Option<u64> {
        self.due().order.first().map(|&(due_ms, _)| due_ms)
    }

    /// The matches in which somebody's time has run out by now; they are not told again until they are set anew.
    fn take(&self, now_ms: u64) -> Vec<MatchId> {
        let mut due = self.due();
        let mut taken = Vec::new();
        while let Some(&(due_ms, id)) = due.order.first().filter(|(due_ms, _)| *due_ms <= now_ms) {
            due.order.remove(&(due_ms, id));
            if let Some(timed) = due.of.get_mut(id) {
                timed.due_ms = None;
            }
            taken.push(id);
        }
        taken
    }
}

impl Host {
    /// The time that a seat has had its question for, by a moment; 0 without one.
    pub(super) fn spent_ms(&self, course: &Course, seat: Seat, now_ms: u64) -> u64 {
        let question = course.clocks().get(seat.index()).and_then(|clock| clock.question);
        question.map_or(0, |question| {
            let offered_ms = self.0.time_outs.offered_ms(course.id(), &question);
            self.0.uptime.between(offered_ms, now_ms)
        })
    }

    /// The same of each seat.
    pub(super) fn spent_times(&self, course: &Course, now_ms: u64) -> SpentTimes {
        let seats = 0..course.clocks().len();
        seats.map(|index| self.spent_ms(course, Seat::new(index as u8), now_ms)).collect()
    }

    /// The moment at which the adjournment of a match ends of itself, at least, in milliseconds since 1970; `None` while it is not
    /// adjourned. Time in which the server was down does not count.
    #[must_use]
    pub fn resume_ms(&self, course: &Course) -> Option<u64> {
        let adjournment = course.adjournment()?;
        Some(self.0.uptime.after(adjournment.at_ms, adjournment.longest_ms))
    }

    /// A match's refusal, which names the moment at which its adjournment ends if it is for that.
    #[must_use]
    pub fn dated(&self, course: &Course, error: MatchError) -> MatchError {
        match (error, self.resume_ms(course)) {
            (MatchError::Adjourned { by_referee, .. }, Some(until_ms)) => {
                MatchError::Adjourned { until_ms, by_referee }
            }
            (error, _) => error,
        }
    }

    /// The time that a seat has left for its question, and how long the store took to keep the last of the match: in milliseconds;
    /// `None` without a question or a limit.
    #[must_use]
    pub fn time_left_ms(&self, course: &Course, seat: Seat) -> Option<(u64, u64)> {
        let allowed_ms = course.header().clock?.allowed_ms(course.clocks().get(seat.index())?)?;
        let left_ms = allowed_ms.saturating_sub(self.spent_ms(course, seat, self.now_ms()));
        Some((left_ms, self.0.time_outs.delay_ms(course.id())))
    }

    /// The moment until which a seat may answer its question, at least; `None` without one, or a limit.
    #[must_use]
    pub fn deadline_ms(&self, course: &Course, seat: Seat) -> Option<u64> {
        let clock = course.clocks().get(seat.index())?;
        let allowed_ms = course.header().clock?.allowed_ms(clock)?;
        clock.question.map(|question| self.0.uptime.after(question.at_ms, allowed_ms))
    }

    /// The time that runs out first, and when.
    fn first_time_out(&self, course: &Course) -> Option<(u64, TimeUp)> {
        if let Some(resume_ms) = self.resume_ms(course) {
            return Some((resume_ms, TimeUp::Adjournment));
        }
        let terms = course.header().clock?;
        let clocks = course.clocks().iter().enumerate();
        let due = clocks.filter_map(|(index, clock)| {
            let (question, allowed_ms) = (clock.question?, terms.allowed_ms(clock)?);
            let offered_ms = self.0.time_outs.offered_ms(course.id(), &question);
            let seat = Seat::new(index as u8);
            Some((self.0.uptime.after(offered_ms, allowed_ms), TimeUp::Answer(seat)))
        });
        due.min()
    }

    /// When somebody's time runs out in a match, in milliseconds since 1970.
    pub(super) fn due_ms(&self, course: &Course) -> Option<u64> {
        self.first_time_out(course).map(|(due_ms, _)| due_ms)
    }

    /// Returns whether somebody's time runs out in a match, unless they answer before, or that of its adjournment.
    pub(super) fn has_running_clock(&self, course: &Course) -> bool {
        course.phase() == Phase::Running && self.first_time_out(course).is_some()
    }

    /// Notes when somebody's time runs out in a match that has changed.
    pub(super) fn time_questions(&self, course: &Course) {
        if course.header().clock.is_none() {
            return;
        }
        match course.phase() {
            Phase::Running => {
                self.0.time_outs.set(course.id(), self.due_ms(course));
            }
            Phase::Over => self.0.time_outs.forget(course.id()),
            Phase::Waiting | Phase::Revealing => {}
        }
    }

    /// Lets times run out when they do, for as long as the host is open.
    pub(super) fn run_clocks(&self) {
        let host = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                let clock = &host.0.parts.clock;
                let now_ms = host.now_ms();
                let changed = host.0.time_outs.changed.notified();
                let first_ms = host.0.time_outs.first_ms();
                let left = first_ms.map(|first_ms| Duration::from_millis(first_ms.saturating_sub(now_ms)));
                let first = async {
                    match left {
                        Some(left) => clock.reach(clock.elapsed().saturating_add(left)).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    () = host.0.closing.cancelled() => return,
                    () = changed => {}
                    () = first => {}
                }
                for id in host.0.time_outs.take(host.now_ms()) {
                    let timed = host.clone();
                    host.0.tasks.spawn(async move { timed.time_out(id).await });
                }
            }
        });
    }

    /// Somebody's time has run out in a match, unless they have answered by now.
    async fn time_out(&self, id: MatchId) {
        if let Err(error) = self.insist(|| self.time_out_first(id)).await {
            tracing::warn!(match_id = %id, %error, "a time does not run out");
        }
    }

    async fn time_out_first(&self, id: MatchId) -> Result<(), Error> {
        let slot = self.0.slots.of(id);
        // A question that is not durable was not asked yet.
        let mark = self.lock(&slot).await?.mark();
        slot.durable(mark).await?;
        let mut locked = self.lock(&slot).await?;
        let now_ms = self.now_ms();
        let course = locked.content()?.live()?.course();
        match self.first_time_out(course).filter(|_| course.phase() == Phase::Running) {
            Some((due_ms, time_up)) if due_ms <= now_ms => {
                let run_out = |live: &mut LiveMatch| {
                    let change = match time_up {
                        TimeUp::Answer(seat) => live.time_out(seat, now_ms),
                        TimeUp::Adjournment => live.end_adjournment(now_ms),
                    };
                    change.map(|change| ((), Some(change)))
                };
                self.commit(&mut locked, run_out).await?;
            }
            _ => self.time_questions(course),
        }
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> MatchId {
        MatchId::from_bytes([number; 16])
    }

    #[test]
    fn matches_are_due_in_their_order_and_once() {
        let time_outs = TimeOuts::default();
        for (number, due_ms) in [(1, 300), (2, 100), (3, 200), (2, 400)] {
            time_outs.set(id(number), Some(due_ms));
        }
        assert_eq!(time_outs.first_ms(), Some(200));
        assert_eq!(time_outs.take(199), []);
        assert_eq!(time_outs.take(300), [id(3), id(1)]);
        assert_eq!(time_outs.take(300), []);
        time_outs.set(id(1), None);
        time_outs.forget(id(2));
        assert_eq!(time_outs.first_ms(), None);
    }

    #[test]
    fn a_question_is_as_old_as_its_append_is_durable() {
        let (time_outs, one) = (TimeOuts::default(), id(1));
        let asked = |revision| Question { revision, at_ms: 1_000, is_window: false };
        time_outs.note_durable(one, 4, 1_007, 7);
        assert_eq!(time_outs.offered_ms(one, &asked(4)), 1_000, "it has no clocks");
        time_outs.set(one, Some(2_000));
        for revision in 4..4 + APPENDS_KNOWN as u64 {
            time_outs.note_durable(one, revision, 1_000 + revision, 7);
        }
        assert_eq!((time_outs.offered_ms(one, &asked(4)), time_outs.delay_ms(one)), (1_004, 7));
        time_outs.note_durable(one, 99, 3_000, 9);
        assert_eq!(time_outs.offered_ms(one, &asked(4)), 1_000, "too long ago");
    }
}
