//! The table that is shown while a load lasts: [`Table`].

use std::fmt::Write as _;
use std::future::Future;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tokio::time::{Instant, interval};

use super::figures::{Figures, Now, Times, all};
use super::processor::Processor;

/// Percentiles of the table.
const MEDIAN: f64 = 0.5;
const SLOW: f64 = 0.99;

/// A table on the terminal, drawn anew once a second: how many calls of each kind there were, and how long the last ones took.
#[derive(Debug)]
pub(super) struct Table {
    figures: Figures,
    processor: Processor,
    bar: ProgressBar,
    warm_up: Duration,
}

impl Table {
    pub(super) fn begin(figures: &Figures, processor: Processor, warm_up: u32) -> Self {
        // It is hidden by itself where standard error is no terminal.
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a template"));
        let warm_up = Duration::from_secs(warm_up.into());
        Self { figures: figures.clone(), processor, bar, warm_up }
    }

    /// Shows the table until `lasts` has passed.
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
        let now = self.figures.look(self.processor.server_bytes());
        self.bar.set_message(text(&now, elapsed, elapsed < self.warm_up));
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// The table in words: a row for each kind of calls that there were, and one for all that play.
fn text(now: &Now, elapsed: Duration, is_warm_up: bool) -> String {
    let phase = if is_warm_up { ", warm-up" } else { "" };
    let title = format!("{} s{phase}", elapsed.as_secs());
    let mut text = format!(
        "{title:<16}{:>12}{:>12}{:>12}{:>12}{:>10}",
        "calls", "last second", "p50 ms", "p99 ms", "refused",
    );
    let mut row = |name: &str, calls: u64, lately: &Times, refusals: u64| {
        let _ = write!(text, "\n{name:<16}{calls:>12}{:>12}", lately.len());
        for quantile in [MEDIAN, SLOW] {
            let ms = match lately.is_empty() {
                true => "-".to_owned(),
                false => format!("{:.2}", lately.value_at_quantile(quantile) as f64 / 1e3),
            };
            let _ = write!(text, "{ms:>12}");
        }
        let _ = write!(text, "{refusals:>10}");
    };
    for (kind, of) in &now.kinds {
        row(kind.name(), of.calls, &of.lately, of.refusals);
    }
    let played = || now.kinds.iter().filter(|(kind, _)| kind.is_played()).map(|(_, of)| of);
    let (calls, refusals) =
        played().fold((0, now.not_made), |(calls, refusals), of| (calls + of.calls, refusals + of.refusals));
    row("all that play", calls, &all(played().map(|of| &of.lately)), refusals);
    let _ = write!(text, "\nspectators: {} events in the last second", now.events);
    if now.reconnections > 0 {
        let _ = write!(text, "; {} new connections after storms", now.reconnections);
    }
    text
}

#[cfg(test)]
mod tests {
    use edgehill_client::Error;

    use super::super::figures::{Kind, Watching};
    use super::*;

    fn lines(figures: &Figures, is_warm_up: bool) -> Vec<String> {
        let text = text(&figures.look(None), Duration::from_millis(7_400), is_warm_up);
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn each_kind_of_calls_has_a_row_with_the_times_of_the_last_second() {
        let figures = Figures::default();
        for ms in 1..=100 {
            figures.answered(Kind::Apply, Duration::from_millis(ms));
        }
        figures.answered(Kind::Create, Duration::from_millis(3));
        figures.answered(Kind::Resume, Duration::from_millis(20));
        figures.failed(Some(Kind::Apply), &Error::InvalidToken);
        figures.refused(None, "not made: no match was free");
        figures.told(&Watching { spectator: 0, played: 0, is_slow: false }, 5, 0);
        let first = [
            "7 s                    calls last second      p50 ms      p99 ms   refused",
            "apply                    100         100       50.02       99.01         1",
            "create                     1           1        3.00        3.00         0",
            "resume                     1           1       20.02       20.02         0",
            "all that play            101         101       50.02       99.01         2",
            "spectators: 5 events in the last second",
        ];
        assert_eq!(lines(&figures, false), first);

        // The last second has no answers of the other kinds, and so no times.
        figures.answered(Kind::Apply, Duration::from_millis(7));
        figures.reconnected();
        let second = [
            "7 s                    calls last second      p50 ms      p99 ms   refused",
            "apply                    101           1        7.00        7.00         1",
            "create                     1           0           -           -         0",
            "resume                     1           0           -           -         0",
            "all that play            102           1        7.00        7.00         2",
            "spectators: 0 events in the last second; 1 new connections after storms",
        ];
        assert_eq!(lines(&figures, false), second);
    }

    #[test]
    fn a_table_begins_anew_when_the_load_is_measured() {
        let figures = Figures::default();
        figures.answered(Kind::Apply, Duration::from_millis(7));
        figures.refused(None, "before");
        assert!(lines(&figures, true)[0].starts_with("7 s, warm-up "), "it says that nothing counts yet");
        figures.measure();
        figures.answered(Kind::List, Duration::from_millis(2));
        let measured = lines(&figures, false);
        assert_eq!(measured.len(), 4, "{measured:#?}");
        assert!(measured[1].starts_with("list "), "{measured:#?}");
        assert!(measured[2].ends_with(" 0"), "{measured:#?}");
    }
}
