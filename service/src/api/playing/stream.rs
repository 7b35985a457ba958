//! One stream: its channels, and what comes in for them.

use std::collections::HashMap;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use edgehill_proto::v1::play_seats_request::{self, Call};
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason, LimitName};
use prost::Message as _;
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::Stream;
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::metadata::MetadataMap;
use tonic::{Status, Streaming};
use tracing::Span;

use super::channel::{Asked, Opening, Outlet};
use super::opener::{OPENER, Opener, OpeningTime};
use crate::api::outbox::{Outbox, Outgoing, outbox};
use crate::api::peers::OwnCall;
use crate::api::revocation::Standing;
use crate::api::{Matches, MessageRate};
use crate::identity::{Caller, CallerKey, SeatToken};
use crate::telemetry::RefusedCalls;
use crate::wire::{self, Refused};

/// Calls of a channel that wait for the one before.
pub(super) const CALLS_MAX: usize = 32;
/// Channels of a stream that are being opened at once: each may turn out to be nobody's.
const OPENINGS_MAX: usize = 16;

/// Towards the client.
pub(super) type Out = Outbox<v1::PlaySeatsResponse>;

/// The ways in which what comes in a stream is counted.
pub(in crate::api) struct StreamCounts {
    /// Whose streams it is one of.
    pub(in crate::api) caller: CallerKey,
    /// The rate of its messages; `None`: they are not counted.
    pub(in crate::api) rate: Option<MessageRate>,
    /// The messages that are refused.
    pub(in crate::api) refused: RefusedCalls,
    /// The call, if others may have its matches.
    pub(in crate::api) own: Option<OwnCall>,
    /// Another server has handed the call on: it counts streams and messages.
    pub(in crate::api) is_handed_on: bool,
}

/// The channels of a stream.
struct Channels {
    matches: Matches,
    own: Option<OwnCall>,
    /// The channel of another server that has handed the stream on, which has this channel alone.
    handed_on: Option<Opener>,
    /// `None`: messages are not counted.
    rate: Option<MessageRate>,
    refused: RefusedCalls,
    out: Out,
    /// The channels by their numbers, at most as many as a stream may have seats. One that has ended stays until its number, or
    /// its place, is wanted.
    open: HashMap<u32, Line>,
    /// Bytes of calls that may wait in all channels for those before them.
    waiting: Arc<Semaphore>,
    /// The openings that may be under way until they are answered.
    openings: Arc<Semaphore>,
}

/// The way to a channel.
struct Line {
    calls: mpsc::Sender<Asked>,
    /// The client has closed it, and hears so once, whichever end has begun.
    closing: bool,
    /// When its `closed` was said.
    closed: CancellationToken,
    /// When its last message was said.
    ended: CancellationToken,
}

impl Line {
    /// Returns whether the channel takes calls.
    fn is_open(&self) -> bool {
        !self.closing && !self.calls.is_closed()
    }

    /// Hands a call to the channel, which answers it. One that comes too late is left to the caller, once the channel has said
    /// its last: false if it has to be refused.
    async fn take(&mut self, asked: Asked) -> bool {
        let closes = matches!(asked.call, Call::Close(_)) && !std::mem::replace(&mut self.closing, true);
        if self.calls.send(asked).await.is_ok() {
            return true;
        }
        self.ended.cancelled().await;
        // The server's `closed` was on its way when the client closed it.
        closes && self.closed.is_cancelled()
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
    /// The caller is not let in any more.
    Revoked(Refused),
}

impl Matches {
    pub(in crate::api) async fn answer_play(
        &self,
        metadata: &MetadataMap,
        StreamCounts { caller, rate, refused, own, is_handed_on }: StreamCounts,
        messages: Streaming<v1::PlaySeatsRequest>,
    ) -> Result<Conversation, Refused> {
        let standing = self.standing(metadata, None);
        // Each seat brings its own token, so nobody has to show another one.
        let caller_is = self.caller(metadata)?;
        // The server that has the match of the token that they show knows whether it is good.
        if own.is_none()
            || !matches!(&caller_is, Caller::Seat(token) if !self.host().shards().has(token.match_id()))
        {
            self.known(caller_is).await?;
        }
        self.check_open()?;
        let max = if is_handed_on { usize::MAX } else { self.limits_of(&caller).streams };
        let rate = rate.filter(|_| !is_handed_on);
        let opened = self.0.streams.open(caller, max)?;
        let (out, said) = outbox(opened);
        let waiting = Arc::new(Semaphore::new(self.limits().request_bytes));
        let openings = Arc::new(Semaphore::new(OPENINGS_MAX));
        let opener = metadata.as_ref().get(OPENER).and_then(|value| value.to_str().ok()?.parse().ok());
        let mut channels = Channels {
            matches: self.clone(),
            handed_on: opener.filter(|_| own.is_none()),
            own,
            rate,
            refused,
            out,
            open: HashMap::new(),
            waiting,
            openings,
        };
        let listening = async move {
            let ending = channels.take_all(messages, standing).await;
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
    said: Outgoing<v1::PlaySeatsResponse>,
}

impl Stream for Conversation {
    type Item = Result<v1::PlaySeatsResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.listening.as_mut().is_some_and(|listening| listening.as_mut().poll(cx).is_ready()) {
            // With it goes its end of what is said: that is over when the channels have let theirs go.
            self.listening = None;
        }
        Pin::new(&mut self.said).poll_next(cx)
    }
}

impl Channels {
    /// Takes what comes in, until the stream ends.
    async fn take_all(
        &mut self,
        mut messages: Streaming<v1::PlaySeatsRequest>,
        standing: Standing,
    ) -> Ending {
        // A token and futures of its own: what all streams wait for would be locked by all of them at every message.
        let (draining, out) = (self.matches.0.draining.child_token(), self.out.clone());
        let (mut draining, mut closed) = (pin!(draining.cancelled()), pin!(out.closed()));
        let mut revoked = pin!(standing.revoked());
        loop {
            let message = tokio::select! {
                biased;
                () = &mut closed => return Ending::Said,
                () = &mut draining => return Ending::Draining,
                refused = &mut revoked => return Ending::Revoked(refused),
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
            Ending::Revoked(refused) => refused.into(),
        };
        for Line { calls, ended, .. } in open.into_values() {
            drop(calls);
            ended.cancelled().await;
        }
        out.end(status);
    }

    async fn take(&mut self, message: v1::PlaySeatsRequest) {
        // At most as many as there are in all: a message that was read is no longer than a request may be.
        let bytes = message.encoded_len().min(self.matches.limits().request_bytes) as u32;
        let v1::PlaySeatsRequest { channel, request_id, call } = message;
        let refused = match call {
            // To close a channel costs nothing, and makes room.
            _ if !matches!(call, Some(Call::Close(_)))
                && let Some(refused) =
                    self.rate.as_ref().and_then(|rate| rate.admit(bytes as usize).err()) =>
            {
                refused
            }
            None => Refused::field("call", "expected one of the calls to be set"),
            Some(Call::Open(open)) => match self.open(channel, open).await {
                Ok(()) => return,
                Err(refused) => refused,
            },
            Some(call) => {
                if let Some(line) = self.open.get_mut(&channel) {
                    let waits = Arc::clone(&self.waiting).acquire_many_owned(bytes).await.ok();
                    if line.take(Asked { request_id: request_id.clone(), call, waits }).await {
                        return;
                    }
                }
                Refused::of(ErrorReason::UnknownChannel)
            }
        };
        self.refused.count_message(refused.reason());
        let message = Some(Message::Refusal(refused.into_refusal()));
        self.out.send(v1::PlaySeatsResponse { channel, request_id, message }).await;
    }

    /// The opener of the next channel, as far as other servers may have to know it.
    fn opener(&self) -> Option<Opener> {
        let Some(own) = &self.own else { return self.handed_on };
        let (server, number) = (own.peers().own(), self.matches.0.seats.next_number());
        Some(Opener { server, number, opened_ms: self.matches.host().time_ms(), time: OpeningTime::Soon })
    }

    async fn open(&mut self, channel: u32, open: play_seats_request::Open) -> Result<(), Refused> {
        if let Some(before) = self.open.get(&channel) {
            if before.is_open() {
                return Err(Refused::of(ErrorReason::ChannelInUse));
            }
            // The channel that had the number before says its last first. Nothing more is read meanwhile.
            before.ended.cancelled().await;
            self.open.remove(&channel);
        }
        let max = self.matches.limits().stream_seats;
        if self.open.len() >= max {
            self.open.retain(|_, line| !line.ended.is_cancelled());
        }
        if self.open.len() >= max {
            // One that is closing makes room, as soon as it has said so.
            let closing = self.open.iter().find(|(_, line)| !line.is_open());
            let Some((&closing, line)) = closing else {
                return Err(Refused::limit_reached(LimitName::StreamSeats, max as u64));
            };
            line.ended.cancelled().await;
            self.open.remove(&closing);
        }
        let token: SeatToken = open.seat_token.parse().map_err(|fault| {
            Refused::new(ErrorReason::BadToken, format!("open.seat_token can't be read: {fault}"))
        })?;
        let legal = wire::legal::detail(open.legal, v1::LegalDetail::Ids, "open.legal")?;
        let place = Arc::clone(&self.openings).acquire_owned().await.ok();
        let (calls, queue) = mpsc::channel(CALLS_MAX);
        let (closed, ended) = (CancellationToken::new(), CancellationToken::new());
        let guard: DropGuard = ended.clone().drop_guard();
        let outlet = Outlet {
            number: channel,
            out: self.out.clone(),
            refused: self.refused.clone(),
            stream: Span::current(),
            closed: closed.clone(),
        };
        let opening = Opening {
            matches: self.matches.clone(),
            own: self.own.clone(),
            opener: self.opener(),
            token,
            legal,
            open,
            outlet,
            place,
        };
        let outlet = opening.outlet.clone();
        tokio::spawn(async move {
            let _ended = guard;
            if let Err(error) = tokio::spawn(opening.run(queue)).await {
                tracing::error!(%error, "a channel failed");
                outlet.close(Some(Refused::of(ErrorReason::InternalFault))).await;
            }
        });
        self.open.insert(channel, Line { calls, closing: false, closed, ended });
        Ok(())
    }
}
