//! Activations: the seats act in the order of their cards, and march (2.4, 3.1).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{Skirmish, rules};

impl Skirmish {
    /// 2.4: the next seat in the order of the cards acts.
    pub(in super::super) fn next_activation(&self, state: &mut State, done: u8) {
        let mut order: Vec<Seat> = SeatSet::first(state.seats()).iter().collect();
        let number =
            |seat: &Seat| state.shown(*seat).map_or(0, |card| self.content.cards[usize::from(card)].number);
        if rules::ORDER.applies(true) {
            order.sort_by_key(|seat| std::cmp::Reverse(number(seat)));
        }
        state.frames.close();
        if let Some(&seat) = order.get(usize::from(done)) {
            let marches = state.shown(seat).map_or(1, |card| self.content.cards[usize::from(card)].marches);
            state.frames.open(Frame::Act { done: done + 1 });
            state.frames.open(Frame::Activation { seat, marches });
        }
    }

    /// Every road, then to rest.
    pub(in super::super) fn offer_activation(
        &self,
        _: &State,
        _: Seat,
        _: u8,
        offer: &mut impl FnMut(Action),
    ) {
        self.content.roads().for_each(|(from, to)| offer(Action::March(from, to)));
        offer(Action::Done);
    }

    /// 3.1: marches are left, and somebody there has not marched.
    pub(in super::super) fn examine_activation(
        &self,
        state: &State,
        seat: Seat,
        marches: u8,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::March(from, _) => {
                why.require(marches > 0, rules::MARCHES, "NO_MARCHES_LEFT", &[])?;
                let ready = state.stack(seat, from).iter().any(|&block| !state.blocks[block].marched);
                why.require(ready, rules::MARCHES, "NOBODY_TO_MARCH", &[Ref::Space(from.into())])
            }
            Action::Done => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_activation(
        &self,
        state: &mut State,
        seat: Seat,
        _: u8,
        action: Action,
        out: &mut Events,
    ) {
        if let Action::March(from, to) = action {
            if let Some(Frame::Activation { marches, .. }) = state.frames.top_mut() {
                *marches = marches.saturating_sub(1);
            }
            state.frames.open(Frame::March { seat, from, to, taken: 0 });
            return;
        }
        state.frames.close();
        out.emit(|| Event::new("rests", rules::MARCHES, &[Ref::Seat(seat)]));
        self.check_camp(state, seat);
    }
}
