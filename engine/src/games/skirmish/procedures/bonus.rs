//! Bonus cards: drawn by who holds a field, then kept or spent on a back (6.1, 6.2).

use crate::cards::pile_of;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::catalogue::{DISCARD, HAND};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{Skirmish, rules};

impl Skirmish {
    /// 6.1: with the deck used up there is none.
    pub(in super::super) fn no_bonus(&self, state: &mut State, seat: Seat, out: &mut Events) {
        state.frames.close();
        out.emit(|| Event::new("no_bonus", rules::BONUS, &[Ref::Seat(seat)]));
    }

    /// 6.1: a bonus card is drawn.
    pub(in super::super) fn draw_bonus(&self, state: &mut State, seat: Seat, card: u16, out: &mut Events) {
        state.frames.open(Frame::Bonus { seat, card: Some(card) });
        self.draw(state, seat, card, "bonus_drawn", out);
    }

    /// Every space, then to keep the card.
    pub(in super::super) fn offer_bonus(
        &self,
        _: &State,
        _: Seat,
        _: Option<u16>,
        offer: &mut impl FnMut(Action),
    ) {
        (0..self.content.roads.len() as u8).map(Action::Scout).for_each(&mut *offer);
        offer(Action::Keep);
    }

    /// 6.2: backs of the enemy are there.
    pub(in super::super) fn examine_bonus(
        &self,
        state: &State,
        seat: Seat,
        _: Option<u16>,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Scout(at) => {
                let backs = state.backs(seat.other(), at).next().is_some();
                why.require(backs, rules::SCOUTING, "NO_BACKS", &[Ref::Space(at.into())])
            }
            Action::Keep => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_bonus(
        &self,
        state: &mut State,
        seat: Seat,
        card: Option<u16>,
        action: Action,
        out: &mut Events,
    ) {
        let card = card.expect("a bonus card is drawn before its seat is asked");
        let who = Ref::Seat(seat);
        let Action::Scout(at) = action else {
            state.frames.close();
            return out.emit(|| Event::new("kept", rules::SCOUTING, &[who]));
        };
        let scene = Scene::open(self, state, state.seats(), out);
        state.frames.close();
        state.cards.shift(card, pile_of(HAND, seat), DISCARD);
        state.frames.open(Frame::Scout { seat, at });
        let refs = [who, Ref::Space(at.into()), Ref::Card(card)];
        scene.publish(self, state, out, || Event::new("scouts", rules::SCOUTING, &refs));
    }

    /// 6.2: a back is turned up.
    pub(in super::super) fn scouted(
        &self,
        state: &mut State,
        seat: Seat,
        at: u8,
        block: u16,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, state.seats(), out);
        let found = &mut state.blocks[usize::from(block)];
        found.seen = true;
        let refs = [Ref::Kind(found.face.into()), Ref::Space(at.into()), Ref::Seat(seat)];
        scene.publish(self, state, out, || Event::new("scouted", rules::SCOUTING, &refs));
    }
}
