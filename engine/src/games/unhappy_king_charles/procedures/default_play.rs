//! The play of a seat whose time has run out (T24).

use crate::vocabulary::*;

use super::super::actions::{Action, Usage};
use super::super::content::cards::CardKind;
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// T24: of the seats they name themselves; without a pass they play the first card that can be discarded, for nothing. Everywhere else
    /// they pass or are done as soon as they may, and take the first action of the list until then, as seats of other games do.
    pub(in super::super) fn default_play(
        &self,
        state: &State,
        seat: Seat,
        legal: &[ActionId],
    ) -> Option<ActionId> {
        let find = |wanted: &dyn Fn(Action) -> bool| {
            legal.iter().copied().find(|&action| wanted(self.actions.get(action)))
        };
        let choice = match state.frames.top() {
            Some(Frame::FirstPlay { .. }) => find(&|action| action == Action::First(seat)),
            Some(Frame::Play { card: None, .. }) => find(&|action| action == Action::Pass).or_else(|| {
                find(&|action| match action {
                    Action::Card(card) => self.content.cards[card].kind != CardKind::Mandatory,
                    _ => false,
                })
            }),
            Some(Frame::Play { card: Some(_), .. }) => find(&|action| action == Action::Use(Usage::Discard))
                .or_else(|| find(&|action| matches!(action, Action::Use(_)))),
            _ => None,
        };
        choice.filter(|_| rules::DEFAULT_PLAY.applies(true))
    }
}
