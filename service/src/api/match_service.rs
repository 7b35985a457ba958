//! `MatchService`, call by call.

use std::pin::Pin;

use edgehill_proto::v1;
use edgehill_proto::v1::match_service_server::MatchService;
use tokio_stream::Stream;
use tonic::{Request, Response, Status, Streaming};

use super::Matches;
use super::seating::SeatRequest;

/// A stream of messages to a client.
type Sent<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl MatchService for Matches {
    type WatchStream = Sent<v1::WatchResponse>;
    type PlayStream = Sent<v1::PlayResponse>;

    async fn create(
        &self,
        request: Request<v1::CreateRequest>,
    ) -> Result<Response<v1::CreateResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.make(&metadata, message).await?))
    }

    async fn join(&self, request: Request<v1::JoinRequest>) -> Result<Response<v1::JoinResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.seat(&metadata, message).await?))
    }

    async fn reveal_entropy(
        &self,
        request: Request<v1::RevealEntropyRequest>,
    ) -> Result<Response<v1::RevealEntropyResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.reveal(&metadata, message).await?))
    }

    async fn get(&self, request: Request<v1::GetRequest>) -> Result<Response<v1::GetResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.look(&metadata, &message.match_id).await?))
    }

    async fn list(&self, request: Request<v1::ListRequest>) -> Result<Response<v1::ListResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.list_matches(&metadata, message).await?))
    }

    async fn view(&self, request: Request<v1::ViewRequest>) -> Result<Response<v1::ViewResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.view_match(&metadata, message).await?))
    }

    async fn legal(&self, request: Request<v1::LegalRequest>) -> Result<Response<v1::LegalResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.legal_actions(&metadata, message).await?))
    }

    async fn explain(
        &self,
        request: Request<v1::ExplainRequest>,
    ) -> Result<Response<v1::ExplainResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.explain_action(&metadata, message).await?))
    }

    async fn apply(&self, request: Request<v1::ApplyRequest>) -> Result<Response<v1::ApplyResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::ApplyRequest { match_id, request_id, expected_seq, keep, actions, mode, want } = message;
        let call = v1::Apply { expected_seq, keep, actions, mode };
        let asked = SeatRequest { match_id, request_id, expected_seq, want };
        let (outcome, situation) = self.apply_actions(&metadata, asked, call).await?;
        let v1::Accepted { actions: applied, line } = outcome;
        Ok(Response::new(v1::ApplyResponse { applied, line, situation: Some(situation) }))
    }

    async fn undo(&self, request: Request<v1::UndoRequest>) -> Result<Response<v1::UndoResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::UndoRequest { match_id, request_id, expected_seq, keep, want } = message;
        let asked = SeatRequest { match_id, request_id, expected_seq, want };
        let call = crate::matches::Call::Undo { keep };
        let (outcome, situation) = self.seat_call(&metadata, asked, call).await?;
        Ok(Response::new(v1::UndoResponse { undone: outcome.actions, situation: Some(situation) }))
    }

    async fn resign(
        &self,
        request: Request<v1::ResignRequest>,
    ) -> Result<Response<v1::ResignResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::ResignRequest { match_id, request_id, want } = message;
        let asked = SeatRequest { match_id, request_id, expected_seq: None, want };
        let (_, situation) = self.seat_call(&metadata, asked, crate::matches::Call::Resign).await?;
        Ok(Response::new(v1::ResignResponse { situation: Some(situation) }))
    }

    async fn offer_draw(
        &self,
        request: Request<v1::OfferDrawRequest>,
    ) -> Result<Response<v1::OfferDrawResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let state = self.offer(&metadata, message).await?;
        Ok(Response::new(v1::OfferDrawResponse { state: Some(state) }))
    }

    async fn accept_draw(
        &self,
        request: Request<v1::AcceptDrawRequest>,
    ) -> Result<Response<v1::AcceptDrawResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::AcceptDrawRequest { match_id, request_id, want } = message;
        let asked = SeatRequest { match_id, request_id, expected_seq: None, want };
        let (_, situation) = self.seat_call(&metadata, asked, crate::matches::Call::AcceptDraw).await?;
        Ok(Response::new(v1::AcceptDrawResponse { situation: Some(situation) }))
    }

    async fn set_standing_passes(
        &self,
        request: Request<v1::SetStandingPassesRequest>,
    ) -> Result<Response<v1::SetStandingPassesResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::SetStandingPassesRequest { match_id, request_id, standing_passes, want } = message;
        let asked = SeatRequest { match_id, request_id, expected_seq: None, want };
        let call = super::seat_calls::stand(&standing_passes)?;
        let (_, situation) = self.seat_call(&metadata, asked, call).await?;
        Ok(Response::new(v1::SetStandingPassesResponse { situation: Some(situation) }))
    }

    async fn watch(&self, request: Request<v1::WatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let address = request.remote_addr();
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(Box::pin(self.watch_match(&metadata, address, message).await?)))
    }

    async fn play(
        &self,
        request: Request<Streaming<v1::PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let address = request.remote_addr();
        let (metadata, _, messages) = request.into_parts();
        Ok(Response::new(Box::pin(self.play_seats(&metadata, address, messages).await?)))
    }

    async fn get_record(
        &self,
        request: Request<v1::GetRecordRequest>,
    ) -> Result<Response<v1::GetRecordResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.record(&metadata, &message.match_id).await?))
    }
}
