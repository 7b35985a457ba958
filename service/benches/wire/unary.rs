//! Unary calls: `ApplyActions`, one action a call, beside an echo.

use std::net::SocketAddr;

use edgehill_proto::prost::Message;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::{self, LegalDetail};
use tonic::Request;
use tonic::body::Body;
use tonic::client::GrpcService;
use tonic::codegen::{Body as HttpBody, Bytes, StdError};
use tonic::metadata::MetadataValue;

use crate::load::{self, Line, Rate, Until};
use crate::message::{HasMatch, batch, ids};

/// The game that is played.
const GAME: &str = "english-civil-war-iia";

/// Bytes of a call and of its answer, on average.
#[derive(Copy, Clone)]
pub(crate) struct Sizes {
    pub(crate) request: usize,
    pub(crate) response: usize,
}

/// A match of one client, who sits at both sides.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) tokens: Vec<String>,
    /// The legal actions of each seat, as the last answer had them.
    pub(crate) legal: Vec<Vec<u32>>,
}

/// The wire that a client's calls go over: a connection, or a service in this process.
pub(crate) trait Wire:
    GrpcService<Body, ResponseBody: HttpBody<Data = Bytes, Error: Send + Into<StdError>> + Send + 'static>
{
}

impl<T> Wire for T where
    T: GrpcService<Body, ResponseBody: HttpBody<Data = Bytes, Error: Send + Into<StdError>> + Send + 'static>
{
}

type Client<T> = MatchServiceClient<T>;

/// A message as the holder of a token sends it.
pub(crate) fn by<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let value: MetadataValue<_> = format!("Bearer {token}").parse().expect("a token is ASCII");
    request.metadata_mut().insert("authorization", value);
    request
}

impl Table {
    /// A match that has begun; `name` is no other match's.
    pub(crate) async fn open<T: Wire>(client: &mut Client<T>, name: &str) -> Self {
        let create = v1::CreateMatchRequest {
            request_id: name.to_owned(),
            game: GAME.to_owned(),
            client_secret: vec![7; 32],
            ..Default::default()
        };
        let created = client.create_match(create).await.expect("a match").into_inner();
        let id = created.id();
        let mut table = Self { id: id.clone(), tokens: Vec::new(), legal: Vec::new() };
        for seat in 0..2 {
            let join = v1::JoinMatchRequest {
                match_id: id.clone(),
                request_id: format!("j{seat}"),
                client_secret: vec![7; 32],
                ..Default::default()
            };
            table.tokens.push(client.join_match(join).await.expect("a seat").into_inner().seat_token);
        }
        for token in &table.tokens {
            let ask = v1::ListLegalActionsRequest { match_id: id.clone(), ..Default::default() };
            let legal =
                client.list_legal_actions(by(token, ask)).await.expect("a list").into_inner().legal_actions;
            table.legal.push(legal.unwrap_or_default().ids);
        }
        table
    }

    fn request(&self, seat: usize, number: u64) -> v1::ApplyActionsRequest {
        let legal = &self.legal[seat];
        // Any of them: what matters is that the game goes on.
        let action = legal[(number as usize).wrapping_mul(2_654_435_761) % legal.len()];
        v1::ApplyActionsRequest {
            match_id: self.id.clone(),
            request_id: number.to_string(),
            batch: Some(batch(ids(&[action]))),
            response_options: Some(v1::ResponseOptions {
                legal: LegalDetail::Ids.into(),
                ..Default::default()
            }),
        }
    }

    /// Takes an action of a seat that is to act. `None`: the match is over, or nobody is to act.
    pub(crate) async fn action<T: Wire>(&mut self, client: &mut Client<T>, number: u64) -> Option<()> {
        self.action_of(client, number, |_, _| ()).await
    }

    /// The same; what `look` makes of call and answer.
    async fn action_of<T: Wire, L>(
        &mut self,
        client: &mut Client<T>,
        number: u64,
        look: impl FnOnce(usize, &v1::ApplyActionsResponse) -> L,
    ) -> Option<L> {
        let seat = match self.legal.iter().position(|legal| !legal.is_empty()) {
            Some(seat) => seat,
            None => self.look(client).await?,
        };
        let request = self.request(seat, number);
        let size = request.encoded_len();
        let applied =
            client.apply_actions(by(&self.tokens[seat], request)).await.expect("a legal action").into_inner();
        let looked = look(size, &applied);
        self.legal[seat] = applied.update.and_then(|update| update.legal_actions).unwrap_or_default().ids;
        Some(looked)
    }

    /// Asks both seats what they may do; the first that is to act.
    async fn look<T: Wire>(&mut self, client: &mut Client<T>) -> Option<usize> {
        for (token, legal) in self.tokens.iter().zip(&mut self.legal) {
            let ask = v1::ListLegalActionsRequest { match_id: self.id.clone(), ..Default::default() };
            *legal = client
                .list_legal_actions(by(token, ask))
                .await
                .expect("a list")
                .into_inner()
                .legal_actions
                .unwrap_or_default()
                .ids;
        }
        self.legal.iter().position(|legal| !legal.is_empty())
    }
}

/// The sizes of the calls of one game's beginning.
pub(crate) async fn sizes(address: &SocketAddr) -> Sizes {
    let mut client = Client::new(Line::Bare.connect(*address).await);
    let mut table = Table::open(&mut client, "sizes").await;
    let (mut request, mut response, mut count) = (0, 0, 0);
    while count < 500 {
        let sizes = |request, answer: &v1::ApplyActionsResponse| (request, answer.encoded_len());
        let Some(sizes) = table.action_of(&mut client, count as u64, sizes).await else { break };
        request += sizes.0;
        response += sizes.1;
        count += 1;
    }
    Sizes { request: request / count, response: response / count }
}

/// Actions a second.
pub(crate) async fn play(address: &SocketAddr, line: Line) -> Rate {
    load::rate(*address, line, |index, channel, until: Until| async move {
        let mut client = Client::new(channel);
        let (mut calls, mut games) = (0, 0);
        let run: u64 = rand_core::Rng::next_u64(&mut crate::play::fresh());
        while !until.is_past() {
            let mut table = Table::open(&mut client, &format!("{run}-{index}-{games}")).await;
            games += 1;
            while !until.is_past() && table.action(&mut client, calls).await.is_some() {
                calls += 1;
            }
        }
        calls
    })
    .await
}

/// Echoes a second.
pub(crate) async fn echo(address: &SocketAddr, sizes: Sizes) -> Rate {
    load::rate(*address, Line::Bare, move |_, channel, until: Until| async move {
        let mut client = Client::new(channel);
        // A token is in the metadata here too: it is part of what a call weighs.
        let token = "ehs_".to_owned() + &"a".repeat(86);
        let mut calls = 0;
        while !until.is_past() {
            let request =
                v1::ApplyActionsRequest { request_id: " ".repeat(sizes.request - 2), ..Default::default() };
            client.apply_actions(by(&token, request)).await.expect("an answer");
            calls += 1;
        }
        calls
    })
    .await
}
