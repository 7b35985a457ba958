//! The errors of the sequential test, by simulation: as rare as they are allowed to be, whatever the scores are distributed like.

use edgehill_competition::{PairCounts, Sprt, SprtVerdict};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::pentanomial::Pentanomial;
use crate::volume::volume;

const ALPHA: f64 = 0.05;
const BETA: f64 = 0.1;

/// Pairs after which a test that is not decided has gone wrong.
const PAIRS_MAX: u64 = 100_000;

/// Distributions as they are before they are tilted: without draws, with many, nearly all level, uneven, and skewed.
const BASES: [[f64; 5]; 5] = [
    [0.25, 0.0, 0.5, 0.0, 0.25],
    [0.05, 0.25, 0.4, 0.25, 0.05],
    [0.005, 0.045, 0.9, 0.045, 0.005],
    [0.4, 0.1, 0.1, 0.1, 0.3],
    [0.3, 0.02, 0.03, 0.65, 0.0],
];

/// Plays one test; its verdict and the pairs that it took.
fn verdict(sprt: &Sprt, scores: &Pentanomial, rng: &mut ChaCha8Rng) -> (SprtVerdict, u64) {
    let mut pairs = PairCounts::EMPTY;
    while pairs.total() < PAIRS_MAX {
        pairs.add(scores.draw(rng));
        let state = sprt.state(&pairs);
        if state.verdict != SprtVerdict::Continue {
            return (state.verdict, pairs.total());
        }
    }
    panic!("undecided: {pairs:?}");
}

/// Asserts that so many errors in so many cases are no more than this probability allows, by four standard deviations.
fn rare(errors: usize, cases: usize, allowed: f64, told: &str) {
    let (errors, cases) = (errors as f64, cases as f64);
    let most = allowed * cases + 4.0 * (allowed * (1.0 - allowed) * cases).sqrt();
    assert!(errors <= most, "{told}: {errors} errors of {cases}, where {allowed} are allowed");
}

fn hold(nelo0: f64, nelo1: f64, full: usize) {
    let volume = volume(full);
    let sprt = Sprt::new(nelo0, nelo1, ALPHA, BETA).expect("it is a test");
    let mut all_errors = 0;
    for base in BASES {
        for (truth, wrong, allowed) in
            [(nelo0, SprtVerdict::AcceptH1, ALPHA), (nelo1, SprtVerdict::AcceptH0, BETA)]
        {
            let scores = Pentanomial::tilted(base, truth);
            let mut rng = ChaCha8Rng::seed_from_u64(volume.seed);
            let played: Vec<_> = (0..volume.cases).map(|_| verdict(&sprt, &scores, &mut rng)).collect();
            let errors = played.iter().filter(|(verdict, _)| *verdict == wrong).count();
            let pairs = played.iter().map(|(_, pairs)| pairs).sum::<u64>() / volume.cases as u64;
            let told = format!("{base:?} at {truth} of [{nelo0}, {nelo1}]");
            println!("{told}: {errors} of {} wrong, {pairs} pairs", volume.cases);
            rare(errors, volume.cases, allowed, &told);
            all_errors += errors;
        }
    }
    // A test that never errs would have the same bounds, and be no test.
    assert!(all_errors > volume.cases / 10, "[{nelo0}, {nelo1}]: {all_errors} errors");
}

#[test]
fn errors_are_as_rare_as_allowed() {
    hold(0.0, 50.0, 5000);
}

#[test]
fn errors_are_as_rare_as_allowed_between_bounds_of_either_sign() {
    hold(-60.0, 20.0, 8000);
}

#[test]
fn errors_are_as_rare_as_allowed_at_the_outermost_bounds() {
    hold(-200.0, 200.0, 40_000);
    hold(0.0, 200.0, 40_000);
    hold(100.0, 200.0, 8000);
}
