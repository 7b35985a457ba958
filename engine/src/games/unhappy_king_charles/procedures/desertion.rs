//! Desertion: both sides select their deserters, who then go together; Supply Attrition follows (12.0, H1 to H16).

use num_bigint::BigUint;

use crate::ledger::Rule;
use crate::vocabulary::*;

use super::super::content::ids::{AreaSet, CounterId, CounterSet};
use super::super::content::turns::RuleOption;
use super::super::content::{PARLIAMENT, ROYALIST, SEATS};
use super::super::frames::Frame;
use super::super::state::{Marks, State, Told};
use super::super::{STREAM_ENVIRONMENT, UnhappyKing, catalogue, rules};
use super::consequences::Cause;

/// The stages of the phase.
pub(in super::super) mod stages {
    /// It begins.
    pub(in super::super::super) const BEGIN: u8 = 0;
    /// The die of the first category is due (O2).
    pub(in super::super::super) const DIE: u8 = 1;
    /// Both sides have selected.
    pub(in super::super::super) const SELECTED: u8 = 2;
    /// Attrition begins.
    pub(in super::super::super) const ATTRITION: u8 = 3;
    /// Both sides have selected for attrition.
    pub(in super::super::super) const STARVED: u8 = 4;
}

impl UnhappyKing {
    fn set_desertion_stage(&self, state: &mut State, to: u8) {
        let Some(Frame::Desertion { stage }) = state.frames.top_mut() else {
            unreachable!("the phase is the innermost procedure when it goes on");
        };
        *stage = to;
    }

    /// One step further of the phase; `false` if the die is due.
    pub(in super::super) fn advance_desertion(&self, state: &mut State, stage: u8, out: &mut Events) -> bool {
        match stage {
            stages::BEGIN if self.throws_for_category(state) => {
                self.set_desertion_stage(state, stages::DIE);
            }
            stages::BEGIN => self.begin_selection(state, 1),
            stages::DIE => return false,
            stages::SELECTED => {
                self.set_desertion_stage(state, stages::ATTRITION);
                self.deserters_go(state, ("deserted", rules::DESERTION), out);
            }
            stages::ATTRITION => {
                self.set_desertion_stage(state, stages::STARVED);
                if rules::ATTRITION.applies(true) {
                    // Parliament's come first, so they lie on top.
                    for seat in [ROYALIST, PARLIAMENT] {
                        state.frames.open(Frame::Attrition { seat, done: AreaSet::EMPTY, from: None });
                    }
                }
            }
            _ => {
                state.frames.close();
                self.deserters_go(state, ("starved", rules::ATTRITION), out);
            }
        }
        true
    }

    /// O2, O7: with the option the die is thrown, also if nobody can lose a Brigade.
    fn throws_for_category(&self, state: &State) -> bool {
        let idle = || SEATS.into_iter().all(|seat| self.able_to_desert(state, seat).is_empty());
        rules::RANDOM_DESERTION.applies(self.option(state, RuleOption::RandomDesertion))
            && (rules::DESERTION_DIE.applies(true) || !idle())
    }

    /// The die of the first category, for both sides.
    pub(in super::super) fn desertion_chance(&self) -> Chance {
        Chance::Roll { stream: STREAM_ENVIRONMENT, dice: 1, sides: 6 }
    }

    /// O2: a die above the categories is the first of them.
    fn first_category(&self, die: u8) -> u8 {
        if die <= self.content.numbers.desertion.categories { die } else { 1 }
    }

    /// The die by the category that it names.
    pub(in super::super) fn desertion_classes(&self) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        let mut named: Vec<u8> = Vec::new();
        for die in 1..=6 {
            let category = self.first_category(die);
            match named.iter().position(|&other| other == category) {
                Some(known) => classes[known].weight += 1u8,
                None => {
                    named.push(category);
                    let outcome = Outcome::Roll([die].into_iter().collect());
                    classes.push(Class { outcome, weight: BigUint::from(1u8) });
                }
            }
        }
        classes
    }

    /// O2, O7: the die has fallen.
    pub(in super::super) fn random_desertion(&self, state: &mut State, die: u8, out: &mut Events) {
        let first = self.first_category(die);
        let refs = [Ref::Number(die.into()), Ref::Number(first.into())];
        out.emit(|| Event::new("desertion_die", rules::RANDOM_DESERTION, &refs));
        self.begin_selection(state, first);
    }

    /// H1: Parliament selects, then the Royalist.
    fn begin_selection(&self, state: &mut State, first: u8) {
        self.set_desertion_stage(state, stages::SELECTED);
        let left = self.content.turns[state.turn].desertion;
        for seat in rules::DESERTION_SECRECY.gives([ROYALIST, PARLIAMENT], [PARLIAMENT, ROYALIST]) {
            let (done, at, from) = (AreaSet::EMPTY, None, None);
            state.frames.open(Frame::Deserters {
                seat,
                category: first,
                left,
                picked: false,
                done,
                at,
                from,
            });
        }
    }

    /// H1, H14: all who were selected go to their pools, and what follows from it is looked at after that, Parliament's first.
    fn deserters_go(&self, state: &mut State, (code, rule): (&'static str, Rule), out: &mut Events) {
        let all = CounterSet::first_of(self.content.face_of.len());
        let going = state.brigades.marked(all, Marks::DESERTING);
        if going.is_empty() {
            return;
        }
        let counts = SEATS.map(|seat| state.brigades.of_side(&self.content, going, seat).count());
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        // Counters are numbered anew by each that goes.
        while let Some(counter) = self.next_deserter(state) {
            let to = self.pool_place(state, counter);
            state.brigades.put(&self.content, counter, to, Told::Hidden);
        }
        state.brigades.unmark(&self.content, all, Marks::DESERTING);
        scene.publish(self, state, out, || {
            Event::new(code, rule, &counts.map(|count| Ref::Number(count as i32)))
        });
        out.release();
        let of = |seat: Seat| held & state.control[seat.index()];
        let (royalist, parliament) = (of(ROYALIST), of(PARLIAMENT));
        if rules::DESERTION_AFTERMATH.applies(true) {
            // The last that is opened is the first that is carried out.
            self.consequences(state, royalist, Cause::Other, out);
        }
        if state.result.is_none() {
            self.consequences(state, parliament, Cause::Other, out);
        }
    }

    fn next_deserter(&self, state: &State) -> Option<CounterId> {
        let all = CounterSet::first_of(self.content.face_of.len());
        let going = state.brigades.marked(all, Marks::DESERTING);
        going.iter().find(|&counter| state.brigades.get(counter).at.is_of_map())
    }

    /// A Brigade is selected: that one of its place goes is public, which is not (H15).
    pub(in super::super) fn select_deserter(
        &self,
        state: &mut State,
        seat: Seat,
        counter: CounterId,
        (code, rule): (&'static str, Rule),
        out: &mut Events,
    ) {
        let (face, from) = (self.content.face_of[counter], state.brigades.get(counter).at);
        let scene = Scene::open(self, state, 2, out);
        state.brigades.mark(&self.content, CounterSet::one(counter), Marks::DESERTING);
        let place = Ref::from(catalogue::location(&self.content, from));
        let refs = [Ref::Seat(seat), place];
        scene.publish(self, state, out, || {
            Event::new(code, rule, &refs).private(seat, &[Ref::Seat(seat), place, Ref::from(face)], [])
        });
    }

    /// Brigades of a set that are not selected yet.
    pub(in super::super) fn not_deserting(&self, state: &State, counters: CounterSet) -> CounterSet {
        let selected = state.brigades.marked(counters, Marks::DESERTING);
        rules::SELECTED_BRIGADES.gives(counters - selected, counters)
    }
}
