//! Law `chance`, over a whole run: no draw spoils the odds of another one under its stream.

use std::collections::{BTreeMap, BTreeSet};

use crate::chance::Chance;

use super::failure::{broken, ensure};
use super::{Law, LawResult};

/// The use of each stream so far, in one run.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    used: BTreeMap<u32, Use>,
    /// The event that was met last, and how many outcomes there were before it.
    due: Option<(Chance, usize)>,
}

#[derive(Clone, Debug)]
enum Use {
    /// Rolls and choices.
    Faces,
    /// The last draw from a bag.
    Bag {
        epoch: u32,
        /// Cards and tokens that were in it.
        held: BTreeSet<u16>,
        /// Number of tokens that no other draw may share the epoch with: 0, or two and more.
        tokens: usize,
    },
}

impl Streams {
    /// A stream is for bags or for rolls and choices, within an epoch a bag only shrinks, and a draw from a bag with two or more tokens
    /// has an epoch of its own: else draws are not fair (docs/dice.md).
    ///
    /// `outcomes` counts those of the run so far. An event that is met again before its outcome is the same one, and one that another
    /// takes the place of was taken back.
    ///
    /// # Errors
    /// If a chance event breaks that.
    pub fn note(&mut self, chance: &Chance, outcomes: usize) -> LawResult {
        if let Some((drawn, before)) = self.due.take()
            && before < outcomes
        {
            self.used.extend(uses(&drawn)?);
        }
        for (&stream, next) in &uses(chance)? {
            self.follows(stream, next)?;
        }
        self.due = Some((chance.clone(), outcomes));
        Ok(())
    }

    /// The next use of a stream leaves its odds as they are.
    fn follows(&self, stream: u32, next: &Use) -> LawResult {
        match (self.used.get(&stream), next) {
            (None, _) | (Some(Use::Faces), Use::Faces) => Ok(()),
            (Some(before @ Use::Faces), after) | (Some(before), after @ Use::Faces) => broken(
                Law::Chance,
                format!(
                    "stream {stream} is used for {after:?} after {before:?}: it is for bags or for faces"
                ),
            ),
            (Some(Use::Bag { epoch: last, held: before, tokens: own }), Use::Bag { epoch, held, tokens }) => {
                ensure(epoch >= last, Law::Chance, || {
                    format!("the bag of stream {stream} is in epoch {epoch} after epoch {last}")
                })?;
                let several = own.max(tokens);
                ensure(epoch > last || *several == 0, Law::Chance, || {
                    format!(
                        "two draws of stream {stream} share epoch {epoch}, and a bag of one of them holds {several} tokens: no \
                         outcome tells which of them came, so each draw opens an epoch of its own"
                    )
                })?;
                ensure(epoch > last || held.is_subset(before), Law::Chance, || {
                    format!("the bag of stream {stream}, epoch {epoch}, holds {held:?} after {before:?}")
                })
            }
        }
    }
}

/// The streams that a chance event uses: a draw from a bag with tokens those of the second bags, too.
fn uses(chance: &Chance) -> LawResult<BTreeMap<u32, Use>> {
    let Chance::Bag(bag) = chance else { return Ok(BTreeMap::from([(chance.stream(), Use::Faces)])) };
    let numbers = bag.cards.iter().copied().chain(bag.tokens.iter().map(|token| token.number));
    let tokens = if bag.has_own_epoch() { bag.tokens.len() } else { 0 };
    let mut uses =
        BTreeMap::from([(bag.stream, Use::Bag { epoch: bag.epoch, held: numbers.collect(), tokens })]);
    let mut seconds = BTreeMap::new();
    for token in &bag.tokens {
        let (epoch, cards) = seconds.entry(token.stream).or_insert((token.epoch, &token.cards));
        ensure(
            token.stream != bag.stream && (*epoch, *cards) == (token.epoch, &token.cards),
            Law::Chance,
            || format!("two bags of one draw have stream {}: {bag:?}", token.stream),
        )?;
    }
    for (stream, (epoch, cards)) in seconds {
        uses.insert(stream, Use::Bag { epoch, held: cards.iter().copied().collect(), tokens: 0 });
    }
    Ok(uses)
}
