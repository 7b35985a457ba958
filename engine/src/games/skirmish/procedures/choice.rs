//! The choice of cards, in secret and at once (2.3).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::{Seat, SeatSet};

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::{Choosing, State};
use super::super::{Skirmish, rules};

impl Skirmish {
    /// The cards of the hand, then to commit.
    pub(in super::super) fn offer_choice(&self, state: &State, seat: Seat, offer: &mut impl FnMut(Action)) {
        state.hands[seat.index()].iter().map(Action::Card).for_each(&mut *offer);
        offer(Action::Done);
    }

    pub(in super::super) fn examine_choice(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let picked = state.choosing[seat.index()].picked;
        match action {
            Action::Card(card) => {
                why.require(picked.is_none(), rules::CHOICE, "CARD_PICKED", &[])?;
                let held = state.hands[seat.index()].contains(card);
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
        let choosing = &mut state.choosing[seat.index()];
        match action {
            Action::Card(card) => {
                choosing.picked = Some(card);
                out.emit(|| Event::only(seat, "picked", rules::CHOICE, &[Ref::Seat(seat), Ref::Card(card)]));
            }
            _ => choosing.committed = true,
        }
    }

    /// 2.3: the sealed cards are turned up together.
    pub(in super::super) fn show_cards(&self, state: &mut State, out: &mut Events) {
        state.frames.close();
        state.frames.open(Frame::Act { done: 0 });
        for seat in SeatSet::first(state.seats()).iter() {
            let Choosing { picked: Some(card), .. } = std::mem::take(&mut state.choosing[seat.index()])
            else {
                continue;
            };
            let scene = Scene::open(self, state, state.seats(), out);
            state.hands[seat.index()].remove(card);
            state.shown[seat.index()] = Some(card);
            let refs = [Ref::Seat(seat), Ref::Card(card)];
            scene.publish(self, state, out, || Event::new("shown", rules::CHOICE, &refs));
        }
        out.emit(|| Event::new("all_shown", rules::ORDER, &[]));
    }
}
