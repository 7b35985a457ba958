//! Brigades that an event takes off the map: their owner chooses (6.4, K16).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::operations::{Operation, Removal};
use super::super::frames::Frame;
use super::super::state::{Holder, State, Told};
use super::super::{UnhappyKing, catalogue, rules};
use super::brigade_choice::{BrigadeChoice, ChoiceStep};
use super::consequences::Cause;

impl UnhappyKing {
    fn removal_choice(&self, state: &State, seat: Seat, from: Option<Holder>) -> BrigadeChoice {
        let among = self.removable(state, seat, self.event_operation(state));
        BrigadeChoice { among, allowed: among, from, rule: rules::EVENT_REMOVALS }
    }

    /// As many as there are: the event goes on once nobody is left to take off.
    pub(in super::super) fn advance_event_removals(&self, state: &mut State, seat: Seat, left: u8) -> bool {
        let ends = left == 0 || self.removable(state, seat, self.event_operation(state)).is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }

    /// Places, then faces there.
    pub(in super::super) fn offer_event_removals(
        &self,
        state: &State,
        seat: Seat,
        from: Option<Holder>,
        offer: &mut impl FnMut(Action),
    ) {
        self.offer_brigades(state, self.removal_choice(state, seat, from), offer);
    }

    /// K16: those that the card names.
    pub(in super::super) fn examine_event_removals(
        &self,
        state: &State,
        seat: Seat,
        from: Option<Holder>,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        self.examine_brigades(state, self.removal_choice(state, seat, from), action, why)
    }

    pub(in super::super) fn apply_event_removals(
        &self,
        state: &mut State,
        seat: Seat,
        chosen: Option<Holder>,
        action: Action,
        out: &mut Events,
    ) {
        let operation = self.event_operation(state);
        let step = self.choice_step(state, self.removal_choice(state, seat, chosen), action);
        let Some(Frame::EventRemovals { left, from, .. }) = state.frames.top_mut() else {
            unreachable!("Brigades are taken off within the event that says so");
        };
        let counter = match step {
            ChoiceStep::Place(holder) => {
                *from = Some(holder);
                return;
            }
            ChoiceStep::Brigade(counter) => counter,
        };
        (*left, *from) = (*left - 1, None);
        self.event_did(state);
        let Operation::RemoveBrigades { to, .. } = operation else {
            unreachable!("an event that takes Brigades off");
        };
        let goes = match to {
            Removal::Pool => self.pool_place(state, counter),
            Removal::Out => Holder::OUT,
        };
        let pooled = goes == Holder::pool(seat);
        let face = self.content.face_of[counter];
        let at = Ref::from(catalogue::location(&self.content, state.brigades.get(counter).at));
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        let told = if pooled { Told::Hidden } else { Told::Public };
        state.brigades.put(&self.content, counter, goes, told);
        let named = [Ref::Seat(seat), at, face.into()];
        scene.publish(self, state, out, || {
            let event =
                Event::new("brigade_removed", rules::EVENT_REMOVALS, &named[..if pooled { 2 } else { 3 }]);
            if pooled { event.private(seat, &named, []) } else { event }
        });
        self.consequences(state, held, Cause::Other, out);
    }
}
