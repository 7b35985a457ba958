//! The sequence of play: which procedure is offered to, examined, carried out, goes on by itself, or is given the dice.
//!
//! A frame stands at its stage until somebody, or the dice, are asked. A procedure that calls another sets its own next stage first, and
//! then opens the other's frame; once that has closed, [`UnhappyKing::advance`] goes on at that stage.

use crate::vocabulary::*;

use super::UnhappyKing;
use super::actions::Action;
use super::frames::Frame;
use super::state::State;

crate::dispatch! {
    /// Offers a superset of the legal actions, of the procedure that asks.
    pub(super) impl UnhappyKing, by |state: State| state.frames.top().copied(), of Action:
    offer_action, examine_action, apply_action;
    Some(Frame::Removal { .. }) => (offer_nothing, examine_nothing, apply_nothing)();
}

impl UnhappyKing {
    fn offer_nothing(&self, _: &State, _: Seat, _: &mut impl FnMut(Action)) {}

    fn examine_nothing(&self, _: &State, _: Seat, _: Action, why: &mut Why) -> ControlFlow<()> {
        why.refuse(CONTRACT, "NOT_NOW")
    }

    fn apply_nothing(&self, _: &mut State, _: Seat, _: Action, _: &mut Events) {}

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

    /// Whether the innermost procedure waits for dice or a draw.
    fn awaits_chance(&self, _: &State, _: Frame) -> bool {
        false
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
    fn advance(&self, _: &mut State, _: &mut Events) -> bool {
        false
    }

    /// The draw or roll that is due.
    pub(super) fn chance_of(&self, _: &State) -> Chance {
        unreachable!("no procedure asks for dice")
    }

    /// The classes of a roll.
    pub(super) fn classes(&self, _: &State) -> Vec<Class> {
        Vec::new()
    }

    /// Goes on with what chance has brought.
    pub(super) fn resolve_outcome(&self, _: &mut State, _: &Outcome, _: &mut Events) {}
}
