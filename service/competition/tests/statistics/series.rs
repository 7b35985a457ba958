//! Scores in a game for one.

use edgehill_competition::{Sample, SampleError, SeriesError, SeriesScores};

use crate::close;

#[test]
fn a_mean_has_its_interval() {
    let mut sample = Sample::new(-10..=30);
    for value in [-10, 0, 5, 30] {
        sample.add(value).unwrap();
    }
    assert_eq!((sample.count(), sample.mean()), (4, Some(6.25)));
    // 16.25^2 + 6.25^2 + 1.25^2 + 23.75^2 = 868.75, over 3.
    close(sample.variance().unwrap(), 868.75 / 3.0, 1e-15);
    let half = 3.182_446_305_283_71 * (868.75_f64 / 12.0).sqrt();
    let estimate = sample.estimate().unwrap();
    close(estimate.high, (6.25 + half).min(30.0), 1e-12);
    assert_eq!(estimate.low, -10.0);
}

#[test]
fn the_order_of_observations_does_not_matter() {
    let numbers: Vec<i32> = (0..1000).map(|n| n * n % 997 - 400).collect();
    let sample = |numbers: &mut dyn Iterator<Item = i32>| {
        let mut sample = Sample::new(-400..=600);
        numbers.for_each(|number| sample.add(number).unwrap());
        sample
    };
    let (one, other) = (sample(&mut numbers.iter().copied()), sample(&mut numbers.iter().rev().copied()));
    assert_eq!((one.estimate(), one.variance()), (other.estimate(), other.variance()));
}

#[test]
fn a_number_outside_of_the_range_is_refused() {
    let mut sample = Sample::new(-1..=1);
    sample.add(1).unwrap();
    let before = sample.clone();
    for given in [-2, 2, i32::MIN, i32::MAX] {
        assert_eq!(sample.add(given), Err(SampleError::OutOfRange { given, low: -1, high: 1 }));
    }
    assert_eq!(sample, before);
    let mut widest = Sample::new(i32::MIN..=i32::MAX);
    for value in [i32::MIN, i32::MAX, 0] {
        widest.add(value).unwrap();
    }
    close(widest.mean().unwrap(), -1.0 / 3.0, 1e-6);
}

#[test]
fn entrants_are_compared_seed_by_seed() {
    let mut scores = SeriesScores::new(0..=100);
    // Seeds differ much, and the entrants by 1 or 2.
    for (seed, score) in [10, 90, 40, 70, 20].into_iter().enumerate() {
        scores.add("ada", seed as u64, score).unwrap();
        scores.add("ben", seed as u64, score - 1 - (seed % 2) as i32).unwrap();
    }
    scores.add("ada", 99, 100).unwrap();
    assert_eq!(scores.entrants().collect::<Vec<_>>(), ["ada", "ben"]);
    let mean = scores.scores("ada").estimate().unwrap();
    assert_eq!(mean.value, 55.0);
    assert!(mean.high - mean.low > 50.0, "{mean:?}");
    let difference = scores.difference("ada", "ben").unwrap();
    close(difference.value, 1.4, 1e-15);
    assert!(difference.low > 0.5 && difference.high < 2.5, "{difference:?}");
    close(scores.difference("ben", "ada").unwrap().value, -1.4, 1e-15);
    assert_eq!((scores.difference("ada", "cid"), scores.scores("cid").estimate()), (None, None));
}

#[test]
fn a_score_that_does_not_count_changes_nothing() {
    let mut scores = SeriesScores::new(0..=10);
    scores.add("ada", 1, 5).unwrap();
    let before = scores.clone();
    assert_eq!(scores.add("ada", 1, 6), Err(SeriesError::PlayedBefore(1)));
    assert!(matches!(scores.add("ada", 2, 11), Err(SeriesError::Sample(SampleError::OutOfRange { .. }))));
    assert!(scores.add("ben", 2, -1).is_err());
    assert_eq!(scores, before);
}

#[test]
fn scores_that_are_alike_leave_what_was_not_seen() {
    let mut scores = SeriesScores::new(0..=10);
    for seed in 0..9 {
        scores.add("ada", seed, 10).unwrap();
    }
    let mean = scores.scores("ada").estimate().unwrap();
    assert_eq!((mean.value, mean.high), (10.0, 10.0));
    close((mean.low / 10.0).powi(9), 0.025, 1e-12);
}
