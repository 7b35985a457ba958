//! A scale of a plot ([`Axis`]).

/// The most marks along an axis.
const TICKS_MAX: f64 = 6.0;

/// A scale from values to places on a plot, which grow in one direction.
pub(super) struct Axis {
    low: f64,
    high: f64,
    /// The place of `low`.
    from: f64,
    /// The place of `high`.
    to: f64,
}

impl Axis {
    /// The scale on which all of these values have a place that are finite; [`None`] without one.
    pub(super) fn over(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Option<Self> {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (low, high) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return None;
        }
        // One value alone stands in the middle.
        let margin = if low < high { 0.0 } else { 0.5 };
        Some(Self { low: low - margin, high: high + margin, from, to })
    }

    /// Returns the place of a value; at an end, where it lies beyond that.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// Returns the values that are marked, each with its text: multiples of 1, 2 or 5 with zeros behind or before it.
    pub(super) fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let (step, digits) = step((self.high - self.low) / TICKS_MAX);
        // Of values as large as these every multiple is told apart: scores and ratings are small numbers.
        let first = (self.low / step).ceil();
        let count = ((self.high / step).floor() - first) as usize;
        (0..=count).map(move |index| {
            let value = (first + index as f64) * step;
            // Without a minus before a zero.
            (value, format!("{:.digits$}", value + 0.0))
        })
    }
}

/// The least of 1, 2 and 5 with zeros behind or before it that is at least this, and its digits behind the point.
fn step(least: f64) -> (f64, usize) {
    let (mut power, mut digits) = (1.0_f64, 0_usize);
    while power < least / 10.0 {
        power *= 10.0;
    }
    while power > least && digits < 12 {
        power /= 10.0;
        digits += 1;
    }
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| power * factor >= least);
    match factor {
        Some(factor) => (power * factor, digits),
        None => (power * 10.0, digits.saturating_sub(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers() {
        let cases = [
            (0.15, (0.2, 1)),
            (1.0, (1.0, 0)),
            (3.0, (5.0, 0)),
            (7.0, (10.0, 0)),
            (180.0, (200.0, 0)),
            (0.03, (0.05, 2)),
        ];
        for (least, (expected, digits)) in cases {
            let (step, told) = step(least);
            assert!((step - expected).abs() < 1e-9 && told == digits, "{least}: {step}, {told}");
        }
    }

    #[test]
    fn all_that_is_finite_has_a_place() {
        let axis = Axis::over([0.25, f64::NEG_INFINITY, 1.0, f64::INFINITY], 100.0, 200.0).unwrap();
        assert_eq!(
            [0.25, 1.0, f64::INFINITY, -4.0].map(|value| axis.place(value)),
            [100.0, 200.0, 200.0, 100.0]
        );
        let ticks: Vec<_> = axis.ticks().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["0.4", "0.6", "0.8", "1.0"]);
        assert!(Axis::over([f64::INFINITY], 0.0, 1.0).is_none());
    }

    #[test]
    fn a_single_value_stands_in_the_middle() {
        let axis = Axis::over([3.0, 3.0], 0.0, 10.0).unwrap();
        assert_eq!(axis.place(3.0), 5.0);
        assert_eq!(axis.ticks().count(), 5);
    }
}
