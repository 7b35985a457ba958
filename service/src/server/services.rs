//! The services of a server: [`Services`].

use std::convert::Infallible;
use std::sync::Arc;

use edgehill_proto::v1::admin_service_server::AdminServiceServer;
use edgehill_proto::v1::catalog_service_server::CatalogServiceServer;
use edgehill_proto::v1::competition_service_server::CompetitionServiceServer;
use edgehill_proto::v1::match_service_server::MatchServiceServer;
use edgehill_proto::v1::referee_service_server::RefereeServiceServer;
use http::{Request, Response};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codec::CompressionEncoding::Gzip;
use tonic::server::NamedService;
use tonic::service::{LayerExt, Routes, RoutesBuilder};
use tonic_health::server::{HealthReporter, HealthService};
use tonic_reflection::server::Builder as Reflection;
use tower::util::MapResponseLayer;

use super::body::Ending;
use super::health::Health;
use super::{Context, StartError, refusals};
use crate::admin::Administration;
use crate::api::Matches;
use crate::api::admin::Admin;
use crate::api::catalog::Catalog;
use crate::api::competitions::CompetitionEndpoint;
use crate::erasure::Erasure;
use crate::host::Host;

/// The services of a server beside health and reflection, and the host behind it.
#[derive(Debug)]
pub struct Services {
    routes: RoutesBuilder,
    names: Vec<&'static str>,
    host: Option<Host>,
    administration: Option<Administration>,
}

impl Services {
    /// None yet.
    #[must_use]
    pub fn none() -> Self {
        Self { routes: RoutesBuilder::default(), names: Vec::new(), host: None, administration: None }
    }

    /// All services of `edgehill.v1`.
    ///
    /// # Errors
    /// [`StartError::Host`], [`StartError::Administration`], [`StartError::Competitions`].
    pub async fn all(context: &Context) -> Result<Self, StartError> {
        // First, since it finds a store of another key.
        let (request_bytes, host) = (context.config.limits.request_bytes, context.host().await?);
        let administration = context.administration().await?;
        let (signing_key, former_keys) =
            (host.key().signing().verifying_key(), host.key().former_signing_keys());
        let former = host.former_contents().games();
        let limits = context.limits.clone();
        let catalog = Catalog::new(&context.registry, former, limits, signing_key, &former_keys);
        let (accounts, stopping) = (context.accounts.clone(), context.stopping.clone());
        let matches = Matches::new(host.clone(), accounts, stopping, administration.clone());
        // Before anybody may look: it knows which matches are not published.
        let competitions = context.competitions(host.clone()).await?;
        let (clock, stopping) = (Arc::clone(&context.clock), context.stopping.clone());
        let erasure = Erasure::start(
            host.clone(),
            administration.clone(),
            competitions.clone(),
            clock,
            stopping.clone(),
        );
        let limits = context.limits.clone();
        let admin = Admin::new(
            administration.clone(),
            limits,
            stopping,
            matches.clone(),
            erasure,
            competitions.clone(),
        );
        context.metrics.watch_host(&host);
        context.metrics.watch_competitions(&competitions);
        let mut services = Self { host: Some(host), administration: Some(administration), ..Self::none() };
        services
            .add(
                CatalogServiceServer::new(catalog)
                    .max_decoding_message_size(request_bytes)
                    .accept_compressed(Gzip)
                    .send_compressed(Gzip),
            )
            .add(
                RefereeServiceServer::new(matches.clone())
                    .max_decoding_message_size(request_bytes)
                    .accept_compressed(Gzip)
                    .send_compressed(Gzip),
            )
            .add(
                CompetitionServiceServer::new(CompetitionEndpoint::new(competitions, matches.clone()))
                    .max_decoding_message_size(request_bytes)
                    .accept_compressed(Gzip)
                    .send_compressed(Gzip),
            )
            .add(
                MatchServiceServer::new(matches)
                    .max_decoding_message_size(request_bytes)
                    .accept_compressed(Gzip)
                    .send_compressed(Gzip),
            )
            .add(
                AdminServiceServer::new(admin)
                    .max_decoding_message_size(request_bytes)
                    .accept_compressed(Gzip)
                    .send_compressed(Gzip),
            );
        Ok(services)
    }

    /// The host, if there are matches.
    #[must_use]
    pub const fn host(&self) -> Option<&Host> {
        self.host.as_ref()
    }

    /// The administration, if there are matches.
    #[must_use]
    pub const fn administration(&self) -> Option<&Administration> {
        self.administration.as_ref()
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
        let reporter = HealthReporter::new();
        let ending = MapResponseLayer::new({
            let stopping = stopping.clone();
            move |answer: Response<Body>| {
                answer.map(|body| Ending::body(body, stopping.clone(), refusals::draining()))
            }
        });
        let service = HealthService::from_health_reporter(reporter.clone());
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
        Ok((self.routes.routes().prepare(), Health::new(reporter, self.names)))
    }
}
