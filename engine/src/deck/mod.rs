//! Sets of cards ([`CardSet`]), and decks in segments ([`Deck`]): what nobody has seen is undrawn, so a deck holds no order, only
//! what can still come.
//!
//! Invariant: where a segment began with two or more tokens, each draw from it has an epoch of its own, by a count that everybody
//! knows (docs/dice.md, Tokens).

use rand_core::Rng;

use crate::chance::{Bag, Chance, Token};
use crate::chance_source::{shuffle, weighted};

mod card_set;
mod coding;
mod plan;

pub use card_set::CardSet;
pub use coding::{DeckKind, DeckOf};
pub use plan::{DeckPlan, DeckPlanError, DeckSegment, SecondBag};

/// The number of a segment's first token; the others follow it. No card of a [`CardSet`] has it.
const TOKENS_FROM: u16 = 128;

/// A deck of `S` segments, one under the other: the cards that can still come, and the tokens that are left. A [`DeckPlan`] says what
/// it was made of, and is the same in every call.
///
/// A deck that is shuffled again from its discards, or one without tokens, needs no more than
/// [`Piles`](crate::cards::Piles).
///
/// ```
/// use edgehill_engine::chance::Chance;
/// use edgehill_engine::deck::{CardSet, DeckPlan, DeckSegment, SecondBag};
///
/// // Two of the rare cards 20 to 23 are among the common ones 0 to 9, nobody sees which; below them lies card 30.
/// let rare = SecondBag { stream: 2, cards: CardSet::of(20..24) };
/// let common = DeckSegment::of_cards(0, CardSet::of(0..10)).with_tokens(2, 0);
/// let last = DeckSegment::of_cards(1, CardSet::of([30]));
/// let plan = DeckPlan::new([common, last], vec![rare])?;
///
/// let mut deck = plan.deck(2);
/// for (epoch, (card, tokens)) in (0..).zip([(21, 2), (7, 1), (20, 1), (3, 0)]) {
///     let Some(Chance::Bag(bag)) = deck.draw(&plan) else { panic!("thirteen cards come") };
///     assert_eq!((bag.epoch, bag.tokens.len()), (epoch, tokens), "each draw has an epoch of its own");
///     assert_eq!(deck.take(&plan, card), Some(0), "a rare card does not say which segment it came from");
/// }
/// assert_eq!((deck.count_of(&plan, 0), deck.count(&plan)), (8, 9));
/// assert!(!deck.can_come(&plan, 0).contains(22), "both tokens have come");
/// # Ok::<(), edgehill_engine::deck::DeckPlanError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Deck<const S: usize> {
    /// Of all segments and second bags, the cards that have not come.
    to_come: CardSet,
    /// The tokens that each segment still holds.
    tokens: [u8; S],
    /// Number of segments that lie in the deck or did, the top ones first.
    laid: u8,
}

impl<const S: usize> Deck<S> {
    /// Lays the next segment under what is left of the deck. There is one.
    pub fn lay(&mut self) {
        debug_assert!(self.laid() < S, "every segment lies in the deck already");
        self.laid += 1;
    }

    /// The number of segments that lie in the deck or did: the first ones of the plan.
    #[must_use]
    pub const fn laid(&self) -> usize {
        self.laid as usize
    }

    /// The number of cards that still come of the segments that are laid.
    #[must_use]
    pub fn count(&self, plan: &DeckPlan<S>) -> u8 {
        (0..self.laid()).map(|segment| self.count_of(plan, segment)).sum()
    }

    /// The number of cards that still come of a segment, laid or not.
    #[must_use]
    pub fn count_of(&self, plan: &DeckPlan<S>, segment: usize) -> u8 {
        self.own(plan, segment).len() as u8 + self.tokens[segment]
    }

    /// The number of cards that have come of a segment: everybody knows it, whatever came.
    #[must_use]
    pub fn drawn_of(&self, plan: &DeckPlan<S>, segment: usize) -> u8 {
        plan.size_of(segment) - self.count_of(plan, segment)
    }

    /// The number of tokens that a segment still holds. Whoever has not seen all cards that came of it does not know it.
    #[must_use]
    pub const fn tokens(&self, segment: usize) -> u8 {
        self.tokens[segment]
    }

    /// The cards of a segment's own that are still to come.
    #[must_use]
    pub fn own(&self, plan: &DeckPlan<S>, segment: usize) -> CardSet {
        self.to_come & plan.cards(segment)
    }

    /// The cards that a segment's tokens can stand for; none without a token.
    #[must_use]
    pub fn behind_tokens(&self, plan: &DeckPlan<S>, segment: usize) -> CardSet {
        match plan.second_bag(segment) {
            Some(second) if self.tokens[segment] > 0 => self.to_come & second.cards,
            _ => CardSet::default(),
        }
    }

    /// The cards that can still come of a segment.
    #[must_use]
    pub fn can_come(&self, plan: &DeckPlan<S>, segment: usize) -> CardSet {
        self.own(plan, segment) | self.behind_tokens(plan, segment)
    }

    /// The segment that the next card comes from; `None` if the deck is used up.
    #[must_use]
    pub fn top(&self, plan: &DeckPlan<S>) -> Option<usize> {
        (0..self.laid()).find(|&segment| self.count_of(plan, segment) > 0)
    }

    /// The draw of the next card; `None` if the deck is used up: then the draw is lost, or the next segment is to be laid.
    ///
    /// Its stream and its epoch follow from how many cards have come, and not from which ones: both are published with the draw, and
    /// may not tell whether a token came before.
    #[must_use]
    pub fn draw(&self, plan: &DeckPlan<S>) -> Option<Chance> {
        let segment = self.top(plan)?;
        let behind: Vec<u16> = self.behind_tokens(plan, segment).iter().collect();
        let bag = match plan.second_bag(segment) {
            Some(second) if plan.cards(segment).is_empty() => {
                Bag { stream: second.stream, epoch: 0, cards: behind, tokens: Vec::new() }
            }
            second => {
                let numbers = TOKENS_FROM..TOKENS_FROM + u16::from(self.tokens[segment]);
                let stream = second.map_or(0, |second| second.stream);
                let token = |number| Token { number, stream, epoch: 0, cards: behind.clone() };
                let epoch = if plan.tokens(segment) > 1 { self.drawn_of(plan, segment).into() } else { 0 };
                let cards = self.own(plan, segment).iter().collect();
                Bag { stream: plan.stream(segment), epoch, cards, tokens: numbers.map(token).collect() }
            }
        };
        Some(Chance::Bag(bag))
    }

    /// Takes out the card that came of [`draw`](Self::draw), and says of which segment; `None` if the deck is used up.
    pub fn take(&mut self, plan: &DeckPlan<S>, card: u16) -> Option<usize> {
        let segment = self.top(plan)?;
        self.take_from(plan, segment, card);
        Some(segment)
    }

    /// Takes out a card that came of a segment, whichever is on top: so that a described position or a view has it.
    pub fn take_from(&mut self, plan: &DeckPlan<S>, segment: usize, card: u16) {
        debug_assert!(self.can_come(plan, segment).contains(card), "the card can't come of this segment");
        if !plan.cards(segment).contains(card) {
            self.tokens[segment] -= 1;
        }
        self.to_come.remove(card);
    }

    /// Puts back a card that came of a segment, as if it had not. With all cards that somebody has not seen put back, the deck is as
    /// far as they know it: [`can_come`](Self::can_come) has the cards that each of them may be.
    pub fn put_back(&mut self, plan: &DeckPlan<S>, segment: usize, card: u16) {
        debug_assert!(!self.to_come.contains(card), "the card has not come");
        if !plan.cards(segment).contains(card) {
            self.tokens[segment] += 1;
        }
        self.to_come.insert(card);
    }

    /// Draws a card of `among` from a segment by a generator, with the odds of [`draw`](Self::draw), and takes it out: a card that
    /// somebody has not seen, in a world that they think possible. `None` if none of these can come.
    ///
    /// Cards that are drawn so from a deck with all unseen ones put back are as likely as they are to somebody who knows no more. With
    /// bounds (`among` lacks some) this holds of each draw and not of all together; draw first where the bounds are narrow.
    pub fn deal(
        &mut self,
        plan: &DeckPlan<S>,
        segment: usize,
        among: CardSet,
        rng: &mut dyn Rng,
    ) -> Option<u16> {
        let (own, behind) = (self.own(plan, segment), self.behind_tokens(plan, segment));
        // With t tokens and n cards behind them, an own card weighs n and a card behind them t.
        let (own_weight, behind_weight) = (behind.len().max(1) as u64, u64::from(self.tokens[segment]));
        let own = (own & among).iter().map(|card| (card, own_weight));
        let weighed = own.chain((behind & among).iter().map(|card| (card, behind_weight)));
        weighed.clone().next()?;
        let card = weighted(weighed, rng);
        self.take_from(plan, segment, card);
        Some(card)
    }

    /// Deals anew, in a true deck, cards that somebody has not seen, each with the segment that it came of: each becomes one of the
    /// same segment, with the odds that a shuffled deck gives all of them together. For the tests of non-interference: it shuffles
    /// where [`deal`](Self::deal) weighs.
    pub fn scramble(&mut self, plan: &DeckPlan<S>, hidden: &mut [(usize, u16)], rng: &mut dyn Rng) {
        for &(segment, card) in &*hidden {
            self.put_back(plan, segment, card);
        }
        let mut orders: Vec<Vec<Option<u16>>> = Vec::with_capacity(S);
        for segment in 0..S {
            let tokens = (0..self.tokens[segment]).map(|_| None);
            let mut order: Vec<_> = self.own(plan, segment).iter().map(Some).chain(tokens).collect();
            shuffle(&mut order, rng);
            orders.push(order);
        }
        let mut second_bags: Vec<Vec<u16>> = Vec::with_capacity(plan.second_bags().len());
        for second in plan.second_bags() {
            let mut order: Vec<u16> = (self.to_come & second.cards).iter().collect();
            shuffle(&mut order, rng);
            second_bags.push(order);
        }
        for (segment, card) in hidden {
            let own = orders[*segment].pop().flatten();
            let dealt = own.or_else(|| second_bags.get_mut(plan.second_index(*segment))?.pop());
            *card = dealt.expect("as many cards as were put back");
            self.take_from(plan, *segment, *card);
        }
    }
}
