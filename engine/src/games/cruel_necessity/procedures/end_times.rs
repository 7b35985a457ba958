//! End Times (9.0): defeat, the end, and how good or bad it is (11.0, B.0).

use crate::event::{Event, Events};
use crate::game::{MatchResult, Termination};
use crate::reference::{Ref, Refs};
use crate::seat::Seat;

use super::super::content::{GRADES, LONDON, WARS, WarId};
use super::super::score::score;
use super::super::state::{State, Verdict};
use super::super::{CruelNecessity, rules};
use super::tracks::f_grades;

/// The worth of an automatic defeat, before the turns that it was put off: worse than any score.
pub(in super::super) const DEFEATED: i32 = -100;

impl CruelNecessity {
    /// Defeat first, then the end of the last war (9.0, V1).
    pub(in super::super) fn end_times(&self, state: &mut State, out: &mut Events) {
        let last_card = self.content.ends[state.war][1];
        let finished = state.current == Some(last_card) && state.war == state.last;
        let defeat = if state.forts[LONDON].royalist {
            Some(Verdict::London)
        } else if f_grades(&self.content, state) >= self.content.numbers.f_grades {
            Some(Verdict::Grades)
        } else {
            None
        };
        let first = !finished || rules::DEFEAT_BEFORE_THE_END.applies(finished);
        let defeat = defeat.filter(|_| rules::END_TIMES.applies(first));
        let verdict = defeat.or(finished.then_some(Verdict::Finished));
        if verdict.is_some() {
            let scene = self.scene(state, out);
            state.verdict = verdict;
            let points = Ref::Number(score(&self.content, state));
            scene.publish(self, state, out, || Event::new("over", rules::END_TIMES, &[points]));
        }
    }

    /// Returns how a match ends that the player gives up: as an automatic defeat of this moment would, since a game that is lost
    /// must not be worth more for being left (11.1).
    pub(in super::super) fn given_up(&self, state: &State, seat: Seat) -> MatchResult {
        let value = rules::DEFEAT.gives(DEFEATED + i32::from(state.turn), -1);
        let grade = GRADES[self.defeat_grade(state)].1;
        MatchResult { returns: vec![value], grade, ..MatchResult::resigned(1, seat) }
    }

    /// Returns the way the match ended (9.0, 11.0).
    pub(in super::super) fn ending_of(&self, state: &State) -> Option<MatchResult> {
        let verdict = state.verdict?;
        let points = score(&self.content, state);
        let (code, rule, grade) = match verdict {
            Verdict::London => ("london_lost", rules::DEFEAT, self.defeat_grade(state)),
            Verdict::Grades => ("four_f", rules::DEFEAT, self.defeat_grade(state)),
            Verdict::Finished => {
                ("finished", rules::VICTORY, rules::VICTORY.gives(self.grade(state.last, points), 0))
            }
        };
        let value = if verdict == Verdict::Finished { points } else { DEFEATED + i32::from(state.turn) };
        let grade = GRADES[grade].1;
        Some(MatchResult {
            returns: vec![value],
            code,
            refs: Refs::new(),
            rule,
            grade,
            termination: Termination::Victory,
        })
    }

    /// An automatic defeat is the worse the earlier the war in which it comes (11.1, V2).
    fn defeat_grade(&self, state: &State) -> usize {
        rules::DEFEAT.gives(rules::GRADE_OF_DEFEAT.gives(state.war.index(), 3), 3)
    }

    /// The band of a score at the end of a war (B.0, 11.2, V4), as a place in [`GRADES`].
    pub(in super::super) fn grade(&self, war: WarId, score: i32) -> usize {
        let band = self.bands(war).iter().rev().find(|&&(least, _)| score >= least);
        band.map_or(0, |&(_, grade)| usize::from(grade))
    }

    /// Returns the better grade that comes next at the end of a war, and the least score of it.
    pub(in super::super) fn next_grade(&self, war: WarId, score: i32) -> Option<(usize, i32)> {
        let grade = self.grade(war, score);
        let better = |&&(least, other): &&(i32, u8)| least > score && usize::from(other) != grade;
        self.bands(war).iter().find(better).map(|&(least, other)| (usize::from(other), least))
    }

    /// The bands of the score at the end of a war, from the lowest.
    pub(in super::super) fn bands(&self, war: WarId) -> &[(i32, u8)] {
        let last = WarId::new(WARS - 1);
        let table = rules::SCENARIOS.gives(rules::BANDS.gives(war, last), last);
        &self.content.numbers.bands[table]
    }
}
