//! Early stopping ([`Sprt`]): a sequential test of two normalized Elo, pair by pair.

use crate::elo::{NELO_MAX, tau_of_nelo};
use crate::likelihood::shortfall;
use crate::pair_counts::PairCounts;

/// A generalized sequential probability ratio test of mirrored pairs: H0, their normalized Elo is `nelo0`, against H1, it is `nelo1`. All
/// else about the five scores is unknown, and is what makes the pairs likeliest under each.
///
/// The bounds of the log-likelihood ratio are Wald's, `ln(beta / (1 - alpha))` and `ln((1 - beta) / alpha)`, without a correction for how far the
/// last pair oversteps them: overstepping makes both errors rarer than they are allowed to be, and the state stays a function of
/// the counts alone. It costs some pairs more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    nelo0: f64,
    nelo1: f64,
    alpha: f64,
    beta: f64,
}

/// The reason that there is no such test.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// A bound is too far out, or no number.
    #[error(
        "a bound of {0} nElo: bounds are from -{NELO_MAX} to {NELO_MAX}, beyond which a handful of pairs would decide"
    )]
    Bound(f64),
    /// The bounds are equal, or the wrong way round.
    #[error("bounds of {0} and {1} nElo: the first is below the second")]
    Order(f64, f64),
    /// An error probability is none.
    #[error("{name} of {given}: {name} is above 0 and below 1")]
    Probability {
        /// `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        given: f64,
    },
    /// Both error probabilities together are certain.
    #[error("alpha of {0} and beta of {1}: together they are below 1")]
    Together(f64, f64),
}

/// The state of a test after some pairs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtState {
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// The ratio at which H0 is accepted.
    pub lower: f64,
    /// The ratio at which H1 is accepted.
    pub upper: f64,
    /// Its verdict.
    pub verdict: SprtVerdict,
}

/// The verdict of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// More pairs are needed.
    Continue,
    /// The pairs speak for `nelo0`.
    AcceptH0,
    /// The pairs speak for `nelo1`.
    AcceptH1,
}

impl Sprt {
    /// A test of these normalized Elo that accepts H1 with a probability of at most `alpha` where H0 holds, and H0 with at most `beta`
    /// where H1 does.
    ///
    /// # Errors
    /// If a bound is not from -[`NELO_MAX`] to [`NELO_MAX`] or `nelo0` not below `nelo1`; if an error probability is not between 0 and 1
    /// or both together are not below 1.
    pub fn new(nelo0: f64, nelo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        for nelo in [nelo0, nelo1] {
            if !(-NELO_MAX..=NELO_MAX).contains(&nelo) {
                return Err(SprtError::Bound(nelo));
            }
        }
        if nelo0 >= nelo1 {
            return Err(SprtError::Order(nelo0, nelo1));
        }
        for (name, given) in [("alpha", alpha), ("beta", beta)] {
            if !(given > 0.0 && given < 1.0) {
                return Err(SprtError::Probability { name, given });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::Together(alpha, beta));
        }
        Ok(Self { nelo0, nelo1, alpha, beta })
    }

    /// Returns the normalized Elo of H0 and of H1.
    #[must_use]
    pub const fn nelo(&self) -> (f64, f64) {
        (self.nelo0, self.nelo1)
    }

    /// Returns the error probabilities: of accepting H1 under H0, and H0 under H1.
    #[must_use]
    pub const fn errors(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// Returns the log-likelihood ratio of H1 to H0; 0 without a pair.
    #[must_use]
    pub fn llr(&self, pairs: &PairCounts) -> f64 {
        let counts = pairs.each();
        shortfall(&counts, tau_of_nelo(self.nelo0)) - shortfall(&counts, tau_of_nelo(self.nelo1))
    }

    /// Returns the state of the test after these pairs. It holds for a test that has looked at the pairs one by one, in the order of their
    /// seeds: looking at several orders is looking for a verdict.
    #[must_use]
    pub fn state(&self, pairs: &PairCounts) -> SprtState {
        let llr = self.llr(pairs);
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let verdict = if llr >= upper {
            SprtVerdict::AcceptH1
        } else if llr <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Continue
        };
        SprtState { llr, lower, upper, verdict }
    }
}
