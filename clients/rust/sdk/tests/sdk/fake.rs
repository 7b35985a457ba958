//! A server whose answers are a test's ([`Fake`]).

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use edgehill_client::v1::match_service_server::{MatchService, MatchServiceServer};
use edgehill_client::v1::*;
use edgehill_client::{Client, Options, RetryPolicy};
use tokio::net::TcpListener;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_stream::wrappers::{TcpListenerStream, UnboundedReceiverStream};
use tonic::metadata::MetadataMap;
use tonic::transport::Server;
use tonic::{Code, Request, Response, Status, Streaming};

type Unary<Q, A> = Box<dyn Fn(Q, &MetadataMap) -> Result<A, Status> + Send + Sync>;
type Streamed<Q, A> = Box<dyn Fn(Q) -> UnboundedReceiver<Result<A, Status>> + Send + Sync>;

/// The answers of the server; those that a test does not name are not there.
#[derive(Default)]
pub(crate) struct Fake {
    pub apply: Option<Unary<ApplyRequest, ApplyResponse>>,
    pub create: Option<Unary<CreateRequest, CreateResponse>>,
    pub list: Option<Unary<ListRequest, ListResponse>>,
    pub watch: Option<Streamed<WatchRequest, WatchResponse>>,
    pub play: Option<Streamed<Streaming<PlayRequest>, PlayResponse>>,
}

/// Serves `fake` on a free port.
pub(crate) async fn serve(fake: Fake) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let service = MatchServiceServer::from_arc(Arc::new(fake));
    tokio::spawn(
        Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener)),
    );
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
        Refusal { reason: reason.into(), code: code as u32, message: "refused".to_owned(), ..refusal };
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
    type WatchStream = Stream<WatchResponse>;
    type PlayStream = Stream<PlayResponse>;

    async fn apply(&self, request: Request<ApplyRequest>) -> Result<Response<ApplyResponse>, Status> {
        answer(self.apply.as_ref(), request)
    }

    async fn create(&self, request: Request<CreateRequest>) -> Result<Response<CreateResponse>, Status> {
        answer(self.create.as_ref(), request)
    }

    async fn list(&self, request: Request<ListRequest>) -> Result<Response<ListResponse>, Status> {
        answer(self.list.as_ref(), request)
    }

    async fn watch(&self, request: Request<WatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        stream(self.watch.as_ref(), request)
    }

    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        stream(self.play.as_ref(), request)
    }

    absent! {
        join(JoinRequest) -> JoinResponse;
        reveal_entropy(RevealEntropyRequest) -> RevealEntropyResponse;
        get(GetRequest) -> GetResponse;
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
