//! Scores, Elo and normalized Elo with their intervals.

use edgehill_competition::{Estimate, PairCounts, elo_of_score};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::close;
use crate::pentanomial::Pentanomial;
use crate::volume::volume;

#[test]
fn the_score_has_its_interval_by_students_t() {
    // 2, 3/2, 1, 1 and 0 points: a mean of 0.55 a match; (0.45^2 + 0.2^2 + 2 * 0.05^2 + 0.55^2) / 4.
    let pairs = PairCounts::new([1, 0, 2, 1, 1]);
    assert_eq!((pairs.total(), pairs.each()), (5, [1, 0, 2, 1, 1]));
    close(pairs.variance().unwrap(), 0.1375, 1e-15);
    close(pairs.standard_error().unwrap(), (0.1375_f64 / 5.0).sqrt(), 1e-15);
    let score = pairs.score().unwrap();
    close(score.value, 0.55, 1e-15);
    // 2.776 is Student's t with four degrees of freedom.
    let half = 2.776_445_105_197_793 * (0.1375_f64 / 5.0).sqrt();
    close(score.low, 0.55 - half, 1e-12);
    // The upper end would be above 1.
    assert_eq!((score.high, pairs.for_the_other().score().unwrap().low), (1.0, 0.0));
}

/// As fastchess has them (app/tests/elo_test.cpp), with the quantile of the normal distribution. The error of normalized Elo leaves out there that
/// the deviation is estimated, too, which makes the last 4 % larger.
#[test]
fn published_differences_are_met() {
    for (counts, elo, nelo) in [
        ([34, 54, 63, 64, 75], (55.58, 27.65), (57.94, 28.28)),
        ([332, 433, 498, 333, 334], (-8.64, 10.33), (-9.17, 10.96)),
        ([7895, 8757, 5685, 568, 9999], (-21.04, 2.95), (-19.01, 2.65)),
    ] {
        let pairs = PairCounts::new(counts);
        let told = [(pairs.elo().unwrap(), elo, 0.01), (pairs.nelo().unwrap(), nelo, 0.05)];
        for (given, (value, error), tolerance) in told {
            assert!((given.value - value).abs() < 0.006, "{counts:?}: {given:?} is not {value}");
            close((given.high - given.low) / 2.0 / error, 1.0, tolerance);
        }
    }
}

/// Of many pairs the interval is that of the t-value's asymptotic variance, with the third and fourth moment of the scores.
#[test]
fn the_interval_of_normalized_elo_is_asymptotically_right() {
    for counts in [[7895, 8757, 5685, 568, 9999], [100, 4000, 9000, 5000, 900], [900, 100, 100, 300, 2500]] {
        let pairs = PairCounts::new(counts);
        let total = pairs.total() as f64;
        let mean = pairs.score().unwrap().value;
        let central = |power| {
            let each =
                counts.iter().zip(0..).map(|(&count, index)| (f64::from(count), f64::from(index) / 4.0));
            each.map(|(count, score): (f64, f64)| count * (score - mean).powi(power)).sum::<f64>() / total
        };
        let deviation = central(2).sqrt();
        let t = (mean - 0.5) / deviation;
        let (skewness, kurtosis) = (central(3) / deviation.powi(3), central(4) / deviation.powi(4));
        let variance = (1.0 - skewness * t + (kurtosis - 1.0) / 4.0 * t * t) / total;
        let nelo = pairs.nelo().unwrap();
        let unit = 800.0 / 10.0_f64.ln() / 2.0_f64.sqrt();
        close(nelo.value, t * unit, 1e-12);
        close((nelo.high - nelo.low) / 2.0 / unit / (1.96 * variance.sqrt()), 1.0, 0.005);
    }
}

#[test]
fn elo_is_of_the_score() {
    close(elo_of_score(0.75), 400.0 * 3.0_f64.log10(), 1e-15);
    assert_eq!(elo_of_score(0.5), 0.0);
    assert_eq!(elo_of_score(0.25), -elo_of_score(0.75));
    assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
}

#[test]
fn without_a_pair_there_is_nothing_to_tell() {
    let none = PairCounts::EMPTY;
    assert_eq!((none.score(), none.elo(), none.nelo()), (None, None, None));
    assert_eq!((none.variance(), none.standard_error()), (None, None));
}

#[test]
fn one_pair_bounds_little() {
    for (index, value) in [(0, 0.0), (1, 0.25), (2, 0.5), (3, 0.75), (4, 1.0)] {
        let mut counts = [0; 5];
        counts[index] = 1;
        let pairs = PairCounts::new(counts);
        assert_eq!((pairs.variance(), pairs.standard_error()), (None, None));
        // Others have a probability below 1 - 0.025.
        let score = pairs.score().unwrap();
        assert_eq!(score.value, value);
        close(score.low, value * 0.025, 1e-15);
        close(score.high, 1.0 - (1.0 - value) * 0.025, 1e-15);
        let nelo = pairs.nelo().unwrap();
        assert_eq!((nelo.low, nelo.high), (f64::NEG_INFINITY, f64::INFINITY));
        let sign = (value - 0.5) * f64::INFINITY;
        assert_eq!(nelo.value, if index == 2 { 0.0 } else { sign });
    }
}

#[test]
fn pairs_that_are_alike_have_an_interval_and_no_spread() {
    let won = PairCounts::new([0, 0, 0, 0, 100]);
    assert_eq!((won.variance(), won.standard_error()), (Some(0.0), Some(0.0)));
    let score = won.score().unwrap();
    assert_eq!((score.value, score.high), (1.0, 1.0));
    // With a probability of 0.025 a hundred pairs are alike where the others have this one.
    close((1.0 - (1.0 - score.low)).powi(100), 0.025, 1e-12);
    let elo = won.elo().unwrap();
    assert_eq!((elo.value, elo.high), (f64::INFINITY, f64::INFINITY));
    assert!(elo.low > 500.0 && elo.low.is_finite(), "{elo:?}");
    let nelo = won.nelo().unwrap();
    assert_eq!((nelo.value, nelo.high), (f64::INFINITY, f64::INFINITY));
    assert!(nelo.low > 500.0 && nelo.low.is_finite(), "{nelo:?}");

    let level = PairCounts::new([0, 0, 100, 0, 0]).nelo().unwrap();
    assert_eq!(level.value, 0.0);
    close(level.high, -level.low, 1e-9);
    assert!(level.high > 0.0 && level.high < 100.0, "{level:?}");
}

/// All counts up to two of each score, and those a hundred times as large.
#[test]
fn no_count_gives_a_number_that_is_none() {
    for number in 1..3_u32.pow(5) {
        for factor in [1, 100] {
            let counts = std::array::from_fn(|index| number / 3_u32.pow(index as u32) % 3 * factor);
            let pairs = PairCounts::new(counts);
            let told = [pairs.score(), pairs.elo(), pairs.nelo()].map(Option::unwrap);
            for Estimate { value, low, high } in told {
                assert!(low <= value && value <= high, "{counts:?}: {low} {value} {high}");
            }
            let other = pairs.for_the_other();
            let mirrored = [other.score().unwrap(), other.elo().unwrap(), other.nelo().unwrap()];
            close(told[0].value, 1.0 - mirrored[0].value, 1e-15);
            for (one, other) in told.iter().zip(mirrored).skip(1) {
                if one.value.is_finite() {
                    close(one.value, -other.value, 1e-9);
                }
                if one.low.is_finite() {
                    close(one.low, -other.high, 1e-6);
                }
            }
        }
    }
}

/// 95 % of the intervals hold the truth, or a little less where few pairs are skewed.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let volume = volume(8000);
    for (base, nelo, pairs) in [
        ([0.25, 0.0, 0.5, 0.0, 0.25], 0.0, 40),
        ([0.05, 0.25, 0.4, 0.25, 0.05], 80.0, 40),
        ([0.4, 0.1, 0.1, 0.1, 0.3], -50.0, 60),
        ([0.02, 0.1, 0.7, 0.15, 0.03], 100.0, 150),
    ] {
        let truth = Pentanomial::tilted(base, nelo);
        let mut rng = ChaCha8Rng::seed_from_u64(volume.seed);
        let mut missed = [0; 2];
        for _ in 0..volume.cases {
            let mut counts = PairCounts::EMPTY;
            (0..pairs).for_each(|_| counts.add(truth.draw(&mut rng)));
            let (score, estimate) = (counts.score().unwrap(), counts.nelo().unwrap());
            let holds = |one: Estimate, truth| one.low <= truth && truth <= one.high;
            missed[0] += usize::from(!holds(score, truth.score()));
            missed[1] += usize::from(!holds(estimate, nelo));
        }
        println!("{base:?} at {nelo}, {pairs} pairs: {missed:?} of {} miss", volume.cases);
        for missed in missed {
            let share = missed as f64 / volume.cases as f64;
            let error = 4.0 * (0.05 * 0.95 / volume.cases as f64).sqrt();
            assert!((0.03 - error..0.065 + error).contains(&share), "{missed} of {}", volume.cases);
        }
    }
}
