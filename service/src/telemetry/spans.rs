//! The spans of traces, by name. The code that works on something opens them, so that all traces read alike:
//!
//! ```
//! use edgehill_service::telemetry::spans;
//! use tracing::Instrument;
//!
//! # async fn append() {}
//! # async fn apply() {
//! spans::rules().in_scope(|| { /* one look at the rules */ });
//! append().instrument(spans::store_append()).await; // until it is durable
//! # }
//! ```
//!
//! A call's own, and those of what begins without one, have a trace of their own, linked to what led to it; the others hang below
//! them. But for a call's they have no fields: a trace that says which match it was could be read beside the match. They are of level
//! DEBUG, so that they cost nothing where nobody collects traces.

use opentelemetry::trace::TraceContextExt;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The target of these spans.
pub(super) const TARGET: &str = module_path!();

/// The name of a call's span, which the server opens.
pub const CALL: &str = "call";

/// The names of those that begin a trace, or go on with a client's.
pub(super) const BEGIN: [&str; 3] = [CALL, "message", "bot.turn"];

/// The rules: listing, examining, applying.
#[must_use]
pub fn rules() -> Span {
    tracing::debug_span!("rules")
}

/// An append, from the line to the disk.
#[must_use]
pub fn store_append() -> Span {
    tracing::debug_span!("store.append")
}

/// A message of a stream, which is open for as long as its client plays: linked to the `stream`'s call.
#[must_use]
pub fn message(stream: &Span) -> Span {
    linked(tracing::debug_span!(parent: None, "message"), stream)
}

/// A turn of a house bot, linked to what led to it.
#[must_use]
pub fn bot_turn(cause: &Span) -> Span {
    linked(tracing::debug_span!(parent: None, "bot.turn"), cause)
}

/// A span with a link to another one, if both are traced.
fn linked(span: Span, to: &Span) -> Span {
    if !span.is_disabled() && !to.is_disabled() {
        let context = to.context().span().span_context().clone();
        if context.is_valid() {
            span.add_link(context);
        }
    }
    span
}
