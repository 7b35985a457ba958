//! A service that answers each call with a message of the right size, and does nothing else.

use std::pin::Pin;

use edgehill_proto::v1;
use edgehill_proto::v1::match_service_server::MatchService;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

use crate::unary::Sizes;

/// Answers `ApplyActions` and `PlaySeats`.
pub(crate) struct Echo {
    sizes: Sizes,
}

impl Echo {
    pub(crate) const fn new(sizes: Sizes) -> Self {
        Self { sizes }
    }
}

type Made<'made, T> = Pin<Box<dyn Future<Output = Result<T, Status>> + Send + 'made>>;
type Sent<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The calls that are not measured.
macro_rules! not_measured {
    ($($call:ident($request:ident) -> $response:ident;)*) => {
        // As the trait's attribute writes it, which does not look into this macro.
        $(fn $call<'me, 'made>(&'me self, _: Request<v1::$request>) -> Made<'made, Response<v1::$response>>
        where
            'me: 'made,
            Self: 'made,
        {
            Box::pin(async { Err(Status::unimplemented("an echo")) })
        })*
    };
}

#[tonic::async_trait]
impl MatchService for Echo {
    type SeekMatchStream = Sent<v1::SeekMatchResponse>;
    type WatchMatchStream = Sent<v1::WatchMatchResponse>;
    type WatchAccountStream = Sent<v1::WatchAccountResponse>;
    type PlaySeatsStream = Sent<v1::PlaySeatsResponse>;
    type ExportRecordStream = Sent<v1::ExportRecordResponse>;

    async fn apply_actions(
        &self,
        request: Request<v1::ApplyActionsRequest>,
    ) -> Result<Response<v1::ApplyActionsResponse>, Status> {
        let line = " ".repeat(self.sizes.response.saturating_sub(8));
        let actions = request.into_inner().request_id.len() as u32;
        let apply_result = Some(v1::ApplyResult { actions, line });
        let update = Some(v1::SeatUpdate { apply_result, ..v1::SeatUpdate::default() });
        Ok(Response::new(v1::ApplyActionsResponse { update }))
    }

    async fn play_seats(
        &self,
        request: Request<Streaming<v1::PlaySeatsRequest>>,
    ) -> Result<Response<Self::PlaySeatsStream>, Status> {
        let size = self.sizes.response.saturating_sub(8);
        let answers = request.into_inner().map(move |message| {
            let v1::PlaySeatsRequest { channel, .. } = message?;
            Ok(v1::PlaySeatsResponse { channel, request_id: " ".repeat(size), message: None })
        });
        Ok(Response::new(Box::pin(answers)))
    }

    async fn watch_match(
        &self,
        _: Request<v1::WatchMatchRequest>,
    ) -> Result<Response<Self::WatchMatchStream>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    async fn watch_account(
        &self,
        _: Request<v1::WatchAccountRequest>,
    ) -> Result<Response<Self::WatchAccountStream>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    async fn seek_match(
        &self,
        _: Request<v1::SeekMatchRequest>,
    ) -> Result<Response<Self::SeekMatchStream>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    async fn export_record(
        &self,
        _: Request<v1::ExportRecordRequest>,
    ) -> Result<Response<Self::ExportRecordStream>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    not_measured! {
        create_match(CreateMatchRequest) -> CreateMatchResponse;
        create_matches(CreateMatchesRequest) -> CreateMatchesResponse;
        join_match(JoinMatchRequest) -> JoinMatchResponse;
        reveal_entropy(RevealEntropyRequest) -> RevealEntropyResponse;
        leave_match(LeaveMatchRequest) -> LeaveMatchResponse;
        abort_match(AbortMatchRequest) -> AbortMatchResponse;
        get_match(GetMatchRequest) -> GetMatchResponse;
        get_receipt(GetReceiptRequest) -> GetReceiptResponse;
        list_matches(ListMatchesRequest) -> ListMatchesResponse;
        get_view(GetViewRequest) -> GetViewResponse;
        list_legal_actions(ListLegalActionsRequest) -> ListLegalActionsResponse;
        explain_action(ExplainActionRequest) -> ExplainActionResponse;
        undo_actions(UndoActionsRequest) -> UndoActionsResponse;
        resign_match(ResignMatchRequest) -> ResignMatchResponse;
        rematch_match(RematchMatchRequest) -> RematchMatchResponse;
        offer_draw(OfferDrawRequest) -> OfferDrawResponse;
        decline_draw(DeclineDrawRequest) -> DeclineDrawResponse;
        accept_draw(AcceptDrawRequest) -> AcceptDrawResponse;
        offer_adjournment(OfferAdjournmentRequest) -> OfferAdjournmentResponse;
        accept_adjournment(AcceptAdjournmentRequest) -> AcceptAdjournmentResponse;
        decline_adjournment(DeclineAdjournmentRequest) -> DeclineAdjournmentResponse;
        resume_match(ResumeMatchRequest) -> ResumeMatchResponse;
        set_standing_passes(SetStandingPassesRequest) -> SetStandingPassesResponse;
    }
}
