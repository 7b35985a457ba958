//! The log-likelihood ratio and the verdict of the sequential test.

use edgehill_competition::{PairCounts, Sprt, SprtError, SprtVerdict};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::close;
use crate::pentanomial::pair;
use crate::volume::volume;

fn llr(counts: [u32; 5], nelo0: f64, nelo1: f64) -> f64 {
    Sprt::new(nelo0, nelo1, 0.05, 0.05).expect("it is a test").llr(&PairCounts::new(counts))
}

/// As others have published them, to two decimals. The first three are of tests of fastchess (app/tests/sprt_test.cpp; the first two from
/// its pull request 426, where they are said to be fishtest's), the fourth of its pull request 783, which has 2.94598 by an approximation; the
/// fifth is an output of it that somebody kept (heofthetea/dhbw, SPRT.md).
#[test]
fn published_ratios_are_met() {
    for (counts, nelo0, nelo1, expected, tolerance) in [
        ([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, 2.25, 0.005),
        ([127, 4883, 10_712, 5150, 104], -1.75, 0.25, 3.01, 0.005),
        // Zeros are a thousandth of a pair there, which makes a difference of 0.02.
        ([0, 0, 0, 0, 5550], 0.0, 5.0, 111.82, 0.03),
        ([379, 10_170, 21_828, 10_640, 343], 0.0, 2.0, 2.946, 0.001),
        ([0, 0, 2, 0, 37], 0.0, 20.0, 2.96, 0.005),
    ] {
        let given = llr(counts, nelo0, nelo1);
        assert!((given - expected).abs() <= tolerance, "{counts:?}: {given} is not {expected}");
    }
}

/// The same maximum sought without any of the mathematics: `scipy.optimize.minimize` (SciPy 1.17.1, SLSQP from 40 random distributions,
/// `ftol` 1e-14) of the negative log-likelihood over the five probabilities, whose sum is 1 and whose mean above 1/2 is tau times the root of its
/// mean square, once for each bound.
#[test]
fn ratios_are_those_of_a_search_over_all_distributions() {
    for (counts, nelo0, nelo1, expected) in [
        ([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, 2.250_367_703),
        ([34, 54, 63, 64, 75], 0.0, 50.0, 7.668_408_971),
        ([3, 9, 20, 14, 4], -10.0, 30.0, 0.792_947_475),
        ([0, 2, 7, 5, 3], 0.0, 100.0, 2.469_012_364),
        ([0, 0, 0, 0, 12], 0.0, 80.0, 3.236_953_082),
        ([0, 0, 25, 0, 0], -20.0, 60.0, -1.283_242_894),
        ([9, 0, 4, 0, 1], -100.0, 20.0, -3.557_856_417),
        ([0, 30, 0, 0, 10], 0.0, 40.0, -1.688_782_827),
        ([0, 1, 9, 0, 1], 0.0, 200.0, -3.247_714_568),
        // Nearly level pairs: the likelihood under 200 has two summits, 6 apart.
        ([1, 1, 80, 3, 0], 0.0, 200.0, -34.942_114_326),
        ([0, 0, 80, 2, 0], 20.0, 200.0, -32.846_912_429),
        ([0, 3, 80, 0, 2], -200.0, 0.0, 35.688_695_437),
    ] {
        close(llr(counts, nelo0, nelo1), expected, 2e-9);
    }
}

/// Where all pairs are alike the maximum can be written down.
#[test]
fn pairs_that_are_alike_have_their_ratio() {
    assert_eq!(llr([0; 5], 0.0, 50.0), 0.0);
    let tau = |nelo: f64| {
        let t = nelo * 2.0_f64.sqrt() / (800.0 / 10.0_f64.ln());
        t / (1.0 + t * t).sqrt()
    };
    // Level pairs: as few others as the t-value needs, which is a share of tau squared.
    let expected = 30.0 * (-tau(50.0).powi(2)).ln_1p();
    close(llr([0, 0, 30, 0, 0], 0.0, 50.0), expected, 1e-9);
    // Pairs with both matches won: the fewest others are pairs with both lost.
    let expected = 30.0 * (tau(50.0) / 2.0 + 0.5).ln() - 30.0 * (tau(-20.0) / 2.0 + 0.5).ln();
    close(llr([0, 0, 0, 0, 30], -20.0, 50.0), expected, 1e-9);
    close(llr([30, 0, 0, 0, 0], -50.0, 20.0), -expected, 1e-9);
}

#[test]
fn what_is_mirrored_has_the_opposite_ratio() {
    let volume = volume(20_000);
    let mut rng = ChaCha8Rng::seed_from_u64(volume.seed);
    for _ in 0..volume.cases {
        let counts: [u32; 5] = std::array::from_fn(|_| (rng.next_u32() % 40).saturating_sub(15));
        let mut nelo: [f64; 2] = std::array::from_fn(|_| f64::from(rng.next_u32() % 401) - 200.0);
        nelo.sort_by(f64::total_cmp);
        if nelo[0] == nelo[1] {
            continue;
        }
        let mut mirrored = counts;
        mirrored.reverse();
        let (one, other) = (llr(counts, nelo[0], nelo[1]), llr(mirrored, -nelo[1], -nelo[0]));
        assert!(one.is_finite(), "{counts:?} {nelo:?}");
        close(one, -other, 1e-9);
    }
}

#[test]
fn a_test_is_decided_at_its_bounds() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.1).expect("it is a test");
    assert_eq!((sprt.nelo(), sprt.errors()), ((0.0, 50.0), (0.05, 0.1)));
    let mut pairs = PairCounts::EMPTY;
    let empty = sprt.state(&pairs);
    assert_eq!((empty.llr, empty.verdict), (0.0, SprtVerdict::Continue));
    close(empty.lower, (0.1_f64 / 0.95).ln(), 1e-15);
    close(empty.upper, (0.9_f64 / 0.05).ln(), 1e-15);
    for (score, verdict) in [(3, SprtVerdict::AcceptH1), (1, SprtVerdict::AcceptH0)] {
        pairs = PairCounts::EMPTY;
        let decided = loop {
            let state = sprt.state(&pairs);
            if state.verdict != SprtVerdict::Continue {
                break state;
            }
            assert!(state.lower < state.llr && state.llr < state.upper);
            pairs.add(pair(score));
        };
        assert_eq!(decided.verdict, verdict, "{pairs:?}");
        assert!(decided.llr >= decided.upper || decided.llr <= decided.lower);
    }
}

#[test]
fn a_test_that_could_not_be_meant_is_refused() {
    let refused = |nelo0, nelo1, alpha, beta| Sprt::new(nelo0, nelo1, alpha, beta).expect_err("it is none");
    assert_eq!(refused(0.0, 200.1, 0.05, 0.05), SprtError::Bound(200.1));
    assert_eq!(refused(-201.0, 0.0, 0.05, 0.05), SprtError::Bound(-201.0));
    assert!(matches!(refused(f64::NAN, 0.0, 0.05, 0.05), SprtError::Bound(_)));
    assert_eq!(refused(5.0, 5.0, 0.05, 0.05), SprtError::Order(5.0, 5.0));
    assert_eq!(refused(5.0, 0.0, 0.05, 0.05), SprtError::Order(5.0, 0.0));
    for given in [0.0, 1.0, -0.5, f64::INFINITY] {
        assert_eq!(refused(0.0, 5.0, given, 0.05), SprtError::Probability { name: "alpha", given });
        assert_eq!(refused(0.0, 5.0, 0.05, given), SprtError::Probability { name: "beta", given });
    }
    assert!(matches!(refused(0.0, 5.0, f64::NAN, 0.05), SprtError::Probability { name: "alpha", .. }));
    assert_eq!(refused(0.0, 5.0, 0.5, 0.5), SprtError::Together(0.5, 0.5));
    assert!(Sprt::new(-200.0, 200.0, 0.5, 0.4999).is_ok());
}
