//! The choice of one Brigade in single steps: the place that it is taken from, then its face.

use crate::ledger::Rule;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{CounterId, CounterSet};
use super::super::content::wide_set::WideSetOf;
use super::super::frames::Frame;
use super::super::state::{Holder, Marks, State, Told};
use super::super::{UnhappyKing, catalogue, rules};
use super::consequences::Cause;

/// A set of places of Brigades on the map.
pub(in super::super) type HolderSet = WideSetOf<Holder>;

/// A Brigade that is to be chosen, all of them on the map.
#[derive(Copy, Clone, Debug)]
pub(in super::super) struct BrigadeChoice {
    /// Those that it is about.
    pub(in super::super) among: CounterSet,
    /// Those of them that a rule allows.
    pub(in super::super) allowed: CounterSet,
    /// The place, once it is chosen.
    pub(in super::super) from: Option<Holder>,
    /// The rule that allows.
    pub(in super::super) rule: Rule,
}

/// A step of the choice.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum ChoiceStep {
    /// The place is chosen.
    Place(Holder),
    /// The Brigade is chosen.
    Brigade(CounterId),
}

impl UnhappyKing {
    /// The places of Brigades that are on the map.
    #[must_use]
    pub(in super::super) fn holders_of(&self, state: &State, counters: CounterSet) -> HolderSet {
        counters.iter().map(|counter| state.brigades.get(counter).at).collect()
    }

    /// The only place of these Brigades, if they are all at one.
    #[must_use]
    pub(in super::super) fn only_holder(&self, state: &State, counters: CounterSet) -> Option<Holder> {
        let first = state.brigades.get(counters.first()?).at;
        counters.is_within(state.brigades.at(first)).then_some(first)
    }

    /// The Brigade that is chosen without asking, of faces that everybody sees: all that are allowed stand at one place and look alike.
    #[must_use]
    pub(in super::super) fn only_face(&self, state: &State, choice: BrigadeChoice) -> Option<CounterId> {
        let counters = match choice.from {
            Some(holder) => choice.allowed & state.brigades.at(holder),
            None => choice.allowed & state.brigades.at(self.only_holder(state, choice.allowed)?),
        };
        let first = counters.first()?;
        let alike = self.content.faces[self.content.face_of[first]].counters();
        counters.is_within(alike).then_some(first)
    }

    /// The places, or the faces at the place that was chosen.
    pub(in super::super) fn offer_brigades(
        &self,
        state: &State,
        choice: BrigadeChoice,
        offer: &mut impl FnMut(Action),
    ) {
        match choice.from {
            None => self.holders_of(state, choice.among).iter().map(Action::From).for_each(offer),
            Some(holder) => {
                let there = choice.among & state.brigades.at(holder);
                state.brigades.faces(&self.content, there).iter().map(Action::Brigade).for_each(offer);
            }
        }
    }

    /// A place with Brigades that are allowed, then the face of one of them.
    pub(in super::super) fn examine_brigades(
        &self,
        state: &State,
        choice: BrigadeChoice,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let place = |holder| Ref::from(catalogue::location(&self.content, holder));
        match (choice.from, action) {
            (None, Action::From(holder)) => {
                let there = choice.among & state.brigades.at(holder);
                why.demand(!there.is_empty(), CONTRACT, "NO_BRIGADE_THERE", &[place(holder)])?;
                let meets = there.meets(choice.allowed);
                why.require(meets, choice.rule, "OTHERS_COME_FIRST", &[place(holder)])
            }
            (Some(holder), Action::Brigade(face)) => {
                let there = choice.among & state.brigades.at(holder) & self.content.faces[face].counters();
                let refs = [Ref::from(face), place(holder)];
                why.demand(!there.is_empty(), CONTRACT, "BRIGADE_NOT_THERE", &refs)?;
                let meets = there.meets(choice.allowed);
                why.require(meets, choice.rule, "OTHERS_COME_FIRST", &[place(holder)])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// The step that a legal action of such a choice is.
    #[must_use]
    pub(in super::super) fn choice_step(
        &self,
        state: &State,
        choice: BrigadeChoice,
        action: Action,
    ) -> ChoiceStep {
        match (choice.from, action) {
            (None, Action::From(holder)) => ChoiceStep::Place(holder),
            (Some(holder), Action::Brigade(face)) => {
                let there = choice.among & state.brigades.at(holder);
                let allowed = state.brigades.of_face(&self.content, there & choice.allowed, face);
                let counter = allowed.or_else(|| state.brigades.of_face(&self.content, there, face));
                ChoiceStep::Brigade(counter.expect("a face was offered that is there"))
            }
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// A step of a side that gives Brigades up for good: by the New Model Army (6.5), or by the Laughter of the Court (18.4).
    pub(in super::super) fn apply_given_up(
        &self,
        state: &mut State,
        seat: Seat,
        choice: BrigadeChoice,
        action: Action,
        out: &mut Events,
    ) {
        let step = self.choice_step(state, choice, action);
        let Some(Frame::ModelLosses { left, from, .. } | Frame::Laughter { left, from, .. }) =
            state.frames.top_mut()
        else {
            unreachable!("Brigades are given up within the procedure that says so");
        };
        let counter = match step {
            ChoiceStep::Place(holder) => {
                *from = Some(holder);
                return;
            }
            ChoiceStep::Brigade(counter) => counter,
        };
        (*left, *from) = (*left - 1, None);
        let face = self.content.face_of[counter];
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        state.brigades.put(&self.content, counter, Holder::OUT, Told::Public);
        let refs = [Ref::Seat(seat), Ref::from(face)];
        scene.publish(self, state, out, || Event::new("brigade_given_up", choice.rule, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// R19: where a Brigade goes that can be recruited again: to its pool; Irish off the map, foreigners and turncoats out of the game.
    #[must_use]
    pub(in super::super) fn pool_place(&self, state: &State, counter: CounterId) -> Holder {
        let faction = self.content.faces[self.content.face_of[counter]].faction;
        let turned = state.brigades.get(counter).marks.contains(Marks::TURNED);
        if rules::NO_POOL.applies(turned || faction.is_foreign()) {
            Holder::OUT
        } else if rules::NO_POOL.applies(faction == Faction::Irish) {
            Holder::AWAY
        } else {
            rules::LOSSES_TO_POOL.gives(Holder::pool(faction.seat()), Holder::LOST)
        }
    }
}
