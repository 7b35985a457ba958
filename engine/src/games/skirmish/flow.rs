//! The sequence of play: the turn, and which procedure is offered to, examined, carried out, or given the dice.

use crate::flow::Agenda;
use crate::vocabulary::*;

use super::Skirmish;
use super::actions::Action;
use super::frames::Frame;
use super::procedures::battle::battle_classes;
use super::state::State;

crate::dispatch! {
    /// Offers a superset of the legal actions, of the procedure that asks.
    pub(super) impl Skirmish, by |state: State| state.frames.top().copied(), of Action:
    offer_action, examine_action, apply_action;
    Some(Frame::Choose) => (offer_choice, examine_choice, apply_choice)();
    Some(Frame::Activation { marches, .. }) => (offer_activation, examine_activation, apply_activation)(marches);
    Some(Frame::March { from, taken, .. }) => (offer_march, examine_march, apply_march)((from, taken));
    Some(Frame::Interception { to, .. }) => (offer_interception, examine_interception, apply_interception)(to);
    Some(Frame::Battle { at, from, attacker, .. })
        => (offer_retreat, examine_retreat, apply_retreat)((at, from, attacker));
    Some(Frame::Bonus { card, .. }) => (offer_bonus, examine_bonus, apply_bonus)(card);
}

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
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }
}
