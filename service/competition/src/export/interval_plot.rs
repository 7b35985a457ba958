//! A plot of estimates with their intervals ([`write()`]).

use std::fmt::{self, Write};

use super::axis::Axis;
use super::escaped::Escaped;
use crate::encounter::EntrantId;
use crate::estimate::Estimate;

const WIDTH: u32 = 760;
/// The place at which names end, and values begin.
const NAMES: u32 = 220;
const ROW: u32 = 20;
/// The most characters of a name beside its line.
const NAME_CHARS: usize = 24;

/// Writes a line for each entrant, in this order: a dot at the estimate, and a bar from end to end of the interval that holds the true value with
/// 95 %. A bar that goes beyond the plot ends at its edge. Without an estimate there is no plot.
pub(super) fn write(
    page: &mut String,
    caption: &str,
    estimates: &[(EntrantId, &str, Estimate)],
) -> fmt::Result {
    let values = estimates.iter().flat_map(|(.., estimate)| [estimate.low, estimate.value, estimate.high]);
    let Some(axis) = Axis::over(values, f64::from(NAMES + 10), f64::from(WIDTH - 20)) else { return Ok(()) };
    let bottom = ROW * estimates.len() as u32 + 4;
    let height = bottom + 22;
    writeln!(page, "<figure><figcaption>{}</figcaption>", Escaped(caption))?;
    writeln!(
        page,
        "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">"
    )?;
    for (value, text) in axis.ticks() {
        let x = axis.place(value);
        writeln!(page, "<path class=\"grid\" d=\"M{x:.1} 0V{bottom}\"/>")?;
        writeln!(page, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", height - 6)?;
    }
    for (row, (entrant, name, estimate)) in (0..).zip(estimates) {
        let y = ROW * row + ROW / 2 + 2;
        let [low, value, high] = [estimate.low, estimate.value, estimate.high].map(|value| axis.place(value));
        let short: String = name.chars().take(NAME_CHARS).collect();
        write!(page, "<g><title>{entrant} {}: {:.3} ", Escaped(name), estimate.value)?;
        writeln!(page, "({:.3} to {:.3})</title>", estimate.low, estimate.high)?;
        writeln!(
            page,
            "<text x=\"{NAMES}\" y=\"{}\" text-anchor=\"end\">{entrant} {}</text>",
            y + 4,
            Escaped(&short)
        )?;
        writeln!(page, "<path class=\"bar\" d=\"M{low:.1} {y}H{high:.1}\"/>")?;
        writeln!(page, "<circle cx=\"{value:.1}\" cy=\"{y}\" r=\"4\"/></g>")?;
    }
    writeln!(page, "</svg></figure>")
}
