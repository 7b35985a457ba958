//! The first play of a Turn (5.5): a seat is named, and the other one may claim it by a Campaign card.

use crate::deck::CardSet;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::SEATS;
use super::super::content::cards::CardKind;
use super::super::content::ids::CardId;
use super::super::frames::Frame;
use super::super::state::{Cards, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// Either seat.
    pub(in super::super) fn offer_first_play(&self, _: &State, _: Seat, offer: &mut impl FnMut(Action)) {
        SEATS.map(Action::First).into_iter().for_each(offer);
    }

    /// T7: they name either seat.
    pub(in super::super) fn examine_first_play(
        &self,
        _: &State,
        _: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        if matches!(action, Action::First(_)) {
            ControlFlow::Continue(())
        } else {
            why.refuse(CONTRACT, "NOT_NOW")
        }
    }

    pub(in super::super) fn apply_first_play(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        let Action::First(first) = action else { unreachable!("an illegal action was applied") };
        let scene = Scene::open(self, state, 2, out);
        state.frames.close();
        state.first = first;
        let campaign = |card: CardId| self.content.cards[card].kind == CardKind::Campaign;
        let could = self.playable(state, first.other()).any(campaign);
        // They are asked without such a card, too: passing over them would show that they have none.
        if could || rules::CLAIM_ASKED.applies(true) {
            state.frames.open(Frame::Claim { seat: first.other() });
        }
        scene.publish(self, state, out, || {
            Event::new("first_named", rules::FIRST_PLAYER, &[Ref::Seat(seat), Ref::Seat(first)])
        });
        out.release();
    }

    /// Every Campaign card that the seat may play, then to pass.
    pub(in super::super) fn offer_claim(&self, state: &State, seat: Seat, offer: &mut impl FnMut(Action)) {
        self.playable(state, seat).map(Action::Card).for_each(&mut *offer);
        offer(Action::Pass);
    }

    /// T8, T9: a Minor or Major Campaign in hand or store; asked in any case.
    pub(in super::super) fn examine_claim(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Pass => ControlFlow::Continue(()),
            Action::Card(card) => {
                why.demand(self.can_play(state, seat, card), rules::STORE, "NOT_IN_HAND", &[card.into()])?;
                let campaign = self.content.cards[card].kind == CardKind::Campaign;
                why.require(campaign, rules::FIRST_PLAY_CLAIM, "NO_CAMPAIGN_CARD", &[card.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_claim(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        state.frames.close();
        if let Action::Card(card) = action {
            let scene = Scene::open(self, state, 2, out);
            (state.first, state.claim) = (seat, Some(card));
            scene.publish(self, state, out, || {
                Event::new("first_claimed", rules::FIRST_PLAY_CLAIM, &[Ref::Seat(seat), card.into()])
            });
            out.revealed();
        } else {
            out.emit(|| Event::new("no_claim", rules::FIRST_PLAY_CLAIM, &[Ref::Seat(seat)]));
        }
    }

    /// The cards that a seat may play or discard: the hand, and the store while stored cards can be played (6.0, T13, T17).
    pub(in super::super) fn playable(
        &self,
        state: &State,
        seat: Seat,
    ) -> impl Iterator<Item = CardId> + Clone {
        Cards::ids(self.playable_cards(state, seat))
    }

    /// See [`UnhappyKing::playable`].
    pub(in super::super) fn playable_cards(&self, state: &State, seat: Seat) -> CardSet {
        let stored = rules::STORE.allows(self.content.turns[state.turn].stored_cards);
        let store = if rules::STORE_USABLE.applies(stored) {
            state.cards.stores[seat.index()]
        } else {
            CardSet::default()
        };
        state.cards.hands[seat.index()] | store
    }

    /// Returns whether a card is among them.
    pub(in super::super) fn can_play(&self, state: &State, seat: Seat, card: CardId) -> bool {
        self.playable(state, seat).any(|playable| playable == card)
    }
}
