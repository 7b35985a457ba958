//! Sources of outcomes: a match's seed, a script, a person with real dice, or a playout's own generator ([`ChanceSource`]).
//!
//! Invariant: a chance source is asked only after an action was accepted, and then exactly once for each chance event.

use std::collections::VecDeque;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use thiserror::Error;

use crate::catalogue::Catalogue;
use crate::chance::{Bag, Chance, Outcome, ROLL_DICE_MAX};
use crate::dice::{self, Nonce, Seed};
use crate::event::ChanceRef;
use crate::reference::Ref;

/// The source of a match's outcomes.
#[derive(Clone, Debug)]
pub enum ChanceSource {
    /// The match's seed: every outcome is a function of seed, stream and count (docs/dice.md).
    Seeded(Seed),
    /// Words that are used up in order: a number for each die, an id for each draw.
    Scripted(VecDeque<String>),
    /// A person enters each outcome.
    Manual,
    /// Dice of one's own, for playouts and tests: fast, and of no use as evidence.
    Playout(Box<ChaCha8Rng>),
}

/// The error of a chance source that has no outcome for a chance event.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ChanceSourceError {
    /// The script ends before the match's luck does.
    #[error("the script is used up: {0} expected")]
    ScriptEnds(String),
    /// A word of the script does not fit.
    #[error("script: `{word}` does not fit here: {expected} expected")]
    ScriptWord {
        /// As it was written.
        word: String,
        /// Description of what would fit.
        expected: String,
    },
    /// The dice refuse what the rules ask of them: a fault of the rules.
    #[error(transparent)]
    Dice(#[from] dice::Error),
}

impl ChanceSource {
    /// A script of words separated by commas or blanks: `3,5,musket`.
    #[must_use]
    pub fn script(words: &str) -> Self {
        let words = words.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty());
        Self::Scripted(words.map(str::to_owned).collect())
    }

    /// Playout dice from a number.
    #[must_use]
    pub fn playout(seed: u64) -> Self {
        Self::Playout(Box::new(ChaCha8Rng::seed_from_u64(seed)))
    }

    /// Words of a script that are not used up yet.
    #[must_use]
    pub fn left_over(&self) -> usize {
        if let Self::Scripted(words) = self { words.len() } else { 0 }
    }

    /// The outcome of `chance`; `None` if a person has to enter it.
    ///
    /// # Errors
    /// If a script does not fit; it is left as it was.
    pub fn draw(
        &mut self,
        chance: &Chance,
        chance_ref: ChanceRef,
        catalogue: &Catalogue,
    ) -> Result<Option<Outcome>, ChanceSourceError> {
        match self {
            Self::Seeded(seed) => Ok(Some(seeded(seed, chance, chance_ref)?)),
            Self::Scripted(words) => scripted(words, chance, catalogue).map(Some),
            Self::Manual => Ok(None),
            Self::Playout(rng) => Ok(Some(sampled(chance, rng.as_mut()))),
        }
    }
}

/// Returns what the seed gives for a chance event: what a record's outcomes are checked against.
///
/// # Errors
/// If the event is outside the bounds of docs/dice.md.
pub fn seeded(seed: &Seed, chance: &Chance, chance_ref: ChanceRef) -> Result<Outcome, dice::Error> {
    let nonce = Nonce { stream: chance_ref.stream, n: chance_ref.n };
    match chance {
        Chance::Roll { dice, sides, .. } => {
            // Faces are at most `sides`, a `u8`.
            let faces = dice::roll(seed, nonce, usize::from(*dice), u16::from(*sides))?;
            Ok(Outcome::Roll(faces.iter().map(|&face| face as u8).collect()))
        }
        Chance::Choice { options, .. } => {
            let weights: Vec<u32> = options.iter().map(|option| option.weight).collect();
            Ok(Outcome::Pick(options[dice::choice(seed, nonce, &weights)?].what))
        }
        Chance::Bag(bag) => seeded_bag(seed, bag),
    }
}

fn seeded_bag(seed: &Seed, bag: &Bag) -> Result<Outcome, dice::Error> {
    let mut numbers = bag.cards.clone();
    numbers.extend(bag.tokens.iter().map(|token| token.number));
    let first = numbers[dice::bag(seed, bag.stream, bag.epoch, &numbers)?];
    match bag.tokens.iter().find(|token| token.number == first) {
        None => Ok(Outcome::Pick(Ref::Card(first))),
        Some(token) => {
            let index = dice::bag(seed, token.stream, token.epoch, &token.cards)?;
            Ok(Outcome::Pick(Ref::Card(token.cards[index])))
        }
    }
}

/// An outcome of `chance` by `rng`, with the exact weights.
#[must_use]
pub fn sampled(chance: &Chance, rng: &mut dyn Rng) -> Outcome {
    match chance {
        Chance::Roll { dice, sides, .. } => {
            Outcome::Roll((0..*dice).map(|_| below(u64::from(*sides), rng) as u8 + 1).collect())
        }
        Chance::Choice { options, .. } => {
            let options = options.iter().map(|option| (option.what, u64::from(option.weight)));
            Outcome::Pick(weighted(options, rng))
        }
        Chance::Bag(bag) => Outcome::Pick(weighted(bag.options().into_iter(), rng)),
    }
}

/// One of some things by their weights, whose sum is not 0.
pub(crate) fn weighted<T>(options: impl Iterator<Item = (T, u64)> + Clone, rng: &mut dyn Rng) -> T {
    let mut left = below(options.clone().map(|(_, weight)| weight).sum(), rng);
    for (what, weight) in options {
        if left < weight {
            return what;
        }
        left -= weight;
    }
    unreachable!("the weights sum to the total")
}

/// A number below `bound` (at least 1), without bias.
#[must_use]
pub fn below(bound: u64, rng: &mut dyn Rng) -> u64 {
    assert!(bound > 0, "nothing to choose from");
    let limit = u64::MAX - u64::MAX % bound;
    loop {
        let word = rng.next_u64();
        if word < limit {
            return word % bound;
        }
    }
}

/// Puts items in an order, each as likely as any other (Fisher and Yates).
pub fn shuffle<T>(items: &mut [T], rng: &mut dyn Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, rng) as usize);
    }
}

fn scripted(
    words: &mut VecDeque<String>,
    chance: &Chance,
    catalogue: &Catalogue,
) -> Result<Outcome, ChanceSourceError> {
    let expected = describe(chance, catalogue);
    let word_error =
        |word: &String| ChanceSourceError::ScriptWord { word: word.clone(), expected: expected.clone() };
    match chance {
        Chance::Roll { dice, sides, .. } => {
            let count = usize::from(*dice);
            debug_assert!(count <= ROLL_DICE_MAX);
            if words.len() < count {
                return Err(ChanceSourceError::ScriptEnds(expected));
            }
            let face = |word: &String| word.parse::<u8>().ok().filter(|face| (1..=*sides).contains(face));
            let faces = words.iter().take(count).map(|word| face(word).ok_or_else(|| word_error(word)));
            let faces = faces.collect::<Result<_, _>>()?;
            words.drain(..count);
            Ok(Outcome::Roll(faces))
        }
        drawn => {
            let word = words.front().ok_or_else(|| ChanceSourceError::ScriptEnds(expected.clone()))?;
            let named = |&&(what, _): &&(Ref, u64)| catalogue.id_of(what).eq_ignore_ascii_case(word);
            let what = drawn.options().iter().find(named).ok_or_else(|| word_error(word))?.0;
            words.pop_front();
            Ok(Outcome::Pick(what))
        }
    }
}

/// Describes in words what a chance event asks for.
#[must_use]
pub fn describe(chance: &Chance, catalogue: &Catalogue) -> String {
    match chance {
        Chance::Roll { dice: 1, sides, .. } => format!("a die from 1 to {sides}"),
        Chance::Roll { dice, sides, .. } => format!("{dice} dice from 1 to {sides}"),
        drawn => {
            let ids: Vec<String> = drawn.options().iter().map(|&(what, _)| catalogue.id_of(what)).collect();
            format!("one of {}", ids.join(", "))
        }
    }
}
