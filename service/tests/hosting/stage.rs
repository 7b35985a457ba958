//! A `PlaySeats` stream as a client has it.

use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Request, Status, Streaming};

use crate::kit::{batch, by, soon};
use crate::running::Client;

/// The messages of a client.
type Said = UnboundedReceiverStream<v1::PlaySeatsRequest>;

pub(crate) struct Stage {
    say: Option<UnboundedSender<v1::PlaySeatsRequest>>,
    messages: Streaming<v1::PlaySeatsResponse>,
}

/// Returns the call that opens a seat without a cursor.
pub(crate) fn open(token: &str) -> v1::play_seats_request::Open {
    v1::play_seats_request::Open { seat_token: token.to_owned(), ..v1::play_seats_request::Open::default() }
}

/// Returns the call that opens a seat at a cursor.
pub(crate) fn open_at(token: &str, after: u64) -> v1::play_seats_request::Open {
    v1::play_seats_request::Open { after_seq: Some(after), ..open(token) }
}

/// Actions to take.
pub(crate) fn apply(actions: v1::ActionList) -> Call {
    Call::Apply(batch(actions))
}

impl Stage {
    pub(crate) async fn new(client: &mut Client) -> Self {
        Self::of(client, Request::new).await
    }

    /// The stream of the holder of a key.
    pub(crate) async fn by(client: &mut Client, key: &str) -> Self {
        Self::of(client, |messages| by(key, messages)).await
    }

    async fn of(client: &mut Client, request: impl FnOnce(Said) -> Request<Said>) -> Self {
        #[expect(clippy::disallowed_methods, reason = "a test says all that it has to say")]
        let (say, said) = unbounded_channel();
        let messages = client.play_seats(request(UnboundedReceiverStream::new(said))).await.unwrap();
        Self { say: Some(say), messages: messages.into_inner() }
    }

    pub(crate) fn say(&self, channel: u32, request_id: &str, call: Call) {
        let request = v1::PlaySeatsRequest { channel, request_id: request_id.to_owned(), call: Some(call) };
        self.say_as_it_is(request);
    }

    pub(crate) fn say_as_it_is(&self, request: v1::PlaySeatsRequest) {
        self.say.as_ref().expect("half open").send(request).expect("the stream is there");
    }

    pub(crate) fn open(&self, channel: u32, open: v1::play_seats_request::Open) {
        self.say(channel, "", Call::Open(open));
    }

    /// Says no more.
    pub(crate) fn half_close(&mut self) {
        self.say = None;
    }

    /// The next message, or how the stream ended.
    pub(crate) async fn next(&mut self) -> Result<Option<v1::PlaySeatsResponse>, Status> {
        soon(self.messages.message()).await
    }

    pub(crate) async fn next_message(&mut self) -> (u32, String, Message) {
        let v1::PlaySeatsResponse { channel, request_id, message } =
            self.next().await.unwrap().expect("the stream goes on");
        (channel, request_id, message.expect("a message"))
    }

    pub(crate) async fn opened(&mut self, channel: u32) -> v1::play_seats_response::Opened {
        match self.next_message().await {
            (at, id, Message::Opened(opened)) if at == channel && id.is_empty() => *opened,
            other => panic!("channel {channel} should be open: {other:?}"),
        }
    }

    /// The next message, which is an update of this channel that answers this request.
    pub(crate) async fn update(&mut self, channel: u32, request_id: &str) -> v1::SeatUpdate {
        match self.next_message().await {
            (at, id, Message::Update(update)) if at == channel && id == request_id => update,
            other => panic!("an update of channel {channel} is due: {other:?}"),
        }
    }

    /// The next message, which is an update of any channel.
    pub(crate) async fn next_update(&mut self) -> (u32, v1::SeatUpdate) {
        match self.next_message().await {
            (channel, _, Message::Update(update)) => (channel, update),
            other => panic!("an update is due: {other:?}"),
        }
    }

    pub(crate) async fn refusal(&mut self, channel: u32, request_id: &str) -> ErrorReason {
        self.whole_refusal(channel, request_id).await.reason()
    }

    /// Returns the refusal of a call.
    pub(crate) async fn whole_refusal(&mut self, channel: u32, request_id: &str) -> v1::Refusal {
        match self.next_message().await {
            (at, id, Message::Refusal(refusal)) if at == channel && id == request_id => refusal,
            other => panic!("a refusal on channel {channel} is due: {other:?}"),
        }
    }

    /// Returns the reason that a channel was closed; `None`: as it was asked to, or because the match is over.
    pub(crate) async fn closed(&mut self, channel: u32) -> Option<ErrorReason> {
        match self.next_message().await {
            (at, _, Message::Closed(closed)) if at == channel => {
                closed.refusal.map(|refusal| refusal.reason())
            }
            other => panic!("channel {channel} should close: {other:?}"),
        }
    }
}
