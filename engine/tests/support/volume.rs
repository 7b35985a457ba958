//! How much the randomised tests do.
//!
//! `EDGEHILL_VOLUME=full` runs the full figures, from a seed that is new each time; otherwise a twentieth is run,
//! from a fixed one. `EDGEHILL_SEED` replays a run whose seed was printed.

use std::hash::{BuildHasher, Hasher};

/// The seed of runs that ask for nothing else.
const FIXED_SEED: u64 = 1642;
/// What is left of the full figures in such runs.
const SHARE: usize = 20;

/// How many cases a randomised test runs, and from which seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volume {
    pub(crate) cases: usize,
    pub(crate) seed: u64,
}

/// The volume of a test that runs `full` cases in full; prints the seed.
#[expect(clippy::disallowed_methods, reason = "tests may read the environment, the engine may not")]
pub(crate) fn volume(full: usize) -> Volume {
    let is_full = std::env::var("EDGEHILL_VOLUME").is_ok_and(|volume| volume == "full");
    let cases = if is_full { full } else { full.div_ceil(SHARE) };
    let given =
        std::env::var("EDGEHILL_SEED").ok().map(|seed| seed.parse().expect("EDGEHILL_SEED is a number"));
    let seed = match given {
        Some(seed) => seed,
        None if is_full => std::hash::RandomState::new().build_hasher().finish(),
        None => FIXED_SEED,
    };
    println!("{cases} cases, EDGEHILL_SEED={seed}");
    Volume { cases, seed }
}

/// A small generator of test data (splitmix64); nothing in the engine depends on it.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; what little bias there is does no harm to a test.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Whether something that happens in `percent` of all cases does.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}
