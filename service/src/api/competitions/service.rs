//! `CompetitionService`, call by call.

use edgehill_proto::v1;
use edgehill_proto::v1::competition_service_server::CompetitionService;
use tonic::{Request, Response, Status};

use super::CompetitionEndpoint;
use crate::api::match_service::Sent;
use crate::identity::CallerKey;

#[tonic::async_trait]
impl CompetitionService for CompetitionEndpoint {
    type WatchCompetitionStream = Sent<v1::WatchCompetitionResponse>;
    type ExportCompetitionStream = Sent<v1::ExportCompetitionResponse>;

    async fn create_competition(
        &self,
        request: Request<v1::CreateCompetitionRequest>,
    ) -> Result<Response<v1::CreateCompetitionResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_create(&metadata, message).await?))
    }

    async fn get_competition(
        &self,
        request: Request<v1::GetCompetitionRequest>,
    ) -> Result<Response<v1::GetCompetitionResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_get_competition(&metadata, message).await?))
    }

    async fn list_competitions(
        &self,
        request: Request<v1::ListCompetitionsRequest>,
    ) -> Result<Response<v1::ListCompetitionsResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_list_competitions(&metadata, message).await?))
    }

    async fn enrol_entrant(
        &self,
        request: Request<v1::EnrolEntrantRequest>,
    ) -> Result<Response<v1::EnrolEntrantResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_enrol(&metadata, message).await?))
    }

    async fn withdraw_entrant(
        &self,
        request: Request<v1::WithdrawEntrantRequest>,
    ) -> Result<Response<v1::WithdrawEntrantResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_withdraw(&metadata, message).await?))
    }

    async fn disqualify_entrant(
        &self,
        request: Request<v1::DisqualifyEntrantRequest>,
    ) -> Result<Response<v1::DisqualifyEntrantResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_disqualify(&metadata, message).await?))
    }

    async fn start_competition(
        &self,
        request: Request<v1::StartCompetitionRequest>,
    ) -> Result<Response<v1::StartCompetitionResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_start(&metadata, message).await?))
    }

    async fn cancel_competition(
        &self,
        request: Request<v1::CancelCompetitionRequest>,
    ) -> Result<Response<v1::CancelCompetitionResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_cancel(&metadata, message).await?))
    }

    async fn void_competition_match(
        &self,
        request: Request<v1::VoidCompetitionMatchRequest>,
    ) -> Result<Response<v1::VoidCompetitionMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_void(&metadata, message).await?))
    }

    async fn get_standings(
        &self,
        request: Request<v1::GetStandingsRequest>,
    ) -> Result<Response<v1::GetStandingsResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_get_standings(&metadata, message).await?))
    }

    async fn list_encounters(
        &self,
        request: Request<v1::ListEncountersRequest>,
    ) -> Result<Response<v1::ListEncountersResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_list_encounters(&metadata, message).await?))
    }

    async fn watch_competition(
        &self,
        request: Request<v1::WatchCompetitionRequest>,
    ) -> Result<Response<Self::WatchCompetitionStream>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let caller = CallerKey::of_call(&extensions);
        Ok(Response::new(Box::pin(self.answer_watch(&metadata, caller, message).await?)))
    }

    async fn export_competition(
        &self,
        request: Request<v1::ExportCompetitionRequest>,
    ) -> Result<Response<Self::ExportCompetitionStream>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let caller = CallerKey::of_call(&extensions);
        Ok(Response::new(Box::pin(self.answer_export(&metadata, caller, message).await?)))
    }
}
