//! Student's t ([`quantile`]), for the one confidence that is used: 95 %, with 2.5 % left on either side.

/// The share of cases in which a value beyond either end of an interval is tolerated.
pub(crate) const TAIL: f64 = 0.025;
/// The quantile of the normal distribution that leaves [`TAIL`] above it.
pub(crate) const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// Degrees of freedom up to which the distribution is summed; beyond them an expansion is exact to eleven digits.
const SUMMED_MAX: u64 = 300;

/// The quantile of Student's t with this many degrees of freedom, at least 1, that leaves [`TAIL`] above it.
pub(crate) fn quantile(freedom: u64) -> f64 {
    assert!(freedom > 0, "one observation has no spread");
    if freedom > SUMMED_MAX { expanded(freedom) } else { summed(freedom) }
}

/// The expansion of Cornish and Fisher about the normal distribution (Abramowitz and Stegun, 26.7.5).
fn expanded(freedom: u64) -> f64 {
    let (z, n) = (NORMAL_QUANTILE, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    let powers = 79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5);
    let fourth = (powers - 1920.0 * z.powi(3) - 945.0 * z) / 92_160.0;
    z + (first + (second + (third + fourth / n) / n) / n) / n
}

/// Halves the angle whose tangent is t over the root of the degrees of freedom until it is found.
fn summed(freedom: u64) -> f64 {
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    loop {
        let angle = f64::midpoint(low, high);
        if angle <= low || angle >= high {
            return (freedom as f64).sqrt() * f64::tan(angle);
        }
        if within(freedom, angle) < 1.0 - 2.0 * TAIL { low = angle } else { high = angle }
    }
}

/// The probability that t lies between plus and minus the value of this angle: the finite sum for whole degrees of freedom (Abramowitz
/// and Stegun, 26.7.3 and 26.7.4).
fn within(freedom: u64, angle: f64) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    let mut term = if is_odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    for power in (if is_odd { 3 } else { 2 }..=freedom).step_by(2) {
        sum += term;
        term *= cosine * cosine * (power - 1) as f64 / power as f64;
    }
    if is_odd { (angle + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::{NORMAL_QUANTILE, SUMMED_MAX, expanded, quantile, summed};

    /// Solved with mpmath 1.4.1 at 30 digits, from the incomplete beta function; `scipy.stats.t.ppf(0.975, n)` gives the same.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, expected) in QUANTILES {
            let error = quantile(freedom) / expected - 1.0;
            assert!(error.abs() < 1e-11, "{freedom}: {} is not {expected}", quantile(freedom));
        }
        assert!((quantile(u64::MAX) - NORMAL_QUANTILE).abs() < 1e-15);
    }

    #[test]
    fn the_sum_and_the_expansion_meet() {
        assert!((summed(SUMMED_MAX) - expanded(SUMMED_MAX)).abs() < 1e-11);
    }

    const QUANTILES: [(u64, f64); 8] = [
        (1, 12.7062047361747),
        (2, 4.30265272974946),
        (3, 3.18244630528371),
        (4, 2.77644510519779),
        (10, 2.22813885198627),
        (99, 1.98421695158642),
        (300, 1.96790301126109),
        (5000, 1.96043855170651),
    ];
}
