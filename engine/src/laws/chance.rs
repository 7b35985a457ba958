//! Law `chance`: what is rolled or drawn, how the rules sort it, and what comes of it agree exactly.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;

use crate::chance::{Bag, CHOICE_OPTIONS_MAX, Chance, Outcome, ROLL_DICE_MAX, Token, all_rolls};
use crate::chance_source::sampled;
use crate::event::{ChanceRef, Events};
use crate::game::{Game, Node};

use super::failure::{broken, ensure, same};
use super::{Law, LawResult};

/// The most outcomes of a roll that are walked one by one.
const WALKED: usize = 1_296;
/// Number of random outcomes of a larger roll that are tried.
const TRIED: usize = 24;
/// The greatest sum of a choice's weights.
const TOTAL_MAX: u64 = 1 << 32;

/// The chance event at `state`, if it stands at one.
///
/// # Errors
/// If its shape, its classes or its events are not as they should be.
pub fn chance<G: Game>(game: &G, state: &G::State, rng: &mut ChaCha8Rng) -> LawResult {
    if game.node(state) != Node::Chance {
        return Ok(());
    }
    let chance = game.chance(state);
    shape(&chance)?;
    let classes = game.classes(state);
    let sum: BigUint = classes.iter().map(|class| class.weight.clone()).sum();
    ensure(sum == chance.total(), Law::Chance, || {
        format!("the classes weigh {sum}, all outcomes {}: {chance:?}", chance.total())
    })?;
    // Results that the rules tell apart may still lead to one state: a block lost to a hit, or for want of a way out.
    let mut results: Vec<(G::State, BigUint)> = Vec::with_capacity(classes.len());
    for (index, class) in classes.iter().enumerate() {
        ensure(class.weight != BigUint::ZERO, Law::Chance, || format!("{:?} weighs nothing", class.outcome))?;
        let fit = chance.admits(&class.outcome);
        ensure(fit.is_ok(), Law::Chance, || {
            format!("{:?} stands for a class, and does not fit: {fit:?}", class.outcome)
        })?;
        ensure(classes[..index].iter().all(|other| other.outcome != class.outcome), Law::Chance, || {
            format!("{:?} stands for two classes", class.outcome)
        })?;
        let after = resolved(game, state, chance.stream(), &class.outcome)?;
        match results.iter_mut().find(|(result, _)| *result == after) {
            Some((_, weight)) => *weight += &class.weight,
            None => results.push((after, class.weight.clone())),
        }
    }
    let mut counts = vec![BigUint::ZERO; results.len()];
    let (outcomes, all) = outcomes(&chance, rng);
    for (outcome, weight) in &outcomes {
        let after = resolved(game, state, chance.stream(), outcome)?;
        match results.iter().position(|(result, _)| *result == after) {
            Some(index) => counts[index] += *weight,
            None => {
                return broken(Law::Chance, format!("{outcome:?} leads to a state of no class\n{after:#?}"));
            }
        }
    }
    if all {
        let weights: Vec<BigUint> = results.into_iter().map(|(_, weight)| weight).collect();
        same(Law::Chance, None, &format!("weights and counts differ, of {classes:?}"), &weights, &counts)?;
    }
    Ok(())
}

/// Outcomes with their weights, and whether these are all.
fn outcomes(chance: &Chance, rng: &mut ChaCha8Rng) -> (Vec<(Outcome, u64)>, bool) {
    let Chance::Roll { dice, sides, .. } = chance else {
        let options = chance.options().into_iter();
        return (options.map(|(what, weight)| (Outcome::Pick(what), weight)).collect(), true);
    };
    match all_rolls(*dice, *sides, WALKED) {
        Some(rolls) => (rolls.into_iter().map(|roll| (roll, 1)).collect(), true),
        None => ((0..TRIED).map(|_| (sampled(chance, rng), 1)).collect(), false),
    }
}

/// Resolves an outcome, listening: the first event carries the chance_ref and is for everybody.
fn resolved<G: Game>(
    game: &G,
    state: &G::State,
    stream: u32,
    outcome: &Outcome,
) -> Result<G::State, Box<super::Breach>> {
    let chance_ref = ChanceRef { stream, n: 7 };
    let mut out = Events::recording_draw(chance_ref);
    let mut after = state.clone();
    game.resolve(&mut after, outcome, &mut out);
    let events = out.into_list();
    let public =
        events.first().is_some_and(|event| event.chance_ref == Some(chance_ref) && event.public.is_some());
    ensure(public, Law::Chance, || {
        format!("{outcome:?} has no public event with the draw that it rests on: {events:#?}")
    })?;
    Ok(after)
}

fn shape(chance: &Chance) -> LawResult {
    let fits = match chance {
        Chance::Roll { dice, sides, .. } => (1..=ROLL_DICE_MAX).contains(&usize::from(*dice)) && *sides >= 2,
        Chance::Choice { options, .. } => {
            let total: u64 = options.iter().map(|option| u64::from(option.weight)).sum();
            let named: BTreeSet<_> = options.iter().map(|option| option.what).collect();
            (1..=TOTAL_MAX).contains(&total)
                && options.len() <= CHOICE_OPTIONS_MAX
                && named.len() == options.len()
                && options.iter().all(|option| option.weight > 0)
        }
        Chance::Bag(bag) => {
            let ascending = |cards: &[u16]| cards.windows(2).all(|pair| pair[0] < pair[1]);
            let numbers: BTreeSet<u16> = bag.tokens.iter().map(|token| token.number).collect();
            (1..=CHOICE_OPTIONS_MAX).contains(&(bag.cards.len() + bag.tokens.len()))
                && ascending(&bag.cards)
                && numbers.len() == bag.tokens.len()
                && bag.cards.iter().all(|card| !numbers.contains(card))
                && bag.tokens.iter().all(|token| !token.cards.is_empty() && ascending(&token.cards))
                && one_place_each(bag)
        }
    };
    ensure(fits, Law::Chance, || format!("a chance event that the dice do not take: {chance:?}"))
}

/// Returns whether a card that comes is of one bag alone: else the rules can't know which of them to take it from.
fn one_place_each(bag: &Bag) -> bool {
    let second = |token: &Token| (token.stream, token.epoch, token.cards.clone());
    let seconds: BTreeSet<_> = bag.tokens.iter().map(second).collect();
    let cards = bag.cards.iter().chain(seconds.iter().flat_map(|(_, _, cards)| cards));
    let count = cards.clone().count();
    cards.collect::<BTreeSet<_>>().len() == count
}
