//! The headers of calls ([`Headers`]).

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::{Request, Status};

use crate::error::Error;
use crate::trace::TraceSource;

/// The header of a token or key.
pub(crate) fn bearer(token: &str) -> Result<MetadataValue<Ascii>, Error> {
    let mut value: MetadataValue<Ascii> =
        format!("Bearer {token}").parse().map_err(|_| Error::InvalidToken)?;
    value.set_sensitive(true);
    Ok(value)
}

/// Adds the caller to each call, and the trace that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Headers {
    pub(crate) bearer: Option<MetadataValue<Ascii>>,
    pub(crate) trace: Option<TraceSource>,
}

impl Interceptor for Headers {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let metadata = request.metadata_mut();
        if let Some(bearer) = &self.bearer {
            metadata.insert("authorization", bearer.clone());
        }
        if let Some(context) = self.trace.as_ref().and_then(TraceSource::context) {
            // A context that is no header is left out: a call does not fail for its trace.
            if let Ok(value) = context.traceparent.parse() {
                metadata.insert("traceparent", value);
                if let Some(value) = context.tracestate.and_then(|state| state.parse().ok()) {
                    metadata.insert("tracestate", value);
                }
            }
        }
        Ok(request)
    }
}
