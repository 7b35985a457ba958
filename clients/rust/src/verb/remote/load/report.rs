//! The figures of a load in words, as JSON and as a page: [`Report`].

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use super::figures::{Counted, Times, Told};
use super::processor::Used;

/// The quantiles that are told, with their names.
const QUANTILES: [(&str, f64); 5] =
    [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];

/// The figures of a load.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) game: &'a str,
    pub(super) matches: u32,
    /// Calls a second that came whether or not those before were answered.
    pub(super) rate: Option<u32>,
    pub(super) watchers: u32,
    /// Seconds that were measured.
    pub(super) seconds: f64,
    /// Calls of the echo a second, before and after.
    pub(super) echoes: [f64; 2],
    pub(super) processor: Used,
    pub(super) figures: Counted,
}

/// Milliseconds at a quantile.
fn ms(times: &Times, quantile: f64) -> f64 {
    times.value_at_quantile(quantile) as f64 / 1e3
}

impl Report<'_> {
    /// Returns whether each spectator was told each event once and in order, and something was played.
    pub(super) fn is_sound(&self) -> bool {
        self.figures.gaps == 0 && !self.figures.played().is_empty()
    }

    fn loop_name(&self) -> String {
        match self.rate {
            Some(rate) => format!("open loop, {rate} calls/s"),
            None => "closed loop".to_owned(),
        }
    }

    fn title(&self) -> String {
        format!("{}: {} matches, {} spectators, {}", self.game, self.matches, self.watchers, self.loop_name())
    }

    /// Calls that play matches, a second.
    fn calls(&self) -> f64 {
        self.figures.played().len() as f64 / self.seconds
    }

    /// Names and values of all that is no time of a call.
    fn counts(&self) -> Vec<(&'static str, String)> {
        let share = |used: Option<Duration>| {
            used.map_or("not told".to_owned(), |used| {
                format!("{:.0} %", 100.0 * used.as_secs_f64() / self.seconds)
            })
        };
        let [before, after] = self.echoes;
        let bytes = &self.figures.server_bytes;
        let mib = |bytes: Option<&u64>| bytes.map_or(0, |bytes| bytes >> 20);
        let memory = match bytes.iter().max() {
            None => "not told".to_owned(),
            most => format!("{}, {}, {} MiB", mib(bytes.first()), mib(most), mib(bytes.last())),
        };
        let read = |told: Told| format!("{}, with {} events", told.messages, told.events);
        let spectators = || self.figures.spectators.values().map(BTreeSet::len);
        let watched = match (spectators().min(), spectators().max()) {
            (Some(least), Some(most)) => format!("{}, by {least} to {most}", spectators().count()),
            _ => "none".to_owned(),
        };
        vec![
            ("measured", format!("{:.1} s", self.seconds)),
            ("calls", format!("{:.0}/s", self.calls())),
            ("matches that ended", self.figures.ended.to_string()),
            ("events to spectators", format!("{:.0}/s", self.figures.told.events as f64 / self.seconds)),
            ("events out of order", self.figures.gaps.to_string()),
            ("messages to spectators", read(self.figures.told)),
            ("messages to slow spectators among them", read(self.figures.slow)),
            ("matches that were watched", watched),
            ("new connections after storms", self.figures.reconnections.to_string()),
            ("echo, before and after", format!("{before:.0}/s, {after:.0}/s")),
            ("processor, this program", share(self.processor.client)),
            ("processor, the server", share(self.processor.server)),
            ("memory of the server: first, most, last", memory),
            (
                "load of the machine",
                self.processor.load.map_or("not told".to_owned(), |load| format!("{load:.1}")),
            ),
        ]
    }

    /// In words.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.title());
        for (name, value) in self.counts() {
            let _ = writeln!(text, "{name:<40} {value:>24}");
        }
        let _ = write!(text, "\n{:<10}{:>10}", "ms", "calls");
        for (name, _) in QUANTILES {
            let _ = write!(text, "{name:>10}");
        }
        for (kind, times) in &self.figures.times {
            let _ = write!(text, "\n{:<10}{:>10}", kind.name(), times.len());
            for (_, quantile) in QUANTILES {
                let _ = write!(text, "{:>10.2}", ms(times, quantile));
            }
        }
        text.push('\n');
        for (reason, count) in &self.figures.refusals {
            let _ = writeln!(text, "{count} times {reason}");
        }
        text
    }

    /// As JSON: times in milliseconds.
    pub(super) fn json(&self) -> String {
        let times = |times: &Times| {
            let quantiles =
                QUANTILES.iter().map(|(name, quantile)| ((*name).to_owned(), json!(ms(times, *quantile))));
            let mut value: serde_json::Map<String, Value> = quantiles.collect();
            value.insert("calls".to_owned(), json!(times.len()));
            Value::Object(value)
        };
        let kinds: serde_json::Map<String, Value> =
            self.figures.times.iter().map(|(kind, of)| (kind.name().to_owned(), times(of))).collect();
        let seconds = |used: Option<Duration>| used.map(|used| used.as_secs_f64());
        let spectators: Vec<usize> = self.figures.spectators.values().map(BTreeSet::len).collect();
        let value = json!({
            "game": self.game,
            "matches": self.matches,
            "rate": self.rate,
            "watchers": self.watchers,
            "seconds": self.seconds,
            "calls_per_second": self.calls(),
            "all": times(&self.figures.played()),
            "kinds": kinds,
            "calls_by_second": self.figures.seconds,
            "ended": self.figures.ended,
            "events": self.figures.told.events,
            "messages": self.figures.told.messages,
            "slow_events": self.figures.slow.events,
            "slow_messages": self.figures.slow.messages,
            "events_out_of_order": self.figures.gaps,
            "spectators_by_match": spectators,
            "reconnections": self.figures.reconnections,
            "refusals": self.figures.refusals,
            "echo_per_second": self.echoes,
            "client_processor_seconds": seconds(self.processor.client),
            "server_processor_seconds": seconds(self.processor.server),
            "server_memory_bytes_by_second": self.figures.server_bytes,
            "load": self.processor.load,
        });
        format!("{value:#}\n")
    }

    /// As a page of its own, which loads nothing and runs nothing.
    pub(super) fn page(&self) -> String {
        let mut page = String::new();
        self.write_page(&mut page).expect("a text takes all that is written to it");
        page
    }

    fn write_page(&self, page: &mut String) -> fmt::Result {
        let title = escaped(&self.title());
        writeln!(page, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")?;
        writeln!(page, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")?;
        writeln!(page, "<title>{title}</title><style>{STYLE}</style></head><body><main><h1>{title}</h1>")?;
        writeln!(page, "<table>")?;
        for (name, value) in self.counts() {
            writeln!(page, "<tr><th>{name}</th><td>{value}</td></tr>")?;
        }
        writeln!(page, "</table><h2>Answers</h2><table><tr><th>ms</th><th>calls</th>")?;
        for (name, _) in QUANTILES {
            write!(page, "<th>{name}</th>")?;
        }
        writeln!(page, "</tr>")?;
        for (kind, times) in &self.figures.times {
            write!(page, "<tr><th>{}</th><td>{}</td>", kind.name(), times.len())?;
            for (_, quantile) in QUANTILES {
                write!(page, "<td>{:.2}</td>", ms(times, quantile))?;
            }
            writeln!(page, "</tr>")?;
        }
        writeln!(page, "</table><h2>Calls in each second</h2>")?;
        bars(page, &by_second(&self.figures.seconds))?;
        if !self.figures.server_bytes.is_empty() {
            writeln!(page, "<h2>Bytes of the server in memory</h2>")?;
            bars(page, &by_second(&self.figures.server_bytes))?;
        }
        for (kind, times) in &self.figures.times {
            writeln!(page, "<h2>Times of {}</h2>", kind.name())?;
            bars(page, &by_time(times))?;
        }
        if !self.figures.refusals.is_empty() {
            writeln!(page, "<h2>Refused</h2><table>")?;
            for (reason, count) in &self.figures.refusals {
                writeln!(page, "<tr><th>{}</th><td>{count}</td></tr>", escaped(reason))?;
            }
            writeln!(page, "</table>")?;
        }
        writeln!(page, "</main></body></html>")
    }
}

/// Counts of seconds, with their numbers.
fn by_second(counts: &[u64]) -> Vec<(String, u64)> {
    (1..).zip(counts).map(|(second, count)| (format!("second {second}"), *count)).collect()
}

/// The counts of times in steps, of which each is a fifth longer than the one before.
fn by_time(times: &Times) -> Vec<(String, u64)> {
    const FIRST_US: u64 = 100;
    let mut below = 0;
    let steps = times.iter_log(FIRST_US, 1.2).map(|step| {
        let until = step.value_iterated_to();
        let name = format!("{:.2} to {:.2} ms", below as f64 / 1e3, until as f64 / 1e3);
        below = until;
        (name, step.count_since_last_iteration())
    });
    let steps: Vec<(String, u64)> = steps.collect();
    let first = steps.iter().position(|(_, count)| *count > 0).unwrap_or_default();
    let last = steps.iter().rposition(|(_, count)| *count > 0).map_or(0, |last| last + 1);
    steps.get(first..last).unwrap_or_default().to_vec()
}

/// Bars of these counts, each with its name and count where one points at it.
fn bars(page: &mut String, counts: &[(String, u64)]) -> fmt::Result {
    const WIDTH: f64 = 960.0;
    const HEIGHT: f64 = 160.0;
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let width = WIDTH / counts.len().max(1) as f64;
    writeln!(page, "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">")?;
    for (index, (name, count)) in counts.iter().enumerate() {
        let height = HEIGHT * *count as f64 / most as f64;
        writeln!(
            page,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\"><title>{name}: {count}</title></rect>",
            index as f64 * width,
            HEIGHT - height,
            (width * 0.9).max(0.5),
        )?;
    }
    let ends = [counts.first(), counts.last()].map(|end| end.map_or("", |(name, _)| name));
    writeln!(page, "</svg><p class=\"ends\"><span>{}</span><span>{}</span></p>", ends[0], ends[1])
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem}\
table{border-collapse:collapse;display:block;overflow-x:auto}\
th,td{border-bottom:1px solid #8886;padding:.2rem .8rem;text-align:right}th:first-child{text-align:left}\
svg{display:block;width:100%;height:auto}rect{fill:#4a7ab5}rect:hover{fill:#c0504d}\
.ends{display:flex;justify-content:space-between;margin:0;font-size:.8rem}\
:root{color-scheme:light dark}";

#[cfg(test)]
mod tests {
    use super::super::figures::{Figures, Kind, Watching};
    use super::*;

    const WATCHING: Watching = Watching { spectator: 0, played: 0, is_slow: false };

    fn report(figures: Counted) -> Report<'static> {
        Report {
            game: "skirmish",
            matches: 2,
            rate: None,
            watchers: 1,
            seconds: 2.0,
            echoes: [10.0, 20.0],
            processor: Used::default(),
            figures,
        }
    }

    fn counted() -> Figures {
        let figures = Figures::default();
        figures.answered(Kind::Apply, Duration::from_millis(7));
        figures.measure();
        for ms in 1..=99 {
            figures.answered(Kind::Apply, Duration::from_millis(ms));
        }
        figures.answered(Kind::List, Duration::from_millis(500));
        figures.answered(Kind::Resume, Duration::from_secs(1));
        figures.told(&WATCHING, 5, 0);
        figures
    }

    #[test]
    fn what_was_before_it_was_measured_is_not_counted_and_a_spectator_is_no_call() {
        let report = report(counted().take());
        let value: Value = serde_json::from_str(&report.json()).unwrap();
        assert_eq!((&value["kinds"]["apply"]["calls"], &value["all"]["calls"]), (&json!(99), &json!(100)));
        assert_eq!(value["calls_per_second"], json!(50.0));
        let median = value["kinds"]["apply"]["p50"].as_f64().unwrap();
        assert!((49.0..=51.0).contains(&median), "{median}");
        assert!(report.text().contains("apply             99"), "{}", report.text());
        assert!(report.is_sound());
    }

    #[test]
    fn an_event_out_of_order_is_a_fault_and_so_is_a_load_of_nothing() {
        let figures = counted();
        figures.told(&WATCHING, 3, 1);
        assert!(!report(figures.take()).is_sound());
        assert!(!report(Counted::default()).is_sound());
    }

    #[test]
    fn the_page_loads_nothing_and_escapes_what_a_server_says() {
        let figures = counted();
        figures.refused(None, "<script>alert(1)</script>");
        let page = report(figures.take()).page();
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
        for outside in ["http:", "https:", "src=", "href=", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(page.contains("Times of apply") && page.matches("<rect").count() > 10, "{page}");
        let drawn: u64 = by_time(&counted().take().times[&Kind::Apply]).iter().map(|(_, count)| count).sum();
        assert_eq!(drawn, 99);
    }
}
