//! The spans below a call's own, by name. The code that works on a call opens them, so that all traces read alike:
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
//! They have no fields: a trace that says which match it was could be read beside the match. They are of level DEBUG, so that
//! they cost nothing where nobody collects traces.

use tracing::Span;

/// The target of these spans.
pub(super) const TARGET: &str = module_path!();

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
