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
    type WatchStream = Sent<v1::WatchResponse>;
    type PlayStream = Sent<v1::PlayResponse>;

    async fn apply(&self, request: Request<v1::ApplyRequest>) -> Result<Response<v1::ApplyResponse>, Status> {
        let line = " ".repeat(self.sizes.response.saturating_sub(4));
        let applied = request.into_inner().request_id.len() as u32;
        Ok(Response::new(v1::ApplyResponse { applied, line, situation: None }))
    }

    async fn play(
        &self,
        request: Request<Streaming<v1::PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let size = self.sizes.response.saturating_sub(8);
        let answers = request.into_inner().map(move |message| {
            let v1::PlayRequest { channel, .. } = message?;
            Ok(v1::PlayResponse { channel, request_id: " ".repeat(size), message: None })
        });
        Ok(Response::new(Box::pin(answers)))
    }

    async fn watch(&self, _: Request<v1::WatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    not_measured! {
        create(CreateRequest) -> CreateResponse;
        join(JoinRequest) -> JoinResponse;
        reveal_entropy(RevealEntropyRequest) -> RevealEntropyResponse;
        get(GetRequest) -> GetResponse;
        list(ListRequest) -> ListResponse;
        view(ViewRequest) -> ViewResponse;
        legal(LegalRequest) -> LegalResponse;
        explain(ExplainRequest) -> ExplainResponse;
        undo(UndoRequest) -> UndoResponse;
        resign(ResignRequest) -> ResignResponse;
        offer_draw(OfferDrawRequest) -> OfferDrawResponse;
        accept_draw(AcceptDrawRequest) -> AcceptDrawResponse;
        set_standing_passes(SetStandingPassesRequest) -> SetStandingPassesResponse;
        get_record(GetRecordRequest) -> GetRecordResponse;
    }
}
