//! Response cards: what playing one does, whoever asks for it (6.4, T10, V3). The windows are of the Activation.

use crate::vocabulary::*;

use super::super::content::ids::CardId;
use super::super::content::operations::Operation;
use super::super::state::State;
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// The number that a Response adds to the roll of an Interception (9.7.2).
    #[must_use]
    pub(in super::super) fn response_modifier(&self, card: CardId) -> u8 {
        let steps = self.content.lists[self.content.cards[card].list].iter();
        let modifiers = steps.filter_map(|step| match step.operation {
            Operation::InterceptModifier { modifier } => Some(modifier),
            _ => None,
        });
        modifiers.sum()
    }

    /// A Response is shown and laid aside; it counts as a play (T10), and changes nothing about who is next (V3). What it does is the
    /// caller's.
    pub(in super::super) fn play_response(
        &self,
        state: &mut State,
        seat: Seat,
        card: CardId,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        self.lay_card(state, seat, card, false);
        self.count_play(state, seat);
        self.spend_event(state, card);
        scene.publish(self, state, out, || {
            Event::new("plays_response", rules::EVENT, &[Ref::Seat(seat), card.into()])
        });
        out.revealed();
    }
}
