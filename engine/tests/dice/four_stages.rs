//! A deck of the shape that Unhappy King Charles! has (4.1, 6.7, 6.8): ten cards of the first deal with the Standard among them, the
//! rest of the Early cards, the League alone, then Mid and Late cards with two Alt-Hist cards each.

use std::ops::Range;

use edgehill_engine::deck::{CardSet, Deck, DeckPlan, DeckSegment, SecondBag};

pub(crate) const FIRST: usize = 0;
pub(crate) const EARLY: usize = 1;
pub(crate) const LEAGUE: usize = 2;
pub(crate) const MID: usize = 3;
pub(crate) const LATE: usize = 4;
pub(crate) const SEGMENTS: usize = 5;

/// Indices of the second bags.
pub(crate) const EARLY_BAG: usize = 0;
pub(crate) const ALT_HIST_BAG: usize = 1;

pub(crate) const EARLY_CARDS: Range<u16> = 0..38;
pub(crate) const MID_CARDS: Range<u16> = 38..65;
pub(crate) const LATE_CARDS: Range<u16> = 65..93;
pub(crate) const ALT_HIST_CARDS: Range<u16> = 93..103;
pub(crate) const STANDARD: u16 = 103;
pub(crate) const LEAGUE_CARD: u16 = 104;

pub(crate) fn plan() -> DeckPlan<SEGMENTS> {
    let segments = [
        DeckSegment::of_cards(7, CardSet::of([STANDARD])).with_tokens(9, EARLY_BAG),
        DeckSegment::of_second_bag(EARLY_BAG, 29),
        DeckSegment::of_cards(11, CardSet::of([LEAGUE_CARD])),
        DeckSegment::of_cards(4, CardSet::of(MID_CARDS)).with_tokens(2, ALT_HIST_BAG),
        DeckSegment::of_cards(5, CardSet::of(LATE_CARDS)).with_tokens(2, ALT_HIST_BAG),
    ];
    let bags = [(3, EARLY_CARDS), (6, ALT_HIST_CARDS)];
    let bags = bags.map(|(stream, cards)| SecondBag { stream, cards: CardSet::of(cards) });
    DeckPlan::new(segments, bags.to_vec()).expect("every card has one place")
}

/// The deck when all that lies above the Mid cards has come.
pub(crate) fn before_mid(plan: &DeckPlan<SEGMENTS>) -> Deck<SEGMENTS> {
    let mut deck = plan.deck(4);
    for card in [STANDARD].into_iter().chain(EARLY_CARDS).chain([LEAGUE_CARD]) {
        deck.take(plan, card);
    }
    deck
}
