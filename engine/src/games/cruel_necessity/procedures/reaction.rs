//! Political and Religious Reactions (6.5).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{T_CATHOLICISM, T_MONARCHY, T_PARLIAMENT, T_PURITANISM, TrackId};
use super::super::frames::Frame;
use super::super::state::{Flags, State};
use super::super::{CruelNecessity, rules};
use super::tracks::{Arrow, arrow, grade};

impl CruelNecessity {
    /// A Religious Reaction happens, or is the player's to ignore (T9).
    pub(in super::super) fn open_religious_reaction(&self, state: &mut State, out: &mut Events) {
        if self.reaction_is_asked(state) {
            state.frames.open(Frame::Reaction);
        } else {
            self.react(state, true, out);
        }
    }

    /// Returns whether a Religious Reaction is the player's to ignore: they are immune, and it would move
    /// something (T9).
    fn reaction_is_asked(&self, state: &State) -> bool {
        let moves = [T_PURITANISM, T_CATHOLICISM].iter().any(|&track| self.reaction(state, track).is_some());
        rules::TOLERANCE.applies(state.has(Flags::IMMUNE) && moves)
    }

    pub(in super::super) fn offer_reaction(&self, _: &State, offer: &mut impl FnMut(Action)) {
        offer(Action::Apply);
        offer(Action::Ignore);
    }

    pub(in super::super) fn examine_reaction(
        &self,
        _: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Apply | Action::Ignore => ControlFlow::Continue(()),
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_reaction(&self, state: &mut State, action: Action, out: &mut Events) {
        state.frames.close();
        if action == Action::Apply {
            self.react(state, true, out);
        } else {
            out.emit(|| Event::new("reaction_ignored", rules::TOLERANCE, &[]));
        }
    }

    /// A Political or Religious Reaction (6.5): the markers of a column move towards C.
    pub(in super::super) fn react(&self, state: &mut State, religious: bool, out: &mut Events) {
        let (code, column) = if religious {
            ("religious_reaction", [T_PURITANISM, T_CATHOLICISM])
        } else {
            ("political_reaction", [T_PARLIAMENT, T_MONARCHY])
        };
        out.emit(|| Event::new(code, rules::REACTIONS, &[]));
        if column.iter().all(|&track| self.reaction(state, track).is_none()) {
            out.emit(|| {
                Event::new(
                    "no_reaction",
                    rules::REACTIONS,
                    &column.map(|track| Target::Track(track).reference()),
                )
            });
        }
        for track in column {
            if let Some(up) = self.reaction(state, track) {
                // A pick is never needed: towards C there is always a box.
                if let Arrow::Moves(moved) = arrow(&self.content, state, track, up) {
                    if moved != track {
                        let refs = [Target::Track(track).reference(), Target::Track(moved).reference()];
                        out.emit(|| Event::new("redirected", rules::MIDDLE, &refs));
                    }
                    self.action_marker(state, moved, up, rules::REACTIONS, out);
                }
            }
        }
    }

    /// Returns the direction in which a marker moves in a reaction, if it does.
    pub(in super::super) fn reaction(&self, state: &State, track: TrackId) -> Option<bool> {
        let up = match grade(&self.content, state, track) {
            0 | 1 => Some(false),
            2 => None,
            _ => Some(true),
        };
        rules::REACTIONS.gives(rules::TOWARDS_C.gives(up, None), None)
    }
}
