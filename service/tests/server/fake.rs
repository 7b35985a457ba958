//! A service that does what no service should.

use std::sync::Arc;

use edgehill_proto::v1;
use edgehill_proto::v1::catalog_service_server::CatalogService;
use tokio::sync::Notify;
use tonic::{Request, Response, Status};

/// Answers `ListGames`, `ListActionDefs` and `GetSigningKey`, panics in `GetLimits`, and never ends `GetGame`.
#[derive(Clone, Default)]
pub(crate) struct Fake {
    /// Notified when a call of `GetGame` is there.
    pub(crate) stuck: Arc<Notify>,
}

#[tonic::async_trait]
impl CatalogService for Fake {
    async fn list_games(
        &self,
        _: Request<v1::ListGamesRequest>,
    ) -> Result<Response<v1::ListGamesResponse>, Status> {
        Ok(Response::new(v1::ListGamesResponse::default()))
    }

    async fn get_game(
        &self,
        _: Request<v1::GetGameRequest>,
    ) -> Result<Response<v1::GetGameResponse>, Status> {
        self.stuck.notify_one();
        std::future::pending().await
    }

    async fn list_action_defs(
        &self,
        _: Request<v1::ListActionDefsRequest>,
    ) -> Result<Response<v1::ListActionDefsResponse>, Status> {
        Ok(Response::new(v1::ListActionDefsResponse::default()))
    }

    async fn get_signing_key(
        &self,
        _: Request<v1::GetSigningKeyRequest>,
    ) -> Result<Response<v1::GetSigningKeyResponse>, Status> {
        Ok(Response::new(v1::GetSigningKeyResponse::default()))
    }

    async fn get_limits(
        &self,
        _: Request<v1::GetLimitsRequest>,
    ) -> Result<Response<v1::GetLimitsResponse>, Status> {
        panic!("a fault of this test's own");
    }
}
