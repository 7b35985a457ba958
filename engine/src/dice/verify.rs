//! Checking one published outcome against a revealed seed.

use super::{Commitment, EntropyCommitment, Error, Nonce, Seed, bag, choice, roll};

/// A chance event as a record publishes it: the place, the request, and the outcome it claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim<'a> {
    /// A [`roll()`] of as many dice as there are faces.
    Roll {
        /// The place.
        nonce: Nonce,
        /// Sides of each die.
        sides: u16,
        /// The faces claimed.
        faces: &'a [u16],
    },
    /// A [`choice()`].
    Choice {
        /// The place.
        nonce: Nonce,
        /// The weights.
        weights: &'a [u32],
        /// The index claimed.
        index: usize,
    },
    /// A draw from a [`bag()`].
    Bag {
        /// The bag's stream.
        stream: u32,
        /// The bag's epoch.
        epoch: u32,
        /// Cards in the bag before the draw, in any order.
        cards: &'a [u16],
        /// The card claimed.
        card: u16,
    },
}

/// A difference between a record and what its seed gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The request is not one that can be made.
    #[error(transparent)]
    Request(#[from] Error),
    /// The server seed is not the one that was committed to, or not under these terms.
    #[error("the record was committed to as {claimed}, its server seed gives {derived}")]
    Commitment {
        /// As published at creation.
        claimed: Commitment,
        /// As derived from what was revealed.
        derived: Commitment,
    },
    /// A seat's entropy is not the one that it committed to.
    #[error("seat {seat} committed to {claimed}, its entropy gives {derived}")]
    EntropyCommitment {
        /// The seat, from 0.
        seat: u32,
        /// As published before the reveal.
        claimed: EntropyCommitment,
        /// As derived from what was revealed.
        derived: EntropyCommitment,
    },
    /// A die shows another face.
    #[error("die {die} is recorded as {claimed}, the seed gives {derived}")]
    Face {
        /// The first die that differs, from 0.
        die: usize,
        /// As recorded.
        claimed: u16,
        /// As the seed gives it.
        derived: u16,
    },
    /// A choice fell on another entry.
    #[error("entry {claimed} is recorded, the seed gives {derived}")]
    Entry {
        /// As recorded.
        claimed: usize,
        /// As the seed gives it.
        derived: usize,
    },
    /// Another card was drawn.
    #[error("card {claimed} is recorded, the seed gives {derived}")]
    Card {
        /// As recorded.
        claimed: u16,
        /// As the seed gives it.
        derived: u16,
    },
    /// The rolls and choices of a stream are not numbered 0, 1, 2 ...: one was left out, or told twice.
    #[error("stream {stream} is at n {claimed}, the next is {expected}")]
    Number {
        /// The stream.
        stream: u32,
        /// As recorded.
        claimed: u32,
        /// One more than the last; 2^32 when the stream is used up.
        expected: u64,
    },
    /// A bag went back to an earlier epoch.
    #[error("the bag of stream {stream} is at epoch {claimed} after epoch {latest}")]
    Epoch {
        /// The bag's stream.
        stream: u32,
        /// As recorded.
        claimed: u32,
        /// The latest before.
        latest: u32,
    },
    /// A bag holds a card that was drawn from it in the same epoch.
    #[error("card {card} is back in the bag of stream {stream} in epoch {epoch}, in which it was drawn")]
    Returned {
        /// The bag's stream.
        stream: u32,
        /// The epoch.
        epoch: u32,
        /// The card.
        card: u16,
    },
}

impl VerifyError {
    /// The stable name of the reason, for wires and logs.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Request(error) => error.reason(),
            Self::Commitment { .. } => "COMMITMENT_MISMATCH",
            Self::EntropyCommitment { .. } => "ENTROPY_COMMITMENT_MISMATCH",
            Self::Face { .. } => "FACE_MISMATCH",
            Self::Entry { .. } => "ENTRY_MISMATCH",
            Self::Card { .. } => "CARD_MISMATCH",
            Self::Number { .. } => "NUMBER_MISMATCH",
            Self::Epoch { .. } => "EPOCH_MISMATCH",
            Self::Returned { .. } => "CARD_RETURNED",
        }
    }
}

impl Claim<'_> {
    /// Checks that `seed` gives this outcome at this place. That the place is the right one, [`Audit`] tells;
    /// that the request is, only a replay by the rules.
    ///
    /// # Errors
    /// [`VerifyError::Face`], [`VerifyError::Entry`] or [`VerifyError::Card`] with the first difference;
    /// [`VerifyError::Request`] if nobody could have drawn this.
    ///
    /// [`Audit`]: super::Audit
    pub fn verify(&self, seed: &Seed) -> Result<(), VerifyError> {
        match *self {
            Self::Roll { nonce, sides, faces } => {
                let derived = roll(seed, nonce, faces.len(), sides)?;
                let mut dice = faces.iter().zip(&derived).enumerate();
                match dice.find(|(_, (claimed, derived))| claimed != derived) {
                    None => Ok(()),
                    Some((die, (&claimed, &derived))) => Err(VerifyError::Face { die, claimed, derived }),
                }
            }
            Self::Choice { nonce, weights, index: claimed } => {
                let derived = choice(seed, nonce, weights)?;
                if claimed == derived { Ok(()) } else { Err(VerifyError::Entry { claimed, derived }) }
            }
            Self::Bag { stream, epoch, cards, card: claimed } => {
                let derived = cards[bag(seed, stream, epoch, cards)?];
                if claimed == derived { Ok(()) } else { Err(VerifyError::Card { claimed, derived }) }
            }
        }
    }
}
