//! Turn state of a match: the node, the prompt, the path of procedures, the window, what is owed.

use crate::view::{Entitlement, Phrase, Procedure, TurnState, Window};
use crate::vocabulary::*;

use super::actions::Action;
use super::frames::Frame;
use super::state::State;
use super::{Skirmish, rules};

/// The turn state that an observer sees.
pub(super) fn turn_state(game: &Skirmish, state: &State, observer: Observer) -> TurnState {
    let procedures = state.frames.iter().map(|frame| procedure(game, frame, observer));
    let owed = |&seat: &Seat| Entitlement {
        seat,
        what: Phrase::new("bonus_owed", &[Ref::Seat(seat)]),
        rule: rules::BONUS,
    };
    TurnState {
        window: window(game, state),
        entitlements: state.agenda.iter().map(owed).collect(),
        ..TurnState::of(game, state, state.choice.committed(), prompt(state), procedures)
    }
}

fn prompt(state: &State) -> Phrase {
    let space = |at: u8| Ref::Space(at.into());
    match state.frames.top().copied() {
        None => Phrase::new("over", &[]),
        Some(Frame::Choose | Frame::Act { .. }) => Phrase::new("choose", &[Ref::Number(state.turn.into())]),
        Some(Frame::Deal { left }) => Phrase::new("card_due", &[Ref::Seat(state.dealt_seat(left))]),
        Some(Frame::Activation { seat, marches }) => {
            Phrase::new("act", &[Ref::Seat(seat), Ref::Number(marches.into())])
        }
        Some(Frame::March { seat, from, to, .. }) => {
            Phrase::new("march", &[Ref::Seat(seat), space(from), space(to)])
        }
        Some(Frame::Interception { asked, by: None, to, .. }) => {
            Phrase::new("intercept", &[Ref::Seat(asked), space(to)])
        }
        Some(Frame::Interception { to, .. }) => Phrase::new("die_due", &[space(to)]),
        Some(Frame::Battle { at, beaten: Some(seat), .. }) => {
            Phrase::new("retreat", &[Ref::Seat(seat), space(at)])
        }
        Some(Frame::Battle { at, .. }) if state.undrawn(at).is_some() => {
            Phrase::new("face_due", &[space(at)])
        }
        Some(Frame::Battle { at, .. }) => Phrase::new("dice_due", &[space(at)]),
        Some(Frame::Bonus { seat, card: None }) => Phrase::new("card_due", &[Ref::Seat(seat)]),
        Some(Frame::Bonus { seat, card: Some(_) }) => Phrase::new("bonus", &[Ref::Seat(seat)]),
        Some(Frame::Scout { at, .. }) => Phrase::new("back_due", &[space(at)]),
    }
}

fn window(game: &Skirmish, state: &State) -> Option<Window> {
    let &Frame::Interception { asked, by: None, to, .. } = state.frames.top()? else { return None };
    Some(Window {
        code: "interception",
        rule: rules::INTERCEPTION,
        seat: asked,
        procedure: state.activation(),
        // A block that enters the camp attacks it, even if nobody is there.
        attacked: game.content.camps[asked.index()] == to,
        pass_action: game.actions.id(Action::Pass),
    })
}

/// A frame as public facts show it; the blocks taken along and the face of the bonus card are told to
/// their seat alone.
fn procedure(game: &Skirmish, frame: &Frame, observer: Observer) -> Procedure {
    let procedure = frame.procedure(&game.content, observer);
    match frame {
        Frame::Interception { by: Some(_), .. } => Procedure { rule: rules::ATTEMPT, ..procedure },
        _ => procedure,
    }
}
