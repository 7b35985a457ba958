//! The make of the Draw Deck (4.1, 6.7, 6.8), from the top: the first ten cards, the rest of the Early ones, the Solemn League, the Mid and
//! the Late cards with Alt-Hist cards among them.

use crate::deck::{CardSet, DeckPlan, DeckPlanError, DeckSegment, SecondBag};

use super::super::{STREAM_ALT_HIST, STREAM_DECKS, STREAM_FIRST_DEAL, STREAM_LEAGUE};
use super::DECKS;
use super::cards::Deck;
use super::numbers::Hand;

/// Segments of the deck.
pub const SEGMENTS: usize = 5;
/// The segment of the first deal: the Standard among Early cards (4.1).
pub const FIRST_DEAL: usize = 0;
/// The rest of the Early deck.
pub const EARLY: usize = 1;
/// The Army of the Solemn League and Covenant, on top of the Mid cards (6.7).
pub const LEAGUE: usize = 2;
/// The Mid cards, with Alt-Hist cards among them (6.7).
pub const MID: usize = 3;
/// The Late cards, with Alt-Hist cards among them (6.8).
pub const LATE: usize = 4;

/// The second bag of Early cards, of which the first deal takes some.
const EARLY_BAG: usize = 0;
/// The second bag of Alt-Hist cards.
const ALT_HIST_BAG: usize = 1;

/// The deck of these cards: the Standard and the Solemn League are single cards.
pub(super) fn plan(
    decks: &[CardSet; DECKS],
    standard: u16,
    league: u16,
    hand: Hand,
) -> Result<DeckPlan<SEGMENTS>, DeckPlanError> {
    let of = |deck: Deck| decks[deck as usize];
    let rest = (of(Deck::Early).len() as u8).saturating_sub(hand.first_deal);
    let segments = [
        DeckSegment::of_cards(STREAM_FIRST_DEAL, CardSet::of([standard]))
            .with_tokens(hand.first_deal, EARLY_BAG),
        DeckSegment::of_second_bag(EARLY_BAG, rest),
        DeckSegment::of_cards(STREAM_LEAGUE, CardSet::of([league])),
        DeckSegment::of_cards(STREAM_DECKS + 1, of(Deck::Mid)).with_tokens(hand.alt_hist, ALT_HIST_BAG),
        DeckSegment::of_cards(STREAM_DECKS + 2, of(Deck::Late)).with_tokens(hand.alt_hist, ALT_HIST_BAG),
    ];
    let bags = [(STREAM_DECKS, Deck::Early), (STREAM_ALT_HIST, Deck::AltHist)];
    DeckPlan::new(segments, bags.map(|(stream, deck)| SecondBag { stream, cards: of(deck) }).into())
}
