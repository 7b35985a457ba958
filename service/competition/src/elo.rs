//! Elo and normalized Elo ([`elo_of_score`], [`nelo`]).

use std::f64::consts::{LN_10, SQRT_2};

use crate::estimate::Estimate;
use crate::likelihood::{VALUES, shortfall};
use crate::student;

/// The most normalized Elo, and with a minus the least, that a test is made for. Beyond it a handful of pairs would decide, and the
/// likelihood ratio rests on there being many.
pub const NELO_MAX: f64 = 200.0;

/// Normalized Elo of a match in which the mean score is one standard deviation above 1/2: the slope of Elo at 1/2, where a match without
/// draws has the standard deviation 1/2.
const NELO_OF_DEVIATION: f64 = 800.0 / LN_10;

/// Halvings of an interval until its end is exact.
const HALVINGS: u32 = 44;

/// Returns the difference in Elo at which a mean score from 0 to 1 is expected; infinite at the ends.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    // As a difference of logarithms it is exactly antisymmetric, and needs no case for the ends.
    400.0 * (score.log10() - (1.0 - score).log10())
}

/// Returns the pairs' mean score above 1/2 over the root of its mean square that this normalized Elo stands for. In standard deviations of
/// a pair it is the square root of two times what it is in those of a match, since the mean of two matches has half the variance of one.
pub(crate) fn tau_of_nelo(nelo: f64) -> f64 {
    let deviations = nelo / NELO_OF_DEVIATION * SQRT_2;
    deviations / deviations.hypot(1.0)
}

/// Returns the normalized Elo that this stands for: infinite at -1 and 1.
fn nelo_of_tau(tau: f64) -> f64 {
    tau / ((1.0 - tau) * (1.0 + tau)).sqrt() / SQRT_2 * NELO_OF_DEVIATION
}

/// Returns the normalized Elo of pairs with these counts, as [`crate::PairCounts::nelo`] says.
pub(crate) fn nelo(counts: &[u64; 5]) -> Option<Estimate> {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return None;
    }
    let tau = tau_of(counts, total as f64);
    if total == 1 {
        let value = nelo_of_tau(tau);
        return Some(Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY });
    }
    let tolerated = student::quantile(total - 1).powi(2) / 2.0;
    let end = |outermost: f64| {
        let (mut within, mut beyond) = (tau, outermost);
        for _ in 0..HALVINGS {
            let tried = f64::midpoint(within, beyond);
            if shortfall(counts, tried) <= tolerated { within = tried } else { beyond = tried }
        }
        // An end that the likelihood never falls short of is the outermost itself.
        if beyond.abs() >= 1.0 { beyond } else { within }
    };
    Some(Estimate { value: tau, low: end(-1.0), high: end(1.0) }.map(nelo_of_tau))
}

/// Returns the mean score above 1/2 over the root of its mean square, as the pairs have it: from -1 to 1, and 0 where all are level.
fn tau_of(counts: &[u64; 5], total: f64) -> f64 {
    let first: f64 = counts.iter().zip(VALUES).map(|(&count, value)| count as f64 * value).sum();
    let second: f64 = counts.iter().zip(VALUES).map(|(&count, value)| count as f64 * value * value).sum();
    if second > 0.0 { (first / (second * total).sqrt()).clamp(-1.0, 1.0) } else { 0.0 }
}
