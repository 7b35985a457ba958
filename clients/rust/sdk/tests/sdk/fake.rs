//! A server whose answers are a test's ([`Fake`]).

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use edgehill_client::v1::catalog_service_server::{CatalogService, CatalogServiceServer};
use edgehill_client::v1::match_service_server::{MatchService, MatchServiceServer};
use edgehill_client::v1::*;
use edgehill_client::{Client, Options, RetryPolicy};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::{TcpListenerStream, UnboundedReceiverStream};
use tonic::metadata::MetadataMap;
use tonic::transport::Server;
use tonic::{Code, Request, Response, Status, Streaming};

type Unary<Q, A> = Box<dyn Fn(Q, &MetadataMap) -> Result<A, Status> + Send + Sync>;
type Streamed<Q, A> = Box<dyn Fn(Q) -> UnboundedReceiver<Result<A, Status>> + Send + Sync>;

/// The answers of the server; those that a test does not name are not there.
#[derive(Default)]
pub(crate) struct Fake {
    pub abort_match: Option<Unary<AbortMatchRequest, AbortMatchResponse>>,
    pub apply_actions: Option<Unary<ApplyActionsRequest, ApplyActionsResponse>>,
    pub create_match: Option<Unary<CreateMatchRequest, CreateMatchResponse>>,
    pub create_matches: Option<Unary<CreateMatchesRequest, CreateMatchesResponse>>,
    pub rematch_match: Option<Unary<RematchMatchRequest, RematchMatchResponse>>,
    pub seek_match: Option<Streamed<SeekMatchRequest, SeekMatchResponse>>,
    pub list_matches: Option<Unary<ListMatchesRequest, ListMatchesResponse>>,
    pub watch_match: Option<Streamed<WatchMatchRequest, WatchMatchResponse>>,
    pub watch_account: Option<Streamed<WatchAccountRequest, WatchAccountResponse>>,
    pub play_seats: Option<Streamed<Streaming<PlaySeatsRequest>, PlaySeatsResponse>>,
    pub export_record: Option<Streamed<ExportRecordRequest, ExportRecordResponse>>,
    pub list_games: Option<Unary<ListGamesRequest, ListGamesResponse>>,
    pub get_game: Option<Unary<GetGameRequest, GetGameResponse>>,
    pub list_action_defs: Option<Unary<ListActionDefsRequest, ListActionDefsResponse>>,
}

/// The answers of a stream: what sends them, and what [`Fake`] takes.
#[expect(clippy::disallowed_methods, reason = "a test answers all that it has to answer")]
pub(crate) fn answers<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) {
    unbounded_channel()
}

/// Serves `fake` on a free port.
pub(crate) async fn serve(fake: Fake) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let fake = Arc::new(fake);
    let server = Server::builder()
        .add_service(MatchServiceServer::from_arc(Arc::clone(&fake)))
        .add_service(CatalogServiceServer::from_arc(fake));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    address
}

/// Returns the options by which a client of a test reaches `address`: it does not wait for long.
pub(crate) fn options(address: SocketAddr) -> Options {
    let pause = std::time::Duration::from_millis(1);
    let retry_policy = RetryPolicy { pause_min: pause, pause_max: pause * 4, ..RetryPolicy::default() };
    Options::new(format!("http://{address}")).retry_policy(retry_policy)
}

pub(crate) fn client(address: SocketAddr) -> Client {
    Client::with(options(address)).expect("an address")
}

/// The status of a refusal, as docs/errors.md has it.
pub(crate) fn refusal(reason: ErrorReason, code: Code, refusal: Refusal) -> Status {
    let refusal =
        Refusal { reason: reason.into(), code: code as i32, message: "refused".to_owned(), ..refusal };
    let detail = prost_types::Any::from_msg(&refusal).expect("a message with a name");
    let details = tonic_types::pb::Status { details: vec![detail], ..Default::default() };
    Status::with_details(code, "refused", prost::Message::encode_to_vec(&details).into())
}

fn answer<Q, A>(answer: Option<&Unary<Q, A>>, request: Request<Q>) -> Result<Response<A>, Status> {
    let answer = answer.ok_or_else(|| Status::unimplemented("not in this test"))?;
    let (metadata, _, message) = request.into_parts();
    answer(message, &metadata).map(Response::new)
}

type Stream<T> = UnboundedReceiverStream<Result<T, Status>>;

fn stream<Q, A>(answer: Option<&Streamed<Q, A>>, request: Request<Q>) -> Result<Response<Stream<A>>, Status> {
    let answer = answer.ok_or_else(|| Status::unimplemented("not in this test"))?;
    Ok(Response::new(UnboundedReceiverStream::new(answer(request.into_inner()))))
}

/// Calls that no test answers, in the form that `async_trait` gives its methods: it does not look into macros.
macro_rules! absent {
    ($($method:ident($request:ty) -> $response:ty;)*) => { $(
        fn $method<'life0, 'async_trait>(
            &'life0 self,
            _: Request<$request>,
        ) -> Pin<Box<dyn Future<Output = Result<Response<$response>, Status>> + Send + 'async_trait>>
        where
            'life0: 'async_trait,
            Self: 'async_trait,
        {
            Box::pin(std::future::ready(Err(Status::unimplemented("not in this test"))))
        }
    )* };
}

#[tonic::async_trait]
impl MatchService for Fake {
    type SeekMatchStream = Stream<SeekMatchResponse>;
    type WatchMatchStream = Stream<WatchMatchResponse>;
    type WatchAccountStream = Stream<WatchAccountResponse>;
    type PlaySeatsStream = Stream<PlaySeatsResponse>;
    type ExportRecordStream = Stream<ExportRecordResponse>;

    async fn abort_match(
        &self,
        request: Request<AbortMatchRequest>,
    ) -> Result<Response<AbortMatchResponse>, Status> {
        answer(self.abort_match.as_ref(), request)
    }

    async fn apply_actions(
        &self,
        request: Request<ApplyActionsRequest>,
    ) -> Result<Response<ApplyActionsResponse>, Status> {
        answer(self.apply_actions.as_ref(), request)
    }

    async fn create_match(
        &self,
        request: Request<CreateMatchRequest>,
    ) -> Result<Response<CreateMatchResponse>, Status> {
        answer(self.create_match.as_ref(), request)
    }

    async fn create_matches(
        &self,
        request: Request<CreateMatchesRequest>,
    ) -> Result<Response<CreateMatchesResponse>, Status> {
        answer(self.create_matches.as_ref(), request)
    }

    async fn rematch_match(
        &self,
        request: Request<RematchMatchRequest>,
    ) -> Result<Response<RematchMatchResponse>, Status> {
        answer(self.rematch_match.as_ref(), request)
    }

    async fn seek_match(
        &self,
        request: Request<SeekMatchRequest>,
    ) -> Result<Response<Self::SeekMatchStream>, Status> {
        stream(self.seek_match.as_ref(), request)
    }

    async fn list_matches(
        &self,
        request: Request<ListMatchesRequest>,
    ) -> Result<Response<ListMatchesResponse>, Status> {
        answer(self.list_matches.as_ref(), request)
    }

    async fn watch_match(
        &self,
        request: Request<WatchMatchRequest>,
    ) -> Result<Response<Self::WatchMatchStream>, Status> {
        stream(self.watch_match.as_ref(), request)
    }

    async fn watch_account(
        &self,
        request: Request<WatchAccountRequest>,
    ) -> Result<Response<Self::WatchAccountStream>, Status> {
        stream(self.watch_account.as_ref(), request)
    }

    async fn play_seats(
        &self,
        request: Request<Streaming<PlaySeatsRequest>>,
    ) -> Result<Response<Self::PlaySeatsStream>, Status> {
        stream(self.play_seats.as_ref(), request)
    }

    async fn export_record(
        &self,
        request: Request<ExportRecordRequest>,
    ) -> Result<Response<Self::ExportRecordStream>, Status> {
        stream(self.export_record.as_ref(), request)
    }

    absent! {
        join_match(JoinMatchRequest) -> JoinMatchResponse;
        leave_match(LeaveMatchRequest) -> LeaveMatchResponse;
        reveal_entropy(RevealEntropyRequest) -> RevealEntropyResponse;
        get_match(GetMatchRequest) -> GetMatchResponse;
        get_view(GetViewRequest) -> GetViewResponse;
        get_receipt(GetReceiptRequest) -> GetReceiptResponse;
        list_legal_actions(ListLegalActionsRequest) -> ListLegalActionsResponse;
        explain_action(ExplainActionRequest) -> ExplainActionResponse;
        undo_actions(UndoActionsRequest) -> UndoActionsResponse;
        resign_match(ResignMatchRequest) -> ResignMatchResponse;
        offer_draw(OfferDrawRequest) -> OfferDrawResponse;
        accept_draw(AcceptDrawRequest) -> AcceptDrawResponse;
        decline_draw(DeclineDrawRequest) -> DeclineDrawResponse;
        offer_adjournment(OfferAdjournmentRequest) -> OfferAdjournmentResponse;
        accept_adjournment(AcceptAdjournmentRequest) -> AcceptAdjournmentResponse;
        decline_adjournment(DeclineAdjournmentRequest) -> DeclineAdjournmentResponse;
        resume_match(ResumeMatchRequest) -> ResumeMatchResponse;
        set_standing_passes(SetStandingPassesRequest) -> SetStandingPassesResponse;
    }
}

#[tonic::async_trait]
impl CatalogService for Fake {
    async fn list_games(
        &self,
        request: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        answer(self.list_games.as_ref(), request)
    }

    async fn get_game(&self, request: Request<GetGameRequest>) -> Result<Response<GetGameResponse>, Status> {
        answer(self.get_game.as_ref(), request)
    }

    async fn list_action_defs(
        &self,
        request: Request<ListActionDefsRequest>,
    ) -> Result<Response<ListActionDefsResponse>, Status> {
        answer(self.list_action_defs.as_ref(), request)
    }

    absent! {
        get_limits(GetLimitsRequest) -> GetLimitsResponse;
        get_signing_key(GetSigningKeyRequest) -> GetSigningKeyResponse;
    }
}
