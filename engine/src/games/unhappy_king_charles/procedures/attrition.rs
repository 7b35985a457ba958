//! Supply Attrition (12.3, H13): each Area with too many Brigades of a side loses one.

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, AreaSet, CounterSet};
use super::super::frames::Frame;
use super::super::state::{Holder, State};
use super::super::{UnhappyKing, rules};
use super::brigade_choice::{BrigadeChoice, ChoiceStep};

impl UnhappyKing {
    /// H13: the next Area in which a side has so many Brigades that it loses one, garrison and all.
    fn starving(&self, state: &State, seat: Seat, done: AreaSet) -> Option<AreaId> {
        let most = u32::from(self.content.numbers.desertion.attrition);
        let starves = |&area: &AreaId| state.brigades_in(&self.content, seat, area).count() >= most;
        (state.occupied(&self.content, seat) - done).iter().find(starves)
    }

    /// Those of whom one is lost to attrition.
    pub(in super::super) fn attrition_choice(
        &self,
        state: &State,
        seat: Seat,
        (done, from): (AreaSet, Option<Holder>),
    ) -> BrigadeChoice {
        let area = self.starving(state, seat, done);
        let among = area.map_or(CounterSet::EMPTY, |area| state.brigades_in(&self.content, seat, area));
        BrigadeChoice { among, allowed: among, from, rule: rules::ATTRITION }
    }

    /// Attrition of a side ends with its last Area; a place is not asked for where there is one only.
    pub(in super::super) fn advance_attrition(
        &self,
        state: &mut State,
        seat: Seat,
        (done, from): (AreaSet, Option<Holder>),
    ) -> bool {
        let choice = self.attrition_choice(state, seat, (done, from));
        if choice.among.is_empty() {
            state.frames.close();
            return true;
        }
        match (from, self.only_holder(state, choice.among)) {
            (None, Some(only)) => {
                if let Some(Frame::Attrition { from, .. }) = state.frames.top_mut() {
                    *from = Some(only);
                }
                true
            }
            _ => false,
        }
    }

    pub(in super::super) fn offer_attrition(
        &self,
        state: &State,
        seat: Seat,
        of: (AreaSet, Option<Holder>),
        offer: &mut impl FnMut(Action),
    ) {
        self.offer_brigades(state, self.attrition_choice(state, seat, of), offer);
    }

    /// H13: any Brigade there.
    pub(in super::super) fn examine_attrition(
        &self,
        state: &State,
        seat: Seat,
        of: (AreaSet, Option<Holder>),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        self.examine_brigades(state, self.attrition_choice(state, seat, of), action, why)
    }

    pub(in super::super) fn apply_attrition(
        &self,
        state: &mut State,
        seat: Seat,
        of: (AreaSet, Option<Holder>),
        action: Action,
        out: &mut Events,
    ) {
        let area = self.starving(state, seat, of.0).expect("a side is asked in an Area that starves");
        let choice = self.attrition_choice(state, seat, of);
        let counter = match self.choice_step(state, choice, action) {
            ChoiceStep::Brigade(counter) => counter,
            ChoiceStep::Place(holder) => {
                let there = choice.among & state.brigades.at(holder);
                if there.count() > 1 {
                    if let Some(Frame::Attrition { from, .. }) = state.frames.top_mut() {
                        *from = Some(holder);
                    }
                    return;
                }
                there.first().expect("somebody is there")
            }
        };
        if let Some(Frame::Attrition { done, from, .. }) = state.frames.top_mut() {
            done.insert(area);
            *from = None;
        }
        self.select_deserter(state, seat, counter, ("starves", rules::ATTRITION), out);
    }
}
