//! The volume of the randomised tests of the server.
//!
//! `EDGEHILL_VOLUME=full` runs the full figures, from a seed that is new each time; otherwise a twentieth is run, from a fixed
//! one. `EDGEHILL_SEED` replays a run whose seed was printed.

use std::hash::{BuildHasher, Hasher};

/// The seed of runs that ask for nothing else.
const FIXED_SEED: u64 = 1642;
/// The divisor of the full figures in such runs.
const SHARE: usize = 20;

/// The number of cases that a randomised test runs, and the seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volume {
    pub(crate) cases: usize,
    pub(crate) seed: u64,
}

/// Returns whether the full figures are run.
pub(crate) fn is_full() -> bool {
    std::env::var("EDGEHILL_VOLUME").is_ok_and(|volume| volume == "full")
}

/// The volume of a test that runs `full` cases in full; prints the seed.
pub(crate) fn volume(full: usize) -> Volume {
    let given =
        std::env::var("EDGEHILL_SEED").ok().map(|seed| seed.parse().expect("EDGEHILL_SEED is a number"));
    let seed = match given {
        Some(seed) => seed,
        None if is_full() => std::hash::RandomState::new().build_hasher().finish(),
        None => FIXED_SEED,
    };
    let cases = if is_full() { full } else { full.div_ceil(SHARE) };
    println!("{cases} cases, EDGEHILL_SEED={seed}");
    Volume { cases, seed }
}
