//! The knowledge of each method before its service sees the call: [`Methods`], from the descriptors.
//!
//! Invariant: names of methods that come from callers go no further than the look-up here, so that nobody can
//! fill logs and metrics with names of their own.

use std::collections::HashMap;
use std::sync::Arc;

use prost::Message;
use prost_types::method_options::IdempotencyLevel;
use prost_types::{DescriptorProto, FileDescriptorSet};

use crate::telemetry::MethodLabels;

/// The package whose methods are the server's own.
const OURS: &str = "edgehill.";

/// A method whose stream is one long answer, which ends by itself: a call as others are.
const LONG_ANSWER: &str = "edgehill.v1.MatchService/ExportRecord";

/// One method.
#[derive(Debug)]
pub(super) struct Method {
    /// Its service's full name and its own, as traces have them; `_OTHER` for what no service has.
    pub full_name: Arc<str>,
    /// True if the server answers with a stream that goes on for as long as there is something to come.
    pub streams: bool,
    /// True if a call of it begins with one message, after which the client has no more to say.
    pub asks_once: bool,
    /// True if it only reads.
    pub reads: bool,
    /// The one of several servers that answers a call of it.
    pub answerer: Answerer,
    /// True if it is of `edgehill`, and not of the standard services beside.
    pub ours: bool,
    /// The labels of its calls.
    pub labels: MethodLabels,
}

/// The one of several servers that answers a call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Answerer {
    /// Any.
    Any,
    /// The one that it comes to, which passes on what others say.
    Passing,
    /// The one that has what belongs to no match.
    Home,
    /// One that has matches, where a new one is made.
    Maker,
    /// The one that has the match which this field of the request names.
    Owner {
        /// The field's number.
        field: u32,
    },
}

/// Methods whose streams are passed on by the server that they come to, from whichever has the match.
const PASSED_ON: [&str; 3] = [
    "edgehill.v1.MatchService/WatchMatch",
    "edgehill.v1.MatchService/WatchAccount",
    "edgehill.v1.MatchService/PlaySeats",
];

/// Methods and services of what belongs to no match. A list shows what competitions have published.
const AT_HOME: [&str; 4] = [
    "edgehill.v1.MatchService/SeekMatch",
    "edgehill.v1.MatchService/ListMatches",
    "edgehill.v1.CompetitionService/",
    "edgehill.v1.AdminService/",
];

/// Methods that make matches.
const MAKING: [&str; 2] = ["edgehill.v1.MatchService/CreateMatch", "edgehill.v1.MatchService/CreateMatches"];

/// The name of the field by which requests name their match.
const MATCH_ID: &str = "match_id";

impl Answerer {
    /// Of the method of this name, whose request has these fields.
    fn of(full_name: &str, request: Option<&DescriptorProto>) -> Self {
        if AT_HOME.iter().any(|home| full_name.starts_with(home)) {
            return Self::Home;
        }
        if PASSED_ON.contains(&full_name) {
            return Self::Passing;
        }
        if MAKING.contains(&full_name) {
            return Self::Maker;
        }
        let field = request.and_then(|request| request.field.iter().find(|field| field.name() == MATCH_ID));
        match field.and_then(|field| u32::try_from(field.number()).ok()) {
            Some(field) => Self::Owner { field },
            None => Self::Any,
        }
    }
}

/// The name of all methods that no service has, as OpenTelemetry's conventions have it.
const OTHER: &str = "_OTHER";

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
            let requests: HashMap<String, DescriptorProto> = set
                .file
                .iter()
                .flat_map(|file| {
                    let package = file.package.as_deref().unwrap_or_default();
                    file.message_type
                        .iter()
                        .map(move |message| (format!(".{package}.{}", message.name()), message.clone()))
                })
                .collect();
            for file in set.file {
                for service in file.service {
                    let service_name =
                        format!("{}.{}", file.package.as_deref().unwrap_or_default(), service.name());
                    for method in service.method {
                        let options = method.options.clone().unwrap_or_default();
                        let full_name = format!("{service_name}/{}", method.name());
                        let path = format!("/{full_name}");
                        let name: Arc<str> = full_name.as_str().into();
                        let entry = Method {
                            answerer: Answerer::of(&name, requests.get(method.input_type())),
                            labels: MethodLabels::new(&name),
                            streams: method.server_streaming() && full_name != LONG_ANSWER,
                            asks_once: !method.client_streaming(),
                            full_name: name,
                            reads: options.idempotency_level() == IdempotencyLevel::NoSideEffects,
                            ours: service_name.starts_with(OURS),
                        };
                        known.insert(path, Arc::new(entry));
                    }
                }
            }
        }
        let other: Arc<str> = OTHER.into();
        let unknown = Method {
            labels: MethodLabels::new(&other),
            full_name: other,
            streams: false,
            asks_once: false,
            reads: true,
            answerer: Answerer::Any,
            ours: false,
        };
        Self { known: Arc::new(known), unknown: Arc::new(unknown) }
    }

    /// The method of this path, or one that is called [`OTHER`].
    pub(super) fn at(&self, path: &str) -> &Arc<Method> {
        self.known.get(path).unwrap_or(&self.unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::descriptors;

    #[test]
    fn each_call_has_a_server_that_answers_it() {
        let methods = Methods::of(&descriptors());
        let at = |name: &str| methods.at(&format!("/edgehill.v1.{name}")).answerer;
        for (name, answerer) in [
            ("MatchService/GetMatch", Answerer::Owner { field: 1 }),
            ("MatchService/ApplyActions", Answerer::Owner { field: 1 }),
            ("RefereeService/VoidMatch", Answerer::Owner { field: 1 }),
            ("MatchService/CreateMatch", Answerer::Maker),
            ("MatchService/SeekMatch", Answerer::Home),
            ("CompetitionService/GetStandings", Answerer::Home),
            ("AdminService/ListActs", Answerer::Home),
            ("MatchService/WatchMatch", Answerer::Passing),
            ("MatchService/ListMatches", Answerer::Home),
            ("CatalogService/GetGame", Answerer::Any),
            ("MatchService/Burn", Answerer::Any),
        ] {
            assert_eq!(at(name), answerer, "{name}");
        }
    }

    #[test]
    fn methods_are_known_by_what_their_descriptors_say() {
        let methods = Methods::of(&descriptors());
        let at = |path: &str| {
            let Method { full_name, streams, reads, ours, .. } = &**methods.at(path);
            (full_name.to_string(), *streams, *reads, *ours)
        };
        for (name, streams, reads) in [
            ("MatchService/ApplyActions", false, false),
            ("MatchService/WatchMatch", true, true),
            ("MatchService/PlaySeats", true, false),
            ("AdminService/ExportAccountData", true, true),
            // It ends by itself.
            ("MatchService/ExportRecord", false, true),
            ("CatalogService/GetGame", false, true),
        ] {
            let name = format!("edgehill.v1.{name}");
            assert_eq!(at(&format!("/{name}")), (name, streams, reads, true));
        }
        let (name, streams, _, ours) = at("/grpc.health.v1.Health/Watch");
        assert_eq!((&*name, streams, ours), ("grpc.health.v1.Health/Watch", true, false));
        for path in [
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        ] {
            assert!(at(path).1, "{path}");
        }
        for path in
            ["", "/", "/x/y", "/edgehill.v1.MatchService/Burn", "//edgehill.v1.MatchService/ApplyActions"]
        {
            assert_eq!(at(path), (OTHER.to_owned(), false, true, false), "{path}");
        }
    }
}
