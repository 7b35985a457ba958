//! The deal: at the beginning of each turn (2.2).

use crate::cards::pile_of;
use crate::vocabulary::*;

use super::super::catalogue::{DISCARD, HAND, SHOWN};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{Skirmish, rules};

impl Skirmish {
    /// 2.2: a turn begins with its deal.
    pub(in super::super) fn next_turn(&self, state: &mut State, out: &mut Events) {
        let scene = Scene::open(self, state, state.seats(), out);
        state.turn += 1;
        state.cards.gather(SHOWN, DISCARD);
        state.cards.gather(SHOWN + 1, DISCARD);
        state.blocks.iter_mut().for_each(|block| block.marched = false);
        let each = if state.turn == 1 { self.content.first_deal } else { 1 };
        state.frames.open(Frame::Choose);
        let left = rules::DEAL.gives(each * state.seats() as u8, 0);
        state.frames.open(Frame::Deal { left });
        let turn = Ref::Number(state.turn.into());
        scene.publish(self, state, out, || Event::new("turn_begins", rules::DEAL, &[turn]));
    }

    /// 2.2: a card is dealt, of `left` that were to come. The first seat is dealt first; `left` counts down over all seats.
    pub(in super::super) fn deal(&self, state: &mut State, left: u8, card: u16, out: &mut Events) {
        state.frames.open(Frame::Deal { left: left - 1 });
        self.draw(state, state.dealt_seat(left), card, "dealt", out);
    }

    /// 2.2, 6.1: a card comes to a hand: everybody sees its back.
    pub(in super::super) fn draw(
        &self,
        state: &mut State,
        seat: Seat,
        card: u16,
        code: &'static str,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, state.seats(), out);
        let deck = state.next_deck().expect("a card came out of it");
        state.cards.shift(card, deck, pile_of(HAND, seat));
        scene.publish(self, state, out, || self.cards.dealt(code, rules::DEAL, seat, card));
    }
}
