//! Checking all chance events of a record, in their order.

use std::collections::{BTreeMap, BTreeSet};

use super::{Claim, Nonce, Seed, VerifyError};

/// A reader of one match's chance events, in the record's order.
///
/// It checks each outcome against the seed, and what no single event can show: that rolls and choices are
/// numbered without a gap or a repeat in their stream (who may skip a number, chooses between two rolls),
/// that epochs do not go back, and that a drawn card does not return within its epoch. It does not know the
/// rules: that these dice were due at this moment is for a replay to say. A token and the card that it
/// stood for are two claims, in this order.
#[derive(Clone, Debug)]
pub struct Audit {
    seed: Seed,
    next: BTreeMap<u32, u64>,
    bags: BTreeMap<u32, Drawn>,
}

/// The cards drawn from the bags of one stream in its latest epoch.
#[derive(Clone, Debug, Default)]
struct Drawn {
    epoch: u32,
    cards: BTreeSet<u16>,
}

impl Audit {
    /// A reader at the beginning of a match with this seed.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self { seed, next: BTreeMap::new(), bags: BTreeMap::new() }
    }

    /// Takes the record's next event.
    ///
    /// # Errors
    /// The first thing that is wrong with it; the reader then stands where it stood before.
    pub fn check(&mut self, claim: &Claim<'_>) -> Result<(), VerifyError> {
        match *claim {
            Claim::Roll { nonce, .. } | Claim::Choice { nonce, .. } => {
                self.number(nonce)?;
                claim.verify(&self.seed)?;
                self.next.insert(nonce.stream, u64::from(nonce.n) + 1);
            }
            Claim::Bag { stream, epoch, cards, card } => {
                self.shrinks(stream, epoch, cards)?;
                claim.verify(&self.seed)?;
                let drawn = self.bags.entry(stream).or_default();
                if drawn.epoch != epoch {
                    *drawn = Drawn { epoch, cards: BTreeSet::new() };
                }
                drawn.cards.insert(card);
            }
        }
        Ok(())
    }

    fn number(&self, Nonce { stream, n: claimed }: Nonce) -> Result<(), VerifyError> {
        let expected = self.next.get(&stream).copied().unwrap_or(0);
        if u64::from(claimed) == expected {
            return Ok(());
        }
        Err(VerifyError::Number { stream, claimed, expected })
    }

    fn shrinks(&self, stream: u32, epoch: u32, cards: &[u16]) -> Result<(), VerifyError> {
        let Some(drawn) = self.bags.get(&stream) else { return Ok(()) };
        if epoch < drawn.epoch {
            return Err(VerifyError::Epoch { stream, claimed: epoch, latest: drawn.epoch });
        }
        if epoch > drawn.epoch {
            return Ok(());
        }
        match cards.iter().find(|card| drawn.cards.contains(card)) {
            None => Ok(()),
            Some(&card) => Err(VerifyError::Returned { stream, epoch, card }),
        }
    }
}
