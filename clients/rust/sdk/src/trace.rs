//! Trace contexts of the caller, sent along with every call ([`TraceContext`]).

use std::fmt;
use std::sync::Arc;

/// A W3C trace context: the headers that tie a call to the trace of its caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceContext {
    /// `traceparent`, such as `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`.
    pub traceparent: String,
    /// `tracestate`, where there is one.
    pub tracestate: Option<String>,
}

impl TraceContext {
    /// The context of these ids.
    #[must_use]
    pub fn new(trace_id: u128, span_id: u64, sampled: bool) -> Self {
        let flags = u8::from(sampled);
        Self { traceparent: format!("00-{trace_id:032x}-{span_id:016x}-{flags:02x}"), tracestate: None }
    }
}

/// Asked for the present context at every call; with an OpenTelemetry SDK it reads the current span.
#[derive(Clone)]
pub(crate) struct TraceSource(Arc<dyn Fn() -> Option<TraceContext> + Send + Sync>);

impl TraceSource {
    pub(crate) fn new(context: impl Fn() -> Option<TraceContext> + Send + Sync + 'static) -> Self {
        Self(Arc::new(context))
    }

    pub(crate) fn context(&self) -> Option<TraceContext> {
        (self.0)()
    }
}

impl fmt::Debug for TraceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TraceSource")
    }
}
