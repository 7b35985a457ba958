//! Any number of seats over one stream ([`Play`]).
//!
//! When the connection is lost, the session opens the stream again, each seat with its cursor, and repeats the calls that have
//! no answer with their request ids: each event is told once, and each call happens once.

mod news;
mod seat;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use edgehill_proto::v1::play_request::Call;
use edgehill_proto::v1::{self, PlayRequest, PlayResponse, StandingPass};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Status, Streaming};

pub use news::{CallRefused, Channel, PlayEvent, Opened, Opening, Update, What};
use seat::{Line, Next};

use crate::client::Client;
use crate::error::Error;
use crate::retry::{Outage, late};
use crate::actions::Actions;

/// A session that plays any number of seats.
///
/// Calls are noted at once and sent by [`Play::next`], which also tells what comes back: the player calls it
/// in a loop.
pub struct Play {
    client: Client,
    lines: BTreeMap<u32, Line>,
    next_channel: u32,
    connection: Option<Connection>,
    outage: Option<Outage>,
    /// Refused calls that make sense again at a time: channel and request id.
    later: Vec<(Instant, u32, String)>,
}

struct Connection {
    outbox: UnboundedSender<PlayRequest>,
    inbound: Streaming<PlayResponse>,
}

impl Play {
    pub(crate) const fn new(client: Client) -> Self {
        let lines = BTreeMap::new();
        Self { client, lines, next_channel: 1, connection: None, outage: None, later: Vec::new() }
    }

    /// Opens a channel for the seat of this token. [`What::Opened`] follows.
    pub fn open(&mut self, token: impl Into<String>, opening: Opening) -> Channel {
        let number = self.next_channel;
        self.next_channel += 1;
        let line = Line::new(number, token.into(), opening);
        line.requests().into_iter().for_each(|request| self.send(request));
        self.lines.insert(number, line);
        Channel(number)
    }

    /// Takes actions; the request id of the call. What to send along is settled by the channel's [`Opening`].
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn apply(&mut self, channel: Channel, actions: Actions) -> Result<String, Error> {
        let Actions { actions, expected_seq, keep, mode, want: _, request_id } = actions;
        let call = v1::Apply { expected_seq, keep, actions: Some(actions), mode: mode.into() };
        self.call(channel, request_id, Call::Apply(call))
    }

    /// Takes back actions of the draft: all but the first `keep`; `None`: the last one.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn undo(&mut self, channel: Channel, keep: Option<u32>) -> Result<String, Error> {
        self.call(channel, String::new(), Call::Undo(v1::Undo { expected_seq: None, keep }))
    }

    /// Gives up.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn resign(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::Resign(v1::Resign {}))
    }

    /// Offers a draw.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn offer_draw(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::OfferDraw(v1::OfferDraw {}))
    }

    /// Accepts the draw that is offered.
    ///
    /// # Errors
    /// [`Error::NoChannel`] if the channel is closed.
    pub fn accept_draw(&mut self, channel: Channel) -> Result<String, Error> {
        self.call(channel, String::new(), Call::AcceptDraw(v1::AcceptDraw {}))
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
        let call = v1::SetStandingPasses { standing_passes: passes.into_iter().collect() };
        self.call(channel, String::new(), Call::SetStandingPasses(call))
    }

    /// Closes a channel; the seat keeps its place. [`What::Closed`] follows. A channel that is closed stays so.
    pub fn close(&mut self, channel: Channel) {
        if let Some(line) = self.lines.get_mut(&channel.0) {
            let request = line.close();
            self.send(request);
        }
    }

    /// Returns the next news; `None` when no channel is open.
    ///
    /// It may be given up while it waits, and called again.
    ///
    /// # Errors
    /// If the server refuses the stream, or can't be reached for as long as the client's retry_policy lasts. To call it again
    /// tries again.
    pub async fn next(&mut self) -> Result<Option<PlayEvent>, Error> {
        loop {
            if self.lines.is_empty() {
                self.connection = None;
                return Ok(None);
            }
            let lost = match self.receive().await {
                Ok(Some(response)) => {
                    self.outage = None;
                    match self.take(response)? {
                        Taken::PlayEvent(news) => return Ok(Some(news)),
                        Taken::Nothing => continue,
                        Taken::Lost => Status::unavailable("the server is about to stop"),
                    }
                }
                Ok(None) => Status::unavailable("the stream ended before its channels were closed"),
                Err(status) => status,
            };
            if let Some(news) = self.disconnect() {
                return Ok(Some(news));
            }
            let retry_policy = self.client.retry_policy();
            let outage = self.outage.get_or_insert_with(|| Outage::new(retry_policy));
            if let Err(error) = outage.pause(lost).await {
                self.outage = None;
                return Err(error);
            }
        }
    }

    fn call(&mut self, channel: Channel, request_id: String, call: Call) -> Result<String, Error> {
        let request_id = if request_id.is_empty() { self.client.next_request_id() } else { request_id };
        let line = self.lines.get_mut(&channel.0).ok_or(Error::NoChannel(channel))?;
        let request = line.call(request_id.clone(), call);
        self.send(request);
        Ok(request_id)
    }

    /// Sends a message, if there is a connection. If there is none, or it is lost, [`Line::requests`] says it again.
    fn send(&self, request: PlayRequest) {
        if let Some(connection) = &self.connection {
            let _ = connection.outbox.send(request);
        }
    }

    async fn receive(&mut self) -> Result<Option<PlayResponse>, Status> {
        if self.connection.is_none() {
            self.connection = Some(self.connect().await?);
        }
        loop {
            let due = self.later.iter().map(|(at, ..)| *at).min();
            let Some(connection) = &mut self.connection else { return Ok(None) };
            let Some(due) = due else { return connection.inbound.message().await };
            tokio::select! {
                message = connection.inbound.message() => return message,
                () = sleep_until(due) => self.say_again(due),
            }
        }
    }

    /// Opens the stream, and in it all seats.
    async fn connect(&self) -> Result<Connection, Status> {
        let (outbox, messages) = unbounded_channel();
        for request in self.lines.values().flat_map(Line::requests) {
            let _ = outbox.send(request);
        }
        let wire = self.client.match_wire(None);
        let mut wire = wire.map_err(|error| Status::invalid_argument(error.to_string()))?;
        let retry_policy = self.client.retry_policy();
        let stream = timeout(retry_policy.attempt, wire.play(UnboundedReceiverStream::new(messages))).await;
        let inbound = stream.map_err(|_| late(retry_policy))??.into_inner();
        Ok(Connection { outbox, inbound })
    }

    /// Forgets the connection. A channel that was to be closed is closed by that; one at a time is told.
    fn disconnect(&mut self) -> Option<PlayEvent> {
        self.connection = None;
        self.later.clear();
        let number = self.lines.iter().find(|(_, line)| line.is_closing()).map(|(number, _)| *number)?;
        self.lines.remove(&number);
        Some(PlayEvent { channel: Channel(number), what: What::Closed(None) })
    }

    fn take(&mut self, response: PlayResponse) -> Result<Taken, Error> {
        let number = response.channel;
        let channel = Channel(number);
        // A message that was on its way when a channel was closed is for nobody.
        let Some(line) = self.lines.get_mut(&number) else { return Ok(Taken::Nothing) };
        Ok(match line.take(response)? {
            Next::Tell(what) => Taken::PlayEvent(PlayEvent { channel, what }),
            Next::Nothing => Taken::Nothing,
            Next::End(what) => {
                self.lines.remove(&number);
                Taken::PlayEvent(PlayEvent { channel, what })
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
    fn say_again(&mut self, now: Instant) {
        let (due, later) = std::mem::take(&mut self.later).into_iter().partition(|(at, ..)| *at <= now);
        self.later = later;
        let due: Vec<(Instant, u32, String)> = due;
        for (_, channel, request_id) in due {
            let call = self.lines.get(&channel).and_then(|line| line.unanswered(&request_id));
            if let Some(call) = call.cloned() {
                self.send(call);
            }
        }
    }
}

/// The result of a message.
enum Taken {
    PlayEvent(PlayEvent),
    Nothing,
    Lost,
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open: Vec<u32> = self.lines.keys().copied().collect();
        f.debug_struct("Play").field("open", &open).finish_non_exhaustive()
    }
}
