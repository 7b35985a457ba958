//! Errors of refused requests for dice.

use super::{
    CHOICE_TOTAL_MAX, CHOICE_WEIGHTS_MAX, DICE_MAX, ENTROPIES_MAX, SIDES_MAX, SIDES_MIN, TEXT_BYTES_MAX,
};

/// A request that names no distribution or no derivation: nothing was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The number of dice is not in `1..=`[`DICE_MAX`].
    #[error("{0} dice asked for, 1 to {DICE_MAX} can be rolled")]
    DiceCount(usize),
    /// The number of sides is not in [`SIDES_MIN`]`..=`[`SIDES_MAX`].
    #[error("a die of {0} sides asked for, dice have {SIDES_MIN} to {SIDES_MAX}")]
    DieSides(u16),
    /// The number of weights is not in `1..=`[`CHOICE_WEIGHTS_MAX`].
    #[error("a choice among {0} entries asked for, it takes 1 to {CHOICE_WEIGHTS_MAX}")]
    WeightCount(usize),
    /// The weights do not add up to something in `1..=`[`CHOICE_TOTAL_MAX`].
    #[error("the weights add up to {0}, a choice takes 1 to {CHOICE_TOTAL_MAX}")]
    WeightTotal(u64),
    /// A draw from a bag that holds nothing.
    #[error("the bag is empty")]
    BagEmpty,
    /// The same card stands twice in one bag.
    #[error("card {0} stands twice in the bag")]
    BagRepeats(u16),
    /// A text field of a derivation is not of 1 to [`TEXT_BYTES_MAX`] bytes.
    #[error("{field} has {bytes} bytes, it takes 1 to {TEXT_BYTES_MAX}")]
    TextLength {
        /// Name of the field.
        field: &'static str,
        /// Its length in bytes of UTF-8.
        bytes: usize,
    },
    /// More entropies than [`ENTROPIES_MAX`].
    #[error("{0} entropies given, a seed takes at most {ENTROPIES_MAX}")]
    EntropyCount(usize),
    /// Not 64 hexadecimal digits.
    #[error("not 64 hexadecimal digits")]
    Hex,
}

impl Error {
    /// The stable name of the reason, for wires and logs.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::DiceCount(_) => "DICE_COUNT",
            Self::DieSides(_) => "DIE_SIDES",
            Self::WeightCount(_) => "WEIGHT_COUNT",
            Self::WeightTotal(_) => "WEIGHT_TOTAL",
            Self::BagEmpty => "BAG_EMPTY",
            Self::BagRepeats(_) => "BAG_REPEATS",
            Self::TextLength { .. } => "TEXT_LENGTH",
            Self::EntropyCount(_) => "ENTROPY_COUNT",
            Self::Hex => "HEX",
        }
    }
}
