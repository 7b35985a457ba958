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

/// `r % total`, none if r is rejected: if it lies in the last, incomplete run of residues below 2^64.
const fn residue(r: u64, total: u64) -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bound of the definition, in 128 bits.
    fn bound(total: u64) -> u128 {
        (1 << 64) / u128::from(total) * u128::from(total)
    }

    proptest! {
        /// Accepted numbers are whole runs of residues, and not one run too few.
        #[test]
        fn residues_come_in_whole_runs(total in 1..=CHOICE_TOTAL_MAX, below in 0_u64..1 << 33) {
            prop_assert_eq!(bound(total) % u128::from(total), 0);
            prop_assert!((1 << 64) - bound(total) < u128::from(total));
            let r = u64::MAX - below;
            let expected = (u128::from(r) < bound(total)).then_some(r % total);
            prop_assert_eq!(residue(r, total), expected);
        }
    }

    #[test]
    fn the_bound_is_exact() {
        for total in [1, 2, 3, 6, 52, 255, 1 << 31, (1 << 32) - 65_535, (1 << 32) - 1, 1 << 32] {
            let last = u64::try_from(bound(total) - 1).expect("at most 2^64 - 1");
            assert_eq!(residue(last, total), Some(total - 1), "{total}");
            if let Some(first_rejected) = last.checked_add(1) {
                assert_eq!(residue(first_rejected, total), None, "{total}");
            }
        }
    }

    /// Over all residues, entry i comes exactly `weights[i]` times.
    #[test]
    fn each_entry_has_its_weight_in_residues() {
        for weights in [&[1_u32][..], &[3, 1, 2], &[0, 5, 0, 0, 7, 0], &[0, 0, 1], &[1; 256]] {
            let mut count = vec![0; weights.len()];
            for point in 0..weights.iter().copied().map(u64::from).sum() {
                count[entry_at(weights, point)] += 1;
            }
            assert_eq!(count, weights);
        }
    }
}
