//! The sequence of play: the turn, and which procedure is offered to, examined, carried out, or given the dice.

use crate::flow::Agenda;
use crate::vocabulary::*;

use super::Skirmish;
use super::actions::Action;
use super::frames::Frame;
use super::procedures::battle::battle_classes;
use super::state::State;

impl Skirmish {
    /// Goes on until somebody, or the dice, are asked.
    pub(super) fn settle(&self, state: &mut State, out: &mut Events) {
        while state.result.is_none() {
            match state.frames.top().copied() {
                None if state.turn == self.content.turns => self.nightfall(state),
                None => self.next_turn(state, out),
                Some(Frame::Deal { left }) if left == 0 || state.next_deck().is_none() => {
                    state.frames.close();
                }
                Some(Frame::Choose) if state.choice.to_act(state.choosers()).is_empty() => {
                    self.show_cards(state, out)
                }
                Some(Frame::Act { done }) => match state.agenda.take() {
                    Some(seat) => state.frames.open(Frame::Bonus { seat, card: None }),
                    None => self.next_activation(state, done),
                },
                Some(Frame::Bonus { seat, card: None }) if state.next_deck().is_none() => {
                    self.no_bonus(state, seat, out);
                }
                Some(_) => return,
            }
        }
        state.frames.clear();
        state.agenda = Agenda::default();
    }

    /// Offers a superset of the legal actions, in the order of lists.
    pub(super) fn list_candidates(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        let mut offer = |action: Action| into.push(self.actions.id(action));
        match state.frames.top() {
            Some(Frame::Choose) => self.offer_choice(state, seat, &mut offer),
            Some(Frame::Activation { .. }) => self.offer_activation(&mut offer),
            Some(Frame::March { .. }) => self.offer_march(&mut offer),
            Some(&Frame::Interception { to, .. }) => self.offer_interception(to, &mut offer),
            Some(&Frame::Battle { at, .. }) => self.offer_retreat(at, &mut offer),
            Some(Frame::Bonus { .. }) => self.offer_bonus(&mut offer),
            _ => {}
        }
    }

    /// Lists, refuses, explains: the one predicate.
    pub(super) fn examine_action(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match state.frames.top() {
            Some(Frame::Choose) => self.examine_choice(state, seat, action, why),
            Some(&Frame::Activation { marches, .. }) => {
                self.examine_activation(state, seat, marches, action, why)
            }
            Some(&Frame::March { from, taken, .. }) => {
                self.examine_march(state, seat, (from, taken), action, why)
            }
            Some(&Frame::Interception { to, .. }) => self.examine_interception(state, seat, to, action, why),
            Some(&Frame::Battle { at, from, attacker, .. }) => {
                self.examine_retreat(state, seat, (at, from, attacker), action, why)
            }
            Some(Frame::Bonus { .. }) => self.examine_bonus(state, seat, action, why),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// Carries out a legal action.
    pub(super) fn apply_action(&self, state: &mut State, seat: Seat, action: Action, out: &mut Events) {
        match (state.frames.top().copied(), action) {
            (Some(Frame::Choose), _) => self.apply_choice(state, seat, action, out),
            (Some(Frame::Activation { .. }), _) => self.apply_activation(state, seat, action, out),
            (Some(Frame::March { .. }), _) => self.apply_march(state, seat, action, out),
            (Some(Frame::Interception { .. }), _) => self.apply_interception(state, seat, action, out),
            (Some(Frame::Battle { at, .. }), Action::Retreat(to)) => {
                state.frames.close();
                self.retreat(state, seat, at, Some(to), out);
            }
            (Some(Frame::Bonus { card: Some(card), .. }), _) => {
                self.apply_bonus(state, seat, card, action, out)
            }
            _ => debug_assert!(false, "an illegal action was applied"),
        }
    }

    /// The classes of a roll.
    pub(super) fn classes(&self, state: &State) -> Vec<Class> {
        match state.frames.top() {
            Some(&Frame::Battle { at, attacker, .. }) => battle_classes(state, at, attacker),
            _ => self.attempt_classes(),
        }
    }

    /// Goes on with what chance has brought.
    pub(super) fn resolve_outcome(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let frame = state.frames.close();
        match (frame, outcome) {
            (Some(Frame::Deal { left }), &Outcome::Pick(Ref::Card(card))) => {
                self.deal(state, left, card, out)
            }
            (Some(Frame::Bonus { seat, .. }), &Outcome::Pick(Ref::Card(card))) => {
                self.draw_bonus(state, seat, card, out);
            }
            (Some(Frame::Scout { seat, at }), &Outcome::Pick(Ref::Piece(block))) => {
                self.scouted(state, seat, at, block, out);
            }
            (Some(Frame::Interception { asked, by: Some(by), from, to }), Outcome::Roll(dice)) => {
                self.attempt(state, asked, (by, from, to), dice[0], out);
            }
            (Some(frame @ Frame::Battle { at, .. }), &Outcome::Pick(Ref::Kind(face))) => {
                state.frames.open(frame);
                self.draw_face(state, at, face, out);
            }
            (Some(Frame::Battle { at, from, attacker, .. }), Outcome::Roll(dice)) => {
                self.fight(state, at, from, attacker, dice, out);
            }
            _ => debug_assert!(false, "an outcome that the chance event does not admit"),
        }
    }
}
