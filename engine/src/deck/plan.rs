//! The make of a deck: its segments, and the bags that tokens stand for ([`DeckPlan`]).

use thiserror::Error;

use super::{CardSet, Deck};

/// A part of a deck, whose cards come in an order that nobody knows: cards of its own, all of which come, and tokens.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct DeckSegment {
    stream: u32,
    cards: CardSet,
    tokens: u8,
    second: usize,
}

/// Cards of which some come, each by a token of a segment. Segments may share one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SecondBag {
    /// The stream of the match's seed that it uses, and nothing else does.
    pub stream: u32,
    /// All of them.
    pub cards: CardSet,
}

/// The make of a deck of `S` segments, the top one first: what never changes of it, by the content of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckPlan<const S: usize> {
    segments: [DeckSegment; S],
    second_bags: Vec<SecondBag>,
}

/// The error of a deck that can't be made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DeckPlanError {
    /// A segment of which no card comes.
    #[error("segment {0} of the deck has no cards")]
    Empty(usize),
    /// A card that lies in two segments or second bags, or in one of each.
    #[error("card {0} has two places in the deck")]
    Repeated(u16),
    /// Tokens for a second bag that there is not.
    #[error("segment {segment} of the deck draws from second bag {second} of {bags}")]
    NoSuchBag {
        /// Index of the segment.
        segment: usize,
        /// Index that it names.
        second: usize,
        /// Number of second bags.
        bags: usize,
    },
    /// Tokens of all segments, for more cards than there are.
    #[error("{tokens} tokens draw from second bag {second}, which has {cards} cards")]
    Tokens {
        /// Index of the second bag.
        second: usize,
        /// Number of tokens.
        tokens: usize,
        /// Number of its cards.
        cards: usize,
    },
    /// A stream that two segments or second bags use.
    #[error("stream {0} is used twice in the deck")]
    Stream(u32),
}

impl DeckSegment {
    /// These cards, all of which come. The draws from it have `stream` for themselves.
    #[must_use]
    pub const fn of_cards(stream: u32, cards: CardSet) -> Self {
        Self { stream, cards, tokens: 0, second: 0 }
    }

    /// `tokens` more cards are shuffled in: any of a second bag, by its index in the plan.
    #[must_use]
    pub const fn with_tokens(self, tokens: u8, second: usize) -> Self {
        Self { tokens, second, ..self }
    }

    /// `count` cards of a second bag, by its index in the plan, and no others: they are drawn from that bag itself, under its stream.
    #[must_use]
    pub const fn of_second_bag(second: usize, count: u8) -> Self {
        Self { stream: 0, cards: CardSet(0), tokens: count, second }
    }
}

impl<const S: usize> DeckPlan<S> {
    /// Of these segments, the top one first, and the second bags that they name.
    ///
    /// # Errors
    /// If a segment is empty, a card or a stream is there twice, or tokens have no cards to stand for.
    pub fn new(segments: [DeckSegment; S], second_bags: Vec<SecondBag>) -> Result<Self, DeckPlanError> {
        let bags = second_bags.len();
        for (index, segment) in segments.iter().enumerate() {
            if segment.cards.is_empty() && segment.tokens == 0 {
                return Err(DeckPlanError::Empty(index));
            }
            if segment.tokens > 0 && segment.second >= bags {
                return Err(DeckPlanError::NoSuchBag { segment: index, second: segment.second, bags });
            }
        }
        let mut lying = CardSet::default();
        let mut streams = Vec::new();
        let own = segments.iter().map(|segment| (segment.stream, segment.cards));
        let own = own.filter(|(_, cards)| !cards.is_empty());
        for (stream, cards) in own.chain(second_bags.iter().map(|bag| (bag.stream, bag.cards))) {
            if let Some(card) = (lying & cards).iter().next() {
                return Err(DeckPlanError::Repeated(card));
            }
            if streams.contains(&stream) {
                return Err(DeckPlanError::Stream(stream));
            }
            lying = lying | cards;
            streams.push(stream);
        }
        for (second, bag) in second_bags.iter().enumerate() {
            let of_it = segments.iter().filter(|segment| segment.second == second);
            let tokens = of_it.map(|segment| usize::from(segment.tokens)).sum();
            if tokens > bag.cards.len() {
                return Err(DeckPlanError::Tokens { second, tokens, cards: bag.cards.len() });
            }
        }
        Ok(Self { segments, second_bags })
    }

    /// The deck before its first draw; the first `laid` segments lie in it (at most `S`), the others wait for
    /// [`Deck::lay`].
    #[must_use]
    pub fn deck(&self, laid: usize) -> Deck<S> {
        debug_assert!(laid <= S, "there are no more segments");
        Deck {
            to_come: self.all_cards(),
            tokens: self.segments.map(|segment| segment.tokens),
            laid: laid.min(S) as u8,
        }
    }

    /// The cards of a segment's own.
    #[must_use]
    pub const fn cards(&self, segment: usize) -> CardSet {
        self.segments[segment].cards
    }

    /// The number of tokens that a segment begins with.
    #[must_use]
    pub const fn tokens(&self, segment: usize) -> u8 {
        self.segments[segment].tokens
    }

    /// The number of cards that come of a segment in all, at most 128.
    #[must_use]
    pub const fn size_of(&self, segment: usize) -> u8 {
        self.cards(segment).len() as u8 + self.tokens(segment)
    }

    /// The segment that has a card of its own; `None` for cards of second bags, and those of no deck.
    #[must_use]
    pub fn segment_of(&self, card: u16) -> Option<usize> {
        self.segments.iter().position(|segment| segment.cards.contains(card))
    }

    /// The second bags, in the order of their indices.
    #[must_use]
    pub fn second_bags(&self) -> &[SecondBag] {
        &self.second_bags
    }

    /// The second bag of a segment that begins with tokens.
    #[must_use]
    pub fn second_bag(&self, segment: usize) -> Option<SecondBag> {
        let bag = self.second_bags.get(self.second_index(segment)).copied();
        bag.filter(|_| self.tokens(segment) > 0)
    }

    /// The index of that bag.
    pub(super) const fn second_index(&self, segment: usize) -> usize {
        self.segments[segment].second
    }

    /// The stream of a segment with cards of its own.
    pub(super) const fn stream(&self, segment: usize) -> u32 {
        self.segments[segment].stream
    }

    /// All cards of its segments and second bags.
    pub(super) fn all_cards(&self) -> CardSet {
        let own = self.segments.iter().map(|segment| segment.cards);
        own.chain(self.second_bags.iter().map(|bag| bag.cards))
            .fold(CardSet::default(), |all, cards| all | cards)
    }
}
