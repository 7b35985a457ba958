//! A service that answers each call with a message of the right size, and does nothing else.

use std::pin::Pin;

use edgehill_proto::v1;
use edgehill_proto::v1::match_service_server::MatchService;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

use crate::unary::Sizes;

/// Answers `Apply` and `Play`.
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
    type WatchStream = Sent<v1::WatchMatchResponse>;
    type PlayStream = Sent<v1::PlaySeatsResponse>;

    async fn apply(&self, request: Request<v1::ApplyActionsRequest>) -> Result<Response<v1::ApplyActionsResponse>, Status> {
        let line = " ".repeat(self.sizes.response.saturating_sub(4));
        let applied = request.into_inner().request_id.len() as u32;
        Ok(Response::new(v1::ApplyActionsResponse { applied, line, update: None }))
    }

    async fn play(
        &self,
        request: Request<Streaming<v1::PlaySeatsRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let size = self.sizes.response.saturating_sub(8);
        let answers = request.into_inner().map(move |message| {
            let v1::PlaySeatsRequest { channel, .. } = message?;
            Ok(v1::PlaySeatsResponse { channel, request_id: " ".repeat(size), message: None })
        });
        Ok(Response::new(Box::pin(answers)))
    }

    async fn watch(&self, _: Request<v1::WatchMatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    not_measured! {
        create(CreateMatchRequest) -> CreateMatchResponse;
        join(JoinMatchRequest) -> JoinMatchResponse;
        reveal_entropy(RevealEntropyRequest) -> RevealEntropyResponse;
        get(GetMatchRequest) -> GetMatchResponse;
        list(ListMatchesRequest) -> ListMatchesResponse;
        view(GetViewRequest) -> GetViewResponse;
        legal(ListLegalActionsRequest) -> ListLegalActionsResponse;
        explain(ExplainActionRequest) -> ExplainActionResponse;
        undo(UndoActionsRequest) -> UndoActionsResponse;
        resign(ResignMatchRequest) -> ResignMatchResponse;
        offer_draw(OfferDrawRequest) -> OfferDrawResponse;
        accept_draw(AcceptDrawRequest) -> AcceptDrawResponse;
        set_standing_passes(SetStandingPassesRequest) -> SetStandingPassesResponse;
        get_record(ExportRecordRequest) -> ExportRecordResponse;
    }
}
