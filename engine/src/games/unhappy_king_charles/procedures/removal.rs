//! Cards removed from a hand at random (6.4, K12 to K14).

use crate::chance::Weighted;
use crate::vocabulary::*;

use super::super::content::cards::CardKind;
use super::super::content::ids::CardId;
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{STREAM_REMOVALS, UnhappyKing, rules};

impl UnhappyKing {
    /// K14: as many as there are. Returns `false` if a card is due.
    pub(in super::super) fn advance_removal(&self, state: &mut State, seat: Seat, left: u8) -> bool {
        let ends = left == 0 || state.cards.hands[seat.index()].is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }

    /// K12: one of the unstored hand, Core Cards among them.
    pub(in super::super) fn removal_chance(&self, state: &State, seat: Seat) -> Chance {
        let (hand, store) = (state.cards.hands[seat.index()], state.cards.stores[seat.index()]);
        let hand = rules::FORCED_REMOVAL.gives(hand, hand | store);
        let options = hand.iter().map(|card| Weighted { what: Ref::Card(card), weight: 1 }).collect();
        Chance::Choice { stream: STREAM_REMOVALS + seat.index() as u32, options }
    }

    /// The card is shown and goes; a Mandatory one takes its effect at once, as if its seat had played it (K13).
    pub(in super::super) fn remove_card(
        &self,
        state: &mut State,
        seat: Seat,
        card: CardId,
        out: &mut Events,
    ) {
        let Some(Frame::Removal { left, .. }) = state.frames.top_mut() else {
            unreachable!("a card is removed within its procedure");
        };
        *left -= 1;
        let scene = Scene::open(self, state, 2, out);
        self.lay_card(state, seat, card, false);
        let mandatory = self.content.cards[card].kind == CardKind::Mandatory;
        if rules::FORCED_MANDATORY.applies(mandatory) {
            self.count_play(state, seat);
            state.frames.open(Frame::Mandatory { seat, card, stage: 0 });
        }
        scene.publish(self, state, out, || {
            Event::new("card_removed", rules::FORCED_REMOVAL, &[Ref::Seat(seat), card.into()])
        });
    }
}
