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
    parts: Option<Parts>,
}

/// The parts that services are made of which answer for matches.
#[derive(Clone, Debug)]
struct Parts {
    host: Host,
    administration: Administration,
    matches: Matches,
}

/// A server of several, as far as its services are concerned.
#[derive(Clone, Debug)]
pub(super) struct Member(Parts);

impl Member {
    pub(super) const fn host(&self) -> &Host {
        &self.0.host
    }

    pub(super) const fn administration(&self) -> &Administration {
        &self.0.administration
    }
}

impl Parts {
    async fn open(context: &Context) -> Result<Self, StartError> {
        // First, since it finds a store of another key.
        let host = context.host().await?;
        let administration = context.administration().await?;
        let (accounts, stopping) = (context.accounts.clone(), context.stopping.clone());
        let peers = context.peers.clone();
        let matches = Matches::new(host.clone(), accounts, stopping, administration.clone(), peers);
        context.metrics.watch_host(&host);
        Ok(Self { host, administration, matches })
    }
}

impl Services {
    /// None yet.
    #[must_use]
    pub fn none() -> Self {
        Self { routes: RoutesBuilder::default(), names: Vec::new(), parts: None }
    }

    /// All services of `edgehill.v1`.
    ///
    /// # Errors
    /// [`StartError::Host`], [`StartError::Administration`], [`StartError::Competitions`].
    pub async fn all(context: &Context) -> Result<Self, StartError> {
        Self::with_home(context, Parts::open(context).await?).await
    }

    /// The services of one server of several, which has no matches yet: for what belongs to no match they say nothing.
    ///
    /// # Errors
    /// [`StartError::Host`], [`StartError::Administration`].
    pub async fn of_member(context: &Context) -> Result<Self, StartError> {
        let parts = Parts::open(context).await?;
        let (host, administration) = (parts.host.clone(), parts.administration.clone());
        let (clock, stopping) = (Arc::clone(&context.clock), context.stopping.clone());
        // The home's own goes on beside it where this server comes to be that.
        drop(Erasure::start(host, administration, None, clock, stopping));
        let mut services = Self::of_matches(context, &parts);
        // Another one answers for these, and their health is that of all.
        services.names.extend([
            <CompetitionServiceServer<CompetitionEndpoint> as NamedService>::NAME,
            <AdminServiceServer<Admin> as NamedService>::NAME,
        ]);
        Ok(Self { parts: Some(parts), ..services })
    }

    /// All services, of a server that has been one of several, and is the home of what belongs to no match from now on.
    ///
    /// # Errors
    /// [`StartError::Competitions`].
    pub(super) async fn at_home(context: &Context, member: &Member) -> Result<Self, StartError> {
        Self::with_home(context, member.0.clone()).await
    }

    async fn with_home(context: &Context, parts: Parts) -> Result<Self, StartError> {
        let Parts { host, administration, matches } = parts.clone();
        // Before anybody may look: it knows which matches are not published.
        let competitions = context.competitions(host.clone()).await?;
        let (clock, stopping) = (Arc::clone(&context.clock), context.stopping.clone());
        let erasure = Erasure::start(
            host.clone(),
            administration.clone(),
            Some(competitions.clone()),
            clock,
            stopping.clone(),
        );
        let admin = Admin::new(
            administration,
            context.limits.clone(),
            stopping,
            matches.clone(),
            erasure,
            competitions.clone(),
        );
        context.metrics.watch_competitions(&competitions);
        let request_bytes = context.config.limits.request_bytes;
        let mut services = Self::of_matches(context, &parts);
        services
            .add(
                CompetitionServiceServer::new(CompetitionEndpoint::new(competitions, matches))
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
        Ok(Self { parts: Some(parts), ..services })
    }

    /// The services that answer for matches, and for games.
    fn of_matches(context: &Context, Parts { host, matches, .. }: &Parts) -> Self {
        let request_bytes = context.config.limits.request_bytes;
        let (signing_key, former_keys) =
            (host.key().signing().verifying_key(), host.key().former_signing_keys());
        let former = host.former_contents().games();
        let catalog =
            Catalog::new(&context.registry, former, context.limits.clone(), signing_key, &former_keys);
        let mut services = Self::none();
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
                MatchServiceServer::new(matches.clone())
                    .max_decoding_message_size(request_bytes)
                    .accept_compressed(Gzip)
                    .send_compressed(Gzip),
            );
        services
    }

    /// The host, if there are matches.
    #[must_use]
    pub fn host(&self) -> Option<&Host> {
        self.parts.as_ref().map(|parts| &parts.host)
    }

    /// The administration, if there are matches.
    #[must_use]
    pub fn administration(&self) -> Option<&Administration> {
        self.parts.as_ref().map(|parts| &parts.administration)
    }

    /// The parts by which it can be the home of what belongs to no match later.
    pub(super) fn member(&self) -> Option<Member> {
        self.parts.clone().map(Member)
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
