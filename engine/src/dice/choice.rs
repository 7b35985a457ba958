//! Weighted choices.

use super::{Error, KeyStream, Nonce, Seed};

/// Entries of one choice at most.
pub const CHOICE_WEIGHTS_MAX: usize = 256;
/// The weights of one choice add up to this at most.
pub const CHOICE_TOTAL_MAX: u64 = 1 << 32;

/// Chooses one of `weights` as the one event at `nonce`, and returns its index: entry `i` comes with
/// probability `weights[i]` in the total, exactly; an entry of weight 0 never does.
///
/// With W the total: the next 8 bytes of the key stream, little-endian, are a number r; r is rejected, and
/// the next 8 bytes taken, while `r >= floor(2^64 / W) * W`. The chosen entry is the first whose cumulative
/// weight is greater than `r % W`.
///
/// # Errors
/// [`Error::WeightCount`] unless there are `1..=`[`CHOICE_WEIGHTS_MAX`] entries, [`Error::WeightTotal`]
/// unless they add up to `1..=`[`CHOICE_TOTAL_MAX`].
pub fn choice(seed: &Seed, nonce: Nonce, weights: &[u32]) -> Result<usize, Error> {
    if !(1..=CHOICE_WEIGHTS_MAX).contains(&weights.len()) {
        return Err(Error::WeightCount(weights.len()));
    }
    let total: u64 = weights.iter().copied().map(u64::from).sum();
    if !(1..=CHOICE_TOTAL_MAX).contains(&total) {
        return Err(Error::WeightTotal(total));
    }
    let mut bytes = KeyStream::new(seed, nonce);
    loop {
        if let Some(point) = residue(bytes.next_le64(), total) {
            return Ok(entry_at(weights, point));
        }
    }
}

/// The point that a choice of weights with this `total` (at least 1) takes from 8 bytes `r` of the key stream: `r % total`, none if r is
/// rejected: if it lies in the last, incomplete run of residues below 2^64.
#[must_use]
pub const fn residue(r: u64, total: u64) -> Option<u64> {
    let rejected = (u64::MAX % total + 1) % total; // 2^64 mod total
    if r <= u64::MAX - rejected { Some(r % total) } else { None }
}

/// The first entry whose cumulative weight is greater than `point`, which is less than the total.
fn entry_at(weights: &[u32], point: u64) -> usize {
    let cumulative = weights.iter().scan(0, |sum, &weight| {
        *sum += u64::from(weight);
        Some(*sum)
    });
    cumulative.take_while(|&sum| sum <= point).count()
}
