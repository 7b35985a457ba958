//! The client's trace context, from a call's metadata: [`ClientContext`].

use http::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{SpanContext, TraceContextExt};
use opentelemetry::{Context, TraceId};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::sampling;

/// The trace that a call goes on with.
#[derive(Debug)]
pub struct ClientContext {
    /// `None`: none was sent, or it can't be read.
    client: Option<Context>,
}

impl ClientContext {
    /// The context that `traceparent` and `tracestate` give.
    #[must_use]
    pub fn read(headers: &HeaderMap) -> Self {
        if !headers.contains_key("traceparent") {
            return Self { client: None };
        }
        let context = TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(headers));
        Self { client: Some(context).filter(|context| context.span().span_context().is_valid()) }
    }

    /// Opens the span of a call, which is traced if the client, or the share that is set, says so. Returns the id of its trace as
    /// well: the client's, if it has one.
    pub fn open(self, open: impl FnOnce() -> Span) -> (Span, Option<TraceId>) {
        let Some(client) = self.client else {
            let span = sampling::of_client(&SpanContext::NONE, open);
            let trace = trace_of(&span.context());
            return (span, trace);
        };
        let trace = trace_of(&client);
        let span = sampling::of_client(client.span().span_context(), open);
        // There is nothing to be a child of where it is not traced.
        let _ = span.set_parent(client);
        (span, trace)
    }
}

fn trace_of(context: &Context) -> Option<TraceId> {
    let span = context.span().span_context().clone();
    span.is_valid().then(|| span.trace_id())
}

struct Headers<'h>(&'h HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace_of(value: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert("traceparent", value.parse().unwrap());
        let span = ClientContext::read(&headers).client?.span().span_context().clone();
        Some(format!("{}/{}/{}", span.trace_id(), span.span_id(), span.is_sampled()))
    }

    #[test]
    fn a_parent_is_read_and_what_is_none_is_no_parent() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert_eq!(trace_of(good).as_deref(), Some("0af7651916cd43dd8448eb211c80319c/b7ad6b7169203331/true"));
        for bad in ["", "00", "00-0-0-01", "00-00000000000000000000000000000000-b7ad6b7169203331-01"] {
            assert_eq!(trace_of(bad), None, "{bad:?}");
        }
        assert!(ClientContext::read(&HeaderMap::new()).client.is_none());
    }
}
