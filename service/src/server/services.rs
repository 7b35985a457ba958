//! What a server serves: [`Services`].

use std::convert::Infallible;

use http::{Request, Response};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::service::{LayerExt, Routes, RoutesBuilder};
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, HealthService};
use tonic_reflection::server::Builder as Reflection;
use tower::util::MapResponseLayer;

use super::body::Ending;
use super::{StartError, refusals};

/// Services on one port. Each is one line:
///
/// ```ignore
/// services.add(CatalogServiceServer::new(catalog).max_decoding_message_size(services.request_bytes()));
/// ```
#[derive(Debug)]
pub struct Services {
    routes: RoutesBuilder,
    names: Vec<&'static str>,
    request_bytes: usize,
}

/// Says whether the server takes calls: the whole (the empty name), and each of its services.
#[derive(Clone, Debug)]
pub(super) struct Health {
    reporter: HealthReporter,
    names: Vec<&'static str>,
}

impl Services {
    pub(super) fn new(request_bytes: usize) -> Self {
        Self { routes: RoutesBuilder::default(), names: Vec::new(), request_bytes }
    }

    /// The most bytes of a message that a service takes: what `max_decoding_message_size` of each has to be set to.
    #[must_use]
    pub const fn request_bytes(&self) -> usize {
        self.request_bytes
    }

    /// Adds a service. Its health is that of the server.
    pub fn add<S>(&mut self, service: S) -> &mut Self
    where
        S: tower::Service<Request<Body>, Response = Response<Body>, Error = Infallible>
            + NamedService
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send + 'static,
    {
        self.names.push(S::NAME);
        self.routes.add_service(service);
        self
    }

    /// Adds health and reflection, whose streams end when `stopping` is cancelled.
    pub(super) fn finish(mut self, stopping: &CancellationToken) -> Result<(Routes, Health), StartError> {
        let health = Health { reporter: HealthReporter::new(), names: self.names };
        let ending = MapResponseLayer::new({
            let stopping = stopping.clone();
            move |answer: Response<Body>| {
                answer.map(|body| Ending::body(body, stopping.clone(), refusals::draining()))
            }
        });
        let service = HealthService::from_health_reporter(health.reporter.clone());
        let service = tonic_health::pb::health_server::HealthServer::new(service);
        self.routes.add_service(ending.named_layer(service));
        let reflection = || {
            super::descriptors().into_iter().fold(Reflection::configure(), |builder, descriptors| {
                builder.register_encoded_file_descriptor_set(descriptors)
            })
        };
        let refused = |error: tonic_reflection::server::Error| StartError::Reflection(error.to_string());
        self.routes.add_service(ending.named_layer(reflection().build_v1().map_err(refused)?));
        self.routes.add_service(ending.named_layer(reflection().build_v1alpha().map_err(refused)?));
        Ok((self.routes.routes().prepare(), health))
    }
}

impl Health {
    /// Sets the status of the whole and of each service.
    pub(super) async fn set(&self, status: ServingStatus) {
        for name in self.names.iter().copied().chain([""]) {
            self.reporter.set_service_status(name, status).await;
        }
    }
}
