//! Response cards: played in the enemy's Activation, where its procedures ask (6.4, T18).

use crate::vocabulary::*;

use super::super::content::ids::CardId;
use super::super::content::operations::{Operation, Paragraph};
use super::super::state::State;
use super::super::{UnhappyKing, rules};

/// The occasion of a Response.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum ResponseKind {
    /// An Interception is declared (9.7).
    Interception,
    /// A Royalist Army is next to London (6.6).
    TurnhamGreen,
}

impl UnhappyKing {
    /// Whether a card is a Response of a kind.
    fn responds(&self, card: CardId, kind: ResponseKind) -> bool {
        let def = &self.content.cards[card];
        def.response
            && self.content.lists[def.list].iter().any(|step| match (kind, step.operation) {
                (ResponseKind::Interception, Operation::InterceptModifier { .. }) => true,
                (ResponseKind::TurnhamGreen, Operation::Paragraph(paragraph)) => {
                    paragraph == Paragraph::TurnhamGreen
                }
                _ => false,
            })
    }

    /// The Response of a kind that a seat could play now: theirs by hand or store, of their side, its event not spent. One that has
    /// passed plays none (T15), and cards of a bonus set are none (K17).
    #[must_use]
    pub(in super::super) fn response_card(
        &self,
        state: &State,
        seat: Seat,
        kind: ResponseKind,
    ) -> Option<CardId> {
        if rules::AFTER_PASS.applies(state.passed[seat.index()]) {
            return None;
        }
        self.playable(state, seat).find(|&card| {
            self.responds(card, kind)
                && self.content.cards[card].is_for(seat)
                && !state.spent.contains(card.index() as u16)
        })
    }

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
        if rules::ONCE_A_MATCH.applies(self.content.cards[card].once) {
            state.spent.insert(card.index() as u16);
        }
        scene.publish(self, state, out, || {
            Event::new("plays_response", rules::EVENT, &[Ref::Seat(seat), card.into()])
        });
        out.revealed();
    }
}
