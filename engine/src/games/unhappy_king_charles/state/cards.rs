//! Strategy Cards: what lies where, and what the deck still holds (4.1, 5.4, 5.5, 6.3, 6.7, 6.8).
//!
//! Invariant: each card lies in one place. What has not been drawn is undrawn: a stage of the deck is the cards that can still come.

use arrayvec::ArrayVec;

use crate::deck::CardSet;
use crate::seat::Seat;

/// The most bonus sets that may be owed at once (B21).
pub(in super::super) const SETS: usize = 255;

/// A set of bonus cards that a victory has brought (10.7).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct BonusSet {
    /// The side that won it.
    pub(in super::super) seat: Seat,
    /// Its cards that are not played yet.
    pub(in super::super) cards: CardSet,
    /// Parliament's: what lay in the discard pile when it was drawn, of which others know that it is one (D15).
    pub(in super::super) among: CardSet,
}

/// The cards of the match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in super::super) struct Cards {
    /// The unstored hand of each seat.
    pub(in super::super) hands: [CardSet; 2],
    /// The stored cards of each seat: Ace in the Hole (6.0).
    pub(in super::super) stores: [CardSet; 2],
    /// Core Cards that were played, until the end of the Turn.
    pub(in super::super) aside: CardSet,
    /// The discard pile.
    pub(in super::super) discard: CardSet,
    /// The Recruitment cards of the Turn, by seat (7.3).
    pub(in super::super) recruitment: [CardSet; 2],
    /// Out of the game.
    pub(in super::super) removed: CardSet,
    /// Bonus sets, in the order in which they are played (10.8).
    pub(in super::super) sets: Vec<BonusSet>,
    /// Cards that can still come of the Early, Mid and Late decks.
    pub(in super::super) undrawn: [CardSet; 3],
    /// Alt-Hist cards that nobody has seen, of which some are among the Mid and Late decks.
    pub(in super::super) alt_hist: CardSet,
    /// Alt-Hist cards that are still to come with the Mid and with the Late deck (6.7, 6.8).
    pub(in super::super) tokens: [u8; 2],
    /// Alt-Hist cards that came with the Mid and with the Late deck, and were shown since (D14).
    pub(in super::super) came: [CardSet; 2],
    /// Draws so far from the bags that hold several tokens: the first deal, Mid, Late (D13); and from the discard pile.
    pub(in super::super) draws: [u8; 4],
    /// The card that Parliament handed over for the New Model Army (D7): both know it while it is in the Royalist's hand.
    pub(in super::super) exchanged: Option<u16>,
}

/// A list of bonus sets, while it is read from bytes.
pub(in super::super) type Sets = ArrayVec<BonusSet, SETS>;
