//! `MatchService`, call by call.

use std::pin::Pin;

use edgehill_proto::v1;
use edgehill_proto::v1::match_service_server::MatchService;
use tokio_stream::Stream;
use tonic::{Request, Response, Status, Streaming};

use super::peers::OwnCall;
use super::playing::StreamCounts;
use super::seating::SeatRequest;
use super::{HandedOn, Matches, MessageRate, seat_calls};
use crate::identity::CallerKey;
use crate::limits::RECORD_CHUNK_BYTES;
use crate::matches::{Call, MatchRecord};
use crate::telemetry::RefusedCalls;

/// A stream of messages to a client.
pub(super) type Sent<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl MatchService for Matches {
    type SeekMatchStream = Sent<v1::SeekMatchResponse>;
    type WatchMatchStream = Sent<v1::WatchMatchResponse>;
    type WatchAccountStream = Sent<v1::WatchAccountResponse>;
    type PlaySeatsStream = Sent<v1::PlaySeatsResponse>;
    type ExportRecordStream = Sent<v1::ExportRecordResponse>;

    async fn create_match(
        &self,
        request: Request<v1::CreateMatchRequest>,
    ) -> Result<Response<v1::CreateMatchResponse>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let counted_as = CallerKey::of_call(&extensions);
        Ok(Response::new(self.answer_create(&metadata, counted_as, message).await?))
    }

    async fn create_matches(
        &self,
        request: Request<v1::CreateMatchesRequest>,
    ) -> Result<Response<v1::CreateMatchesResponse>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let counted_as = CallerKey::of_call(&extensions);
        Ok(Response::new(self.answer_create_all(&metadata, counted_as, message).await?))
    }

    async fn seek_match(
        &self,
        request: Request<v1::SeekMatchRequest>,
    ) -> Result<Response<Self::SeekMatchStream>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let caller = CallerKey::of_call(&extensions);
        Ok(Response::new(Box::pin(self.answer_seek(&metadata, caller, message).await?)))
    }

    async fn join_match(
        &self,
        request: Request<v1::JoinMatchRequest>,
    ) -> Result<Response<v1::JoinMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_join(&metadata, message).await?))
    }

    async fn leave_match(
        &self,
        request: Request<v1::LeaveMatchRequest>,
    ) -> Result<Response<v1::LeaveMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_leave(&metadata, message).await?))
    }

    async fn abort_match(
        &self,
        request: Request<v1::AbortMatchRequest>,
    ) -> Result<Response<v1::AbortMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_abort(&metadata, message).await?))
    }

    async fn reveal_entropy(
        &self,
        request: Request<v1::RevealEntropyRequest>,
    ) -> Result<Response<v1::RevealEntropyResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_reveal(&metadata, message).await?))
    }

    async fn get_match(
        &self,
        request: Request<v1::GetMatchRequest>,
    ) -> Result<Response<v1::GetMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_get(&metadata, &message.match_id).await?))
    }

    async fn list_matches(
        &self,
        request: Request<v1::ListMatchesRequest>,
    ) -> Result<Response<v1::ListMatchesResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_list(&metadata, message).await?))
    }

    async fn get_view(
        &self,
        request: Request<v1::GetViewRequest>,
    ) -> Result<Response<v1::GetViewResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_view(&metadata, message).await?))
    }

    async fn list_legal_actions(
        &self,
        request: Request<v1::ListLegalActionsRequest>,
    ) -> Result<Response<v1::ListLegalActionsResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_legal_actions(&metadata, message).await?))
    }

    async fn explain_action(
        &self,
        request: Request<v1::ExplainActionRequest>,
    ) -> Result<Response<v1::ExplainActionResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_explain(&metadata, message).await?))
    }

    async fn apply_actions(
        &self,
        request: Request<v1::ApplyActionsRequest>,
    ) -> Result<Response<v1::ApplyActionsResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::ApplyActionsRequest { match_id, request_id, batch, response_options: options } = message;
        let batch = batch.unwrap_or_default();
        let asked = SeatRequest { match_id, request_id, expected_seq: batch.expected_seq, options };
        let update = self.answer_batch(&metadata, asked, batch).await?;
        Ok(Response::new(v1::ApplyActionsResponse { update: Some(update) }))
    }

    async fn undo_actions(
        &self,
        request: Request<v1::UndoActionsRequest>,
    ) -> Result<Response<v1::UndoActionsResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::UndoActionsRequest { match_id, request_id, span, response_options: options } = message;
        let v1::UndoSpan { expected_seq, keep_draft_actions: keep } = span.unwrap_or_default();
        let asked = SeatRequest { match_id, request_id, expected_seq, options };
        let update = self.answer_call(&metadata, asked, Call::Undo { keep }, "span").await?;
        Ok(Response::new(v1::UndoActionsResponse { update: Some(update) }))
    }

    async fn resign_match(
        &self,
        request: Request<v1::ResignMatchRequest>,
    ) -> Result<Response<v1::ResignMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::ResignMatchRequest { match_id, request_id, response_options: options } = message;
        let asked = SeatRequest { match_id, request_id, expected_seq: None, options };
        let update = self.answer_call(&metadata, asked, Call::Resign, "").await?;
        Ok(Response::new(v1::ResignMatchResponse { update: Some(update) }))
    }

    async fn rematch_match(
        &self,
        request: Request<v1::RematchMatchRequest>,
    ) -> Result<Response<v1::RematchMatchResponse>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let counted_as = CallerKey::of_call(&extensions);
        Ok(Response::new(self.answer_rematch(&metadata, counted_as, message).await?))
    }

    async fn offer_draw(
        &self,
        request: Request<v1::OfferDrawRequest>,
    ) -> Result<Response<v1::OfferDrawResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let names = (message.match_id, message.request_id);
        let shown = self.answer_offer_call(&metadata, names, Call::OfferDraw).await?;
        Ok(Response::new(v1::OfferDrawResponse { r#match: Some(shown) }))
    }

    async fn accept_draw(
        &self,
        request: Request<v1::AcceptDrawRequest>,
    ) -> Result<Response<v1::AcceptDrawResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::AcceptDrawRequest { match_id, request_id, response_options: options } = message;
        let asked = SeatRequest { match_id, request_id, expected_seq: None, options };
        let update = self.answer_call(&metadata, asked, Call::AcceptDraw, "").await?;
        Ok(Response::new(v1::AcceptDrawResponse { update: Some(update) }))
    }

    async fn decline_draw(
        &self,
        request: Request<v1::DeclineDrawRequest>,
    ) -> Result<Response<v1::DeclineDrawResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let names = (message.match_id, message.request_id);
        let shown = self.answer_offer_call(&metadata, names, Call::DeclineDraw).await?;
        Ok(Response::new(v1::DeclineDrawResponse { r#match: Some(shown) }))
    }

    async fn offer_adjournment(
        &self,
        request: Request<v1::OfferAdjournmentRequest>,
    ) -> Result<Response<v1::OfferAdjournmentResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::OfferAdjournmentRequest { match_id, request_id, adjourn_for } = message;
        let call = seat_calls::read_adjournment_offer(adjourn_for.as_ref())?;
        let shown = self.answer_offer_call(&metadata, (match_id, request_id), call).await?;
        Ok(Response::new(v1::OfferAdjournmentResponse { r#match: Some(shown) }))
    }

    async fn accept_adjournment(
        &self,
        request: Request<v1::AcceptAdjournmentRequest>,
    ) -> Result<Response<v1::AcceptAdjournmentResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::AcceptAdjournmentRequest { match_id, request_id, adjourn_for } = message;
        let call = seat_calls::read_adjournment_answer(adjourn_for.as_ref())?;
        let shown = self.answer_offer_call(&metadata, (match_id, request_id), call).await?;
        Ok(Response::new(v1::AcceptAdjournmentResponse { r#match: Some(shown) }))
    }

    async fn decline_adjournment(
        &self,
        request: Request<v1::DeclineAdjournmentRequest>,
    ) -> Result<Response<v1::DeclineAdjournmentResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let names = (message.match_id, message.request_id);
        let shown = self.answer_offer_call(&metadata, names, Call::DeclineAdjournment).await?;
        Ok(Response::new(v1::DeclineAdjournmentResponse { r#match: Some(shown) }))
    }

    async fn resume_match(
        &self,
        request: Request<v1::ResumeMatchRequest>,
    ) -> Result<Response<v1::ResumeMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let names = (message.match_id, message.request_id);
        let shown = self.answer_offer_call(&metadata, names, Call::ResumeMatch).await?;
        Ok(Response::new(v1::ResumeMatchResponse { r#match: Some(shown) }))
    }

    async fn set_standing_passes(
        &self,
        request: Request<v1::SetStandingPassesRequest>,
    ) -> Result<Response<v1::SetStandingPassesResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::SetStandingPassesRequest { match_id, request_id, standing_passes, response_options: options } =
            message;
        let asked = SeatRequest { match_id, request_id, expected_seq: None, options };
        let call = seat_calls::read_passes(&standing_passes)?;
        let update = self.answer_call(&metadata, asked, call, "").await?;
        Ok(Response::new(v1::SetStandingPassesResponse { update: Some(update) }))
    }

    async fn watch_match(
        &self,
        request: Request<v1::WatchMatchRequest>,
    ) -> Result<Response<Self::WatchMatchStream>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let caller = CallerKey::of_call(&extensions);
        let own = OwnCall::new(self.peers(), &metadata, &extensions);
        Ok(Response::new(Box::pin(self.answer_watch((&metadata, own), caller, message).await?)))
    }

    async fn watch_account(
        &self,
        request: Request<v1::WatchAccountRequest>,
    ) -> Result<Response<Self::WatchAccountStream>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let caller = CallerKey::of_call(&extensions);
        let own = OwnCall::new(self.peers(), &metadata, &extensions);
        Ok(Response::new(Box::pin(self.answer_watch_account((&metadata, own), caller, message).await?)))
    }

    async fn play_seats(
        &self,
        request: Request<Streaming<v1::PlaySeatsRequest>>,
    ) -> Result<Response<Self::PlaySeatsStream>, Status> {
        let (metadata, extensions, messages) = request.into_parts();
        let counted = StreamCounts {
            caller: CallerKey::of_call(&extensions),
            rate: extensions.get::<MessageRate>().cloned(),
            refused: extensions.get::<RefusedCalls>().cloned().unwrap_or_default(),
            own: OwnCall::new(self.peers(), &metadata, &extensions),
            is_handed_on: extensions.get::<HandedOn>().is_some(),
        };
        Ok(Response::new(Box::pin(self.answer_play(&metadata, counted, messages).await?)))
    }

    async fn export_record(
        &self,
        request: Request<v1::ExportRecordRequest>,
    ) -> Result<Response<Self::ExportRecordStream>, Status> {
        let (metadata, _, message) = request.into_parts();
        let record = self.answer_record(&metadata, &message.match_id).await?;
        Ok(Response::new(Box::pin(tokio_stream::iter(parts(record)))))
    }

    async fn get_receipt(
        &self,
        request: Request<v1::GetReceiptRequest>,
    ) -> Result<Response<v1::GetReceiptResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_receipt(&metadata, message).await?))
    }
}

/// The text of a record in the parts in which it is sent. It is ASCII, so that it can be cut anywhere.
pub(super) fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let starts = (0..text.len()).step_by(RECORD_CHUNK_BYTES);
    starts.map(|from| &text[from..text.len().min(from + RECORD_CHUNK_BYTES)])
}

fn parts(record: MatchRecord) -> impl Iterator<Item = Result<v1::ExportRecordResponse, Status>> {
    let MatchRecord { text, complete } = record;
    let parts: Vec<String> = chunks(&text).map(str::to_owned).collect();
    parts.into_iter().map(move |text| Ok(v1::ExportRecordResponse { text, complete }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_cut_into_parts_that_make_it_again() {
        for bytes in [1, RECORD_CHUNK_BYTES - 1, RECORD_CHUNK_BYTES, RECORD_CHUNK_BYTES + 1, 200_000] {
            let text: String = ('a'..='z').cycle().take(bytes).collect();
            let record = MatchRecord { text: text.clone(), complete: bytes % 2 == 0 };
            let parts: Vec<v1::ExportRecordResponse> = parts(record).map(Result::unwrap).collect();
            assert_eq!(parts.len(), bytes.div_ceil(RECORD_CHUNK_BYTES));
            assert!(parts.iter().all(|part| part.complete == (bytes % 2 == 0)));
            assert!(parts.iter().all(|part| (1..=RECORD_CHUNK_BYTES).contains(&part.text.len())));
            assert_eq!(parts.into_iter().map(|part| part.text).collect::<String>(), text);
        }
    }
}
