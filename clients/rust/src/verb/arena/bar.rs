//! The progress of a series ([`bar`]).

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on the standard error for `games` games; hidden where that is no terminal.
pub(in crate::verb) fn bar(games: u32) -> ProgressBar {
    // Its drawing is hidden by itself where nobody would see it.
    let bar = ProgressBar::new(u64::from(games));
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left");
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
