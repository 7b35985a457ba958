//! The sequence of play: which procedure is offered to, examined, carried out, goes on by itself, or is given the dice.
//!
//! A frame stands at its stage until somebody, or the dice, are asked. A procedure that calls another sets its own next stage first, and
//! then opens the other's frame; once that has closed, [`UnhappyKing::advance`] goes on at that stage.

use crate::vocabulary::*;

use super::UnhappyKing;
use super::actions::Action;
use super::content::ids::CardId;
use super::frames::Frame;
use super::state::State;

crate::dispatch! {
    /// Offers a superset of the legal actions, of the procedure that asks.
    pub(super) impl UnhappyKing, by |state: State| state.frames.top().copied(), of Action:
    offer_action, examine_action, apply_action;
    Some(Frame::FirstPlay { .. }) => (offer_first_play, examine_first_play, apply_first_play)();
    Some(Frame::Claim { .. }) => (offer_claim, examine_claim, apply_claim)();
    Some(Frame::Placement { .. }) => (offer_placement, examine_placement, apply_placement)();
    Some(Frame::Blockade { done, .. }) => (offer_blockade, examine_blockade, apply_blockade)(done);
    Some(Frame::Markers { frozen, placed, .. }) => (offer_markers, examine_markers, apply_markers)((frozen, placed));
    Some(Frame::Raids { used, .. }) => (offer_raids, examine_raids, apply_raids)(used);
    Some(Frame::Raid { notable, .. }) => (offer_raid, examine_raid, apply_raid)(notable);
}

impl UnhappyKing {
    /// The point at which a state stands.
    pub(super) fn node_of(&self, state: &State) -> Node {
        match state.frames.top() {
            None => Node::Over,
            Some(frame) if self.awaits_chance(state, *frame) => Node::Chance,
            Some(frame) => {
                Node::Decision(frame.asked().expect("a frame that stands asks somebody, or the dice"))
            }
        }
    }

    /// Whether a procedure, if it is the innermost one, waits for dice, a draw or somebody.
    pub(super) fn stands(&self, state: &State, frame: Frame) -> bool {
        self.awaits_chance(state, frame) || frame.asked().is_some()
    }

    /// Whether the innermost procedure waits for dice or a draw.
    fn awaits_chance(&self, _: &State, frame: Frame) -> bool {
        matches!(frame, Frame::Deal { .. } | Frame::Draw { .. } | Frame::Chit)
    }

    /// Goes on until somebody, or the dice, are asked, or the match is over.
    pub(super) fn settle(&self, state: &mut State, out: &mut Events) {
        while state.result.is_none() && self.advance(state, out) {}
        if state.result.is_some() {
            state.frames.clear();
            (state.recruiting, state.activation, state.battle) = (None, None, None);
        }
    }

    /// One step further; `false` if somebody or the dice are asked.
    fn advance(&self, state: &mut State, out: &mut Events) -> bool {
        let Some(&frame) = state.frames.top() else { return false };
        match frame {
            Frame::Turn { phase, step } => self.advance_turn(state, phase, step, out),
            Frame::Deal { left } => return self.advance_deal(state, left, out),
            Frame::Draw { seat, left, bonus } => return self.advance_draw(state, seat, left, bonus, out),
            Frame::Placement { seat } => return self.advance_placement(state, seat),
            Frame::Chit => return self.advance_chit(state),
            Frame::Campaign { seat } => self.advance_campaign(state, seat, out),
            Frame::Blockade { seat, done } => return self.advance_blockade(state, seat, done),
            Frame::Markers { seat, left, frozen, .. } => {
                return self.advance_markers(state, seat, left, frozen);
            }
            Frame::Raids { seat, left, used } => return self.advance_raids(state, seat, left, used),
            _ => return false,
        }
        true
    }

    /// The draw or roll that is due.
    pub(super) fn chance_of(&self, state: &State) -> Chance {
        match state.frames.top() {
            Some(Frame::Deal { .. }) => self.deal_chance(state),
            Some(&Frame::Draw { seat, bonus, .. }) => self.draw_chance(state, seat, bonus),
            Some(Frame::Chit) => self.chit_chance(state),
            _ => unreachable!("a node of chance is a procedure that waits for it"),
        }
    }

    /// The classes of a roll.
    pub(super) fn classes(&self, _: &State) -> Vec<Class> {
        Vec::new()
    }

    /// Goes on with what chance has brought.
    pub(super) fn resolve_outcome(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let frame = *state.frames.top().expect("an outcome is resolved within a procedure");
        match (frame, outcome) {
            (Frame::Deal { left }, &Outcome::Pick(Ref::Card(card))) => {
                self.deal(state, left, CardId::new(card.into()), out);
            }
            (Frame::Draw { seat, left, bonus }, &Outcome::Pick(Ref::Card(card))) => {
                self.draw(state, (seat, left, bonus), CardId::new(card.into()), out);
            }
            (Frame::Chit, &Outcome::Pick(Ref::Number(value))) => self.draw_chit(state, value, out),
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }
}
