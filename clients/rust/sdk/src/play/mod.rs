//! Any number of seats over one stream ([`PlaySession`]).
//!
//! When the connection is lost, the session opens the stream again, each seat with its cursor, and repeats the calls that have
//! no answer with their request ids: each event is given out once, and each call happens once.

mod channel;
pub(crate) mod event;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use edgehill_proto::v1::play_seats_request::{
    AcceptAdjournment, AcceptDraw, Call, DeclineAdjournment, DeclineDraw, OfferAdjournment, OfferDraw,
    Resign, Resume, SetStandingPasses,
};
use edgehill_proto::v1::{PlaySeatsRequest, PlaySeatsResponse, StandingPass, UndoSpan};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Status, Streaming};

use channel::{ChannelState, Next};
pub use event::{Channel, OpenOptions, OpenedChannel, PlayEvent, PlayMessage, RefusedCall};

use crate::answer_deadline;
use crate::batch::Batch;
use crate::connection::Connection;
use crate::error::Error;
use crate::retry::{Outage, late};
use crate::span::span;

/// A session that plays any number of seats.
///
/// Calls are noted at once and sent by [`PlaySession::next`], which also returns the server's messages: the player calls it
/// in a loop.
pub struct PlaySession {
    connection: Connection,
    channels: BTreeMap<u32, ChannelState>,
    next_channel: u32,
    conversation: Option<Conversation>,
    outage: Option<Outage>,
    /// Refused calls that make sense again at a time: channel and request id.
    later: Vec<(Instant, u32, String)>,
}

/// An open stream, in both directions.
struct Conversation {
    outbox: UnboundedSender<PlaySeatsRequest>,
    inbound: Streaming<PlaySeatsResponse>,
}

impl PlaySession {
    pub(crate) const fn new(connection: Connection) -> Self {
        let channels = BTreeMap::new();
        Self { connection, channels, next_channel: 1, conversation: None, outage: None, later: Vec::new() }
    }

    /// Opens a channel for the seat of this token. [`PlayMessage::Opened`] follows.
    pub fn open(&mut self, token: impl Into<String>, options: OpenOptions) -> Channel {
        let number = self.next_channel;
        self.next_channel += 1;
        let state = ChannelState::new(number, token.into(), options);
        state.requests().into_iter().for_each(|request| self.send(request));
        self.channels.insert(number, state);
        Channel(number)
    }

    /// Takes actions, and returns the request id of the call. The parts of its answer are settled by the channel's
    /// [`OpenOptions`].
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn apply(&mut self, channel: Channel, batch: Batch) -> Result<String, Error> {
        let Batch { batch, response_options: _, request_id } = batch;
        self.call(channel, request_id, Call::Apply(batch))
    }

    /// Takes back actions of the draft, from its end: by default the last one.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn undo(&mut self, channel: Channel, span: UndoSpan) -> Result<String, Error> {
        self.call(channel, String::new(), Call::Undo(span))
    }

    /// Gives up.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn resign(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::Resign(Resign {}))
    }

    /// Offers a draw.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn offer_draw(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::OfferDraw(OfferDraw {}))
    }

    /// Accepts the draw that is offered.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn accept_draw(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::AcceptDraw(AcceptDraw {}))
    }

    /// Declines the draw that is offered.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn decline_draw(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::DeclineDraw(DeclineDraw {}))
    }

    /// Offers to adjourn the match for at most so long, in whole milliseconds, from a minute to 30 days.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn offer_adjournment(&mut self, channel: Channel, longest: Duration) -> Result<String, Error> {
        let call = OfferAdjournment { adjourn_for: Some(span(longest)?) };
        self.call(channel, String::new(), Call::OfferAdjournment(call))
    }

    /// Accepts the adjournment that is offered. It lasts for the least time that was named; `longest` may name another one.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn accept_adjournment(
        &mut self,
        channel: Channel,
        longest: Option<Duration>,
    ) -> Result<String, Error> {
        let call = AcceptAdjournment { adjourn_for: longest.map(span).transpose()? };
        self.call(channel, String::new(), Call::AcceptAdjournment(call))
    }

    /// Declines the adjournment that is offered.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn decline_adjournment(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::DeclineAdjournment(DeclineAdjournment {}))
    }

    /// Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn resume(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::Resume(Resume {}))
    }

    /// Replaces the seat's standing passes.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn set_standing_passes(
        &mut self,
        channel: Channel,
        passes: impl IntoIterator<Item = StandingPass>,
    ) -> Result<String, Error> {
        let call = SetStandingPasses { standing_passes: passes.into_iter().collect() };
        self.call(channel, String::new(), Call::SetStandingPasses(call))
    }

    /// The time that a seat has left for the decision that it is asked for: what the server has told, less what has passed since its
    /// message came, so that it is less with each call. `None`: nothing is asked of the seat, no clock runs for it, or the channel is
    /// closed.
    #[must_use]
    pub fn time_left(&self, channel: Channel) -> Option<Duration> {
        self.answer_deadline(channel).map(answer_deadline::left)
    }

    /// The moment until which a seat may answer; `None` as in [`Self::time_left`].
    pub(crate) fn answer_deadline(&self, channel: Channel) -> Option<std::time::Instant> {
        self.channels.get(&channel.0)?.answer_deadline()
    }

    /// Closes a channel; the seat keeps its place. [`PlayMessage::Closed`] follows. A channel that is closed stays so.
    pub fn close(&mut self, channel: Channel) {
        if let Some(state) = self.channels.get_mut(&channel.0) {
            let request = state.close();
            self.send(request);
        }
    }

    /// Returns the next event; `None` when no channel is open.
    ///
    /// It may be given up while it waits, and called again.
    ///
    /// # Errors
    /// If the server refuses the stream, or can't be reached for as long as the client's retry policy lasts. To call it again
    /// tries again.
    pub async fn next(&mut self) -> Result<Option<PlayEvent>, Error> {
        loop {
            if self.channels.is_empty() {
                self.conversation = None;
                return Ok(None);
            }
            let lost = match self.receive().await {
                Ok(Some(response)) => {
                    self.connection.contact().note();
                    self.outage = None;
                    match self.take(response)? {
                        Taken::PlayEvent(event) => return Ok(Some(event)),
                        Taken::Nothing => continue,
                        Taken::Lost => Status::unavailable("the server is about to stop"),
                    }
                }
                Ok(None) => Status::unavailable("the stream ended before its channels were closed"),
                Err(status) => status,
            };
            if let Some(event) = self.disconnect() {
                return Ok(Some(event));
            }
            let retry_policy = self.connection.retry_policy();
            let outage = self.outage.get_or_insert_with(|| Outage::new(retry_policy));
            if let Err(error) = outage.pause(lost, self.connection.contact()).await {
                self.outage = None;
                return Err(error);
            }
        }
    }

    fn call(&mut self, channel: Channel, request_id: String, call: Call) -> Result<String, Error> {
        let request_id = if request_id.is_empty() { self.connection.next_request_id() } else { request_id };
        let state = self.channels.get_mut(&channel.0).ok_or(Error::NoChannel(channel))?;
        let request = state.call(request_id.clone(), call);
        self.send(request);
        Ok(request_id)
    }

    /// Sends a message, if there is a connection. If there is none, or it is lost, [`ChannelState::requests`] sends it again.
    fn send(&self, request: PlaySeatsRequest) {
        if let Some(conversation) = &self.conversation {
            let _ = conversation.outbox.send(request);
        }
    }

    async fn receive(&mut self) -> Result<Option<PlaySeatsResponse>, Status> {
        if self.conversation.is_none() {
            self.conversation = Some(self.connect().await?);
        }
        loop {
            let due = self.later.iter().map(|(at, ..)| *at).min();
            let Some(conversation) = &mut self.conversation else { return Ok(None) };
            let Some(due) = due else { return conversation.inbound.message().await };
            tokio::select! {
                message = conversation.inbound.message() => return message,
                () = sleep_until(due) => self.call_again(due),
            }
        }
    }

    /// Opens the stream, and in it all seats.
    async fn connect(&self) -> Result<Conversation, Status> {
        #[expect(clippy::disallowed_methods, reason = "its bound is the player: a message a call of theirs")]
        let (outbox, messages) = unbounded_channel();
        for request in self.channels.values().flat_map(ChannelState::requests) {
            let _ = outbox.send(request);
        }
        let wire = self.connection.match_wire(None);
        let mut wire = wire.map_err(|error| Status::invalid_argument(error.to_string()))?;
        let retry_policy = self.connection.retry_policy();
        let stream =
            timeout(retry_policy.attempt, wire.play_seats(UnboundedReceiverStream::new(messages))).await;
        let inbound = stream.map_err(|_| late(retry_policy))??.into_inner();
        Ok(Conversation { outbox, inbound })
    }

    /// Forgets the connection. A channel that was to be closed is closed by that; one at a time is given out.
    fn disconnect(&mut self) -> Option<PlayEvent> {
        self.conversation = None;
        self.later.clear();
        let number = self.channels.iter().find(|(_, state)| state.is_closing()).map(|(number, _)| *number)?;
        self.channels.remove(&number);
        Some(PlayEvent { channel: Channel(number), message: PlayMessage::Closed(None) })
    }

    fn take(&mut self, response: PlaySeatsResponse) -> Result<Taken, Error> {
        let number = response.channel;
        let channel = Channel(number);
        // A message that was on its way when a channel was closed is dropped.
        let Some(state) = self.channels.get_mut(&number) else { return Ok(Taken::Nothing) };
        Ok(match state.take(response)? {
            Next::Give(message) => Taken::PlayEvent(PlayEvent { channel, message }),
            Next::Nothing => Taken::Nothing,
            Next::End(message) => {
                self.channels.remove(&number);
                Taken::PlayEvent(PlayEvent { channel, message })
            }
            Next::Later(request_id, wait) => {
                self.note_later(number, request_id, wait);
                Taken::Nothing
            }
            Next::Lost => Taken::Lost,
        })
    }

    fn note_later(&mut self, channel: u32, request_id: String, wait: Duration) {
        self.later.push((Instant::now() + wait, channel, request_id));
    }

    /// Makes the calls again whose time has come.
    fn call_again(&mut self, now: Instant) {
        let (due, later) = std::mem::take(&mut self.later).into_iter().partition(|(at, ..)| *at <= now);
        self.later = later;
        let due: Vec<(Instant, u32, String)> = due;
        for (_, channel, request_id) in due {
            let Some(state) = self.channels.get(&channel) else { continue };
            let calls = match &*request_id {
                "" => state.requests(),
                id => state.unanswered(id).cloned().into_iter().collect(),
            };
            calls.into_iter().for_each(|call| self.send(call));
        }
    }
}

/// The result of a message.
enum Taken {
    PlayEvent(PlayEvent),
    Nothing,
    Lost,
}

impl fmt::Debug for PlaySession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open: Vec<u32> = self.channels.keys().copied().collect();
        f.debug_struct("PlaySession").field("open", &open).finish_non_exhaustive()
    }
}
