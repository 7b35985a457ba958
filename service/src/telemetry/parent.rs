//! The client's trace context, from a call's metadata.

use http::HeaderMap;
use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry_sdk::propagation::TraceContextPropagator;

/// The context that `traceparent` and `tracestate` give; without them, or if they can't be read, one without a parent.
#[must_use]
pub fn parent(headers: &HeaderMap) -> Context {
    TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(headers))
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
    use opentelemetry::trace::TraceContextExt;

    use super::*;

    fn trace_of(value: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert("traceparent", value.parse().unwrap());
        let context = parent(&headers);
        let span = context.span().span_context().clone();
        span.is_valid().then(|| format!("{}/{}/{}", span.trace_id(), span.span_id(), span.is_sampled()))
    }

    #[test]
    fn a_parent_is_read_and_what_is_none_is_no_parent() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert_eq!(trace_of(good).as_deref(), Some("0af7651916cd43dd8448eb211c80319c/b7ad6b7169203331/true"));
        for bad in ["", "00", "00-0-0-01", "00-00000000000000000000000000000000-b7ad6b7169203331-01"] {
            assert_eq!(trace_of(bad), None, "{bad:?}");
        }
        assert!(!parent(&HeaderMap::new()).span().span_context().is_valid());
    }
}
