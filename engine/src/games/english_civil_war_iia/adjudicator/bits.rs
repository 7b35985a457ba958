//! Sets of small indices, one bit each: the parts of an order sheet, or its groups.

/// The indices of the set bits of `mask`, lowest first.
pub(super) fn ones(mask: u128) -> Ones {
    Ones { low: mask as u64, high: (mask >> 64) as u64 }
}

/// The set with `index` alone in it; empty for an index that no set can hold.
pub(super) const fn bit(index: usize) -> u128 {
    if index < 128 { 1 << index } else { 0 }
}

/// Returns whether `index` is in `mask`.
pub(super) const fn has(mask: u128, index: usize) -> bool {
    mask & bit(index) != 0
}

/// See [`ones`]. Two words, since counting zeros in one word is one instruction.
#[derive(Clone, Debug)]
pub(super) struct Ones {
    low: u64,
    high: u64,
}

impl Iterator for Ones {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.low != 0 {
            let index = self.low.trailing_zeros();
            self.low &= self.low - 1;
            Some(index as usize)
        } else if self.high != 0 {
            let index = self.high.trailing_zeros();
            self.high &= self.high - 1;
            Some(64 + index as usize)
        } else {
            None
        }
    }
}
