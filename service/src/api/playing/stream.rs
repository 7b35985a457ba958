//! One stream: its channels, and what comes in for them.

use std::collections::HashMap;

use edgehill_proto::v1::play_request::Call;
use edgehill_proto::v1::play_response::Message;
use edgehill_proto::v1::{self, LimitName, Reason};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::metadata::MetadataMap;
use tonic::{Status, Streaming};

use super::channel::{Asked, Channel};
use crate::api::Matches;
use crate::identity::SeatToken;
use crate::wire::Refused;

/// Messages that wait for a slow client.
const WAITING_MAX: usize = 32;
/// Calls of a channel that wait for the one before.
const CALLS_MAX: usize = 32;

/// Towards the client.
pub(super) type Sender = mpsc::Sender<Result<v1::PlayResponse, Status>>;

/// The channels of a stream.
struct Channels {
    matches: Matches,
    out: Sender,
    open: HashMap<u32, mpsc::Sender<Asked>>,
}

impl Matches {
    pub(in crate::api) fn play_seats(
        &self,
        metadata: &MetadataMap,
        mut messages: Streaming<v1::PlayRequest>,
    ) -> Result<ReceiverStream<Result<v1::PlayResponse, Status>>, Refused> {
        let caller = self.caller(metadata)?;
        self.check_open()?;
        let opened = self.0.streams.open(&caller)?;
        let (out, receiver) = mpsc::channel(WAITING_MAX);
        let mut channels = Channels { matches: self.clone(), out: out.clone(), open: HashMap::new() };
        let draining = self.0.draining.clone();
        tokio::spawn(async move {
            let _opened = opened;
            loop {
                let message = tokio::select! {
                    message = messages.message() => message,
                    () = out.closed() => break,
                    () = draining.cancelled() => {
                        // Each channel says so for itself first, and closes its end of the queue.
                        let Channels { matches, open, out: last, .. } = channels;
                        for closing in open.into_values() {
                            closing.closed().await;
                        }
                        let _ = last.send(Err(matches.draining().into())).await;
                        return;
                    }
                };
                match message {
                    Ok(Some(message)) => channels.take(message).await,
                    // The client has said all that it will: what it has asked for is still answered.
                    Ok(None) | Err(_) => break,
                }
            }
        });
        Ok(ReceiverStream::new(receiver))
    }
}

impl Channels {
    async fn take(&mut self, message: v1::PlayRequest) {
        let v1::PlayRequest { channel, request_id, call } = message;
        let refused = match call {
            None => Refused::field("call", "expected one of the calls to be set"),
            Some(Call::Open(open)) => match self.open(channel, open) {
                Ok(()) => return,
                Err(refused) => refused,
            },
            Some(call) => match self.open.get(&channel) {
                Some(calls) => {
                    // Fails where the server has closed the channel since.
                    if calls.send(Asked { request_id: request_id.clone(), call }).await.is_ok() {
                        return;
                    }
                    self.open.remove(&channel);
                    Refused::of(Reason::UnknownChannel)
                }
                None => Refused::of(Reason::UnknownChannel),
            },
        };
        let message = Some(Message::Refusal(refused.into_refusal()));
        let _ = self.out.send(Ok(v1::PlayResponse { channel, request_id, message })).await;
    }

    fn open(&mut self, channel: u32, open: v1::Open) -> Result<(), Refused> {
        self.open.retain(|_, calls| !calls.is_closed());
        if self.open.contains_key(&channel) {
            return Err(Refused::of(Reason::ChannelInUse));
        }
        let max = self.matches.limits().stream_seats;
        if self.open.len() >= max {
            return Err(Refused::limit_reached(LimitName::StreamSeats, max as u64));
        }
        let token: SeatToken = open.seat_token.parse().map_err(|fault| {
            Refused::new(Reason::BadToken, format!("open.seat_token can't be read: {fault}"))
        })?;
        let detail = crate::wire::legal::detail(open.legal, v1::LegalDetail::Ids, "open.legal")?;
        let (calls, queue) = mpsc::channel(CALLS_MAX);
        let opened = Channel::new(self.matches.clone(), channel, token, &open, detail, self.out.clone());
        tokio::spawn(opened.run(queue));
        self.open.insert(channel, calls);
        Ok(())
    }
}
