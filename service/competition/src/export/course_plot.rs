//! A plot of the standings round by round ([`write()`]).

use std::fmt::{self, Write};

use super::axis::Axis;
use super::course::Course;
use super::escaped::Escaped;

const WIDTH: u32 = 760;
const HEIGHT: u32 = 320;
/// The places of the axes.
const LEFT: f64 = 50.0;
const BOTTOM: f64 = 286.0;
/// The colours of Okabe and Ito, which people tell apart who see colours differently, and which stand out on light and on dark.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/// Dashes of those who lead, once each with all colours. Lines of others are grey.
const DASHES: [&str; 2] = ["none", "6 3"];

/// Writes a line for each entrant, those of the leaders in colours with a legend.
pub(super) fn write(page: &mut String, course: &Course) -> fmt::Result {
    let values = course.lines.iter().flat_map(|(.., values)| values.iter().copied().flatten());
    // Down a page is up a plot, but for places, of which the first is the best.
    let (from, to) = if course.is_place { (12.0, BOTTOM) } else { (BOTTOM, 12.0) };
    let Some(upright) = Axis::over(values, from, to) else { return Ok(()) };
    let rounds = course.rounds.iter().map(|&round| round as f64);
    let Some(across) = Axis::over(rounds, LEFT, f64::from(WIDTH) - 20.0) else { return Ok(()) };
    writeln!(page, "<figure><figcaption>{} after each round</figcaption>", course.measure)?;
    writeln!(
        page,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">"
    )?;
    for (value, text) in upright.ticks() {
        let y = upright.place(value);
        writeln!(page, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{}\"/>", WIDTH - 20)?;
        writeln!(page, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", LEFT - 6.0, y + 4.0)?;
    }
    // Rounds have no halves.
    for (value, text) in across.ticks().filter(|(value, _)| value.fract() == 0.0) {
        let x = across.place(value);
        let text = text.split('.').next().unwrap_or_default();
        writeln!(page, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", HEIGHT - 12)?;
    }
    // Whoever leads is drawn last, above the others.
    for (index, (entrant, name, values)) in course.lines.iter().enumerate().rev() {
        let points = course.rounds.iter().zip(values).filter_map(|(&round, value)| {
            let value = (*value)?;
            Some(format!("{:.1},{:.1}", across.place(round as f64), upright.place(value)))
        });
        let points = points.collect::<Vec<_>>().join(" ");
        let last = values.iter().rev().copied().flatten().next().unwrap_or_default();
        let (colour, dash) = stroke(index).unwrap_or(("#8888", "none"));
        write!(page, "<polyline points=\"{points}\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\">")?;
        writeln!(page, "<title>{entrant} {}: {last:.1}</title></polyline>", Escaped(name))?;
    }
    writeln!(page, "</svg>")?;
    write!(page, "<p class=\"legend\">")?;
    for (index, (entrant, name, _)) in course.lines.iter().enumerate() {
        let Some((colour, dash)) = stroke(index) else { break };
        write!(page, "<span><svg width=\"28\" height=\"8\" aria-hidden=\"true\">")?;
        write!(
            page,
            "<path d=\"M0 4H28\" stroke=\"{colour}\" stroke-width=\"3\" stroke-dasharray=\"{dash}\"/></svg>"
        )?;
        writeln!(page, " {entrant} {}</span>", Escaped(name))?;
    }
    writeln!(page, "</p></figure>")
}

/// The stroke of an entrant by their place in the standings, from 0.
fn stroke(index: usize) -> Option<(&'static str, &'static str)> {
    Some((COLOURS[index % COLOURS.len()], *DASHES.get(index / COLOURS.len())?))
}
