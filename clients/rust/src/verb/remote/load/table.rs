//! The line that is shown while a load lasts: [`Table`].

use std::future::Future;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tokio::time::{Instant, interval};

use super::figures::{Figures, Lately};
use super::processor::Processor;

/// Percentiles of the line.
const MEDIAN: f64 = 0.5;
const SLOW: f64 = 0.99;

/// A line on the terminal, once a second: how many calls there were in it, and how long they took.
#[derive(Debug)]
pub(super) struct Table {
    figures: Figures,
    processor: Processor,
    bar: ProgressBar,
    warm_up: Duration,
}

impl Table {
    pub(super) fn begin(figures: &Figures, processor: Processor, warm_up: u32) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a template"));
        let warm_up = Duration::from_secs(warm_up.into());
        Self { figures: figures.clone(), processor, bar, warm_up }
    }

    /// Shows the line until `lasts` has passed.
    pub(super) async fn follow(&self, lasts: impl Future<Output = ()>, from: Instant) {
        let mut lasts = std::pin::pin!(lasts);
        let mut seconds = interval(Duration::from_secs(1));
        seconds.tick().await;
        loop {
            tokio::select! {
                () = &mut lasts => return,
                _ = seconds.tick() => self.show(from.elapsed()),
            }
        }
    }

    fn show(&self, elapsed: Duration) {
        let Lately { times, events, refusals } = self.figures.lately(self.processor.server_bytes());
        let ms = |quantile| times.value_at_quantile(quantile) as f64 / 1e3;
        let phase = if elapsed < self.warm_up { " (not counted yet)" } else { "" };
        self.bar.set_message(format!(
            "{:>5} s  {:>7} calls/s  p50 {:>7.2} ms  p99 {:>7.2} ms  {events:>8} events/s  {refusals} refused{phase}",
            elapsed.as_secs(),
            times.len(),
            ms(MEDIAN),
            ms(SLOW),
        ));
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
