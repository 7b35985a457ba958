//! The choice of what is traced ([`Sampled`]), made before a span is opened: one that is not traced costs what a span of the log costs.
//!
//! Three kinds of spans begin something ([`super::spans`]): calls, messages of streams and turns of house bots. A client's own decision
//! holds for its call, if it is to be trusted, and else the share that is set. What is below them is traced as they are, and what is
//! below none of them is not.

use std::cell::Cell;

use opentelemetry::trace::SpanContext;
use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Filter};
use tracing_subscriber::registry::LookupSpan;

use super::{TARGET, spans};

thread_local! {
    /// The client's context of the call whose span is being opened.
    static CLIENT: Cell<Option<ClientTrace>> = const { Cell::new(None) };
}

/// A client's trace, as far as the choice goes.
#[derive(Copy, Clone, Debug)]
struct ClientTrace {
    /// The last eight bytes of its id, which are random.
    low: u64,
    keeps: bool,
}

/// Opens the span of a call that comes with this context.
pub(super) fn of_client<T>(context: &SpanContext, open: impl FnOnce() -> T) -> T {
    let trace = context.is_valid().then(|| {
        let bytes = context.trace_id().to_bytes();
        let low = bytes.iter().skip(8).fold(0, |low, byte| low << 8 | u64::from(*byte));
        ClientTrace { low, keeps: context.is_sampled() }
    });
    let before = CLIENT.replace(trace);
    let opened = open();
    CLIENT.set(before);
    opened
}

/// Lets spans of ours through, of as many traces as are to be kept, and what is logged in them.
#[derive(Debug)]
pub(super) struct Sampled {
    ratio: f64,
    trusts_clients: bool,
}

impl Sampled {
    /// Keeps this share of the traces that are begun here, and those of clients as they wish, if they are trusted.
    pub(super) const fn new(ratio: f64, trusts_clients: bool) -> Self {
        Self { ratio, trusts_clients }
    }

    /// Returns whether a span that begins something is kept.
    fn keeps(&self) -> bool {
        match CLIENT.get() {
            Some(client) if self.trusts_clients => client.keeps,
            // All who keep a share of the same traces keep the same ones.
            Some(client) => self.has(client.low),
            None => self.has(fastrand::u64(..)),
        }
    }

    /// Returns whether a trace with this random number is of the share.
    fn has(&self, random: u64) -> bool {
        ((random >> 11) as f64) < self.ratio * (1_u64 << 53) as f64
    }
}

impl<S> Filter<S> for Sampled
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn enabled(&self, metadata: &Metadata<'_>, cx: &Context<'_, S>) -> bool {
        is_ours(metadata)
            && match metadata.is_span() && spans::BEGIN.contains(&metadata.name()) {
                true => self.keeps(),
                false => cx.lookup_current().is_some(),
            }
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        if is_ours(metadata) { Interest::sometimes() } else { Interest::never() }
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::DEBUG)
    }
}

/// Returns whether traces have it at all, whatever is logged: spans of the libraries would hold what callers sent.
fn is_ours(metadata: &Metadata<'_>) -> bool {
    let level = if metadata.target() == spans::TARGET { LevelFilter::DEBUG } else { LevelFilter::INFO };
    metadata.target().starts_with(TARGET) && *metadata.level() <= level
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_traces_is_kept_and_of_one_trace_by_all() {
        for (ratio, least, most) in [(0.0, 0, 0), (0.25, 200, 300), (1.0, 1_000, 1_000)] {
            let sampled = Sampled::new(ratio, true);
            let kept = (0..1_000_u64)
                .filter(|number| sampled.has(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
                .count();
            assert!((least..=most).contains(&kept), "{kept} of a share of {ratio}");
        }
    }

    #[test]
    fn a_clients_decision_holds_where_it_is_trusted() {
        let decided = |keeps: bool| ClientTrace { low: 1 << 63, keeps };
        for (trusts, keeps, ratio, expected) in [
            (true, true, 0.0, true),
            (true, false, 1.0, false),
            (false, true, 0.1, false),
            (false, false, 0.9, true),
        ] {
            CLIENT.set(Some(decided(keeps)));
            assert_eq!(Sampled::new(ratio, trusts).keeps(), expected, "{trusts} {keeps} {ratio}");
        }
        CLIENT.set(None);
    }
}
