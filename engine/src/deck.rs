//! Decks as segments: what nobody has seen is undrawn, so a deck holds no order, only what can still come.

use arrayvec::ArrayVec;

/// A set of cards numbered 0 to 127.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct CardSet(pub u128);

impl CardSet {
    /// The set of these cards, each below 128.
    #[must_use]
    pub fn of(cards: impl IntoIterator<Item = u16>) -> Self {
        Self(cards.into_iter().fold(0, |set, card| set | 1 << card))
    }

    /// Returns whether `card` is in it.
    #[must_use]
    pub const fn contains(self, card: u16) -> bool {
        self.0 & 1 << card != 0
    }

    /// Adds `card`.
    pub const fn insert(&mut self, card: u16) {
        self.0 |= 1 << card;
    }

    /// Takes `card` out.
    pub const fn remove(&mut self, card: u16) {
        self.0 &= !(1 << card);
    }

    /// Returns the number of cards in it.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards, ascending.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        (0..128).filter(move |&card| self.contains(card))
    }
}

/// A stretch of a deck.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Segment {
    /// One known card at a known depth.
    Fixed(u16),
    /// `slots` cards drawn from `cards`; what the slots leave over never comes.
    Bag {
        /// The cards that can still come.
        cards: CardSet,
        /// Number of them that do; at most as many as there are.
        slots: u8,
    },
}

/// The next draw from a deck.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NextCard {
    /// The deck is used up.
    Empty,
    /// This card, without chance.
    Fixed(u16),
    /// One of these, uniformly: a chance node.
    Drawn(CardSet),
}

/// A deck of at most `N` segments, top first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deck<const N: usize>(ArrayVec<Segment, N>);

impl<const N: usize> Deck<N> {
    /// A deck of these segments, top first; empty ones are dropped.
    ///
    /// # Panics
    /// If there are more than `N`: the game's content checks bound them.
    #[must_use]
    pub fn new(segments: impl IntoIterator<Item = Segment>) -> Self {
        Self(segments.into_iter().filter(|s| !matches!(s, Segment::Bag { slots: 0, .. })).collect())
    }

    /// Returns what comes next.
    #[must_use]
    pub fn next(&self) -> NextCard {
        match self.0.first() {
            None => NextCard::Empty,
            Some(&Segment::Fixed(card)) => NextCard::Fixed(card),
            Some(&Segment::Bag { cards, .. }) => NextCard::Drawn(cards),
        }
    }

    /// Takes the top card, which came out as `card`.
    pub fn take(&mut self, card: u16) {
        let used_up = match self.0.first_mut() {
            None => false,
            Some(Segment::Fixed(_)) => true,
            Some(Segment::Bag { cards, slots }) => {
                cards.remove(card);
                *slots -= 1;
                *slots == 0
            }
        };
        if used_up {
            self.0.remove(0);
        }
    }

    /// Returns the number of cards that are still to come.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|s| if let Segment::Bag { slots, .. } = s { usize::from(*slots) } else { 1 }).sum()
    }

    /// Returns whether the deck is used up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The segments, top first.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }
}
