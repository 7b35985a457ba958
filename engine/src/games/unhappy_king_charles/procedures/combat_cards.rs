//! Combat Cards, and the Earl of Brentford (6.4, 6.6, 10.2, B2, B4).

use crate::deck::CardSet;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::cards::{CardKind, Deck};
use super::super::content::ids::CardId;
use super::super::content::operations::{Operation, Paragraph};
use super::super::frames::Frame;
use super::super::state::{Cards, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// Returns what a Combat Card adds, and whether it makes a Major Victory a Decisive one (10.2).
    #[must_use]
    pub(in super::super) fn combat_card(&self, card: CardId) -> (u8, bool) {
        let combat =
            self.content.lists[self.content.cards[card].list].iter().find_map(|step| match step.operation {
                Operation::Combat { modifier, decisive, .. } => Some((modifier, decisive)),
                _ => None,
            });
        combat.expect("a Combat Card has its modifier")
    }

    /// Returns whether a card serves a side in the Battle: a Combat Card for it, in the role that it asks for.
    fn serves(&self, state: &State, seat: Seat, card: CardId) -> bool {
        let defends = state.ongoing_battle().attacker != seat;
        let of = &self.content.cards[card];
        let fits = |operation: &Operation| matches!(operation, Operation::Combat { defender, .. } if defends || !defender);
        of.kind == CardKind::Combat
            && of.is_for(seat)
            && self.content.lists[of.list].iter().any(|step| fits(&step.operation))
    }

    /// The cards of the bonus set that a seat is playing (B16).
    fn set_in_play(&self, state: &State, seat: Seat) -> CardSet {
        let playing = state.frames.iter().any(|frame| matches!(frame, Frame::Queue));
        let first =
            state.cards.sets.first().filter(|set| rules::BONUS_PLAY.applies(playing && set.seat == seat));
        first.map_or(CardSet::default(), |set| set.cards)
    }

    /// The hand out of which a Combat Card may come: none of a seat that has passed (T15, X4).
    fn combat_hand(&self, state: &State, seat: Seat) -> CardSet {
        if state.passed[seat.index()] { CardSet::default() } else { state.cards.hands[seat.index()] }
    }

    /// X3, T25: whether a seat could hold a Combat Card as far as a spectator knows: Core Cards, and the Mandatory cards that all saw it
    /// get, are none.
    pub(in super::super) fn might_hold_combat_card(&self, state: &State, seat: Seat) -> bool {
        let decks = &self.content.decks;
        let seen = |&card: &CardId| {
            let list = &self.content.lists[self.content.cards[card].list];
            !list.iter().any(|step| step.operation == Operation::Paragraph(Paragraph::Standard))
        };
        let seen = Cards::ids(decks[Deck::Mandatory as usize]).filter(seen);
        let seen = CardSet::of(seen.map(|card| card.index() as u16));
        let hidden = self.combat_hand(state, seat) - decks[Deck::Core as usize] - seen;
        !hidden.is_empty() || !self.set_in_play(state, seat).is_empty()
    }

    /// B2: a side is asked for a Combat Card, if it might have one.
    pub(in super::super) fn ask_combat_card(&self, state: &mut State, seat: Seat) {
        if rules::COMBAT_CARD_WINDOW.applies(self.might_hold_combat_card(state, seat)) {
            state.frames.open(Frame::CombatCard { seat });
        }
    }

    /// The Combat Cards at hand, then none.
    pub(in super::super) fn offer_combat_card(
        &self,
        state: &State,
        seat: Seat,
        offer: &mut impl FnMut(Action),
    ) {
        let cards = self.combat_hand(state, seat) | self.set_in_play(state, seat);
        Cards::ids(cards)
            .filter(|&card| self.content.cards[card].kind == CardKind::Combat)
            .map(Action::Card)
            .for_each(&mut *offer);
        offer(Action::Pass);
    }

    /// 10.2: one that fits.
    pub(in super::super) fn examine_combat_card(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Pass => ControlFlow::Continue(()),
            Action::Card(card) => {
                let held = self.combat_hand(state, seat) | self.set_in_play(state, seat);
                let held = held.contains(card.index() as u16);
                why.demand(held, CONTRACT, "NOT_IN_HAND", &[card.into()])?;
                let combat = self.content.cards[card].kind == CardKind::Combat;
                why.demand(combat, CONTRACT, "NO_COMBAT_CARD", &[card.into()])?;
                let serves = self.serves(state, seat, card);
                why.require(serves, rules::COMBAT_CARD_WINDOW, "COMBAT_CARD_UNFIT", &[card.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_combat_card(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        state.frames.close();
        let Action::Card(card) = action else { return };
        let scene = Scene::open(self, state, 2, out);
        // T10: a Combat Card out of the hand is one of the plays; one of a bonus set is not (10.7).
        if self.combat_hand(state, seat).contains(card.index() as u16) {
            self.count_play(state, seat);
        }
        self.lay_card(state, seat, card, false);
        state.ongoing_battle_mut().cards[seat.index()] = Some(card);
        let refs = [Ref::Seat(seat), Ref::from(card)];
        scene.publish(self, state, out, || Event::new("combat_card", rules::COMBAT_CARD_WINDOW, &refs));
    }

    /// To use the marker, or not.
    pub(in super::super) fn offer_brentford(&self, _: &State, _: Seat, offer: &mut impl FnMut(Action)) {
        offer(Action::Brentford);
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_brentford(
        &self,
        _: &State,
        _: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Brentford | Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_brentford(
        &self,
        state: &mut State,
        _: Seat,
        action: Action,
        out: &mut Events,
    ) {
        self.answer_brentford(state, action == Action::Brentford, out);
    }
}
