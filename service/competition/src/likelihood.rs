//! The likelihood of counted pairs where their normalized Elo is given ([`shortfall`]).
//!
//! A distribution p over the five scores, as x above 1/2, has a mean m1 and a mean square m2. Its t-value, the mean in standard
//! deviations, is t exactly where m1 = tau * sqrt(m2), with tau = t / sqrt(1 + t^2) between -1 and 1. Of all such p, the one under which the
//! counts are likeliest is found exactly, for tau >= 0 (else the scores are mirrored):
//!
//! - The root is the least of its tangents: sqrt(m2) = min over s of (s^2 + m2) / 2s. So the distributions with less than tau are those
//!   that satisfy *every* linear constraint E y <= 0, where y = x - tau s / 2 - tau x^2 / 2s, and those with more satisfy E y >= 0 for *some* s.
//! - The likeliest p under one linear constraint E y = 0 has the log-likelihood, less that of the frequencies themselves, of
//!   min over theta of -sum n ln(1 + theta y): convex, in one variable. All five scores bound theta, those never seen, too:
//!   their probabilities are not negative, and may be positive.
//! - If the frequencies have more than tau, the answer is the least of these over s, which falls and rises once; if they have less, it is
//!   the greatest, which may rise and fall several times.
//!
//! No count is made up in place of zeros, as is elsewhere done to keep p positive: where that has a limit, this is it.
//!
//! See M. Van den Bergh, "Comments on normalized Elo" (2020-2021), and A. B. Owen, "Empirical likelihood ratio confidence intervals for a single
//! functional" (1988).

/// The mean scores of a match in a pair, above 1/2.
pub(crate) const VALUES: [f64; 5] = [-0.5, -0.25, 0.0, 0.25, 0.5];

/// Points at which a function with several summits is looked at before the best are climbed.
const GRID: usize = 40;
/// Steps by the golden section, each of which leaves 0.618 of the interval; the error of the value is the square of what is left.
const SECTIONS: u32 = 32;
/// Steps of Newton's method or halvings, of which a handful are needed as a rule.
const STEPS: u32 = 100;

/// Returns by how much the log-likelihood of these counts falls short of the greatest, if the mean score above 1/2 is `tau` times the root
/// of its mean square, with `tau` between -1 and 1: 0 or more, and infinite if they can't be.
pub(crate) fn shortfall(counts: &[u64; 5], tau: f64) -> f64 {
    let mut counts = counts.map(|count| count as f64);
    if tau < 0.0 {
        counts.reverse();
    }
    let tau = tau.abs();
    if tau == 0.0 {
        return -under_constraint(&counts, &VALUES);
    }
    let total: f64 = counts.iter().sum();
    if total == 0.0 {
        return 0.0;
    }
    let moment = |power| counts.iter().zip(VALUES).map(|(n, x)| n * x.powi(power)).sum::<f64>() / total;
    let (first, second) = (moment(1), moment(2));
    let at = |s: f64| {
        let tangent = VALUES.map(|x| x - tau * s / 2.0 - tau * x * x / (2.0 * s));
        under_constraint(&counts, &tangent)
    };
    // The root of the mean square is no less than a quarter of the mean over itself, since scores are 1/4 apart; and no more than 1/2.
    let (least, most) = (tau / 4.0, 0.5);
    if second > 0.0 && first >= tau * second.sqrt() {
        // Between these the frequencies violate the constraint.
        let root = (first * first - tau * tau * second).max(0.0).sqrt();
        let (low, high) = (tau * second / (first + root), (first + root) / tau);
        -minimum(low.max(least), high.min(most), at)
    } else {
        minimum_over_grid(least, most, |s| -at(s))
    }
}

/// The log-likelihood of the counts less that of their frequencies, under the likeliest distribution with the mean 0 of `y`: 0 or less,
/// minus infinity if there is no such distribution.
fn under_constraint(counts: &[f64; 5], y: &[f64; 5]) -> f64 {
    let seen = || counts.iter().zip(y).filter(|(n, _)| **n > 0.0);
    let dual = |theta: f64| -seen().map(|(n, y)| n * (theta * y).ln_1p()).sum::<f64>();
    let slope = |theta: f64| -seen().map(|(n, y)| n * y / (1.0 + theta * y)).sum::<f64>();
    let curvature = |theta: f64| seen().map(|(n, y)| n * (y / (1.0 + theta * y)).powi(2)).sum::<f64>();
    let at_zero = slope(0.0);
    if at_zero == 0.0 {
        return 0.0;
    }
    // The minimum is where the slope from 0 leads down to, up to where the probability of the outermost score is 0.
    let outermost = if at_zero > 0.0 {
        y.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    } else {
        y.iter().copied().fold(f64::INFINITY, f64::min)
    };
    if outermost * at_zero <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let bound = -1.0 / outermost;
    let bound_is_free = seen().all(|(_, y)| *y != outermost);
    if bound_is_free && slope(bound) * at_zero >= 0.0 {
        return dual(bound);
    }
    let (mut low, mut high) = (bound.min(0.0), bound.max(0.0));
    let mut theta = 0.0;
    for _ in 0..STEPS {
        let falls = slope(theta);
        if falls > 0.0 {
            high = theta
        } else {
            low = theta
        }
        let newton = theta - falls / curvature(theta);
        let next = if low < newton && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - theta).abs() <= f64::EPSILON * theta.abs() {
            break;
        }
        theta = next;
    }
    dual(theta)
}

/// The least value between `low` and `high` of a function that falls and rises once.
fn minimum(mut low: f64, mut high: f64, at: impl Fn(f64) -> f64) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..SECTIONS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = at(right);
        }
    }
    at_left.min(at_right)
}

/// The least value between `low` and `high`, both above 0, of a function that may fall and rise several times.
fn minimum_over_grid(low: f64, high: f64, at: impl Fn(f64) -> f64) -> f64 {
    let ratio = high / low;
    let point = |index: usize| low * ratio.powf(index as f64 / GRID as f64);
    let values: Vec<f64> = (0..=GRID).map(|index| at(point(index))).collect();
    let mut least = values.iter().copied().fold(f64::INFINITY, f64::min);
    for index in 0..=GRID {
        let (before, after) = (index.saturating_sub(1), (index + 1).min(GRID));
        if values[index].is_finite() && values[index] <= values[before].min(values[after]) {
            least = least.min(minimum(point(before), point(after), &at));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::{VALUES, shortfall};

    const CASES: usize = 300;
    const DISTRIBUTIONS: usize = 300;

    /// A random distribution with this `tau`: weights, each score times so much likelier than the one before.
    fn distribution(tau: f64, rng: &mut ChaCha8Rng) -> [f64; 5] {
        let weights: [f64; 5] = std::array::from_fn(|_| (f64::from(rng.next_u32()) / 1e9).powi(6) + 1e-9);
        let tilted = |tilt: f64| {
            let each: [f64; 5] = std::array::from_fn(|index| weights[index] * (tilt * VALUES[index]).exp());
            let sum: f64 = each.iter().sum();
            each.map(|one| one / sum)
        };
        let tau_of = |p: &[f64; 5]| {
            let moment = |power| p.iter().zip(VALUES).map(|(p, x)| p * x.powi(power)).sum::<f64>();
            moment(1) / moment(2).sqrt()
        };
        let (mut low, mut high) = (-200.0, 200.0);
        for _ in 0..100 {
            let tilt = f64::midpoint(low, high);
            if tau_of(&tilted(tilt)) < tau { low = tilt } else { high = tilt }
        }
        tilted(low)
    }

    /// The law of a maximum: nothing is above it. That it is reached, too, the tests of the ratio show.
    #[test]
    fn no_distribution_is_likelier() {
        let mut rng = ChaCha8Rng::seed_from_u64(1642);
        for _ in 0..CASES {
            let counts: [u64; 5] =
                std::array::from_fn(|_| u64::from((rng.next_u32() % 12).saturating_sub(5)));
            let total = counts.iter().sum::<u64>() as f64;
            let tau = f64::from(rng.next_u32() % 1601) / 1000.0 - 0.8;
            let least = shortfall(&counts, tau);
            assert!(least >= 0.0, "{counts:?} at {tau}: {least}");
            for _ in 0..DISTRIBUTIONS {
                let p = distribution(tau, &mut rng);
                let seen = counts.iter().zip(p).filter(|(count, _)| **count > 0);
                let short: f64 = seen.map(|(&n, p)| n as f64 * (n as f64 / total / p).ln()).sum();
                assert!(short >= least - 1e-6, "{counts:?} at {tau}: {short} under {p:?}, not {least}");
            }
        }
    }

    #[test]
    fn what_can_not_be_is_infinitely_short() {
        // A mean that is all of its root means that every pair is alike.
        assert_eq!(shortfall(&[0, 0, 0, 0, 7], 1.0), 0.0);
        assert_eq!(shortfall(&[0, 0, 0, 0, 0], 0.5), 0.0);
        assert!(shortfall(&[0, 0, 1, 0, 7], 1.0).is_infinite());
    }
}
