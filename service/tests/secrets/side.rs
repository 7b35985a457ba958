//! One of two servers on which the same is done ([`Side`]), and what its observers are sent ([`Sent`]).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use edgehill_proto::v1;
use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message as Answered;
use prost::Message;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;
use tonic::transport::Channel;

use crate::mask::Mask;
use crate::message::HasMatch;
use crate::process::{Running, Said, start};
use crate::raw::{self, Answer};
use crate::receiver::{Receiver, receiver};

/// Waits for what has to come, and fails where it does not.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), what).await.expect("it does not come")
}

/// The progress of a stream.
#[derive(Clone, Default, Debug)]
struct Progress {
    seq: u64,
    /// The last call that was answered.
    answered: String,
    /// A prompt is outstanding.
    prompted: bool,
    /// The last state said that the match is over.
    over: bool,
}

/// The messages of a stream, as they came.
#[derive(Debug)]
pub(crate) struct Sent {
    messages: Arc<Mutex<Vec<Vec<u8>>>>,
    progress: watch::Receiver<Progress>,
}

impl Sent {
    fn gather(mut stream: Streaming<Vec<u8>>, read: fn(&[u8], &mut Progress)) -> Self {
        let messages: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
        let (progress, receiver) = watch::channel(Progress::default());
        let into = Arc::clone(&messages);
        tokio::spawn(async move {
            while let Ok(Some(message)) = stream.message().await {
                into.lock().unwrap().push(message.clone());
                progress.send_modify(|progress| read(&message, progress));
            }
        });
        Self { messages, progress: receiver }
    }

    async fn until(&self, enough: impl FnMut(&Progress) -> bool) {
        drop(soon(self.progress.clone().wait_for(enough)).await.expect("the stream has ended"));
    }

    /// The messages that came since this was last asked for.
    fn take(&self, mask: &Mask) -> Vec<Vec<u8>> {
        let new = std::mem::take(&mut *self.messages.lock().unwrap());
        new.iter().map(|message| mask.apply(message)).collect()
    }
}

fn read_watch(message: &[u8], progress: &mut Progress) {
    let update = v1::WatchMatchResponse::decode(message).unwrap().update.unwrap();
    progress.seq = update.seq;
    progress.over |= update.state.is_some_and(|state| state.status() == v1::MatchStatus::Finished);
}

fn read_play(message: &[u8], progress: &mut Progress) {
    let response = v1::PlaySeatsResponse::decode(message).unwrap();
    match response.message.unwrap() {
        Answered::Update(update) => {
            progress.seq = update.seq;
            progress.prompted =
                update.legal_actions.is_some() || (progress.prompted && update.apply_result.is_none());
        }
        Answered::Opened(opened) => progress.seq = opened.seq(),
        Answered::Closed(_) => progress.over = true,
        Answered::Refusal(_) => {}
    }
    if !response.request_id.is_empty() {
        progress.answered = response.request_id;
    }
}

/// A server, and the match that is played there.
pub(crate) struct Side {
    server: Running,
    channel: Channel,
    pub(crate) receiver: Receiver,
    pub(crate) mask: Mask,
    pub(crate) id: String,
    pub(crate) tokens: Vec<String>,
    /// The messages sent to a spectator and to the watched seat.
    watched: Vec<(String, Sent)>,
    played: Option<(Sent, mpsc::Sender<Vec<u8>>)>,
    asked: u64,
}

impl Side {
    pub(crate) async fn start() -> Self {
        let (receiver, address) = receiver().await;
        let endpoint = format!("http://{address}");
        let server = start(&[], &[("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &endpoint)]);
        let channel = server.channel().await;
        Self {
            server,
            channel,
            receiver,
            mask: Mask::default(),
            id: String::new(),
            tokens: Vec::new(),
            watched: Vec::new(),
            played: None,
            asked: 0,
        }
    }

    /// The static half of a game, with its whole action table.
    pub(crate) async fn catalogue(&self, game: &str) -> (v1::Game, Vec<v1::ActionDef>) {
        let mut client = self.server.catalog().await;
        let defs =
            v1::ListActionDefsRequest { game: game.to_owned(), ..v1::ListActionDefsRequest::default() };
        let defs = client.list_action_defs(defs).await.unwrap().into_inner();
        assert!(defs.next_page_token.is_empty());
        let request = v1::GetGameRequest { game: game.to_owned(), ..v1::GetGameRequest::default() };
        (client.get_game(request).await.unwrap().into_inner().game.unwrap(), defs.action_defs)
    }

    /// A number that no request of this side had.
    pub(crate) fn next(&mut self) -> u64 {
        self.asked += 1;
        self.asked
    }

    /// Calls as the holder of a token, or as nobody.
    pub(crate) async fn call(&self, method: &str, token: &str, message: &impl Message) -> Answer {
        let answer = raw::call(&self.channel, method, token, message.encode_to_vec()).await;
        Answer { body: self.mask.apply(&answer.body), details: self.mask.apply(&answer.details), ..answer }
    }

    /// As [`Side::call`], for what has to be read.
    pub(crate) async fn get<T: Message + Default>(
        &self,
        method: &str,
        token: &str,
        message: &impl Message,
    ) -> T {
        let answer = raw::call(&self.channel, method, token, message.encode_to_vec()).await;
        assert!(answer.is_ok(), "{method}: {answer:?}");
        T::decode(&*answer.body).unwrap()
    }

    /// Makes a match with all seats taken, which `seat` and a spectator watch, and which `seat` plays by a stream.
    pub(crate) async fn begin(&mut self, create: v1::CreateMatchRequest, seat: usize) {
        let request_id = format!("match {}", self.next());
        let create = v1::CreateMatchRequest { request_id, ..create };
        let created: v1::CreateMatchResponse = self.get("CreateMatch", "", &create).await;
        let config = created.config();
        self.mask.id(&config.match_id);
        self.mask.salted(&config.options_hash);
        self.mask.time(config.create_time.unwrap());
        (self.id, self.tokens) = (config.match_id, Vec::new());
        for number in 0..created.state().seats.len() {
            let join = v1::JoinMatchRequest {
                match_id: self.id.clone(),
                request_id: format!("seat {number}"),
                seat: Some(number as u32),
                client_secret: vec![7; 32],
                ..v1::JoinMatchRequest::default()
            };
            let joined: v1::JoinMatchResponse = self.get("JoinMatch", "", &join).await;
            self.tokens.push(joined.seat_token);
        }
        self.watched.clear();
        for (token, legal) in
            [(String::new(), v1::LegalDetail::None), (self.tokens[seat].clone(), v1::LegalDetail::Full)]
        {
            let request = v1::WatchMatchRequest {
                match_id: self.id.clone(),
                after_seq: Some(0),
                include_text: true,
                legal: legal.into(),
                ..v1::WatchMatchRequest::default()
            };
            let stream = raw::watch(&self.channel, &token, request.encode_to_vec()).await;
            self.watched.push((token, Sent::gather(stream, read_watch)));
        }
        let (calls, receiver) = mpsc::channel(8);
        let stream = raw::play(&self.channel, ReceiverStream::new(receiver)).await;
        self.played = Some((Sent::gather(stream, read_play), calls));
        let open = v1::play_seats_request::Open {
            seat_token: self.tokens[seat].clone(),
            legal: v1::LegalDetail::Full.into(),
            include_text: true,
            ..v1::play_seats_request::Open::default()
        };
        self.say("", Call::Open(open)).await;
        self.caught_up(seat).await;
    }

    async fn say(&self, request_id: &str, call: Call) {
        let (_, calls) = self.played.as_ref().unwrap();
        let request =
            v1::PlaySeatsRequest { channel: 0, request_id: request_id.to_owned(), call: Some(call) };
        calls.send(request.encode_to_vec()).await.unwrap();
    }

    /// A call over the stream of the watched seat; returns when it is answered.
    pub(crate) async fn play(&self, request_id: &str, call: Call) {
        self.say(request_id, call).await;
        self.played.as_ref().unwrap().0.until(|progress| progress.answered == request_id).await;
    }

    pub(crate) async fn legal(&self, seat: usize) -> v1::ListLegalActionsResponse {
        let request = v1::ListLegalActionsRequest {
            match_id: self.id.clone(),
            ..v1::ListLegalActionsRequest::default()
        };
        self.get("ListLegalActions", &self.tokens[seat], &request).await
    }

    pub(crate) async fn view(&self, seat: usize) -> v1::View {
        let request = v1::GetViewRequest { match_id: self.id.clone(), ..v1::GetViewRequest::default() };
        let viewed: v1::GetViewResponse = self.get("GetView", &self.tokens[seat], &request).await;
        viewed.view.unwrap()
    }

    /// Returns when all streams have what there is for them; whether the match is over.
    pub(crate) async fn caught_up(&mut self, seat: usize) -> bool {
        let request = v1::GetMatchRequest { match_id: self.id.clone() };
        let mut ended = None;
        for (token, sent) in &self.watched {
            let got: v1::GetMatchResponse = self.get("GetMatch", token, &request).await;
            let state = got.state();
            ended = state.end_time;
            if let Some(reveal) = state.reveal {
                self.mask.salted(&reveal.options_salt);
            }
            sent.until(|progress| progress.seq >= got.seq() && (ended.is_none() || progress.over)).await;
        }
        let (played, _) = self.played.as_ref().unwrap();
        if let Some(ended) = ended {
            played.until(|progress| progress.over).await;
            self.mask.time(ended);
        } else if self.legal(seat).await.to_act {
            played.until(|progress| progress.prompted).await;
        }
        ended.is_some()
    }

    /// Everything that was sent since this was last asked for, by stream.
    pub(crate) fn sent(&self) -> Vec<Vec<Vec<u8>>> {
        let watched = self.watched.iter().map(|(_, sent)| sent);
        watched.chain(self.played.iter().map(|(sent, _)| sent)).map(|sent| sent.take(&self.mask)).collect()
    }

    /// Stops the server: what it said, with ids and addresses masked, without times.
    pub(crate) async fn stop(self) -> (Said, Receiver) {
        // The streams are open until the server ends them, so that they end alike everywhere.
        let Self { server, channel, receiver, mask, watched, played, .. } = self;
        let address = server.address.clone();
        let said = tokio::task::block_in_place(|| server.stop());
        drop((channel, watched, played));
        let masked = mask.apply(said.stderr.as_bytes());
        let lines = String::from_utf8(masked).unwrap().replace(&address, "ADDRESS");
        let timeless = lines.lines().map(|line| line.split_once(' ').map_or(line, |(_, rest)| rest));
        let stderr = refused_once(&timeless.collect::<Vec<_>>());
        (Said { stderr, ..said }, receiver)
    }
}

/// The lines of a log, with one line about refused calls at the end in the place of all: how many those are is the clock's.
fn refused_once(lines: &[&str]) -> String {
    let (mut refused, mut others) = (BTreeMap::<&str, u64>::new(), Vec::new());
    for line in lines {
        let Some((_, reasons)) =
            line.split_once("calls were refused ").and_then(|(_, rest)| rest.split_once("reasons=\""))
        else {
            others.push((*line).to_owned());
            continue;
        };
        for (reason, count) in
            reasons.trim_end_matches('"').split(", ").filter_map(|part| part.split_once(' '))
        {
            *refused.entry(reason).or_default() += count.parse::<u64>().unwrap();
        }
    }
    others.push(format!("{refused:?}"));
    others.join("\n")
}
