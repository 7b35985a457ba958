//! The reports of a server to those who run it: logs to stderr, traces and metrics by OTLP.
//!
//! A call is one trace from the client to the disk: the client's context comes in its metadata (W3C `traceparent`), the
//! server's span is opened by the [assembly](crate::server), and [`spans`] has the names of those below.
//!
//! Invariants: no key, token, invitation or seed is ever logged, whatever the level; and no label of a metric
//! says which match, seat or account it was, since those who read metrics are nobody's seat.

pub mod instruments;
mod metrics;
mod parent;
mod process;
mod refused_calls;
mod sampling;
pub mod spans;
mod start;

pub use metrics::{MethodLabels, Metrics, is_server_fault};
pub use parent::ClientContext;
pub use refused_calls::{RefusedCalls, code_name};
pub use start::{Telemetry, TelemetryError};

/// The beginning of the targets of traces' spans.
const TARGET: &str = "edgehill_service";
