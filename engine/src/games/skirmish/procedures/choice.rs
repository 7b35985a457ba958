//! The choice of cards, in secret and at once (2.3).

use crate::cards::pile_of;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::catalogue::{HAND, SHOWN};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{Skirmish, rules};

impl Skirmish {
    /// The cards of the hand, then to commit.
    pub(in super::super) fn offer_choice(&self, state: &State, seat: Seat, offer: &mut impl FnMut(Action)) {
        state.hand(seat).iter().map(Action::Card).for_each(&mut *offer);
        offer(Action::Done);
    }

    pub(in super::super) fn examine_choice(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let picked = state.choice.picked(seat);
        match action {
            Action::Card(card) => {
                why.require(picked.is_none(), rules::CHOICE, "CARD_PICKED", &[])?;
                let held = state.hand(seat).contains(card);
                why.require(held, rules::CHOICE, "NOT_IN_HAND", &[Ref::Card(card)])
            }
            Action::Done => why.require(picked.is_some(), rules::CHOICE, "NO_CARD_PICKED", &[]),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_choice(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Card(card) => {
                *state.choice.pick(seat) = Some(card);
                out.emit(|| Event::only(seat, "picked", rules::CHOICE, &[Ref::Seat(seat), Ref::Card(card)]));
            }
            _ => state.choice.commit(seat),
        }
    }

    /// 2.3: the sealed cards are turned up together.
    pub(in super::super) fn show_cards(&self, state: &mut State, out: &mut Events) {
        state.frames.close();
        state.frames.open(Frame::Act { done: 0 });
        for (index, picked) in state.choice.reveal().into_iter().enumerate() {
            let (seat, Some(card)) = (Seat::new(index as u8), picked) else { continue };
            let scene = Scene::open(self, state, state.seats(), out);
            state.cards.shift(card, pile_of(HAND, seat), pile_of(SHOWN, seat));
            let refs = [Ref::Seat(seat), Ref::Card(card)];
            scene.publish(self, state, out, || Event::new("shown", rules::CHOICE, &refs));
        }
        out.emit(|| Event::new("all_shown", rules::ORDER, &[]));
    }
}
