//! The spans below a call's own, by name. Whoever works on a call opens them, so that all traces read alike:
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
//! They have no fields: a trace that says which match it was could be read beside the match.

use tracing::Span;

/// The rules: listing, examining, applying.
#[must_use]
pub fn rules() -> Span {
    tracing::info_span!("rules")
}

/// An append, from the line to the disk.
#[must_use]
pub fn store_append() -> Span {
    tracing::info_span!("store.append")
}

/// A look-up in the store.
#[must_use]
pub fn store_read() -> Span {
    tracing::info_span!("store.read")
}
