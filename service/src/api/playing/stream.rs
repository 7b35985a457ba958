//! One stream: its channels, and what comes in for them.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use edgehill_proto::v1::play_seats_request::{self, Call};
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason, LimitName};
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::metadata::MetadataMap;
use tonic::{Status, Streaming};

use super::channel::{Asked, Opening};
use crate::api::{Matches, MessageRate};
use crate::identity::SeatToken;
use crate::wire::{self, Refused};

/// Messages that wait for a slow client.
const WAITING_MAX: usize = 32;
/// Calls of a channel that wait for the one before.
const CALLS_MAX: usize = 32;

/// Towards the client.
pub(super) type Sender = mpsc::Sender<Result<v1::PlaySeatsResponse, Status>>;

/// The channels of a stream.
struct Channels {
    matches: Matches,
    /// `None`: messages are not counted.
    rate: Option<MessageRate>,
    out: Sender,
    open: HashMap<u32, Line>,
}

/// The way to a channel.
struct Line {
    calls: mpsc::Sender<Asked>,
    /// The client has closed it, and will hear so.
    closing: bool,
    /// When its last message was said.
    ended: CancellationToken,
}

impl Line {
    /// Returns whether the channel takes calls.
    fn is_open(&self) -> bool {
        !self.closing && !self.calls.is_closed()
    }
}

/// The reason that a stream ends.
enum Ending {
    /// The client has said all that it will, or is gone: what it has asked for is still answered.
    Said,
    /// The message that came in could not be read.
    Unreadable(Status),
    /// The server stops.
    Draining,
}

impl Matches {
    pub(in crate::api) async fn play(
        &self,
        metadata: &MetadataMap,
        address: Option<SocketAddr>,
        rate: Option<MessageRate>,
        messages: Streaming<v1::PlaySeatsRequest>,
    ) -> Result<Conversation, Refused> {
        // Each seat brings its own token, so nobody has to show another one.
        let caller = self.known(self.caller(metadata)?).await?;
        self.check_open()?;
        let opened = self.0.streams.open(&caller, address)?;
        let (out, said) = mpsc::channel(WAITING_MAX);
        let mut channels = Channels { matches: self.clone(), rate, out, open: HashMap::new() };
        let listening = async move {
            let _opened = opened;
            let ending = channels.take_all(messages).await;
            channels.end(ending).await;
        };
        Ok(Conversation { listening: Some(Box::pin(listening)), said })
    }
}

/// The two directions of a client's messages: a task that takes those to the client listens to those from it,
/// so that a message need not wake a task of its own to be passed on.
pub(in crate::api) struct Conversation {
    /// `None`: the client will say no more.
    listening: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    said: mpsc::Receiver<Result<v1::PlaySeatsResponse, Status>>,
}

impl Stream for Conversation {
    type Item = Result<v1::PlaySeatsResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.listening.as_mut().is_some_and(|listening| listening.as_mut().poll(cx).is_ready()) {
            // With it goes its end of what is said: that is over when the channels have let theirs go.
            self.listening = None;
        }
        self.said.poll_recv(cx)
    }
}

impl Channels {
    /// Takes what comes in, until the stream ends.
    async fn take_all(&mut self, mut messages: Streaming<v1::PlaySeatsRequest>) -> Ending {
        // A token and futures of its own: what all streams wait for would be locked by all of them at every message.
        let (draining, out) = (self.matches.0.draining.child_token(), self.out.clone());
        let (mut draining, mut closed) = (pin!(draining.cancelled()), pin!(out.closed()));
        loop {
            let message = tokio::select! {
                biased;
                () = &mut closed => return Ending::Said,
                () = &mut draining => return Ending::Draining,
                message = messages.message() => message,
            };
            match message {
                Ok(Some(message)) => self.take(message).await,
                Ok(None) => return Ending::Said,
                Err(status) => return Ending::Unreadable(status),
            }
        }
    }

    /// Lets the channels say their last, and then how the stream ends.
    async fn end(self, ending: Ending) {
        let Self { matches, out, open, .. } = self;
        let status = match ending {
            Ending::Said => return,
            Ending::Unreadable(status) => status,
            Ending::Draining => matches.draining().into(),
        };
        for Line { calls, ended, .. } in open.into_values() {
            drop(calls);
            ended.cancelled().await;
        }
        // Nobody hears it if the client has gone.
        let _ = out.send(Err(status)).await;
    }

    async fn take(&mut self, message: v1::PlaySeatsRequest) {
        let v1::PlaySeatsRequest { channel, request_id, call } = message;
        let refused = match call {
            // To close a channel costs nothing, and makes room.
            _ if !matches!(call, Some(Call::Close(_)))
                && let Some(refused) = self.rate.as_ref().and_then(|rate| rate.admit().err()) =>
            {
                refused
            }
            None => Refused::field("call", "expected one of the calls to be set"),
            Some(Call::Open(open)) => match self.open(channel, open) {
                Ok(()) => return,
                Err(refused) => refused,
            },
            Some(call) => match self.open.get_mut(&channel).filter(|line| line.is_open()) {
                Some(line) => {
                    line.closing = matches!(call, Call::Close(_));
                    // Fails where the server has closed the channel since.
                    if line.calls.send(Asked { request_id: request_id.clone(), call }).await.is_ok() {
                        return;
                    }
                    Refused::of(ErrorReason::UnknownChannel)
                }
                None => Refused::of(ErrorReason::UnknownChannel),
            },
        };
        let message = Some(Message::Refusal(refused.into_refusal()));
        let _ = self.out.send(Ok(v1::PlaySeatsResponse { channel, request_id, message })).await;
    }

    fn open(&mut self, channel: u32, open: play_seats_request::Open) -> Result<(), Refused> {
        self.open.retain(|_, line| !line.ended.is_cancelled());
        let before = self.open.get(&channel);
        if before.is_some_and(Line::is_open) {
            return Err(Refused::of(ErrorReason::ChannelInUse));
        }
        let max = self.matches.limits().stream_seats;
        if self.open.values().filter(|line| line.is_open()).count() >= max {
            return Err(Refused::limit_reached(LimitName::StreamSeats, max as u64));
        }
        let token: SeatToken = open.seat_token.parse().map_err(|fault| {
            Refused::new(ErrorReason::BadToken, format!("open.seat_token can't be read: {fault}"))
        })?;
        let legal = wire::legal::detail(open.legal, v1::LegalDetail::Ids, "open.legal")?;
        // The channel that had the number before says its last first.
        let before = before.map(|line| line.ended.clone());
        let (calls, queue) = mpsc::channel(CALLS_MAX);
        let ended = CancellationToken::new();
        let guard: DropGuard = ended.clone().drop_guard();
        let (matches, out) = (self.matches.clone(), self.out.clone());
        let opening = Opening { matches, number: channel, token, legal, open, out };
        let outlet = opening.outlet();
        tokio::spawn(async move {
            let _ended = guard;
            if let Some(before) = before {
                before.cancelled().await;
            }
            if let Err(error) = tokio::spawn(opening.run(queue)).await {
                tracing::error!(target: "edgehill::api", %error, "a channel failed");
                outlet.close(Some(Refused::of(ErrorReason::InternalFault))).await;
            }
        });
        self.open.insert(channel, Line { calls, closing: false, ended });
        Ok(())
    }
}
