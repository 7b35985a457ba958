//! Distributions over the five scores of a pair, and pairs drawn from them.

use edgehill_competition::{MatchOutcome, PairScore};
use rand_chacha::ChaCha8Rng;
use rand_core::Rng;

const NELO_OF_DEVIATION: f64 = 347.435_585_522_601_36;

/// A distribution over the scores 0, 1/2, 1, 3/2, 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pentanomial([f64; 5]);

impl Pentanomial {
    /// The distribution with this normalized Elo among those that are `base` with each score times so much likelier than the one before.
    pub(crate) fn tilted(base: [f64; 5], nelo: f64) -> Self {
        let (mut low, mut high) = (-60.0, 60.0);
        let mut tilted = base;
        for _ in 0..200 {
            let tilt = f64::midpoint(low, high);
            for (index, (one, base)) in tilted.iter_mut().zip(base).enumerate() {
                *one = base * (tilt * index as f64).exp();
            }
            let sum: f64 = tilted.iter().sum();
            tilted = tilted.map(|one| one / sum);
            if Self(tilted).nelo() < nelo { low = tilt } else { high = tilt }
        }
        let made = Self(tilted);
        assert!((made.nelo() - nelo).abs() < 1e-6, "{made:?} has {}", made.nelo());
        made
    }

    /// Its mean score of a match.
    pub(crate) fn score(&self) -> f64 {
        (0..5).map(|index| index as f64 / 4.0 * self.0[index]).sum()
    }

    /// Its normalized Elo, by the definition: the mean above 1/2 in standard deviations of a match.
    pub(crate) fn nelo(&self) -> f64 {
        let moment = |power| {
            let each = (0..5).map(|index| (f64::from(index) / 4.0 - 0.5, self.0[index as usize]));
            each.map(|(value, one): (f64, f64)| value.powi(power) * one).sum::<f64>()
        };
        let variance_of_match = 2.0 * (moment(2) - moment(1).powi(2));
        moment(1) / variance_of_match.sqrt() * NELO_OF_DEVIATION
    }

    pub(crate) fn draw(&self, rng: &mut ChaCha8Rng) -> PairScore {
        let mut left = rng.next_u64() as f64 / u64::MAX as f64;
        let index = self.0.iter().position(|one| {
            left -= one;
            left < 0.0
        });
        pair(index.unwrap_or(4))
    }
}

/// The pair score of this many half-points.
pub(crate) fn pair(half_points: usize) -> PairScore {
    let outcomes = [MatchOutcome::Loss, MatchOutcome::Draw, MatchOutcome::Win];
    PairScore::of(outcomes[half_points.div_ceil(2)], outcomes[half_points / 2])
}
