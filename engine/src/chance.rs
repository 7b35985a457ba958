//! Chance events: finite distributions with exact integer weights, which the driver resolves ([`Chance`], [`Outcome`]).

use arrayvec::ArrayVec;
use num_bigint::BigUint;
use thiserror::Error;

use crate::reference::Ref;

/// The most dice of one roll.
pub const ROLL_DICE_MAX: usize = 128;
/// The most options of one choice or bag.
pub const CHOICE_OPTIONS_MAX: usize = 256;

/// A demand of a chance node on the driver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chance {
    /// `dice` equal dice with faces 1 to `sides`, in an order that the rules fix.
    Roll {
        /// The stream of the match's seed that it uses.
        stream: u32,
        /// 1 to [`ROLL_DICE_MAX`].
        dice: u8,
        /// At least 2.
        sides: u8,
    },
    /// One of at most [`CHOICE_OPTIONS_MAX`] options, by weight.
    Choice {
        /// The stream of the match's seed that it uses.
        stream: u32,
        /// The options, each named once, in an order that the rules fix. Weights sum to 1 to 2^32.
        options: Vec<Weighted>,
    },
    /// One card of those still in a bag, uniformly; tokens stand for one card of a second bag.
    Bag(Bag),
}

/// An option of a weighted choice.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Weighted {
    /// The result that it stands for.
    pub what: Ref,
    /// Likelihood, relative to the others; at least 1.
    pub weight: u32,
}

/// A bag of cards, at the moment of a draw.
///
/// **Tokens.** The seed ranks cards and tokens of an epoch once, and the least rank is drawn. An outcome names the card, and with two
/// tokens in the bag not the token that it came by, so the rules take out any of them: often one that did not come. The one that did
/// keeps the least rank and would come again at the next draw of the epoch, time after time, while all else waits. So a draw from a
/// bag with two or more tokens has an epoch of its own ([`has_own_epoch`](Self::has_own_epoch)): no earlier draw of its stream had it,
/// and the next one opens another, with new ranks for all that is left. Count these draws, not the tokens that came: the epoch is
/// published with the draw. One token needs none of this, since it is known to have come when a card of its second bag does.
/// [`Deck`](crate::deck::Deck) keeps to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bag {
    /// The stream of the match's seed that it uses.
    pub stream: u32,
    /// Counts the shuffles of this bag, and its draws while it holds several tokens: a new epoch is a new implied order.
    pub epoch: u32,
    /// The cards still in it, ascending.
    pub cards: Vec<u16>,
    /// Tokens still in it.
    pub tokens: Vec<Token>,
}

/// A counter in a bag that stands for one card of a second bag, drawn in the same event. No card lies in both bags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its number among the first bag's cards and tokens; no card there has it.
    pub number: u16,
    /// The second bag's stream.
    pub stream: u32,
    /// The second bag's epoch.
    pub epoch: u32,
    /// The cards still in the second bag, ascending, not empty.
    pub cards: Vec<u16>,
}

/// The result of a chance event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The faces of a roll, in the roll's order.
    Roll(ArrayVec<u8, ROLL_DICE_MAX>),
    /// The reference that a choice or a bag gave.
    Pick(Ref),
}

/// A result that the rules distinguish at a chance node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// One outcome of the class: resolving any other leads to the same state.
    pub outcome: Outcome,
    /// The weight of the whole class; the classes of a node sum to [`Chance::total`].
    pub weight: BigUint,
}

/// The error of an outcome that does not fit a chance node.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OutcomeError {
    /// Dice were given for a draw, or the other way round.
    #[error("{0}")]
    Kind(&'static str),
    /// The wrong number of dice.
    #[error("{expected} dice are rolled here, not {given}")]
    Dice {
        /// Number of dice that the rules roll.
        expected: usize,
        /// Number that was given.
        given: usize,
    },
    /// A face that the dice don't have.
    #[error("die {index} shows {face}: faces are 1 to {sides}")]
    Face {
        /// Index of the die, from 0.
        index: usize,
        /// The face given.
        face: u8,
        /// The highest face.
        sides: u8,
    },
    /// Not among the options.
    #[error("{0:?} is not among the options of this draw")]
    Option(Ref),
}

impl Class {
    /// The classes of one die of six faces that succeeds with `least` or more: it fails, it succeeds.
    #[must_use]
    pub fn of_die(least: u8) -> Vec<Self> {
        let class = |face: u8, weight: u8| Self {
            outcome: Outcome::Roll([face].into_iter().collect()),
            weight: BigUint::from(weight),
        };
        vec![class(1, least - 1), class(6, 7 - least)]
    }
}

impl Chance {
    /// The stream that it uses.
    #[must_use]
    pub const fn stream(&self) -> u32 {
        match self {
            Self::Roll { stream, .. } | Self::Choice { stream, .. } => *stream,
            Self::Bag(bag) => bag.stream,
        }
    }

    /// The options of a choice or bag with their weights; empty for a roll.
    #[must_use]
    pub fn options(&self) -> Vec<(Ref, u64)> {
        match self {
            Self::Roll { .. } => Vec::new(),
            Self::Choice { options, .. } => options.iter().map(|o| (o.what, u64::from(o.weight))).collect(),
            Self::Bag(bag) => bag.options(),
        }
    }

    /// The sum of all weights.
    #[must_use]
    pub fn total(&self) -> BigUint {
        match self {
            Self::Roll { dice, sides, .. } => BigUint::from(*sides).pow(u32::from(*dice)),
            _ => self.options().iter().map(|&(_, weight)| BigUint::from(weight)).sum(),
        }
    }

    /// Checks that `outcome` can come of this.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn admits(&self, outcome: &Outcome) -> Result<(), OutcomeError> {
        match (self, outcome) {
            (Self::Roll { dice, sides, .. }, Outcome::Roll(faces)) => {
                if faces.len() != usize::from(*dice) {
                    return Err(OutcomeError::Dice { expected: usize::from(*dice), given: faces.len() });
                }
                match faces.iter().position(|&face| face == 0 || face > *sides) {
                    Some(index) => Err(OutcomeError::Face { index, face: faces[index], sides: *sides }),
                    None => Ok(()),
                }
            }
            (Self::Roll { .. }, Outcome::Pick(_)) => {
                Err(OutcomeError::Kind("dice are rolled here, nothing is drawn"))
            }
            (_, Outcome::Roll(_)) => Err(OutcomeError::Kind("something is drawn here, no dice are rolled")),
            (_, Outcome::Pick(what)) => {
                if self.options().iter().any(|(option, _)| option == what) {
                    Ok(())
                } else {
                    Err(OutcomeError::Option(*what))
                }
            }
        }
    }
}

impl Bag {
    /// Returns whether its draw must be the only one of its epoch, since an outcome would not tell which token came.
    #[must_use]
    pub const fn has_own_epoch(&self) -> bool {
        self.tokens.len() > 1
    }

    /// The cards that can come of a draw, with exact weights, in order of their numbers: cards of bags ascend (law `chance`).
    #[must_use]
    pub(crate) fn options(&self) -> Vec<(Ref, u64)> {
        let lcm = self.tokens.iter().fold(1u64, |lcm, token| lcm_of(lcm, token.cards.len() as u64));
        let cards: Vec<(u16, u64)> = self.cards.iter().map(|&card| (card, lcm)).collect();
        let weights = self.tokens.iter().fold(cards, |weights, token| {
            let share = lcm / token.cards.len() as u64;
            merged(&weights, token.cards.iter().map(|&card| (card, share)))
        });
        weights.into_iter().map(|(card, weight)| (Ref::Card(card), weight)).collect()
    }
}

/// Ascending cards with those of another ascending list; of a card in both the weights are added.
fn merged(weights: &[(u16, u64)], more: impl ExactSizeIterator<Item = (u16, u64)>) -> Vec<(u16, u64)> {
    let mut merged = Vec::with_capacity(weights.len() + more.len());
    let mut rest = weights.iter().copied().peekable();
    for (card, weight) in more {
        merged.extend(std::iter::from_fn(|| rest.next_if(|&(other, _)| other < card)));
        let same = rest.next_if(|&(other, _)| other == card).map_or(0, |(_, weight)| weight);
        merged.push((card, weight + same));
    }
    merged.extend(rest);
    merged
}

const fn lcm_of(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Every outcome of a roll with at most `limit` of them, in counting order; for tests and exact odds.
#[must_use]
pub fn all_rolls(dice: u8, sides: u8, limit: usize) -> Option<Vec<Outcome>> {
    let count = (0..dice).try_fold(1usize, |count, _| count.checked_mul(usize::from(sides)))?;
    if count > limit {
        return None;
    }
    let mut faces: ArrayVec<u8, ROLL_DICE_MAX> = (0..dice).map(|_| 1).collect();
    let mut rolls = Vec::with_capacity(count);
    loop {
        rolls.push(Outcome::Roll(faces.clone()));
        match faces.iter().rposition(|&face| face < sides) {
            None => return Some(rolls),
            Some(last) => {
                faces[last] += 1;
                faces[last + 1..].fill(1);
            }
        }
    }
}
