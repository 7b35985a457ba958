//! The encoding of decks ([`DeckOf`]).

use std::marker::PhantomData;

use super::{CardSet, Deck, DeckPlan};
use crate::codec::{Coding, DecodeError, Reader, Writer};

/// A kind of decks: a deck of a game, by what its content says of it.
pub trait DeckKind<C, const S: usize> {
    /// The make of the deck.
    fn plan(content: &C) -> &DeckPlan<S>;
}

/// The encoding of a deck of `S` segments of a kind: the cards that can still come, the tokens that each segment holds, and the number
/// of segments that are laid. Only a deck that draws lead to is read.
#[derive(Debug)]
pub struct DeckOf<K, const S: usize>(PhantomData<K>);

impl<C, K: DeckKind<C, S>, const S: usize> Coding<C> for DeckOf<K, S> {
    type Value = Deck<S>;

    fn encode(value: &Deck<S>, to: &mut Writer) {
        to.u128(value.to_come.0);
        value.tokens.iter().for_each(|&tokens| to.u8(tokens));
        to.u8(value.laid);
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Deck<S>, DecodeError> {
        let plan = K::plan(content);
        let mut deck = plan.deck(0);
        let error = from.error("cards of the deck");
        deck.to_come = CardSet(from.u128()?);
        if !(deck.to_come - plan.all_cards()).is_empty() {
            return Err(error);
        }
        for (segment, tokens) in deck.tokens.iter_mut().enumerate() {
            let error = from.error("no more tokens than a segment begins with");
            *tokens = Some(from.u8()?).filter(|&tokens| tokens <= plan.tokens(segment)).ok_or(error)?;
        }
        let error = from.error("the segments that lie in the deck, drawn from the top");
        deck.laid = from.u8()?;
        let fits = deck.laid() <= S && tokens_fit(&deck, plan) && drawn_from_the_top(&deck, plan);
        if fits { Ok(deck) } else { Err(error) }
    }
}

/// Returns whether as many cards of each second bag have come as tokens that stand for them.
fn tokens_fit<const S: usize>(deck: &Deck<S>, plan: &DeckPlan<S>) -> bool {
    plan.second_bags().iter().enumerate().all(|(second, bag)| {
        let of_it = (0..S).filter(|&segment| plan.second_index(segment) == second);
        let come: usize = of_it.map(|segment| usize::from(plan.tokens(segment) - deck.tokens[segment])).sum();
        come == (bag.cards - deck.to_come).len()
    })
}

/// Returns whether no card has come of a segment that is not laid, or that lies under one of which some still come.
fn drawn_from_the_top<const S: usize>(deck: &Deck<S>, plan: &DeckPlan<S>) -> bool {
    let under = deck.top(plan).map_or(deck.laid(), |top| top + 1);
    (under..S).all(|segment| deck.drawn_of(plan, segment) == 0)
}
