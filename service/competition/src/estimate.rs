//! A value with its interval ([`Estimate`]).

/// A value that is estimated, and the interval that holds the true one with a confidence of 95 %. An end, or the value itself, may be
/// infinite; none is NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimate itself.
    pub value: f64,
    /// The lower end, at most `value`.
    pub low: f64,
    /// The upper end, at least `value`.
    pub high: f64,
}

impl Estimate {
    /// Returns the estimate of what rises with this value.
    pub(crate) fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self { value: rising(self.value), low: rising(self.low), high: rising(self.high) }
    }
}
