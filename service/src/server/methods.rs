//! The knowledge of each method before its service sees the call: [`Methods`], from the descriptors.
//!
//! Invariant: names of methods that come from callers go no further than the look-up here, so that nobody can
//! fill logs and metrics with names of their own.

use std::collections::HashMap;
use std::sync::Arc;

use prost::Message;
use prost_types::FileDescriptorSet;
use prost_types::method_options::IdempotencyLevel;

use crate::telemetry::CallEnd;

/// The package whose methods are the server's own.
const OURS: &str = "edgehill.";

/// A method whose stream is one long answer, which ends by itself: a call as others are.
const LONG_ANSWER: &str = "edgehill.v1.MatchService/ExportRecord";

/// One method.
#[derive(Debug)]
pub(super) struct Method {
    /// The service's full name.
    pub service: Arc<str>,
    /// The method's name.
    pub name: Arc<str>,
    /// Both, as traces have them.
    pub full_name: Arc<str>,
    /// True if the server answers with a stream that goes on for as long as there is something to come.
    pub streams: bool,
    /// True if a call of it begins with one message, after which the client has no more to say.
    pub asks_once: bool,
    /// True if it only reads.
    pub reads: bool,
    /// True if it is of `edgehill`, and not of the standard services beside.
    pub ours: bool,
    /// The ends of its calls, by status code.
    ends: Vec<CallEnd>,
}

/// The status codes of gRPC are 0 to 16.
const CODES: i32 = 17;

impl Method {
    /// Returns the end of a call of it with a status code.
    pub(super) fn end(&self, code: i32) -> Option<&CallEnd> {
        self.ends.get(usize::try_from(code).ok()?)
    }
}

fn ends(service: &Arc<str>, method: &Arc<str>) -> Vec<CallEnd> {
    (0..CODES).map(|code| CallEnd::new(service, method, code)).collect()
}

/// All methods, by path.
#[derive(Clone, Debug)]
pub(super) struct Methods {
    known: Arc<HashMap<String, Arc<Method>>>,
    unknown: Arc<Method>,
}

impl Methods {
    /// The methods of these descriptor sets; what can't be read is left out.
    pub(super) fn of(descriptors: &[&[u8]]) -> Self {
        let mut known = HashMap::new();
        for set in descriptors.iter().filter_map(|bytes| FileDescriptorSet::decode(*bytes).ok()) {
            for file in set.file {
                for service in file.service {
                    let service_name =
                        format!("{}.{}", file.package.as_deref().unwrap_or_default(), service.name());
                    for method in service.method {
                        let options = method.options.clone().unwrap_or_default();
                        let full_name = format!("{service_name}/{}", method.name());
                        let path = format!("/{full_name}");
                        let (service, name) = (service_name.as_str().into(), method.name().into());
                        let entry = Method {
                            ends: ends(&service, &name),
                            service,
                            name,
                            streams: method.server_streaming() && full_name != LONG_ANSWER,
                            asks_once: !method.client_streaming(),
                            full_name: full_name.into(),
                            reads: options.idempotency_level() == IdempotencyLevel::NoSideEffects,
                            ours: service_name.starts_with(OURS),
                        };
                        known.insert(path, Arc::new(entry));
                    }
                }
            }
        }
        let nothing: Arc<str> = "unknown".into();
        let unknown = Method {
            ends: ends(&nothing, &nothing),
            service: Arc::clone(&nothing),
            name: Arc::clone(&nothing),
            full_name: nothing,
            streams: false,
            asks_once: false,
            reads: true,
            ours: false,
        };
        Self { known: Arc::new(known), unknown: Arc::new(unknown) }
    }

    /// The method of this path, or one that is called `unknown`.
    pub(super) fn at(&self, path: &str) -> &Arc<Method> {
        self.known.get(path).unwrap_or(&self.unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::descriptors;

    #[test]
    fn methods_are_known_by_what_their_descriptors_say() {
        let methods = Methods::of(&descriptors());
        let at = |path: &str| {
            let Method { service, name, streams, reads, ours, .. } = &**methods.at(path);
            (service.to_string(), name.to_string(), *streams, *reads, *ours)
        };
        let own = |service: &str, name: &str, streams, reads| {
            (format!("edgehill.v1.{service}"), name.to_owned(), streams, reads, true)
        };
        assert_eq!(
            at("/edgehill.v1.MatchService/ApplyActions"),
            own("MatchService", "ApplyActions", false, false)
        );
        assert_eq!(at("/edgehill.v1.MatchService/WatchMatch"), own("MatchService", "WatchMatch", true, true));
        assert_eq!(at("/edgehill.v1.MatchService/PlaySeats"), own("MatchService", "PlaySeats", true, false));
        // It ends by itself.
        assert_eq!(
            at("/edgehill.v1.MatchService/ExportRecord"),
            own("MatchService", "ExportRecord", false, true)
        );
        assert_eq!(at("/edgehill.v1.CatalogService/GetGame"), own("CatalogService", "GetGame", false, true));
        let (service, name, streams, _, ours) = at("/grpc.health.v1.Health/Watch");
        assert_eq!((&*service, &*name, streams, ours), ("grpc.health.v1.Health", "Watch", true, false));
        for path in [
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        ] {
            assert!(at(path).2, "{path}");
        }
        for path in
            ["", "/", "/x/y", "/edgehill.v1.MatchService/Burn", "//edgehill.v1.MatchService/ApplyActions"]
        {
            assert_eq!(at(path), ("unknown".to_owned(), "unknown".to_owned(), false, true, false), "{path}");
        }
    }
}
