//! The Strategy Cards: decks, kinds, and the lists of operations that they carry out (6.0).

use crate::seat::Seat;

use super::Named;
use super::ids::ListId;
use super::operations::Offered;

/// The deck of a card (4.1): what its back shows, but for the Core Cards, which all know.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deck {
    /// Core Cards: each player's two, back in hand every turn (3.0).
    Core,
    /// Mandatory cards (6.5).
    Mandatory,
    /// The Early War.
    Early,
    /// The Mid War, from turn 5 (6.7).
    Mid,
    /// The Late War, when the second deck is drawn (6.8).
    Late,
    /// Alt-Hist cards, two with the Mid War and two with the Late War (6.7, 6.8).
    AltHist,
}

impl Deck {
    /// All decks, in order: the index of what is kept by deck.
    pub const ALL: [Self; super::DECKS] =
        [Self::Core, Self::Mandatory, Self::Early, Self::Mid, Self::Late, Self::AltHist];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["core", "mandatory", "early", "mid", "late", "alt-hist"][self as usize]
    }
}

/// The kind of a card, which says how it is played; its first operation says the rest.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CardKind {
    /// An Operations Card of 1 to 3 (6.1).
    Operations,
    /// A Minor or Major Campaign card (6.1).
    Campaign,
    /// A Combat Card (6.4, 10.2).
    Combat,
    /// A Mandatory card (6.5).
    Mandatory,
    /// An event (6.4).
    Event,
    /// A card that is a Response and nothing else (6.4).
    Response,
}

impl CardKind {
    /// All kinds, in order.
    pub const ALL: [Self; 6] =
        [Self::Operations, Self::Campaign, Self::Combat, Self::Mandatory, Self::Event, Self::Response];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["operations", "campaign", "combat", "mandatory", "event", "response"][self as usize]
    }
}

/// A Strategy Card.
#[derive(Debug)]
pub struct Card {
    /// Its id and title.
    pub named: Named,
    /// Its deck.
    pub deck: Deck,
    /// Its kind.
    pub kind: CardKind,
    /// The only seat that may play it for its operations, of a Core Card its owner; `None`: either.
    pub side: Option<Seat>,
    /// True if it may be played in the enemy's Activation (6.4).
    pub response: bool,
    /// True if its event occurs once a game (6.6).
    pub once: bool,
    /// What it does.
    pub list: ListId,
    /// When its event is offered.
    pub offered: Offered,
}

impl Card {
    /// Returns whether a seat may play it for its operations.
    #[must_use]
    pub fn is_for(&self, seat: Seat) -> bool {
        self.side.is_none_or(|side| side == seat)
    }

    /// Returns whether it can't be stored as an Ace in the Hole (6.0, 6.4).
    #[must_use]
    pub const fn is_never_stored(&self) -> bool {
        matches!(self.deck, Deck::Core | Deck::Mandatory)
            || matches!(self.kind, CardKind::Combat | CardKind::Mandatory)
    }

    /// Returns whether it is an Operations Card in the sense of 3.0: one of 1 to 3, or a Campaign card.
    #[must_use]
    pub const fn is_operations(&self) -> bool {
        matches!(self.kind, CardKind::Operations | CardKind::Campaign)
    }
}
