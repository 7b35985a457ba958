//! Counts against exact odds.

/// For numbers of cells: the value that chi-squared passes once in a million times where the odds are right.
const ONCE_IN_A_MILLION: [(usize, f64); 5] =
    [(4, 30.665), (10, 44.811), (20, 63.677), (28, 77.188), (45, 103.701)];

/// The sum over all cells of the squared distance between count and expectation, by the expectation.
pub(crate) fn chi_squared(counts: &[u64], weights: &[u64]) -> f64 {
    assert_eq!(counts.len(), weights.len(), "a weight for each cell");
    let cases = counts.iter().sum::<u64>() as f64;
    let total = weights.iter().sum::<u64>() as f64;
    let cell = |(&count, &weight): (&u64, &u64)| {
        let expected = cases * weight as f64 / total;
        assert!(expected >= 10.0, "too few cases for cells of this weight");
        (count as f64 - expected).powi(2) / expected
    };
    counts.iter().zip(weights).map(cell).sum()
}

/// Returns whether counts are as these weights make them. Right odds are refused once in a million times, with seeds that nobody
/// has tried before; a test with fixed seeds passes always or never.
pub(crate) fn fit(counts: &[u64], weights: &[u64]) -> bool {
    let of_size = ONCE_IN_A_MILLION.iter().find(|&&(cells, _)| cells == counts.len());
    let &(_, most) = of_size.expect("the bound for this number of cells is known");
    chi_squared(counts, weights) <= most
}

#[test]
fn what_is_a_little_off_does_not_fit() {
    let even = [1; 10];
    assert!(fit(&[1_000; 10], &even));
    assert!(fit(&[1_030, 970, 1_010, 990, 1_000, 1_000, 1_020, 980, 1_005, 995], &even));
    assert!(!fit(&[1_200, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 800], &even));
}
