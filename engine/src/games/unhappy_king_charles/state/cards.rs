//! Strategy Cards: what lies where, and what the deck still holds (4.1, 5.4, 5.5, 6.3, 6.7, 6.8).
//!
//! Invariant: each card lies in one place: in one of these sets, or to come of the deck.

use crate::deck::{CardSet, Deck, DeckKind, DeckPlan};
use crate::seat::Seat;

use super::super::content::Content;
use super::super::content::deck::SEGMENTS;
use super::super::content::ids::CardId;

/// The most bonus sets that may be owed at once (B21).
pub(in super::super) const SETS: usize = 255;

/// The deck of the match, by its plan in the content.
#[derive(Debug)]
pub(in super::super) enum WarDeck {}

impl DeckKind<Content, SEGMENTS> for WarDeck {
    fn plan(content: &Content) -> &DeckPlan<SEGMENTS> {
        &content.deck
    }
}

/// A set of bonus cards that a victory has brought (10.7).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct BonusSet {
    /// The side that won it.
    pub(in super::super) seat: Seat,
    /// Its cards that are not played yet.
    pub(in super::super) cards: CardSet,
    /// Cards that are still to be drawn for it.
    pub(in super::super) due: u8,
    /// Parliament's: what lay in the discard pile when it was drawn, of which others know that it is one (D15).
    pub(in super::super) among: CardSet,
}

/// The cards of the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Cards {
    /// The unstored hand of each seat.
    pub(in super::super) hands: [CardSet; 2],
    /// The stored cards of each seat: Ace in the Hole (6.0).
    pub(in super::super) stores: [CardSet; 2],
    /// Core Cards that were played, until the end of the Turn.
    pub(in super::super) aside: CardSet,
    /// The discard pile.
    pub(in super::super) discard: CardSet,
    /// The Recruitment card of the Turn of each seat (7.3): none, or one card.
    pub(in super::super) recruitment: [CardSet; 2],
    /// Out of the game; Alt-Hist cards that don't come any more stay with the deck.
    pub(in super::super) removed: CardSet,
    /// Put aside at the start: the New Model Army, until it is handed to Parliament (6.8).
    pub(in super::super) waiting: CardSet,
    /// Bonus sets, in the order in which they are played (10.8).
    pub(in super::super) sets: Vec<BonusSet>,
    /// The deck.
    pub(in super::super) deck: Deck<SEGMENTS>,
    /// Alt-Hist cards that came with the Mid cards; those that came later came with the Late ones (D14).
    pub(in super::super) with_mid: CardSet,
    /// Draws from the discard pile so far: each is an epoch of its own.
    pub(in super::super) pile_draws: u8,
    /// The card that Parliament handed over for the New Model Army (D7): both know it while it is in the Royalist's hand or store.
    pub(in super::super) exchanged: Option<CardId>,
}

impl Cards {
    /// Returns whether a seat holds a card, in hand or stored.
    #[must_use]
    pub(in super::super) fn holds(&self, seat: Seat, card: CardId) -> bool {
        (self.hands[seat.index()] | self.stores[seat.index()]).contains(card.index() as u16)
    }

    /// Takes a card from a seat, who has it in hand, stored, or in the bonus set that is being played.
    pub(in super::super) fn take(&mut self, seat: Seat, card: CardId) {
        let number = card.index() as u16;
        self.hands[seat.index()].remove(number);
        self.stores[seat.index()].remove(number);
        if let Some(set) = self.sets.first_mut().filter(|set| set.seat == seat) {
            set.cards.remove(number);
        }
        // D15: a card that is shown is none of those that others think possible.
        for set in &mut self.sets {
            set.among.remove(number);
            if set.cards.is_empty() {
                set.among = CardSet::default();
            }
        }
        if self.exchanged == Some(card) {
            self.exchanged = None;
        }
    }

    /// A set of these cards.
    pub(in super::super) fn ids(cards: CardSet) -> impl Iterator<Item = CardId> + Clone {
        cards.iter().map(|card| CardId::new(card.into()))
    }
}
