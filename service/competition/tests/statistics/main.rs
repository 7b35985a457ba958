//! Statistics against published values, against laws, and against chance.

mod error_rates;
mod estimates;
mod mirrored_pairs;
mod pentanomial;
mod ratings;
mod series;
mod sprt;
#[path = "../../../tests/durable/volume.rs"]
#[expect(clippy::disallowed_methods, reason = "tests may read the environment, statistics may not")]
mod volume;

/// Asserts that a number is as given, up to this relative difference, or absolute below 1.
#[track_caller]
fn close(given: f64, expected: f64, tolerance: f64) {
    let scale = expected.abs().max(1.0);
    assert!((given - expected).abs() <= tolerance * scale, "{given} is not {expected}");
}
